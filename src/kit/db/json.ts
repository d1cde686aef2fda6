/** JSON built by PostgreSQL. Converting rows to objects to text in the program takes several times as long. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './index.ts'

/**
 * SQL: a JSON object of these columns, named as in the reply: `jsonObject('l.id, l.phone_raw as "phoneRaw"')`. Pass
 * only constant text, never values; so the statement can be built once.
 */
export function jsonObject(columns: string): RawBuilder<unknown> {
  return sql.raw(jsonObjectText(columns))
}

/** The same for columns with parameters. */
export const toJsonObject = (columns: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select row_to_json(object) from (select ${columns}) object)`

/** The same as text, for use in another statement. Measured on a lead: a quarter faster than json_build_object. */
export function jsonObjectText(columns: string): string {
  return `(select row_to_json(object) from (select ${columns}) object)`
}

/** A row of a list. */
export interface ListRow {
  json: unknown
  /** The values of its sort columns, as text. */
  position: string[]
}

export interface Page {
  /** A JSON array of the rows. */
  json: string
  /** The position of its last row; null if no rows follow. */
  last: string[] | null
}

/** Returns a page of `rows`, a query that selects `json` and `position`, sorted, with a limit of `limit` + 1. */
export async function fetchPage(tx: Tx, rows: RawBuilder<ListRow>, limit: number): Promise<Page> {
  const { rows: pages } = await sql<Page>`
    select coalesce(json_agg(json) filter (where n <= ${limit}), '[]')::text as json,
      case when count(*) > ${limit} then (array_agg(array_to_json(position)) filter (where n = ${limit}))[1] end as last
    from (select json, position, row_number() over () as n from (${rows}) list) numbered`.execute(tx)
  return pages[0]!
}
