/** Leads to be exported: as many as asked for in one workspace, with texts of the length that listings have. */
import pg from 'pg'
import { leadsSql, sourcesSql } from './dataset.ts'

const batchSize = 50_000

/**
 * Makes `count` leads, each with a source, in a tenant without any. As the superuser, past row level security and the
 * look-ups of references; without the words that leads are found by, which an export does not ask for.
 */
export async function makeManyLeads(superuserUrl: string, tenantId: string, count: number): Promise<void> {
  const client = new pg.Client({
    connectionString: superuserUrl,
    options: '-c search_path=aldaba,public -c synchronous_commit=off -c session_replication_role=replica',
  })
  await client.connect()
  for (let from = 1; from <= count; from += batchSize) {
    await client.query(leadsSql, [tenantId, from, Math.min(count, from + batchSize - 1)])
  }
  await client.query(sourcesSql, [tenantId])
  await client.query('vacuum analyze leads')
  await client.query('vacuum analyze lead_sources')
  await client.query('checkpoint')
  await client.end()
}
