/** A public page is plain data: what opens it is a token in its address, not a key. */
import type { Database, Tenant } from './db/index.ts'

/** What a page is opened with, whoever asks: the tenant of its token, and what its route wants to know besides. */
export interface Opened extends Tenant {
  /** Names what was opened: so many look at it a minute, and no more. */
  name: string
}

export interface PublicPage {
  type: 'text/html' | 'application/pdf'
  body: string | Uint8Array
  headers?: Record<string, string>
}

export interface PublicRouteDefinition<O extends Opened> {
  /** Below a base path, and not among the routes of keys; ends with, or holds, `{token}`. */
  path: string
  /** What a token opens; null: nothing, or nothing any more. The tenant is not known yet: a listed definer function tells. */
  open(database: Database, token: string): Promise<O | null>
  /**
   * `isVisit`: somebody looks at it, and does not request its head alone. `signal` is aborted when the visitor goes away or
   * the server stops. Null: it went away in this moment. A 429 or 503 that is thrown becomes a page that says so.
   */
  page(input: {
    database: Database
    opened: O
    isVisit: boolean
    signal: AbortSignal
  }): Promise<PublicPage | null>
}

/** A page for whoever has its address: no key, a token in its place. In no OpenAPI document, as it is for people. */
export type PublicRoute = PublicRouteDefinition<Opened>

/** Declares a public page. */
export function publicRoute<O extends Opened>(definition: PublicRouteDefinition<O>): PublicRoute {
  return definition as unknown as PublicRoute
}
