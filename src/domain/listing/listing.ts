/** The words in which every portal's adverts are told: fields, value sets, and where each value came from. */
import type { Feature } from './features.ts'

export const listingOperations = ['sale', 'rent'] as const
export const listingPropertyTypes = ['homes', 'offices', 'premises', 'garages'] as const
export const propertyConditions = ['new', 'good', 'to_renovate'] as const

export type Operation = (typeof listingOperations)[number]
export type PropertyType = (typeof listingPropertyTypes)[number]
export type Condition = (typeof propertyConditions)[number]
type AdvertiserType = 'private' | 'agency'

/** One advert as a reader found it. Null is "the page does not say"; nothing is ever guessed. */
export interface Listing {
  operation: Operation | null
  propertyType: PropertyType | null
  title: string | null
  description: string | null
  /** Major units of `currency`; per month when the operation is rent. */
  price: number | null
  /** ISO 4217. */
  currency: string | null
  /** Built or living area, never the plot. */
  squareMeters: number | null
  rooms: number | null
  bedrooms: number | null
  bathrooms: number | null
  /** 0 is the ground floor, -1 the basement, 0.5 a mezzanine; null if `floorText` states no number. */
  floor: number | null
  /** The floor as it is stated: `Planta 3ª exterior con ascensor`, `Ático`. */
  floorText: string | null
  condition: Condition | null
  /** What is stated to be there; a name that is missing means "not stated". */
  features: Feature[]
  address: string | null
  municipality: string | null
  province: string | null
  postcode: string | null
  /** Degrees, WGS 84, with all the digits of the page. */
  latitude: number | null
  longitude: number | null
  /** Absolute URLs. */
  images: string[]
  url: string
  /** ISO 8601, UTC. */
  publishedAt: string | null
  contact: {
    name: string | null
    /** E.164; null if `phoneRaw` is no valid number. */
    phone: string | null
    phoneRaw: string | null
    email: string | null
    advertiserType: AdvertiserType | null
  }
}

type Contact = Omit<Listing['contact'], 'phone'>
type Known<T> = { [K in keyof T]?: NonNullable<T[K]> }

/**
 * Some values of a listing, from one source; a name that is missing is not known to it. `currency` may be a sign that several
 * currencies share (`$`, `kr`).
 */
export type ListingFacts = Known<Omit<Listing, 'contact' | 'url' | 'floor'>> & {
  [K in keyof Contact as `contact.${K}`]?: NonNullable<Contact[K]>
}

/**
 * `json-ld`, `microdata`, `opengraph` and `state` (a script's own data) are what a page embeds; `api` and `feed` are
 * documents made for machines; `markup` is a place that the portal keeps for the value; `contact` was given on a second
 * request; `text` was understood from words of the title; `url` from the address; `portal` is true of all its adverts.
 */
export type Source =
  | 'json-ld'
  | 'microdata'
  | 'opengraph'
  | 'state'
  | 'api'
  | 'feed'
  | 'markup'
  | 'contact'
  | 'text'
  | 'url'
  | 'portal'

/** The source of each value that is not null (or, for a list, not empty). */
export type Provenance = Partial<Record<keyof ListingFacts | 'floor' | 'contact.phone' | 'url', Source>>
