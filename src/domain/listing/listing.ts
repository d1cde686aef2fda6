/** The common format of listings of all portals: fields, value sets, and the source of each value. */
import type { Feature } from './features.ts'

export const listingOperations = ['sale', 'rent'] as const
export const listingPropertyTypes = ['homes', 'offices', 'premises', 'garages'] as const
export const propertyConditions = ['new', 'good', 'to_renovate'] as const

export type Operation = (typeof listingOperations)[number]
export type PropertyType = (typeof listingPropertyTypes)[number]
export type Condition = (typeof propertyConditions)[number]
type AdvertiserType = 'private' | 'agency'

/** One listing as parsed. Null means that the page does not state it; nothing is guessed. */
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
  /** Stated features. A missing name means "not stated". */
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
    /** E.164; null if `phoneRaw` is not a valid number. */
    phone: string | null
    phoneRaw: string | null
    email: string | null
    advertiserType: AdvertiserType | null
  }
}

type Contact = Omit<Listing['contact'], 'phone'>
type Known<T> = { [K in keyof T]?: NonNullable<T[K]> }

/**
 * Values of a listing from one source. Missing fields are unknown to it. `currency` may be a sign that several
 * currencies share (`$`, `kr`).
 */
export type ListingFacts = Known<Omit<Listing, 'contact' | 'url' | 'floor'>> & {
  [K in keyof Contact as `contact.${K}`]?: NonNullable<Contact[K]>
}

/**
 * `json-ld`, `microdata`, `opengraph` and `state` (data of a script) are embedded in the page; `api` and `feed` are
 * machine-readable documents; `markup` is an element that the portal uses for the value; `contact` came from a second
 * request; `text` is derived from the title; `url` from the URL; `portal` applies to all listings of the portal.
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

/** The source of each value that is not null and not an empty list. */
export type Provenance = Partial<Record<keyof ListingFacts | 'floor' | 'contact.phone' | 'url', Source>>
