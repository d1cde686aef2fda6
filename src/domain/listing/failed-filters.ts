/** Is an advert one of those asked for? Portals show others among them: paid places, drafts, slips of their index. */
import type { Listing } from './listing.ts'

/** The filter keys that an advert can be held against; others, and values of another kind, are passed over. */
export interface RequestedFilters {
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
export function findFailedFilters(listing: Listing, filters: RequestedFilters): string[] {
  const failed: string[] = []
  const isEqual = (name: 'operation' | 'propertyType' | 'condition', value: string | null) => {
    const requested = filters[name]
    if (typeof requested === 'string' && value !== null && value !== requested) failed.push(name)
  }
  const isWithin = (
    value: number | null,
    low: keyof RequestedFilters | null,
    high?: keyof RequestedFilters,
  ) => {
    if (value === null) return
    if (low && typeof filters[low] === 'number' && value < filters[low]) failed.push(low)
    if (high && typeof filters[high] === 'number' && value > filters[high]) failed.push(high)
  }
  isEqual('operation', listing.operation)
  isEqual('propertyType', listing.propertyType)
  isEqual('condition', listing.condition)
  isWithin(listing.price, 'minPrice', 'maxPrice')
  isWithin(listing.rooms, 'minRooms', 'maxRooms')
  // Rooms are never fewer than bedrooms, and may be more: bedrooms alone can only be too many.
  if (listing.rooms === null) isWithin(listing.bedrooms, null, 'maxRooms')
  isWithin(listing.bathrooms, 'minBathrooms')
  isWithin(listing.squareMeters, 'minSquareMeters', 'maxSquareMeters')
  const { advertiserType } = listing.contact
  const isOther = advertiserType !== null && advertiserType !== filters.advertiserType
  if ((filters.advertiserType === 'private' || filters.advertiserType === 'agency') && isOther)
    failed.push('advertiserType')
  return failed
}
