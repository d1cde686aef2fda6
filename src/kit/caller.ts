/** The caller of a request. */
import type { Environment, Tenant } from './db/index.ts'
import type { Role } from './settings/setting.ts'

/** A caller authenticated by an API key or a session. */
export interface Caller extends Tenant {
  workspaceId: string
  /** The id of the key; for a user, the id of the session, which the database checks like a key. */
  keyId: string
  /** The signed-in user; null: a program with a key. */
  userId: string | null
  /** The role of the user. */
  role: Role | null
  environment: Environment
  scopes: string[]
  requestsPerMinute: number
  expiresAtMs: number | null
}
