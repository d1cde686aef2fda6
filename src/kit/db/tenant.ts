/** Whom a piece of work is for. */

/** A workspace's environment, and the key that came in for it, if one did. */
export interface Tenant {
  tenantId: string
  workspaceId?: string
  /** Checked again by the database in the transaction itself, so that revoking works on the very next request. */
  keyId?: string
}
