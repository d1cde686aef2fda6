/** Who sent a request. */
import type { Environment, Tenant } from './db/index.ts'
import type { Role } from './settings/setting.ts'

/** A caller known by its key, or by its session. */
export interface Caller extends Tenant {
  workspaceId: string
  /** Of a person the id of the session: the database checks it as it checks keys. */
  keyId: string
  /** The person who is signed in; null: a program with a key. */
  userId: string | null
  /** Of that person. */
  role: Role | null
  environment: Environment
  scopes: string[]
  requestsPerMinute: number
  expiresAtMs: number | null
}
