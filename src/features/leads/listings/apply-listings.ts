/** What adverts change in leads that are known: where nobody has stated otherwise. */
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { leadPriceChanged } from '../events.ts'
import { type Column, columnNames, contactColumns, toRow } from '../record/lead-columns.ts'
import { isEqual, type LeadRow, type LockedRow, lockRows } from '../record/lead-row.ts'
import { type ChangedLead, updateLeads } from '../record/write-leads.ts'
import type { LeadListing, Origin } from './lead-sources.ts'

/** An advert seen of a lead. */
export type ListingSighting = LeadListing & {
  /** The lead follows it; others fill gaps. */
  isPrimary: boolean
  /** It was the lead's before this batch. */
  isKnown: boolean
  /** Its card was read now, and its whole page before. */
  isCardOnly: boolean
}

const listColumns = new Set<Column>(['features', 'images'])
/** Of what a page tells in whole, a card has the beginning. */
const abbreviatedColumns = new Set<Column>(['description', 'features', 'images'])
const contactColumnSet = new Set<Column>(contactColumns)

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/** The other's value where there is none; the number of a floor goes with its words. */
function fallBack(name: Column, first: Values, other: Values): unknown {
  const textColumn: Column = name === 'floor' ? 'floor_text' : name
  return isEmpty(first[textColumn]) ? other[name] : first[name]
}

type Values = Record<Column, unknown>

/**
 * A column as the advert leaves it. What somebody has stated stays. What the advert that the lead follows no longer says is kept: a
 * page that lost its phone does not lose the lead's. Another portal's advert of the property fills gaps alone, so that two portals
 * never rewrite a lead in turns.
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

/** Whom somebody stated the contact to be, by telephone or else by address, is not whom the advert shows. */
function isOtherPerson(row: LeadRow, listingRow: Values, edited: Set<Column>): boolean {
  const isOtherPhone = row.phone !== null && listingRow.phone !== null && row.phone !== listingRow.phone
  const isOtherAddress = row.phone === null && row.email !== null && row.email !== listingRow.email
  return (edited.has('phone') && isOtherPhone) || (edited.has('email') && isOtherAddress)
}

/**
 * By what the person was known so far is not forgotten when the advert shows another telephone: opt-outs, erasures and other
 * adverts are told by it.
 */
function mergeIdentifiers(row: LeadRow, { phone, email }: LeadRow): unknown {
  if (row.phone === phone && row.email === email) return row.identifiers
  const known = [...(row.identifiers as string[]), row.phone, row.email]
  return [...new Set(known)].filter(value => value !== null && value !== phone && value !== email)
}

interface ListingChange extends ChangedLead {
  /** What the advert asked before, if it asks another price now. */
  previousPrice: number | null
}

/** What an advert changes of a lead; null: nothing. */
function toChange({ row, listingPrice }: LockedRow, seen: ListingSighting, now: Date): ListingChange | null {
  const listingRow = toRow(seen.listing)
  const edited = new Set(row.edited_columns as Column[])
  const isAnotherPerson = isOtherPerson(row, listingRow, edited)
  const after = { ...row }
  for (const name of columnNames)
    if (!edited.has(name) && !(isAnotherPerson && contactColumnSet.has(name)))
      after[name] = mergeColumn(name, row, listingRow, seen)
  const { price } = listingRow
  const isPriceEdited = edited.has('price')
  // Of a lead that is older than what is kept of this, its own price is what its advert asked.
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
 * Returns the ids of the leads that changed. The history of prices tells what was asked, whatever the lead's own price is
 * stated to be; `lead.price_changed` is of an advert that asks another price than the one followed before.
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
  // Two adverts of one lead: the one that it follows.
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
