/** JSON written by PostgreSQL: rows to objects to text in the program takes several times as long. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './index.ts'

/**
 * One JSON object of the columns, named as in the reply: `jsonObject('l.id, l.phone_raw as "phoneRaw"')`. Only constant
 * text of ours goes in, never a value: so the statement is put together once and not at every request.
 */
export function jsonObject(columns: string): RawBuilder<unknown> {
  return sql.raw(jsonObjectText(columns))
}

/** The same of columns with values in them. */
export const toJsonObject = (columns: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select row_to_json(object) from (select ${columns}) object)`

/** The same as text, to be part of another one. Measured on a lead: a quarter faster than json_build_object, and shorter. */
export function jsonObjectText(columns: string): string {
  return `(select row_to_json(object) from (select ${columns}) object)`
}

/** A row of a list: what is shown of it, and the values of its sort columns, as text. */
export interface ListRow {
  json: unknown
  position: string[]
}

export interface Page {
  /** A JSON array. */
  json: string
  /** Position of its last row; null if none follows. */
  last: string[] | null
}

/** A page of `rows`, which selects `json` and `position`, is in order, and stops at `limit` + 1. */
export async function fetchPage(tx: Tx, rows: RawBuilder<ListRow>, limit: number): Promise<Page> {
  const { rows: pages } = await sql<Page>`
    select coalesce(json_agg(json) filter (where n <= ${limit}), '[]')::text as json,
      case when count(*) > ${limit} then (array_agg(array_to_json(position)) filter (where n = ${limit}))[1] end as last
    from (select json, position, row_number() over () as n from (${rows}) list) numbered`.execute(tx)
  return pages[0]!
}
