/** What the general listing reader finds on a page: values, and where each value comes from. */
import type { Feature } from '../features.ts'
import type { Condition, Operation, PropertyType } from '../listing.ts'

export const propertySubtypes = [
  'apartment',
  'house',
  'duplex',
  'penthouse',
  'studio',
  'loft',
  'room',
  'land',
  'building',
  'office',
  'premises',
  'garage',
  'storage',
  'mobile_home',
] as const
export type PropertySubtype = (typeof propertySubtypes)[number]

export const pricePeriods = ['day', 'week', 'month', 'year'] as const
export type PricePeriod = (typeof pricePeriods)[number]

export const energyRatings = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'in_progress', 'exempt'] as const
export type EnergyRating = (typeof energyRatings)[number]

/** Null or an empty list means that the page does not state the value. */
export interface ListingValues {
  title: string | null
  description: string | null
  operation: Operation | null
  propertyType: PropertyType | null
  subtype: PropertySubtype | null
  /** Major units of `currency`. Null for a range, which `priceMin` and `priceMax` state. */
  price: number | null
  /** ISO 4217. */
  currency: string | null
  /** Null for a sale. */
  pricePeriod: PricePeriod | null
  priceMin: number | null
  priceMax: number | null
  /** Built or living area, never the plot. */
  squareMeters: number | null
  usableSquareMeters: number | null
  plotSquareMeters: number | null
  rooms: number | null
  bedrooms: number | null
  bathrooms: number | null
  floor: number | null
  floorText: string | null
  yearBuilt: number | null
  condition: Condition | null
  energyRating: EnergyRating | null
  emissionsRating: EnergyRating | null
  /** In kWh per square metre and year. */
  energyConsumptionKwhM2: number | null
  /** In kilograms of carbon dioxide per square metre and year. */
  emissionsKgM2: number | null
  features: Feature[]
  /** As printed. */
  featureLabels: string[]
  /** Street and number. */
  address: string | null
  neighbourhood: string | null
  municipality: string | null
  province: string | null
  postcode: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  latitude: number | null
  longitude: number | null
  /** Absolute URLs in page order, without floor plans, logos and portraits. */
  images: string[]
  advertiserName: string | null
  /** As printed. */
  advertiserPhone: string | null
  advertiserType: 'private' | 'agency' | null
  status: 'available' | 'reserved' | 'withdrawn' | null
  reference: string | null
  /** ISO 8601, UTC. */
  publishedAt: string | null
  updatedAt: string | null
}

export type ListingField = keyof ListingValues

/** `pairs` are labels with values in the markup; `text` is the title, the headings and the visible amounts. */
export type ReaderSource =
  | 'state'
  | 'json-ld'
  | 'microdata'
  | 'opengraph'
  | 'pairs'
  | 'text'
  | 'url'
  | 'derived'
  | 'context'

type FieldValue<Field extends ListingField> = NonNullable<ListingValues[Field]>

/** A value that one source states for one field. */
export type Candidate = {
  [Field in ListingField]: {
    field: Field
    value: FieldValue<Field>
    source: ReaderSource
    /** The path, label or element of the value. */
    where: string
    /** How far the source is trusted, from 0 to 1. */
    weight: number
  }
}[ListingField]

export interface FieldEvidence {
  source: ReaderSource
  where: string
  /** From 0 to 1. */
  confidence: number
  /** Differing values that were not chosen. */
  others: { value: unknown; source: ReaderSource; where: string }[]
}

/** Also has fields whose value is null because equally trusted sources contradict each other. */
export type Evidence = Partial<Record<ListingField, FieldEvidence>>

export interface PageListing {
  values: ListingValues
  evidence: Evidence
}

export interface ReaderPage {
  html: string
  /** Absolute URL of the page. */
  url: string
  /** ISO 3166-1 alpha-2: the country of the portal, if known. */
  country: string | null
  /** ISO 4217: the currency of the portal, if known. */
  currency: string | null
}
