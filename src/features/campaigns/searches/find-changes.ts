/** Decides what is new, cheaper or gone. Pure. */
import type { GoneListing, NewChange, ShownListing } from './queries.ts'

/** What a listing that the search shows is reported as; null: as nothing. A price that rose is not reported. */
export function toShownChange({
  listingId,
  leadId,
  price,
  currency,
  isNew,
  isReturned,
  previousPrice,
  previousCurrency,
}: ShownListing): NewChange | null {
  if (leadId === null) return null
  const isComparable = price !== null && previousPrice !== null && currency === previousCurrency
  const change = {
    listingId,
    leadId,
    price,
    currency,
    isReturned,
    reason: null,
    previousPrice: isComparable ? previousPrice : null,
  }
  if (isNew || isReturned) return { ...change, type: 'new' }
  return isComparable && price < previousPrice ? { ...change, type: 'cheaper' } : null
}

/** Null: its lead was deleted. */
export function toGoneChange({
  listingId,
  leadId,
  price,
  currency,
  isWithdrawn,
}: GoneListing): NewChange | null {
  if (leadId === null) return null
  return {
    type: 'gone',
    listingId,
    leadId,
    price,
    currency,
    previousPrice: null,
    isReturned: false,
    reason: isWithdrawn ? 'LISTING_WITHDRAWN' : 'NOT_IN_SEARCH',
  }
}
