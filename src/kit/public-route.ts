/** Routes without an API key, authorized by a token in the path: pages, their files, forms, the widget, inbound webhooks. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Database, Tenant } from './db/index.ts'
import type { PublicBody } from './public-body.ts'

/** The resource that a token gives access to: its tenant, and what the route needs to know about it. */
export interface TokenResource extends Tenant {
  /** Identifies the resource for rate limits and fair shares. */
  name: string
}

/** A reply that browsers may keep, but must validate before each use: so a revoked link shows nothing any more. */
interface Validated {
  /** The version of the body, see `toWeakETag`. If omitted, nothing keeps the reply. */
  etag?: string
}

export interface PublicPage extends Validated {
  type: 'text/html' | 'application/pdf'
  body: string | Uint8Array
  /** Default: 200. A form that is shown again with its errors has 422. */
  status?: 200 | 422
  headers?: Record<string, string>
}

/** A file that a page shows, such as a photo. */
export interface PublicFile extends Validated {
  /** One that can't run scripts: see `inlineTypes`, or `application/octet-stream` as an attachment. */
  type: string
  bytes: Uint8Array
  headers?: Record<string, string>
}

/** The replies of handlers, by the kind of route. */
export interface PublicReplies {
  /** `redirect`: the URL for a 303 after a form, on this or another site. */
  page: PublicPage | { redirect: string }
  file: PublicFile
  json: { json: unknown; status?: 200 | 201 | 202 }
  plain: { text: string; status?: 200 | 202 }
}

export type PublicKind = keyof PublicReplies

export interface PublicInput<R extends TokenResource> {
  database: Database
  resource: R
  /** The other parameters of the path. */
  params: Record<string, string>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** The client address for rate limits, see `toClientAddress`. */
  address: string
  /** Aborted when the client disconnects or the server stops. */
  signal: AbortSignal
}

/** Requests allowed per minute and process; see docs/decisions/0033. */
export interface PublicLimits {
  /** From one client address to this route. */
  address: number
  /** To one token's resource, from all clients together. */
  token: number
  /** From one client address with invalid tokens. */
  unknown: number
}

export const defaultLimits: PublicLimits = { address: 300, token: 60, unknown: 30 }

export interface PublicRouteDefinition<R extends TokenResource, K extends PublicKind, B> {
  /** The path below the base path, beside the API. It contains `{token}`. */
  path: string
  /** `page`: errors are HTML pages. Other kinds: errors are problems as in the API. */
  kind: K
  /**
   * Finds the resource of a token; null if the token is invalid or no longer valid. The tenant is not known yet, so
   * read with a listed `security definer` function. `query`: for redirects of other sites, whose path is always the same.
   */
  findResource(database: Database, token: string, query: URLSearchParams): Promise<R | null>
  /** Origins whose pages may call this from a browser, such as `https://agency.example`. Default: none. */
  origins?(resource: R): readonly string[]
  limits?: Partial<PublicLimits>
  /**
   * Returns the reply, or null if the resource has just been deleted. A thrown `Problem` becomes an HTML page or a
   * problem. `isVisit`: the request is GET, not HEAD.
   */
  get?(input: PublicInput<R> & { isVisit: boolean }): Promise<PublicReplies[K] | null>
  post?: {
    body: PublicBody<B>
    handle(input: PublicInput<R> & { body: B }): Promise<PublicReplies[K] | null>
  }
}

/** A public route with its type parameters erased. It is not in the OpenAPI document. */
export type PublicRoute = PublicRouteDefinition<TokenResource, PublicKind, unknown>

/** Declares a public route. */
export function publicRoute<R extends TokenResource, K extends PublicKind, B = never>(
  definition: PublicRouteDefinition<R, K, B>,
): PublicRoute {
  return definition as unknown as PublicRoute
}
