/** How adverts become leads: at most one per workspace, environment and advertised property, whoever brings it. */

import { nowOf } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { idTime, newId } from '../../../kit/id.ts'
import { reserveUpTo } from '../../../kit/quota.ts'
import { advertIdentifier } from '../../privacy/service.ts'
import { leadsPerMonth } from '../quotas.ts'
import { findErasedOnes } from '../record/erased.ts'
import { toRow } from '../record/lead-columns.ts'
import { emptyRow } from '../record/lead-row.ts'
import { insertLeads, touchLeads } from '../record/write-leads.ts'
import { changeLeads, type SeenListing } from './advert-changes.ts'
import { insertLikenesses } from './duplicate-queries.ts'
import {
  findSources,
  followAdverts,
  type IdentifiedListing,
  insertSources,
  type LeadListing,
  type Origin,
  updateSources,
} from './lead-sources.ts'
import { findSameProperties } from './same-property.ts'

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

/**
 * Stores a batch in the caller's transaction and says what became of each advert. New leads are counted against
 * `maxLeadsPerMonth`; those beyond it are not stored, nor are those of erased people.
 */
export async function storeListings(tx: Tx, batch: ListingBatch): Promise<StoredListing[]> {
  if (batch.listings.length === 0) return []
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
  const now = nowOf(tx)
  const sources = await findSources(tx, batch.platform, batch.listings)
  const unknown = batch.listings.filter(found => !sources.has(found.listingId))
  const { same, like } = await findSameProperties(tx, batch.platform, unknown)
  const fresh = unknown.filter(found => !same.has(found.listingId))
  const granted = fresh.length === 0 ? 0 : await reserveUpTo(tx, leadsPerMonth, fresh.length)
  const created = fresh.slice(0, granted).map(found => ({ ...found, leadId: newId(now) }))
  await insertAdvertised(tx, batch, created)
  await insertLikenesses(
    tx,
    created.flatMap(({ leadId, listingId }) =>
      (like.get(listingId) ?? []).map(other => ({ leadId, ...other })),
    ),
  )

  const joined = withLead(unknown, id => same.get(id))
  const known = withLead(batch.listings, id => sources.get(id)?.leadId)
  const { seen, come } = await saveSources(tx, batch, now, { joined, known, sources })
  const changed = await changeLeads(tx, batch, now, seen)
  const unmarked = come.filter(({ leadId }) => !changed.has(leadId))
  await touchLeads(
    tx,
    unmarked.map(({ leadId }) => leadId),
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

interface MetListings {
  /** New adverts of leads that are known. */
  joined: LeadListing[]
  known: LeadListing[]
  sources: Awaited<ReturnType<typeof findSources>>
}

/** Notes where leads were met. `come`: of those adverts that were not there before, or not any more. */
async function saveSources(
  tx: Tx,
  batch: ListingBatch,
  now: Date,
  { joined, known, sources }: MetListings,
): Promise<{ seen: SeenListing[]; come: LeadListing[] }> {
  await insertSources(tx, batch, joined, now, false)
  await updateSources(tx, batch.platform, known, now)
  const back = known.filter(({ listingId }) => sources.get(listingId)!.wasWithdrawn)
  const come = [...joined, ...back]
  const followed = await followAdverts(
    tx,
    come.map(({ leadId }) => leadId),
  )
  const leads = ({ leadId, listingId }: LeadListing) => {
    const source = followed.get(leadId)
    if (!source) return sources.get(listingId)!.isPrimary
    return source.platform === batch.platform && source.listingId === listingId
  }
  const isKnown = ({ listingId }: LeadListing) => sources.has(listingId)
  const seen = [...known, ...joined].map(found => ({
    ...found,
    leads: leads(found),
    isKnown: isKnown(found),
    isCardOnly: !found.trace.isRead && (sources.get(found.listingId)?.wasRead ?? false),
  }))
  return { seen, come }
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

async function insertAdvertised(tx: Tx, batch: ListingBatch, listings: LeadListing[]): Promise<void> {
  const leads = listings.map(({ leadId, listing }) => {
    const advert = toRow(listing)
    const { price } = advert
    const price_history = price === null ? [] : [{ price, at: idTime(leadId).toISOString() }]
    const own = { campaign_id: batch.campaignId, tags: batch.tags, price_history }
    return { row: { ...emptyRow(leadId), ...advert, ...own }, askedPrice: price }
  })
  await Promise.all([insertLeads(tx, leads), insertSources(tx, batch, listings, null, true)])
}

/** Takes the turn, and finds which of these adverts are of erased people, by their ids on the portal. */
async function findErasedAdverts(
  tx: Tx,
  platform: string,
  listings: IdentifiedListing[],
): Promise<Set<string>> {
  const erased = await findErasedOnes(tx, listings, async () => ({ listingId, listing: { contact } }) => [
    advertIdentifier(platform, listingId).value,
    ...[contact.phone, contact.email].flatMap(value => value ?? []),
  ])
  return new Set([...erased].map(({ listingId }) => listingId))
}
