/** The contract between a simulated portal and its server: a function from a request to a reply. */

export type RequestKind =
  | 'search'
  | 'detail'
  | 'contact'
  | 'photo'
  | 'token'
  | 'robots'
  | 'disallowed'
  | 'other'

/** The normal portal, or a fault that the portal itself produces. `loop`: every page announces one more. */
export type Variant = 'normal' | 'empty' | 'layout' | 'loop'

export interface PortalCall {
  url: URL
  method: 'GET' | 'HEAD' | 'POST'
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>
  /** The body of a POST; else empty. */
  body: string
  variant: Variant
}

export interface Reply {
  kind: RequestKind
  status: number
  headers: Record<string, string>
  /** Entity tag of the exact bytes of this address. */
  etag?: string
  /** Milliseconds since the Unix epoch. */
  lastModified?: number
  /** Writes the body; only called if the body is sent. */
  render(): Buffer
}

export interface Portal {
  /** User name and password, as in a URL, if the portal requires credentials. */
  credentials?: string
  answer(call: PortalCall): Reply
}
