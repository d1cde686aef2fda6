/** What adverts change in leads that are known: where nobody has stated otherwise. */
import type { Tx } from '../../../kit/db/index.ts'
import { emitMany } from '../../../kit/events/emit.ts'
import { leadPriceChanged } from '../events.ts'
import { type Column, columnNames, contactColumns, toRow } from '../record/lead-columns.ts'
import { isSame, type KnownRow, type LeadRow, lockRows } from '../record/lead-row.ts'
import { type ChangedLead, updateLeads } from '../record/write-leads.ts'
import type { LeadListing, Origin } from './lead-sources.ts'

/** An advert seen of a lead. */
export type SeenListing = LeadListing & {
  /** The lead follows it; others fill gaps. */
  leads: boolean
  /** It was the lead's before this batch. */
  isKnown: boolean
  /** Its card was read now, and its whole page before. */
  isCardOnly: boolean
}

const lists = new Set<Column>(['features', 'images'])
/** Of what a page tells in whole, a card has the beginning. */
const cut = new Set<Column>(['description', 'features', 'images'])
const contact = new Set<Column>(contactColumns)

const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/** The other's value where there is none; the number of a floor goes with its words. */
function orElse(name: Column, first: Values, other: Values): unknown {
  const told: Column = name === 'floor' ? 'floor_text' : name
  return isNothing(first[told]) ? other[name] : first[name]
}

type Values = Record<Column, unknown>

/**
 * A column as the advert leaves it. What somebody has stated stays. What the advert that the lead follows no longer says is kept: a
 * page that lost its phone does not lose the lead's. Another portal's advert of the property fills gaps alone, so that two portals
 * never rewrite a lead in turns.
 */
function chosen(name: Column, row: LeadRow, advert: Values, { leads, isCardOnly }: SeenListing): unknown {
  const isFilled = !leads || (isCardOnly && cut.has(name))
  const value = isFilled ? orElse(name, row, advert) : orElse(name, advert, row)
  return lists.has(name) ? (value ?? []) : value
}

/** Whom somebody stated the contact to be, by telephone or else by address, is not whom the advert shows. */
function isOfAnother(row: LeadRow, advert: Values, edited: Set<Column>): boolean {
  const isOtherPhone = row.phone !== null && advert.phone !== null && row.phone !== advert.phone
  const isOtherAddress = row.phone === null && row.email !== null && row.email !== advert.email
  return (edited.has('phone') && isOtherPhone) || (edited.has('email') && isOtherAddress)
}

/**
 * By what the person was known so far is not forgotten when the advert shows another telephone: opt-outs, erasures and other
 * adverts are told by it.
 */
function identifiersAfter(row: LeadRow, { phone, email }: LeadRow): unknown {
  if (row.phone === phone && row.email === email) return row.identifiers
  const known = [...(row.identifiers as string[]), row.phone, row.email]
  return [...new Set(known)].filter(value => value !== null && value !== phone && value !== email)
}

interface AdvertChange extends ChangedLead {
  /** What the advert asked before, if it asks another price now. */
  previousPrice: number | null
}

/** What an advert changes of a lead; null: nothing. */
function changeOf({ row, askedPrice }: KnownRow, seen: SeenListing, now: Date): AdvertChange | null {
  const advert = toRow(seen.listing)
  const edited = new Set(row.edited_columns as Column[])
  const isOther = isOfAnother(row, advert, edited)
  const after = { ...row }
  for (const name of columnNames)
    if (!edited.has(name) && !(isOther && contact.has(name))) after[name] = chosen(name, row, advert, seen)
  const { price } = advert
  const isPriceEdited = edited.has('price')
  // Of a lead that is older than what is kept of this, its own price is what its advert asked.
  const asked = askedPrice ?? (seen.isKnown && !isPriceEdited ? (row.price as number | null) : null)
  const isNewPrice = seen.leads && price !== null && price !== asked
  if (!isNewPrice && columnNames.every(name => isSame(row[name], after[name]))) return null
  after.identifiers = identifiersAfter(row, after)
  const isTold =
    asked === null ? price !== row.price : price !== asked || (price !== row.price && !isPriceEdited)
  if (seen.leads && price !== null && isTold)
    after.price_history = [...(row.price_history as object[]), { price, at: now.toISOString() }]
  return {
    ...{ before: row, after, previousPrice: isNewPrice ? asked : null },
    askedPrice: seen.leads ? (price ?? askedPrice) : askedPrice,
  }
}

/**
 * Returns the ids of the leads that changed. The history of prices tells what was asked, whatever the lead's own price is
 * stated to be; `lead.price_changed` is of an advert that asks another price than the one followed before.
 */
export async function changeLeads(
  tx: Tx,
  {
    platform,
    extractionId,
    updateExisting,
  }: Pick<Origin, 'platform' | 'extractionId'> & { updateExisting: boolean },
  now: Date,
  listings: SeenListing[],
): Promise<Set<string>> {
  if (listings.length === 0 || !updateExisting) return new Set()
  // Two adverts of one lead: the one that it follows.
  const ofLeads = new Map(
    listings.toSorted((a, b) => Number(a.leads) - Number(b.leads)).map(found => [found.leadId, found]),
  )
  const known = await lockRows(tx, [...ofLeads.keys()])
  const changes = [...known].flatMap(([leadId, lead]) => changeOf(lead, ofLeads.get(leadId)!, now) ?? [])
  await updateLeads(tx, changes, now)
  await emitMany(
    tx,
    leadPriceChanged,
    changes.flatMap(({ after, previousPrice }) => {
      if (previousPrice === null) return []
      const { leadId, listingId, listing } = ofLeads.get(after.id)!
      const price = toRow(listing).price!
      const currency = listing.currency ?? (after.currency as string | null)
      return [{ leadId, platform, extractionId, listingId, previousPrice, price, currency }]
    }),
  )
  return new Set(changes.map(({ after }) => after.id))
}
