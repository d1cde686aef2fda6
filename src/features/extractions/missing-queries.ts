/** The SQL statements about known listings that a run has not seen: it checks them before it ends. */
import { type RawBuilder, sql } from 'kysely'
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
  claimed: ClaimedExtraction,
  after: string,
  limit: number,
): Promise<MissingListing[]> {
  const { rows } = await sql<MissingListing>`
    select distinct s.listing_id as "listingId", s.path
    ${fromMissing(tx, claimed)} and l.listing_id > ${after}
    order by s.listing_id limit ${limit}`.execute(tx)
  return rows
}

/** Inserts what is missing now as pending. Returns the number of new rows. */
export async function insertMissingAsPending(tx: Tx, claimed: ClaimedExtraction): Promise<number> {
  const { rows } = await sql`
    insert into extraction_pending (tenant_id, extraction_id, listing_id, url)
    select distinct on (s.listing_id) ${getTenantId(tx)}::uuid, ${claimed.id}::uuid, s.listing_id, s.url
    ${fromMissing(tx, claimed)}
    order by s.listing_id
    on conflict do nothing returning true`.execute(tx)
  return rows.length
}

/** SQL: sources `s` that earlier runs of this search saw and this run has not. */
const fromMissing = (tx: Tx, { chain, searchKey, platform }: ClaimedExtraction): RawBuilder<unknown> => sql`
    from extractions e
    join extraction_listings l on l.tenant_id = e.tenant_id and l.extraction_id = e.id
    join lead_sources s on s.tenant_id = l.tenant_id and s.platform = ${platform} and s.listing_id = l.listing_id
    where e.tenant_id = ${getTenantId(tx)} and e.search_key = ${searchKey} and e.id <> all(${chain}::uuid[]) and e.started_at >= coalesce((
        select max(s.search_started_at) from extractions s
        where s.tenant_id = ${getTenantId(tx)} and s.search_key = ${searchKey} and s.exhaustive and (s.options->>'incremental')::boolean and s.id <> all(${chain}::uuid[])),
        '-infinity')
      and s.withdrawn_at is null and s.path is not null
      and not exists (
        select from extraction_listings m
        where m.tenant_id = ${getTenantId(tx)} and m.extraction_id = any(${chain}::uuid[]) and m.listing_id = s.listing_id)`
