/** Writes search documents, identifiers and tags of leads that were generated in the database, as the program would. */
import { sql } from 'kysely'
import { indexLeads } from '../src/features/leads/record/index-leads.ts'
import { lockRows } from '../src/features/leads/record/lead-row.ts'
import type { Database } from '../src/kit/db/index.ts'

const pageRows = 2000

export async function indexAllLeads({ withTenant }: Database, tenantId: string): Promise<void> {
  for (let last: string | null = null; ; ) {
    const page = await withTenant({ tenantId }, async tx => {
      const { rows } = await sql<{ id: string }>`
        select id from leads where ${last}::uuid is null or id > ${last} order by id limit ${pageRows}`.execute(
        tx,
      )
      const ids = rows.map(({ id }) => id)
      const leads = [...(await lockRows(tx, ids)).values()]
      await Promise.all(
        indexLeads(
          tx,
          leads.map(({ row }) => ({ before: null, after: row })),
        ),
      )
      return ids
    })
    if (page.length < pageRows) return
    last = page.at(-1)!
  }
}
