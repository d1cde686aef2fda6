// Is an advert one of those asked for? Portals show others among them: paid places, drafts, slips of their index.
import type { Listing } from './listing.ts'

/** The filter keys that an advert can be held against; others, and values of another kind, are passed over. */
export interface Wanted {
  operation?: unknown
  propertyType?: unknown
  minPrice?: unknown
  maxPrice?: unknown
  minRooms?: unknown
  maxRooms?: unknown
  minBathrooms?: unknown
  minSquareMeters?: unknown
  maxSquareMeters?: unknown
  condition?: unknown
  advertiserType?: unknown
}

/**
 * The filters that an advert plainly fails, by name; empty if none. What the advert does not say fails nothing: the portal
 * may know more than it shows.
 */
export function failedFilters(listing: Listing, wanted: Wanted): string[] {
  const failed: string[] = []
  const is = (name: 'operation' | 'propertyType' | 'condition', value: string | null) => {
    const asked = wanted[name]
    if (typeof asked === 'string' && value !== null && value !== asked) failed.push(name)
  }
  const within = (value: number | null, low: keyof Wanted | null, high?: keyof Wanted) => {
    if (value === null) return
    if (low && typeof wanted[low] === 'number' && value < wanted[low]) failed.push(low)
    if (high && typeof wanted[high] === 'number' && value > wanted[high]) failed.push(high)
  }
  is('operation', listing.operation)
  is('propertyType', listing.propertyType)
  is('condition', listing.condition)
  within(listing.price, 'minPrice', 'maxPrice')
  within(listing.rooms, 'minRooms', 'maxRooms')
  // Rooms are never fewer than bedrooms, and may be more: bedrooms alone can only be too many.
  if (listing.rooms === null) within(listing.bedrooms, null, 'maxRooms')
  within(listing.bathrooms, 'minBathrooms')
  within(listing.squareMeters, 'minSquareMeters', 'maxSquareMeters')
  const { advertiserType } = listing.contact
  const isOther = advertiserType !== null && advertiserType !== wanted.advertiserType
  if ((wanted.advertiserType === 'private' || wanted.advertiserType === 'agency') && isOther)
    failed.push('advertiserType')
  return failed
}
