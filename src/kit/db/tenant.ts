/** Whom a piece of work is for. */

/** A workspace's environment, and the key that came in for it, if one did. */
export interface Tenant {
  tenantId: string
  workspaceId?: string
  /** Checked again by the database in the transaction itself, so that revoking works on the very next request. */
  keyId?: string
  /**
   * Aborted when nobody wants the work any more: until it has a connection, it is given up then. Work without a signal is the
   * program's own: it waits for a connection for as long as it takes, and is never refused one.
   */
  signal?: AbortSignal
}
