// What a simulated portal is to the server that carries it: a function from a request to a reply that is not yet written.

export const PORTAL_IDS = ['portal_a'] as const
export type PortalId = (typeof PORTAL_IDS)[number]

export type RequestKind = 'search' | 'detail' | 'photo' | 'robots' | 'disallowed' | 'other'

/** How a page is to be spoilt, where only the portal itself can do it. */
export type Variant = 'true' | 'empty' | 'layout'

export interface Reply {
  kind: RequestKind
  status: number
  headers: Record<string, string>
  /** Identifies the very bytes of this address, so that a client may skip them. */
  etag?: string
  /** Milliseconds since 1970. */
  lastModified?: number
  /** Writes the body: left until it is known that anyone wants it. */
  render(): Buffer
}

export interface Portal {
  id: PortalId
  answer(url: URL, variant: Variant): Reply
}
