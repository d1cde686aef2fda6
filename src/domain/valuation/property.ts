/** What a valuation knows of properties: facts that any advert may state, and nothing of persons. */
import { type Feature, parseFeatureName, propertyFeatures } from '../listing/features.ts'
import type { Condition } from '../listing/listing.ts'

export {
  type Condition,
  listingOperations as operations,
  listingPropertyTypes as propertyTypes,
  type Operation,
  type PropertyType,
  propertyConditions as conditions,
} from '../listing/listing.ts'

/** What was asked in an advert, or what was paid. The two are never mixed. */
export const priceBases = ['asking', 'closed'] as const
export type PriceBasis = (typeof priceBases)[number]

export const amenities = propertyFeatures
export type Amenity = Feature

/** One bit for each amenity, as the place in `amenities` says: a million of them are held at once. */
export type AmenitySet = number

/** Names in any of the nine languages; what names none is not in the set. */
export function toAmenitySet(names: Iterable<string>): AmenitySet {
  let set = 0
  for (const text of names) {
    const name = parseFeatureName(text)
    if (name !== null) set |= 1 << amenities.indexOf(name)
  }
  return set
}

export function toAmenities(set: AmenitySet): Amenity[] {
  return amenities.filter((_, index) => set & (1 << index))
}

export interface Place {
  /** Degrees, WGS 84. */
  latitude: number
  longitude: number
}

/** What is not known is null. */
export interface Characteristics extends Place {
  squareMeters: number
  plotSquareMeters: number | null
  /** 0: a studio. */
  bedrooms: number | null
  bathrooms: number | null
  condition: Condition | null
  /** 0: the ground floor; 0.5: a mezzanine. */
  floor: number | null
  yearBuilt: number | null
  /** Kind of home, such as `flat`, in the words of the source. */
  subtype: string | null
  /** Null: nothing was said of amenities. An amenity not in the set was not stated. */
  amenities: AmenitySet | null
  /** Those, not in the set, of which nobody said whether there are any. None: what is not in the set is not there. */
  amenitiesUnknown?: AmenitySet
  /**
   * What is null is known to nobody here, as where somebody asks for a value and leaves it out. Without this it is what an advert
   * does not state, which says something too: adverts state what speaks for a property.
   */
  isPartiallyDescribed?: boolean
}

/** Those that may be unknown, besides amenities. */
export const facts = [
  'plotSquareMeters',
  'bedrooms',
  'bathrooms',
  'condition',
  'floor',
  'yearBuilt',
  'subtype',
] as const satisfies (keyof Characteristics)[]

/** Alike, as far as both are known. */
export function agreeIfKnown(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other
}

/** A property with a price, from the market. */
export interface Comparable extends Characteristics {
  id: string
  /** Whole units of the currency; for rent, per month. */
  price: number
  /** When the price last stood: the advert was last seen, or the sale was closed. */
  seenAt: Temporal.Instant
}

/** A property to be valued. */
export interface Subject {
  characteristics: Characteristics
  /** The moment that the value is for. */
  asOf: Temporal.Instant
}
