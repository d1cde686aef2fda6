/** Routes without a key: a token in the path opens them. Pages, forms, the widget on foreign sites, inbound webhooks. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Database, Tenant } from './db/index.ts'
import type { PublicBody } from './public-body.ts'

/** What a token opened: its tenant, and whatever the route needs to know about it. */
export interface Opened extends Tenant {
  /** Identifies what was opened: rate limits and fair shares count by it. */
  name: string
}

export interface PublicPage {
  type: 'text/html' | 'application/pdf'
  body: string | Uint8Array
  /** Default 200; a form that is shown again with its errors has 422. */
  status?: 200 | 422
  headers?: Record<string, string>
}

/** What a handler replies with, by the kind of its route. */
export interface PublicReplies {
  /** After a form: 303 to an address of the same or of another site. */
  page: PublicPage | { redirect: string }
  json: { json: unknown; status?: 200 | 201 | 202 }
  plain: { text: string; status?: 200 | 202 }
}

export type PublicKind = keyof PublicReplies

export interface PublicInput<O extends Opened> {
  database: Database
  opened: O
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Aborted when the client goes away or the server stops. */
  signal: AbortSignal
}

/** Requests per minute and process; see docs/decisions/0033. */
export interface PublicLimits {
  /** From one client address, to this route. */
  address: number
  /** To what a token opens, from everybody together. */
  token: number
  /** From one client address with tokens that open nothing. */
  unknown: number
}

export const defaultLimits: PublicLimits = { address: 300, token: 60, unknown: 30 }

export interface PublicRouteDefinition<O extends Opened, K extends PublicKind, B> {
  /** Below a base path, beside the API; ends with, or holds, `{token}`. */
  path: string
  /** `page`: errors are pages for people. `json` and `plain`: errors are problems as in the API. */
  kind: K
  /** What a token opens; null: nothing, or nothing any more. The tenant is not known yet: use a listed definer function. */
  open(database: Database, token: string): Promise<O | null>
  /** Origins whose pages may call this from a browser, such as `https://agency.example`. If omitted: none. */
  origins?(opened: O): readonly string[]
  limits?: Partial<PublicLimits>
  /**
   * Null: what was opened has gone in this moment. A `Problem` that is thrown becomes a page or a problem.
   * `isVisit`: GET, not HEAD.
   */
  get?(input: PublicInput<O> & { isVisit: boolean }): Promise<PublicReplies[K] | null>
  post?: {
    body: PublicBody<B>
    handle(input: PublicInput<O> & { body: B }): Promise<PublicReplies[K] | null>
  }
}

/** A route for whoever has its token, its types having served their purpose. It is in no OpenAPI document. */
export type PublicRoute = PublicRouteDefinition<Opened, PublicKind, unknown>

/** Declares a public route. */
export function publicRoute<O extends Opened, K extends PublicKind, B = never>(
  definition: PublicRouteDefinition<O, K, B>,
): PublicRoute {
  return definition as unknown as PublicRoute
}
