/** The SQL statement that finds the listings that a search no longer has. */
import { sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import type { ClaimedExtraction } from './run-queries.ts'

/** A listing that earlier runs of this search saw, and this exhaustive run did not. */
export interface MissingListing {
  listingId: string
  path: string
}

/**
 * Lists missing listings in the order of their ids: `limit` of them at most, after the id `after`. Looks back to the last
 * exhaustive incremental run, which checked the listings missing until then.
 */
export async function listMissingListings(
  tx: Tx,
  { chain, searchKey, platform }: ClaimedExtraction,
  after: string,
  limit: number,
): Promise<MissingListing[]> {
  const { rows } = await sql<MissingListing>`
    select distinct s.listing_id as "listingId", s.path
    from extractions e
    join extraction_listings l on l.tenant_id = e.tenant_id and l.extraction_id = e.id
    join lead_sources s on s.tenant_id = l.tenant_id and s.platform = ${platform} and s.listing_id = l.listing_id
    where e.tenant_id = ${getTenantId(tx)} and e.search_key = ${searchKey} and e.id <> all(${chain}::uuid[]) and e.started_at >= coalesce((
        select max(s.search_started_at) from extractions s
        where s.tenant_id = ${getTenantId(tx)} and s.search_key = ${searchKey} and s.exhaustive and (s.options->>'incremental')::boolean and s.id <> all(${chain}::uuid[])),
        '-infinity')
      and l.listing_id > ${after} and s.withdrawn_at is null and s.path is not null
      and not exists (
        select from extraction_listings m
        where m.tenant_id = ${getTenantId(tx)} and m.extraction_id = any(${chain}::uuid[]) and m.listing_id = s.listing_id)
    order by s.listing_id limit ${limit}`.execute(tx)
  return rows
}
