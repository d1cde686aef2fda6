/** What a valuation knows of properties: facts that any advert may state, and nothing of persons. */

export const operations = ['sale', 'rent'] as const
export const propertyTypes = ['homes', 'offices', 'premises', 'garages'] as const
export const conditions = ['new', 'good', 'to_renovate'] as const
/** What was asked in an advert, or what was paid. The two are never mixed. */
export const priceBases = ['asking', 'closed'] as const

export type Operation = (typeof operations)[number]
export type PropertyType = (typeof propertyTypes)[number]
export type Condition = (typeof conditions)[number]
export type PriceBasis = (typeof priceBases)[number]

/** In the order of their bits in an amenity set: new ones go to the end. */
export const amenities = [
  'lift',
  'terrace',
  'balcony',
  'parking',
  'pool',
  'garden',
  'airConditioning',
  'storage',
  'wardrobes',
  'doorman',
  'exterior',
  'interior',
  'topFloor',
  'security',
  'waterfront',
  'view',
  'basement',
  'renovated',
] as const

export type Amenity = (typeof amenities)[number]

/** One bit for each amenity, as the place in `amenities` says: a million of them are held at once. */
export type AmenitySet = number

export function amenitySet(names: Iterable<string>): AmenitySet {
  let set = 0
  for (const name of names) {
    const at = amenities.indexOf(name as Amenity)
    if (at >= 0) set |= 1 << at
  }
  return set
}

export function amenitiesOf(set: AmenitySet): Amenity[] {
  return amenities.filter((_, at) => set & (1 << at))
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
  /** 0: the ground floor. */
  floor: number | null
  yearBuilt: number | null
  /** Kind of home, such as `flat`, in the words of the source. */
  subtype: string | null
  /** Null: nothing was said of amenities. An amenity not in the set was not stated. */
  amenities: AmenitySet | null
}

/** A property with a price, from the market. */
export interface Comparable extends Characteristics {
  id: string
  /** Whole units of the currency; for rent, per month. */
  price: number
  /** When the price last stood: the advert was last seen, or the sale was closed. */
  seenAt: Temporal.Instant
}
