/** Hashes identifiers, for use as statement parameters. */
import type { KeyObject } from 'node:crypto'
import { type Kysely, PostgresAdapter } from 'kysely'
import { hashIdentifier } from '../identifier-hash.ts'
import { getTenantId } from './context.ts'
import type { DB } from './tables.generated.ts'

/** The Kysely adapter carries the key, because transactions, readers and instances with plugins all share it. */
export class ServiceAdapter extends PostgresAdapter {
  readonly identifierKey: KeyObject | undefined
  constructor(identifierKey: KeyObject | undefined) {
    super()
    this.identifierKey = identifierKey
  }
}

/**
 * Returns the hashes of identifiers in the tenant, 32 bytes each. Throws if the database was opened without the key.
 */
export function hashIdentifiers(tx: Kysely<DB>, values: readonly string[]): Buffer[] {
  return hashValues(tx, getTenantId(tx), values)
}

/** Hashes values that belong to no tenant, such as listings of the market. `scope` separates them from all others. */
export function hashValues(db: Kysely<DB>, scope: string, values: readonly string[]): Buffer[] {
  const { adapter } = db.getExecutor()
  const key = adapter instanceof ServiceAdapter ? adapter.identifierKey : undefined
  if (!key) throw new Error('the database was opened without the key for hashing identifiers (identifierKey)')
  return values.map(value => hashIdentifier(key, scope, value))
}
