/** The list's own statement as a bare program would run it: the tenant in its text, one document from json_agg. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import { leadRows } from '../src/features/leads/list/lead-list.ts'
import type { LeadFilter } from '../src/features/leads/schemas.ts'
import type { DB } from '../src/kit/db/tables.generated.ts'

const compiler = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Settings of a connection that the statements of leads read; the hashes are of nobody. */
export const bareSettings =
  '-c search_path=aldaba,public -c timezone=UTC -c aldaba.identifier_inner_pad=00 -c aldaba.identifier_outer_pad=00'

/** A statement as text and values. */
export function compileQuery(query: RawBuilder<unknown>): { sql: string; parameters: readonly unknown[] } {
  return query.compile(compiler)
}

/** Takes the tenant as $1, gives one row with the column `page`: the reply's JSON text. */
export function limitQuery(filter: LeadFilter): string {
  const { sql, parameters } = compileQuery(leadRows(filter, null))
  const rows = sql
    .replace('where true', 'where l.tenant_id = $1')
    .replace(`limit $${parameters.length}`, `limit ${filter.limit + 1}`)
  return `select '{"data":' || json_agg(json)::text || ',"nextCursor":' || to_json(max(position[1]))::text || '}' as page from (${rows}) page`
}
