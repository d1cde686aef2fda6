/** The list's own statement as a bare program would run it: the tenant in its text, one document from json_agg. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { leadRows } from '../src/features/leads/lead-list.ts'
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

/** Takes the tenant as $1, gives one row with the column `page`: the reply's JSON text. */
export function limitQuery(filter: LeadFilter): string {
  const { sql, parameters } = leadRows(filter, null).compile(compiler)
  const rows = sql
    .replace('where true', 'where l.tenant_id = $1')
    .replace(`limit $${parameters.length}`, `limit ${filter.limit + 1}`)
  return `select '{"data":' || json_agg(json)::text || ',"nextCursor":' || to_json(max(position[1]))::text || '}' as page from (${rows}) page`
}
