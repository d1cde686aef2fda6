/** The statement of the list as a bare program would run it: tenant in the text, one document from json_agg. */
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

/** Connection settings that statements of leads need. */
export const bareSettings = '-c search_path=aldaba,public -c timezone=UTC'

/** Compiles a statement to its text and values, without a connection. */
export function compileQuery(query: RawBuilder<unknown>): { sql: string; parameters: readonly unknown[] } {
  return query.compile(compiler)
}

/** The tenant of the compiler, which no row has. */
const nobodyId = '00000000-0000-0000-0000-000000000000'
createContext(compiler, { database: compiler, tenantId: nobodyId, shiftMs: 0 })

/** The list statement with the tenant as $1 and a filter without parameters; columns `json`, `facts`, `id`. */
export function compileLimitQuery(filter: LeadFilter): string {
  const { sql, parameters } = compileQuery(selectLeadPage(compiler as Tx, filter, null))
  if (parameters.some(value => value !== nobodyId))
    throw new Error('the filter has parameters: use one without')
  return sql.replaceAll(/\$\d+/g, '$1')
}

/** Formats the rows as the JSON of a page, with the raw facts of contactability. */
export function formatLimitPage(rows: { json: string; facts: string; id: string }[]): string {
  const leads = rows.map(({ json, facts }) => `${json.slice(0, -1)},"contactability":${facts}}`)
  return `{"data":[${leads.join(',')}],"nextCursor":"${rows.at(-1)?.id}"}`
}
