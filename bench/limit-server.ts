/**
 * Servers that the list is compared with. `limit`: bare node:http runs the query of the route with the same driver
 * and forwards PostgreSQL's JSON. `peer`: Fastify, which reads rows and converts them to objects. Both connect as the
 * superuser with the tenant as a parameter, and return sources and contactability.
 */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import Fastify from 'fastify'
import pg from 'pg'
import { decideContactability } from '../src/domain/contactability/contactability.ts'
import { bareSettings, compileLimitQuery, formatLimitPage } from './limit-query.ts'

const [kind, superuserUrl, tenantIdsText] = process.argv.slice(2)
const tenantIds = tenantIdsText!.split(',')
const limit = 50

const pool = new pg.Pool({
  connectionString: superuserUrl!,
  options: bareSettings,
  max: 10,
})
let turn = 0
const nextTenant = () => tenantIds[turn++ % tenantIds.length]!

function reportPort(port: number): void {
  process.send!({ port })
}

function toHashes({ phone, email }: { phone: string | null; email: string | null }): Buffer[] {
  const known = [phone, email].filter(value => value !== null)
  return known.map(value => createHmac('sha256', 'a key').update(value.toLowerCase()).digest())
}

if (kind === 'limit') {
  const text = compileLimitQuery({ sort: '-createdAt', limit })
  createServer((_request, response) => {
    pool.query({ name: 'limit', text, values: [nextTenant()] }).then(
      ({ rows }) =>
        response.setHeader('content-type', 'application/json; charset=utf-8').end(formatLimitPage(rows)),
      error => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1', function (this: import('node:net').Server) {
    reportPort((this.address() as { port: number }).port)
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
    const sourcesByLead = Map.groupBy(sources, source => source.lead_id)
    const { rows: suppressions } = await pool.query({
      name: 'suppressions',
      text: 'select * from suppressions where tenant_id = $1 and hash = any($2)',
      values: [leads[0].tenant_id, leads.flatMap(toHashes)],
    })
    const suppressionsByHash = Map.groupBy(suppressions, ({ hash }) => hash.toString('hex'))
    return {
      data: leads.slice(0, limit).map(lead => ({
        ...lead,
        sources: sourcesByLead.get(lead.id) ?? [],
        contactability: decideContactability(
          {
            identifiers: {
              chat: lead.phone !== null,
              phone: lead.phone !== null,
              email: lead.email !== null,
            },
            status: lead.status,
            noAgencies: (sourcesByLead.get(lead.id) ?? []).some(source => source.no_agencies),
            // The leads of the benchmark have no such facts.
            lawfulBasis: null,
            noticeSentAt: null,
            retentionEndsAt: null,
            suppressions: toHashes(lead).flatMap(hash => suppressionsByHash.get(hash.toString('hex')) ?? []),
            isErased: false,
          },
          { now: Temporal.Now.instant() },
        ),
      })),
      nextCursor: leads.length > limit ? leads[limit - 1].id : null,
    }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  reportPort((app.server.address() as { port: number }).port)
}
