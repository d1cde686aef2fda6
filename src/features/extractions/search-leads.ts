/** The leads that the search of a campaign has brought. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'

/** A position in the results of a search: an extraction, and a listing of it. */
export type ResultPosition = [extractionId: string, listingId: string]

export interface SearchLeads {
  extractionId: string
  /** Null: every lead that the extraction found. Else those that were new or changed since this time, also in other extractions of the same search. */
  since: Date | null
  after: ResultPosition | null
  limit: number
}

/** Lists leads of a search, `limit` of them at most. A lead with several listings appears more than once. */
export async function listSearchLeads(
  tx: Tx,
  { extractionId, since, after, limit }: SearchLeads,
): Promise<{ leadId: string; position: ResultPosition }[]> {
  const tenantId = getTenantId(tx)
  const conditions: RawBuilder<unknown>[] = [sql`e.tenant_id = ${tenantId}`, sql`l.lead_id is not null`]
  if (since === null) conditions.push(sql`e.id = ${extractionId}`)
  else
    conditions.push(
      sql`e.search_key = (
        select search_key from extractions where tenant_id = ${tenantId} and id = ${extractionId})`,
      sql`coalesce(e.finished_at, 'infinity') >= ${since}::timestamptz`,
      sql`l.result in ('created', 'updated')`,
    )
  if (after) conditions.push(sql`(l.extraction_id, l.listing_id) > (${after[0]}::uuid, ${after[1]})`)
  const { rows } = await sql<{ leadId: string; position: ResultPosition }>`
    select l.lead_id as "leadId", array[l.extraction_id::text, l.listing_id] as position
    from extractions e
    join extraction_listings l on l.tenant_id = e.tenant_id and l.extraction_id = e.id
    where ${sql.join(conditions, sql` and `)}
    order by l.extraction_id, l.listing_id limit ${limit}`.execute(tx)
  return rows
}
