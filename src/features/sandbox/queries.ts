/** The SQL statements of changed listings. */
import { getTenantId } from '../../kit/db/context.ts'
import { sql, type Tx } from '../../kit/db/index.ts'
import { lockLeadWrites } from '../../kit/writer.ts'

/** An environment's change of a listing of the simulated portals. */
export interface ListingChange {
  listingId: string
  /** Null: unchanged. */
  price: number | null
  isWithdrawn: boolean
  /** 1, 2, 3, … in the order in which the listings were last changed. */
  sequence: number
}

/** Lists the changed listings, each once, in the order of `sequence`. */
export function listListingChanges(tx: Tx): Promise<ListingChange[]> {
  return tx
    .selectFrom('sandbox_listings')
    .select(['listing_id as listingId', 'price', 'is_withdrawn as isWithdrawn', 'sequence'])
    .where('tenant_id', '=', getTenantId(tx))
    .orderBy('sequence')
    .execute()
}

/** The most listings that an environment may change. */
export const changedListingsMax = 1000

/** Changes a listing; omitted fields keep their value. Returns the stored change; null: too many listings are changed. */
export async function changeListing(
  tx: Tx,
  listingId: string,
  { price, withdrawn }: { price?: number; withdrawn?: boolean },
): Promise<ListingChange | null> {
  await lockLeadWrites(tx)
  const tenantId = getTenantId(tx)
  const { rows: changes } = await sql<{ count: number; last: number; isKnown: boolean | null }>`
    select count(*), coalesce(max(sequence), 0) as last, bool_or(listing_id = ${listingId}) as "isKnown"
    from sandbox_listings where tenant_id = ${tenantId}`.execute(tx)
  const { count, last, isKnown } = changes[0]!
  if (count >= changedListingsMax && !isKnown) return null
  const { rows } = await sql<ListingChange>`
    insert into sandbox_listings (tenant_id, listing_id, price, is_withdrawn, sequence)
    values (${tenantId}, ${listingId}, ${price ?? null}, ${withdrawn ?? false}, ${last + 1})
    on conflict (tenant_id, listing_id) do update set sequence = excluded.sequence,
      price = coalesce(${price ?? null}, sandbox_listings.price),
      is_withdrawn = coalesce(${withdrawn ?? null}, sandbox_listings.is_withdrawn)
    returning listing_id as "listingId", price, is_withdrawn as "isWithdrawn", sequence`.execute(tx)
  return rows[0]!
}
