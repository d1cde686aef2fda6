/** A condition over several values. */
import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: the column has one of these values. A single value is compared with "=", so that an index returns rows in the
 * order of the list.
 */
export function isOneOf(column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<unknown> {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? sql`${column} = ${first}` : sql`${column} = any(${[first, ...others]}::text[])`
}
