/** Applies listings to existing leads; columns that somebody has edited are kept. */
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { leadPriceChanged } from '../events.ts'
import { type Column, columnNames, contactColumns, toRow } from '../record/lead-columns.ts'
import { isEqual, type LeadRow, type LockedRow, lockRows } from '../record/lead-row.ts'
import { type ChangedLead, updateLeads } from '../record/write-leads.ts'
import type { LeadListing, Origin } from './lead-sources.ts'

/** A listing of an existing lead that was seen in this batch. */
export type ListingSighting = LeadListing & {
  /** It is the primary source of the lead; other sources only fill gaps. */
  isPrimary: boolean
  /** It belonged to the lead before this batch. */
  isKnown: boolean
  /** Only its card was read now, but its whole page was read before. */
  isCardOnly: boolean
}

const listColumns = new Set<Column>(['features', 'images'])
/** A card shows only the beginning of these; the page has the whole. */
const abbreviatedColumns = new Set<Column>(['description', 'features', 'images'])
const contactColumnSet = new Set<Column>(contactColumns)

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/** The first value, or the other one if the first is empty. The number of a floor is taken together with its text. */
function fallBack(name: Column, first: Values, other: Values): unknown {
  const textColumn: Column = name === 'floor' ? 'floor_text' : name
  return isEmpty(first[textColumn]) ? other[name] : first[name]
}

type Values = Record<Column, unknown>

/**
 * The new value of a column. A value that the primary listing no longer states is kept: if the page loses its phone,
 * the lead keeps it. Other listings of the property only fill gaps, so that two portals do not overwrite a lead in
 * turns.
 */
function mergeColumn(
  name: Column,
  row: LeadRow,
  listingRow: Values,
  { isPrimary, isCardOnly }: ListingSighting,
): unknown {
  const fillsGapsOnly = !isPrimary || (isCardOnly && abbreviatedColumns.has(name))
  const value = fillsGapsOnly ? fallBack(name, row, listingRow) : fallBack(name, listingRow, row)
  return listColumns.has(name) ? (value ?? []) : value
}

/** Somebody has edited the phone, or else the e-mail address, and the listing shows another one. */
function isOtherPerson(row: LeadRow, listingRow: Values, edited: Set<Column>): boolean {
  const isOtherPhone = row.phone !== null && listingRow.phone !== null && row.phone !== listingRow.phone
  const isOtherAddress = row.phone === null && row.email !== null && row.email !== listingRow.email
  return (edited.has('phone') && isOtherPhone) || (edited.has('email') && isOtherAddress)
}

/**
 * The identifiers of the lead, with a former phone or e-mail address added: opt-outs, erasures and other listings are
 * still recognised by them.
 */
function mergeIdentifiers(row: LeadRow, { phone, email }: LeadRow): unknown {
  if (row.phone === phone && row.email === email) return row.identifiers
  const known = [...(row.identifiers as string[]), row.phone, row.email]
  return [...new Set(known)].filter(value => value !== null && value !== phone && value !== email)
}

interface ListingChange extends ChangedLead {
  /** The former price in the listing; null: the price has not changed. */
  previousPrice: number | null
}

/** The change of a lead by a listing; null: none. */
function toChange({ row, listingPrice }: LockedRow, seen: ListingSighting, now: Date): ListingChange | null {
  const listingRow = toRow(seen.listing)
  const edited = new Set(row.edited_columns as Column[])
  const keepsContact = isOtherPerson(row, listingRow, edited)
  const after = { ...row }
  for (const name of columnNames)
    if (!edited.has(name) && !(keepsContact && contactColumnSet.has(name)))
      after[name] = mergeColumn(name, row, listingRow, seen)
  const { price } = listingRow
  const isPriceEdited = edited.has('price')
  // A lead without a listing price is older than that column: its own price was the price in the listing.
  const formerPrice = listingPrice ?? (seen.isKnown && !isPriceEdited ? (row.price as number | null) : null)
  const isNewPrice = seen.isPrimary && price !== null && price !== formerPrice
  if (!isNewPrice && columnNames.every(name => isEqual(row[name], after[name]))) return null
  after.identifiers = mergeIdentifiers(row, after)
  const extendsHistory =
    formerPrice === null
      ? price !== row.price
      : price !== formerPrice || (price !== row.price && !isPriceEdited)
  if (seen.isPrimary && price !== null && extendsHistory)
    after.price_history = [...(row.price_history as object[]), { price, at: now.toISOString() }]
  return {
    before: row,
    after,
    previousPrice: isNewPrice ? formerPrice : null,
    listingPrice: seen.isPrimary ? (price ?? listingPrice) : listingPrice,
  }
}

/**
 * Applies listings to their leads and returns the ids of the leads that changed. `price_history` records the prices
 * in the listing, even if the price of the lead was edited. Emits `lead.price_changed` if the price in the primary
 * listing has changed.
 */
export async function applyListings(
  tx: Tx,
  {
    platform,
    extractionId,
    updateExisting,
  }: Pick<Origin, 'platform' | 'extractionId'> & { updateExisting: boolean },
  now: Date,
  listings: ListingSighting[],
): Promise<Set<string>> {
  if (listings.length === 0 || !updateExisting) return new Set()
  // If a lead has several listings in the batch, its primary one comes last and wins.
  const byLead = new Map(
    listings
      .toSorted((a, b) => Number(a.isPrimary) - Number(b.isPrimary))
      .map(found => [found.leadId, found]),
  )
  const known = await lockRows(tx, [...byLead.keys()])
  const changes = [...known].flatMap(([leadId, lead]) => toChange(lead, byLead.get(leadId)!, now) ?? [])
  await updateLeads(tx, changes, now)
  await emitMany(
    tx,
    leadPriceChanged,
    changes.flatMap(({ after, previousPrice }) => {
      if (previousPrice === null) return []
      const { leadId, listingId, listing } = byLead.get(after.id)!
      const price = toRow(listing).price!
      const currency = listing.currency ?? (after.currency as string | null)
      return [{ leadId, platform, extractionId, listingId, previousPrice, price, currency }]
    }),
  )
  return new Set(changes.map(({ after }) => after.id))
}
