/** The facts of a property that a valuation uses: what any listing may state, and no personal data. */
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

/** The price is an asking price or a closed sale. The two are never mixed. */
export const priceBases = ['asking', 'closed'] as const
export type PriceBasis = (typeof priceBases)[number]

export const amenities = propertyFeatures
export type Amenity = Feature

/** A bit set, in the order of `amenities`: a million of them are in memory at once. */
export type AmenitySet = number

/** Takes names in any of the nine languages. Unknown names are ignored. */
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

/** Unknown facts are null. */
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
  /** Kind of home, such as `flat`, as the source names it. */
  subtype: string | null
  /**
   * Null: nothing is stated about amenities. Otherwise, amenities not in the set are absent or listed in
   * `amenitiesUnknown`.
   */
  amenities: AmenitySet | null
  /** Amenities, not in the set, that are unknown. Without this field, amenities not in the set are absent. */
  amenitiesUnknown?: AmenitySet
  /**
   * True: null facts are unknown, as for a subject that a user describes in part. False or omitted: the listing does
   * not state them, which is information too, because listings state what increases the price.
   */
  isPartiallyDescribed?: boolean
}

/** Facts that may be unknown, besides amenities. */
export const facts = [
  'plotSquareMeters',
  'bedrooms',
  'bathrooms',
  'condition',
  'floor',
  'yearBuilt',
  'subtype',
] as const satisfies (keyof Characteristics)[]

/** True if the values are equal or one of them is unknown. */
export function agreeIfKnown(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other
}

/** A property with a price, from the market. */
export interface Comparable extends Characteristics {
  id: string
  /** Whole units of the currency; for rent, per month. */
  price: number
  /** When the price was last valid: the listing was last seen, or the sale was closed. */
  seenAt: Temporal.Instant
}

/** A property to be valued. */
export interface Subject {
  characteristics: Characteristics
  /** The moment that the value is for. */
  asOf: Temporal.Instant
}
