/** What a simulated portal is to the server that carries it: a function from a request to a reply that is not yet written. */

export type RequestKind =
  | 'search'
  | 'detail'
  | 'contact'
  | 'photo'
  | 'token'
  | 'robots'
  | 'disallowed'
  | 'other'

/** How a page is to be spoilt, where only the portal itself can do it; `loop`: every page says that one more follows. */
export type Variant = 'true' | 'empty' | 'layout' | 'loop'

export interface PortalCall {
  url: URL
  method: 'GET' | 'HEAD' | 'POST'
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  /** Of a POST; else empty. */
  body: string
  variant: Variant
}

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
  /** User name and password, as in a URL, of a portal that knows its partners. */
  credentials?: string
  answer(call: PortalCall): Reply
}
