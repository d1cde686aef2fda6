/** The listings that the extraction of a campaign has still to check. Other extractions keep none. */
import { type RawBuilder, sql } from 'kysely'
import { getTenantId } from '../../kit/db/context.ts'
import type { Tx } from '../../kit/db/index.ts'
import { fetchPage, jsonObject, type ListRow, type Page } from '../../kit/db/json.ts'
import { ClaimLost } from '../../kit/operations/run.ts'
import type { Position } from '../../kit/page.ts'
import { insertMissingAsPending } from './missing-queries.ts'
import type { ClaimedExtraction } from './run-queries.ts'

interface FoundListing {
  listingId: string
  url: string
}

/** Adds listings that a page of the search shows. */
export function addPending(tx: Tx, claimed: ClaimedExtraction, listings: FoundListing[]): Promise<void> {
  return countPending(tx, claimed, async () => {
    const { numAffectedRows } = await sql`
      insert into extraction_pending (tenant_id, extraction_id, listing_id, url)
      select ${getTenantId(tx)}::uuid, ${claimed.id}::uuid, "listingId", url
      from jsonb_to_recordset(${JSON.stringify(listings)}::jsonb) as r ("listingId" text, url text)
      on conflict do nothing`.execute(tx)
    return Number(numAffectedRows)
  })
}

/** Adds the known listings of the search: a complete run checks each of them, in the search or one by one. */
export function addKnownAsPending(tx: Tx, claimed: ClaimedExtraction): Promise<void> {
  return countPending(tx, claimed, () => insertMissingAsPending(tx, claimed))
}

/** Removes listings that were checked. */
export function removePending(
  tx: Tx,
  claimed: ClaimedExtraction,
  listingIds: string[],
  { rechecked = 0 } = {},
): Promise<void> {
  return countPending(
    tx,
    claimed,
    async () => {
      const { numAffectedRows } = await sql`
        delete from extraction_pending
        where tenant_id = ${getTenantId(tx)} and extraction_id = ${claimed.id} and listing_id = any(${listingIds})`.execute(
        tx,
      )
      return -Number(numAffectedRows)
    },
    rechecked,
  )
}

/** Removes all listings, because the extraction has ended. */
export async function dropPending(tx: Tx, extractionId: string): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`delete from extraction_pending where tenant_id = ${tenantId} and extraction_id = ${extractionId}`.execute(
    tx,
  )
  await sql`update extractions set pending = 0 where tenant_id = ${tenantId} and id = ${extractionId} and pending <> 0`.execute(
    tx,
  )
}

/** Locks the extraction first, so that no row is added after its end. Throws ClaimLost if it has ended. */
async function countPending(
  tx: Tx,
  { id, runToken, campaignId }: ClaimedExtraction,
  change: () => Promise<number>,
  rechecked = 0,
): Promise<void> {
  if (campaignId === null) return
  const tenantId = getTenantId(tx)
  const { rows } = await sql`
    select from extractions
    where tenant_id = ${tenantId} and id = ${id} and run_token = ${runToken} and status = 'RUNNING' for no key update`.execute(
    tx,
  )
  if (rows.length === 0) throw new ClaimLost()
  const difference = await change()
  if (difference === 0 && rechecked === 0) return
  await sql`
    update extractions set pending = pending + ${difference}, rechecked = rechecked + ${rechecked}
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

const pendingJson = jsonObject('p.listing_id as "listingId", p.url')

/** A page of the listings still to check, in the order of their ids. */
export function listPendingListings(
  tx: Tx,
  extractionId: string,
  limit: number,
  after: Position | null,
): Promise<Page> {
  const conditions: RawBuilder<unknown>[] = [
    sql`p.tenant_id = ${getTenantId(tx)}`,
    sql`p.extraction_id = ${extractionId}`,
  ]
  if (after) conditions.push(sql`p.listing_id > ${after[0]}`)
  const rows = sql<ListRow>`
    select ${pendingJson} as json, array[p.listing_id] as position from extraction_pending p
    where ${sql.join(conditions, sql` and `)} order by p.listing_id limit ${limit + 1}`
  return fetchPage(tx, rows, limit)
}
