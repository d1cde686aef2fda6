/** Hashes of identifiers for statements, which take them as parameters. */
import type { KeyObject } from 'node:crypto'
import { type Kysely, PostgresAdapter } from 'kysely'
import { hashIdentifier } from '../identifier-hash.ts'
import type { DB } from './tables.generated.ts'

/** What all that is opened from one database has in common: its transactions, its readers, and those with a plugin. */
export class ServiceAdapter extends PostgresAdapter {
  readonly identifierKey: KeyObject | undefined
  constructor(identifierKey: KeyObject | undefined) {
    super()
    this.identifierKey = identifierKey
  }
}

/** The hashes of these values, 32 bytes each, in their order. Throws if the database was opened without the key. */
export function hashIdentifiers(db: Kysely<DB>, values: readonly string[]): Buffer[] {
  const { adapter } = db.getExecutor()
  const key = adapter instanceof ServiceAdapter ? adapter.identifierKey : undefined
  if (!key) throw new Error('the database was opened without the key that identifiers are hashed under')
  return values.map(value => hashIdentifier(key, value))
}
