/** How adverts become leads: at most one per workspace, environment and advertised property, whoever brings it. */
import { sql } from 'kysely'
import { placeKeys } from '../../domain/dedupe/place-keys.ts'
import type { Tx } from '../../kit/db/index.ts'
import { emitMany } from '../../kit/event.ts'
import { idTime, newId } from '../../kit/id.ts'
import { reserveUpTo } from '../../kit/quota.ts'
import { insertLikenesses } from './duplicate-queries.ts'
import { findErasedAdverts } from './erased.ts'
import { leadPriceChanged } from './events.ts'
import { type Column, columns, toRow } from './lead-columns.ts'
import {
  findSources,
  type IdentifiedListing,
  insertSources,
  type LeadListing,
  markUpdated,
  type Origin,
  releaseOrphans,
  stringify,
  takeTurn,
  updateSources,
} from './lead-sources.ts'
import { fileUnderStreets } from './place-street.ts'
import { findSameProperties } from './same-property.ts'

export {
  addBases,
  addNotes,
  takeBackAdditions,
} from './import-additions.ts'
export type { CustomValue, LeadDraft } from './lead-draft.ts'
export { listLeads } from './lead-list.ts'
export {
  type IdentifiedListing,
  keepListings,
  lookUpSources,
  type SourceTrace,
  withdrawListings,
} from './lead-sources.ts'
export { type SavedDraft, saveDrafts } from './save-leads.ts'
export { undoDrafts, type WrittenDraft } from './undo-drafts.ts'

export interface ListingBatch extends Origin {
  tags: string[]
  /** Whether a known lead takes over what has changed in its advert. */
  updateExisting: boolean
  listings: IdentifiedListing[]
}

export type StoredListing =
  /** `updated` too if the property was known from another portal. */
  | { listingId: string; result: 'created' | 'updated' | 'unchanged'; leadId: string }
  /** The quota of leads was used up before this one. */
  | { listingId: string; result: 'overQuota'; leadId: null }
  /** Its person was erased. */
  | { listingId: string; result: 'suppressed'; leadId: null }

const names = Object.keys(columns) as Column[]
const lists = new Set<Column>(['features', 'images'])
const columnList = sql.raw(names.join(', '))
const recordColumns = sql.raw(names.map(name => `${name} ${columns[name]}`).join(', '))
/** What the advert no longer says is kept: a page that lost its phone does not lose the lead's. */
const kept = (name: Column) =>
  lists.has(name) ? `coalesce(nullif(i.${name}, '{}'), l.${name})` : `coalesce(i.${name}, l.${name})`
/** Another portal's advert of the property fills gaps alone, so that two portals never rewrite a lead in turns. */
const filled = (name: Column) =>
  lists.has(name) ? `coalesce(nullif(l.${name}, '{}'), i.${name})` : `coalesce(l.${name}, i.${name})`
const chosen = (name: Column) => `case when i.leads then ${kept(name)} else ${filled(name)} end`
const assignments = sql.raw(names.map(name => `${name} = ${chosen(name)}`).join(', '))
const isChanged = sql.raw(
  `(${names.map(name => `l.${name}`).join(', ')}) is distinct from (${names.map(chosen).join(', ')})`,
)

/**
 * Stores a batch in the caller's transaction and says what became of each advert. New leads are counted against
 * `maxLeadsPerMonth`; those beyond it are not stored, nor are those of erased people.
 */
export async function storeListings(tx: Tx, batch: ListingBatch): Promise<StoredListing[]> {
  if (batch.listings.length === 0) return []
  await takeTurn(tx)
  const erased = await findErasedAdverts(tx, batch.platform, batch.listings)
  if (erased.size === 0) return storeWelcome(tx, batch)
  const listings = batch.listings.filter(({ listingId }) => !erased.has(listingId))
  const stored = await storeWelcome(tx, { ...batch, listings })
  const results = new Map(stored.map(result => [result.listingId, result]))
  return batch.listings.map(
    ({ listingId }) => results.get(listingId) ?? { listingId, result: 'suppressed', leadId: null },
  )
}

async function storeWelcome(tx: Tx, batch: ListingBatch): Promise<StoredListing[]> {
  const now = new Date()
  const sources = await findSources(tx, batch.platform, batch.listings)
  const unknown = batch.listings.filter(found => !sources.has(found.listingId))
  const { same, like } = await findSameProperties(tx, batch.platform, unknown)
  const fresh = unknown.filter(found => !same.has(found.listingId))
  const granted = fresh.length === 0 ? 0 : await reserveUpTo(tx, 'maxLeadsPerMonth', fresh.length)
  const created = fresh.slice(0, granted).map(found => ({ ...found, leadId: newId() }))
  await insertLeads(tx, batch, created)
  await insertLikenesses(
    tx,
    created.flatMap(({ leadId, listingId }) =>
      (like.get(listingId) ?? []).map(other => ({ leadId, ...other })),
    ),
  )

  const joined = withLead(unknown, id => same.get(id))
  const orphans = await releaseOrphans(tx, [...same.values()])
  const [heirs, others] = [true, false].map(isHeir =>
    joined.filter(found => orphans.has(found.leadId) === isHeir),
  )
  await insertSources(tx, batch, heirs!, now, true)
  await insertSources(tx, batch, others!, now, false)
  const known = withLead(batch.listings, id => sources.get(id)?.leadId)
  await updateSources(tx, batch.platform, known, now)
  const changed = await updateLeads(tx, batch, now, [
    ...known.map(found => ({ ...found, leads: sources.get(found.listingId)!.isPrimary })),
    ...joined.map(found => ({ ...found, leads: orphans.has(found.leadId) })),
  ])
  const back = known.filter(found => sources.get(found.listingId)!.wasWithdrawn)
  const unmarked = [...joined, ...back].filter(({ leadId }) => !changed.has(leadId))
  await markUpdated(tx, unmarked, now)

  const createdIds = new Map(created.map(({ listingId, leadId }) => [listingId, leadId]))
  return batch.listings.map(({ listingId }): StoredListing => {
    const knownId = sources.get(listingId)?.leadId
    if (knownId) return { listingId, result: changed.has(knownId) ? 'updated' : 'unchanged', leadId: knownId }
    const joinedId = same.get(listingId)
    if (joinedId) return { listingId, result: 'updated', leadId: joinedId }
    const createdId = createdIds.get(listingId)
    return createdId
      ? { listingId, result: 'created', leadId: createdId }
      : { listingId, result: 'overQuota', leadId: null }
  })
}

function withLead(
  listings: IdentifiedListing[],
  leadOf: (listingId: string) => string | undefined,
): LeadListing[] {
  return listings.flatMap(found => {
    const leadId = leadOf(found.listingId)
    return leadId ? [{ ...found, leadId }] : []
  })
}

async function insertLeads(tx: Tx, batch: ListingBatch, listings: LeadListing[]): Promise<void> {
  if (listings.length === 0) return
  await sql`
    insert into leads (id, created_at, updated_at, campaign_id, tags, price_history, place_street, ${columnList})
    select id, created_at, created_at, ${batch.campaignId}, ${batch.tags}::text[],
      case when price is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('price', price, 'at', aldaba.iso_time(created_at))) end,
      place_street, ${columnList}
    from jsonb_to_recordset(${toJson(listings)}::jsonb) as i (id uuid, created_at timestamptz, place_street bigint, ${recordColumns})`.execute(
    tx,
  )
  await insertSources(tx, batch, listings, null, true)
}

/** Returns the ids of the leads that changed; `leads` are adverts that the lead follows, the others fill gaps. */
async function updateLeads(
  tx: Tx,
  batch: ListingBatch,
  now: Date,
  listings: (LeadListing & { leads: boolean })[],
): Promise<Set<string>> {
  if (listings.length === 0 || !batch.updateExisting) return new Set()
  const { rows } = await sql<Changed>`
    with i as materialized (
      select * from jsonb_to_recordset(${toJson(listings)}::jsonb) as i (id uuid, listing_id text, leads boolean, ${recordColumns})
    ), before as materialized (
      select l.id, l.price from leads l join i on i.id = l.id
    )
    update leads l set updated_at = ${now}, ${assignments},
      price_history = case when i.leads and i.price is distinct from l.price and i.price is not null
        then l.price_history || jsonb_build_object('price', i.price, 'at', aldaba.iso_time(${now}::timestamptz)) else l.price_history end
    from i, before b
    where l.id = i.id and b.id = l.id and ${isChanged}
    returning l.id, i.listing_id as "listingId", b.price::float8 as "previousPrice", l.price::float8 as price, l.currency`.execute(
    tx,
  )
  await emitMany(
    tx,
    leadPriceChanged,
    rows.flatMap(({ id, listingId, previousPrice, price, currency }) =>
      previousPrice === null || price === null || previousPrice === price
        ? []
        : [{ leadId: id, platform: batch.platform, listingId, previousPrice, price, currency }],
    ),
  )
  const changed = rows.map(row => row.id)
  await fileUnderStreets(tx, changed)
  return new Set(changed)
}

interface Changed {
  id: string
  listingId: string
  previousPrice: number | null
  price: number | null
  currency: string | null
}

function toJson(listings: (LeadListing & { leads?: boolean })[]): string {
  return stringify(
    listings.map(({ leadId, listingId, listing, leads }) => ({
      id: leadId,
      // The order of ids is that of creation: both tell one moment.
      created_at: idTime(leadId),
      listing_id: listingId,
      leads,
      place_street: placeKeys(listing).street,
      ...toRow(listing),
    })),
  )
}
