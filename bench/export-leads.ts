/** Inserts leads for the export benchmark in one workspace, with texts as long as those of listings. */
import pg from 'pg'
import { leadsSql, sourcesSql } from './dataset.ts'

const batchSize = 50_000

/**
 * Inserts `count` leads, each with a source, in an empty tenant. Runs as the superuser without row level security and
 * foreign key checks, and without search documents, which an export does not read.
 */
export async function insertManyLeads(superuserUrl: string, tenantId: string, count: number): Promise<void> {
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
