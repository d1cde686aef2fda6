/** The types of a simulated listing, shared by all portals. */
import type { City, Country } from './places.ts'

export const operations = ['sale', 'rent'] as const
export const propertyTypes = ['homes', 'offices', 'premises', 'garages'] as const
export const conditions = ['new', 'good', 'to_renovate'] as const
export const allFeatures = [
  'lift',
  'terrace',
  'balcony',
  'parking',
  'pool',
  'garden',
  'air_conditioning',
  'storage_room',
  'fitted_wardrobes',
  'concierge',
  'exterior',
  'interior',
  'top_floor',
] as const

export type Operation = (typeof operations)[number]
export type PropertyType = (typeof propertyTypes)[number]
export type Condition = (typeof conditions)[number]
export type Feature = (typeof allFeatures)[number]
export type Subtype = 'flat' | 'duplex' | 'studio' | 'office' | 'shop' | 'garage'
export type Energy = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'in_progress' | 'exempt'

/** Attributes that are searched and compared, generated or read from a file of real listings. Null: not stated. */
export interface ListingAttributes {
  id: string
  operation: Operation
  propertyType: PropertyType
  subtype: Subtype
  city: City
  latitude: number
  longitude: number
  squareMeters: number
  bedrooms: number | null
  bathrooms: number | null
  condition: Condition | null
  /** 0 is the ground floor, -1 below it. */
  floor: number | null
  yearBuilt: number | null
  /** One bit for each of `allFeatures`. */
  featureBits: number
  /** Whole EUR; per month when the operation is rent. */
  price: number
  isPrivateAdvertiser: boolean
  /** Milliseconds since the Unix epoch. */
  publishedAt: number
  /** Milliseconds since the Unix epoch; later than `publishedAt` only after a change. */
  updatedAt: number
}

/** A complete listing: the reference for an extracted lead. */
export interface SimulatedListing {
  id: string
  operation: Operation
  propertyType: PropertyType
  subtype: Subtype
  title: string
  description: string
  /** Whole EUR; per month when the operation is rent. */
  price: number
  squareMeters: number
  bedrooms: number | null
  bathrooms: number | null
  condition: Condition | null
  floor: number | null
  yearBuilt: number | null
  features: readonly Feature[]
  energy: Energy | null
  /** Street and number. */
  address: string
  neighbourhood: string
  country: Country
  city: string
  citySlug: string
  province: string
  postcode: string
  latitude: number
  longitude: number
  advertiser: { type: 'private' | 'agency'; name: string; phone: string }
  /** True if the text asks agencies not to call. */
  statesNoAgencies: boolean
  photoCount: number
  publishedAt: Date
  updatedAt: Date
}

/** The bit of each feature in `ListingAttributes.featureBits`. */
export const featureBitByName = Object.fromEntries(
  allFeatures.map((name, position) => [name, 1 << position]),
) as Record<Feature, number>

/** The bits of several features. */
export function toFeatureBits(features: readonly Feature[]): number {
  return features.reduce((bits, feature) => bits | featureBitByName[feature], 0)
}

export function hasFeature(attributes: Pick<ListingAttributes, 'featureBits'>, feature: Feature): boolean {
  return (attributes.featureBits & featureBitByName[feature]) !== 0
}
