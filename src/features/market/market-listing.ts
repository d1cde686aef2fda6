/** Validates the listings and sales of sources for the market. */
import { floorLimits } from '../../domain/listing/floor.ts'
import type { Listing } from '../../domain/listing/listing.ts'
import { type Characteristics, type PriceBasis, toAmenitySet } from '../../domain/valuation/property.ts'
import { sanitizeText } from '../../kit/sanitize-text.ts'
import type { Market } from './market-key.ts'

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** A listing, or the record of a sale, as the source has it. Null: the source does not say. */
export type SourceListing = Nullable<Omit<Market, 'priceBasis'>> &
  Nullable<Characteristics> & {
    priceBasis: PriceBasis
    /** The portal, or the name of the imported data set. */
    source: string
    /** Its id in the source. Only a keyed hash of it is stored. */
    listingId: string
    price: number | null
    seenAt: Temporal.Instant
  }

export type MarketListing = Market &
  Characteristics &
  Pick<SourceListing, 'source' | 'listingId' | 'seenAt'> & { price: number }

/** Why a listing is not stored: a value is missing or implausible. */
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
/** Plausible prices, in whole units of any currency. Lower ones mean "on application", higher ones are typing errors. */
const prices = { sale: { min: 1000, max: 1e12 }, rent: { min: 10, max: 1e10 } }
const bedroomsMax = 20
/** The most years between now and the year built of a planned building. */
export const yearsAheadMax = 6

/** Returns the listing as it is stored, or why it is not. An implausible value that is not essential becomes null. */
export function toMarketListing(listing: SourceListing): MarketListing | SkipReason {
  const { operation, propertyType, currency, latitude, longitude, squareMeters, bedrooms } = listing
  if (operation === null || propertyType === null || !/^[A-Z]{3}$/.test(currency ?? '')) return 'noMarket'
  if (latitude === null || longitude === null) return 'noPlace'
  if (squareMeters === null) return 'noArea'
  if (listing.price === null) return 'noPrice'
  if (!isWithin(latitude, -90, 90) || !isWithin(longitude, -180, 180)) return 'implausiblePlace'
  // Sources without coordinates send zeros.
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
    // Only a single word such as `flat`: free text may hold personal data.
    subtype: /^[\p{L}\p{N}_-]{1,40}$/u.test(listing.subtype ?? '') ? listing.subtype : null,
  }
}

/** Converts a listing of a portal. Texts, addresses, photos and people are left out. */
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

/** A whole number, or a half for a mezzanine. */
function floorWithin(floor: number | null): number | null {
  return floor !== null && Number.isInteger(floor * 2)
    ? numberWithin(floor, floorLimits.min, floorLimits.max)
    : null
}

function wholeWithin(value: number | null, min: number, max: number): number | null {
  return value !== null && Number.isInteger(value) ? numberWithin(value, min, max) : null
}
