/** What sources say of properties and their prices, and what of it is fit to compare with. */
import { floorWords } from '../../domain/listing/floor.ts'
import type { Listing } from '../../domain/listing/listing.ts'
import { type Characteristics, type PriceBasis, toAmenitySet } from '../../domain/valuation/property.ts'
import { sanitizeText } from '../../kit/sanitize-text.ts'
import type { Market } from './market-key.ts'

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** An advert, or the record of a sale, as a source has it: what it does not say is null. */
export type SourceListing = Nullable<Omit<Market, 'priceBasis'>> &
  Nullable<Characteristics> & {
    priceBasis: PriceBasis
    /** Portal, or name of the files it came in. */
    source: string
    /** Its id there, of which a keyed hash is kept. */
    listingId: string
    price: number | null
    seenAt: Temporal.Instant
  }

export type MarketListing = Market &
  Characteristics &
  Pick<SourceListing, 'source' | 'listingId' | 'seenAt'> & { price: number }

/** Why an advert is not kept: it does not say enough, or what can hardly be. */
export type SkipReason =
  | 'noMarket'
  | 'noPlace'
  | 'noArea'
  | 'noPrice'
  | 'implausiblePlace'
  | 'implausibleArea'
  | 'implausiblePrice'
  | 'implausibleRooms'

export const areas = { min: 5, max: 100_000 }
/** Below these it is a sign for "on application", above a slip of the keyboard. Whole units of any currency. */
const prices = { sale: { min: 1000, max: 1e12 }, rent: { min: 10, max: 1e10 } }
const bedroomsMax = 20
/** What is planned is finished by then. */
export const yearsAheadMax = 6

/** The advert as it is kept, or why it is not. What is implausible without being essential is taken for unknown. */
export function toMarketListing(listing: SourceListing): MarketListing | SkipReason {
  const { operation, propertyType, currency, latitude, longitude, squareMeters, bedrooms } = listing
  if (operation === null || propertyType === null || !/^[A-Z]{3}$/.test(currency ?? '')) return 'noMarket'
  if (latitude === null || longitude === null) return 'noPlace'
  if (squareMeters === null) return 'noArea'
  if (listing.price === null) return 'noPrice'
  if (!isWithin(latitude, -90, 90) || !isWithin(longitude, -180, 180)) return 'implausiblePlace'
  // Where whoever has no coordinates writes zeros.
  if (Math.abs(latitude) < 0.01 && Math.abs(longitude) < 0.01) return 'implausiblePlace'
  if (!isWithin(squareMeters, areas.min, areas.max)) return 'implausibleArea'
  const price = Math.round(listing.price)
  if (!isWithin(price, prices[operation].min, prices[operation].max)) return 'implausiblePrice'
  if (bedrooms !== null && !isWithin(bedrooms, 0, bedroomsMax)) return 'implausibleRooms'
  const { source, listingId, priceBasis, condition, amenities, seenAt } = listing
  return {
    source: sanitizeText(source),
    listingId: sanitizeText(listingId),
    priceBasis,
    condition,
    amenities,
    seenAt,
    operation,
    propertyType,
    currency: currency!,
    latitude,
    longitude,
    squareMeters,
    price,
    bedrooms: wholeWithin(bedrooms, 0, bedroomsMax),
    bathrooms: numberWithin(listing.bathrooms, 0, 20),
    floor: floorWithin(listing.floor),
    yearBuilt: wholeWithin(listing.yearBuilt, 1000, seenAt.toZonedDateTimeISO('UTC').year + yearsAheadMax),
    plotSquareMeters: numberWithin(listing.plotSquareMeters, 1, 1e9),
    // A word such as `flat`, and no text of anybody's.
    subtype: /^[\p{L}\p{N}_-]{1,40}$/u.test(listing.subtype ?? '') ? listing.subtype : null,
  }
}

/** A listing of a portal as an advert of the market. Of its texts, addresses, photos and people nothing is taken. */
export function toSourceListing(
  listing: Listing,
  from: Pick<SourceListing, 'source' | 'listingId' | 'seenAt'>,
): SourceListing {
  const { operation, propertyType, currency, price, latitude, longitude, squareMeters } = listing
  const { bedrooms, bathrooms, condition, floor, features } = listing
  return {
    ...from,
    priceBasis: 'asking' as const,
    operation,
    propertyType,
    currency,
    price,
    latitude,
    longitude,
    squareMeters,
    bedrooms,
    bathrooms,
    condition,
    floor,
    amenities: features.length > 0 ? toAmenitySet(features) : null,
    plotSquareMeters: null,
    yearBuilt: null,
    subtype: null,
  }
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}

function numberWithin(value: number | null, min: number, max: number): number | null {
  return value !== null && isWithin(value, min, max) ? value : null
}

/** Whole, or a half of a mezzanine. */
function floorWithin(floor: number | null): number | null {
  return floor !== null && Number.isInteger(floor * 2)
    ? numberWithin(floor, floorWords.min, floorWords.max)
    : null
}

function wholeWithin(value: number | null, min: number, max: number): number | null {
  return value !== null && Number.isInteger(value) ? numberWithin(value, min, max) : null
}
