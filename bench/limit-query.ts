/** The list's own statement as a bare program would run it: the tenant in its text, one document from json_agg. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import { selectLeadPage } from '../src/features/leads/list/lead-list.ts'
import type { LeadFilter } from '../src/features/leads/schemas.ts'
import { createContext } from '../src/kit/db/context.ts'
import type { Tx } from '../src/kit/db/index.ts'
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

/** Whoever compiles statements without sending them: the tenant is one that nobody has. */
const nobodyId = '00000000-0000-0000-0000-000000000000'
createContext(compiler, nobodyId, 0)

/** Takes the tenant as $1 and a filter without values; rows as the list has them: `json`, `facts`, `id`. */
export function limitQuery(filter: LeadFilter): string {
  const { sql, parameters } = compileQuery(selectLeadPage(compiler as Tx, filter, null))
  if (parameters.some(value => value !== nobodyId)) throw new Error('the filter has values of its own')
  return sql.replaceAll(/\$\d+/g, '$1')
}

/** The page of such rows as JSON, with the facts of contactability in place of the answers. */
export function limitPage(rows: { json: string; facts: string; id: string }[]): string {
  const leads = rows.map(({ json, facts }) => `${json.slice(0, -1)},"contactability":${facts}}`)
  return `{"data":[${leads.join(',')}],"nextCursor":"${rows.at(-1)?.id}"}`
}
