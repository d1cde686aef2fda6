/** The tenant of a piece of work. */

/** An environment of a workspace, with the API key of the request if there is one. */
export interface Tenant {
  tenantId: string
  workspaceId?: string
  /** The database checks it in the transaction itself, so that a revocation takes effect on the next request. */
  keyId?: string
  /**
   * Abort it when the result is no longer needed: then waiting for a connection ends. Work without a signal is
   * internal: it waits for a connection without limit, and is never refused.
   */
  signal?: AbortSignal
}
