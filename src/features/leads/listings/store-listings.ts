/** Stores listings as leads: at most one lead per workspace, environment and property, from any portal. */

import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { getIdTime, newId } from '../../../kit/id.ts'
import { reserveUpTo } from '../../../kit/quota.ts'
import { listingIdentifier } from '../../privacy/service.ts'
import { leadsPerMonth } from '../quotas.ts'
import { findErasedAmong } from '../record/erased-people.ts'
import { toRow } from '../record/lead-columns.ts'
import { emptyRow } from '../record/lead-row.ts'
import { insertLeads, touchLeads } from '../record/write-leads.ts'
import { applyListings, type ListingSighting } from './apply-listings.ts'
import { insertDuplicates } from './duplicate-queries.ts'
import {
  electPrimarySources,
  findSources,
  insertSources,
  type LeadListing,
  type Origin,
  type PortalListing,
  updateSources,
} from './lead-sources.ts'
import { matchProperties } from './same-property.ts'

export interface ListingBatch extends Origin {
  tags: string[]
  /** Existing leads are updated with changes of their listings. */
  updateExisting: boolean
  listings: PortalListing[]
}

export type StoredListing =
  /** `updated` includes the first listing from another portal of a known lead. */
  | { listingId: string; result: 'created' | 'updated' | 'unchanged'; leadId: string }
  /** The quota of leads is used up. */
  | { listingId: string; result: 'overQuota'; leadId: null }
  /** Its person was erased. */
  | { listingId: string; result: 'suppressed'; leadId: null }

/**
 * Stores a batch in the caller's transaction and returns the result of each listing, in order. New leads count towards
 * `maxLeadsPerMonth`; listings beyond the quota and listings of erased people are not stored.
 */
export async function storeListings(tx: Tx, batch: ListingBatch): Promise<StoredListing[]> {
  if (batch.listings.length === 0) return []
  const erased = await findErasedListings(tx, batch.platform, batch.listings)
  if (erased.size === 0) return storeAllowed(tx, batch)
  const listings = batch.listings.filter(({ listingId }) => !erased.has(listingId))
  const stored = await storeAllowed(tx, { ...batch, listings })
  const results = new Map(stored.map(result => [result.listingId, result]))
  return batch.listings.map(
    ({ listingId }) => results.get(listingId) ?? { listingId, result: 'suppressed', leadId: null },
  )
}

async function storeAllowed(tx: Tx, batch: ListingBatch): Promise<StoredListing[]> {
  const now = getNow(tx)
  const sources = await findSources(tx, batch.platform, batch.listings)
  const unknown = batch.listings.filter(found => !sources.has(found.listingId))
  const { same, similar } = await matchProperties(tx, batch.platform, unknown)
  const newListings = unknown.filter(found => !same.has(found.listingId))
  const granted = newListings.length === 0 ? 0 : await reserveUpTo(tx, leadsPerMonth, newListings.length)
  const created = newListings.slice(0, granted).map(found => ({ ...found, leadId: newId(now) }))
  await insertNewLeads(tx, batch, created)
  await insertDuplicates(
    tx,
    created.flatMap(({ leadId, listingId }) =>
      (similar.get(listingId) ?? []).map(other => ({ leadId, ...other })),
    ),
  )

  const joined = attachLeadIds(unknown, id => same.get(id))
  const knownListings = attachLeadIds(batch.listings, id => sources.get(id)?.leadId)
  const { seen, arrived } = await saveSources(tx, batch, now, { joined, knownListings, sources })
  const changed = await applyListings(tx, batch, now, seen)
  const untouched = arrived.filter(({ leadId }) => !changed.has(leadId))
  await touchLeads(
    tx,
    untouched.map(({ leadId }) => leadId),
    now,
  )

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

interface ExistingListings {
  /** New listings of existing leads. */
  joined: LeadListing[]
  /** Known listings of existing leads. */
  knownListings: LeadListing[]
  sources: Awaited<ReturnType<typeof findSources>>
}

/** Stores the sources of existing leads. `arrived`: the listings that are new or listed again. */
async function saveSources(
  tx: Tx,
  batch: ListingBatch,
  now: Date,
  { joined, knownListings, sources }: ExistingListings,
): Promise<{ seen: ListingSighting[]; arrived: LeadListing[] }> {
  await insertSources(tx, batch, joined, now, false)
  await updateSources(tx, batch.platform, knownListings, now)
  const relisted = knownListings.filter(({ listingId }) => sources.get(listingId)!.wasWithdrawn)
  const arrived = [...joined, ...relisted]
  const primary = await electPrimarySources(
    tx,
    arrived.map(({ leadId }) => leadId),
  )
  const isPrimary = ({ leadId, listingId }: LeadListing) => {
    const source = primary.get(leadId)
    if (!source) return sources.get(listingId)!.isPrimary
    return source.platform === batch.platform && source.listingId === listingId
  }
  const isKnown = ({ listingId }: LeadListing) => sources.has(listingId)
  const seen = [...knownListings, ...joined].map(found => ({
    ...found,
    isPrimary: isPrimary(found),
    isKnown: isKnown(found),
    isCardOnly: !found.sourceState.isRead && (sources.get(found.listingId)?.wasRead ?? false),
  }))
  return { seen, arrived }
}

function attachLeadIds(
  listings: PortalListing[],
  getLeadId: (listingId: string) => string | undefined,
): LeadListing[] {
  return listings.flatMap(found => {
    const leadId = getLeadId(found.listingId)
    return leadId ? [{ ...found, leadId }] : []
  })
}

async function insertNewLeads(tx: Tx, batch: ListingBatch, listings: LeadListing[]): Promise<void> {
  const leads = listings.map(({ leadId, listing }) => {
    const listingRow = toRow(listing)
    const { price } = listingRow
    const priceHistory = price === null ? [] : [{ price, at: getIdTime(leadId).toISOString() }]
    const ownColumns = { campaign_id: batch.campaignId, tags: batch.tags, price_history: priceHistory }
    return { row: { ...emptyRow(leadId), ...listingRow, ...ownColumns }, listingPrice: price }
  })
  await Promise.all([insertLeads(tx, leads), insertSources(tx, batch, listings, null, true)])
}

/**
 * Takes the write lock and returns the ids of the listings of erased people, found by listing id, phone and e-mail
 * address.
 */
async function findErasedListings(tx: Tx, platform: string, listings: PortalListing[]): Promise<Set<string>> {
  const erased = await findErasedAmong(tx, listings, async () => ({ listingId, listing: { contact } }) => [
    listingIdentifier(platform, listingId).value,
    ...[contact.phone, contact.email].flatMap(value => value ?? []),
  ])
  return new Set([...erased].map(({ listingId }) => listingId))
}
