/**
 * What the list is held against. `limit`: bare node:http that runs the route's own query with the same driver, tenant
 * given in the query, and passes PostgreSQL's JSON through. `peer`: the ordinary way, Fastify over rows and objects.
 */
import { createServer } from 'node:http'
import Fastify from 'fastify'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { leadRows } from '../src/features/leads/queries.ts'
import type { DB } from '../src/kit/db/tables.generated.ts'

const [kind, superuserUrl, tenantIdsText] = process.argv.slice(2)
const tenantIds = tenantIdsText!.split(',')
const limit = 50

const pool = new pg.Pool({
  connectionString: superuserUrl!,
  options: '-c search_path=aldaba,public -c timezone=UTC',
  max: 10,
})
let turn = 0
const nextTenant = () => tenantIds[turn++ % tenantIds.length]!

function listen(port: number): void {
  process.send!({ port })
}

if (kind === 'limit') {
  const text = limitQuery()
  createServer((_request, response) => {
    pool.query({ name: 'limit', text, values: [nextTenant()] }).then(
      ({ rows }) => response.setHeader('content-type', 'application/json; charset=utf-8').end(rows[0].page),
      error => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1', function (this: import('node:net').Server) {
    listen((this.address() as { port: number }).port)
  })
} else {
  const app = Fastify()
  app.get('/*', async () => {
    const { rows: leads } = await pool.query({
      name: 'leads',
      text: 'select * from leads where tenant_id = $1 order by id desc limit 51',
      values: [nextTenant()],
    })
    const { rows: sources } = await pool.query({
      name: 'sources',
      text: 'select * from lead_sources where tenant_id = $1 and lead_id = any($2)',
      values: [leads[0].tenant_id, leads.map(lead => lead.id)],
    })
    const sourcesOf = Map.groupBy(sources, source => source.lead_id)
    return {
      data: leads.slice(0, limit).map(lead => ({ ...lead, sources: sourcesOf.get(lead.id) ?? [] })),
      nextCursor: leads.length > limit ? leads[limit - 1].id : null,
    }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  listen((app.server.address() as { port: number }).port)
}

/** The route's query, its filter for the tenant in place of row level security, put into one document by json_agg. */
function limitQuery(): string {
  const compiler = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const { sql, parameters } = leadRows({ sort: '-createdAt', limit }, null).compile(compiler)
  const rows = sql.replace('where true', 'where l.tenant_id = $1')
  const text = rows.replace(`limit $${parameters.length}`, `limit ${limit + 1}`)
  return `select '{"data":' || json_agg(json)::text || ',"nextCursor":' || to_json(max(position[1]))::text || '}' as page from (${text}) page`
}
