/**
 * Checks a listing against the requested filters, because portals also return listings that do not match: sponsored
 * ones, drafts, errors of their index.
 */
import type { Listing } from './listing.ts'

/** The filters that can be checked. Other keys, and values of another type, are ignored. */
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
 * The names of the filters that the listing contradicts; empty if none. An unstated fact contradicts nothing: the
 * portal may know more than it shows.
 */
export function findFailedFilters(listing: Listing, filters: RequestedFilters): string[] {
  const failed: string[] = []
  const checkEqual = (name: 'operation' | 'propertyType' | 'condition', value: string | null) => {
    const requested = filters[name]
    if (typeof requested === 'string' && value !== null && value !== requested) failed.push(name)
  }
  const checkRange = (
    value: number | null,
    low: keyof RequestedFilters | null,
    high?: keyof RequestedFilters,
  ) => {
    if (value === null) return
    if (low && typeof filters[low] === 'number' && value < filters[low]) failed.push(low)
    if (high && typeof filters[high] === 'number' && value > filters[high]) failed.push(high)
  }
  checkEqual('operation', listing.operation)
  checkEqual('propertyType', listing.propertyType)
  checkEqual('condition', listing.condition)
  checkRange(listing.price, 'minPrice', 'maxPrice')
  checkRange(listing.rooms, 'minRooms', 'maxRooms')
  // Rooms include bedrooms, so a number of bedrooms alone can only exceed the maximum.
  if (listing.rooms === null) checkRange(listing.bedrooms, null, 'maxRooms')
  checkRange(listing.bathrooms, 'minBathrooms')
  checkRange(listing.squareMeters, 'minSquareMeters', 'maxSquareMeters')
  const { advertiserType } = listing.contact
  const isOther = advertiserType !== null && advertiserType !== filters.advertiserType
  if ((filters.advertiserType === 'private' || filters.advertiserType === 'agency') && isOther)
    failed.push('advertiserType')
  return failed
}
