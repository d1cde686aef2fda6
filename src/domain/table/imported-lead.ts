// What one row of an imported file says of a lead, in the words of the product.
import type { LawfulBasisKind } from '../contactability/facts.ts'
import type { Condition, Feature, Operation, PropertyType } from '../listing/listing.ts'
import type { AdvertiserType, LeadStatus } from './value-words.ts'

/** A name that is missing is one that the row does not tell; nothing is null. */
export interface ImportedLead {
  contact: {
    name?: string
    /** As written, repaired; each is a valid number in the country given. The first is the phone, the others identifiers. */
    phones: string[]
    emails: string[]
    advertiserType?: AdvertiserType
  }
  property: ImportedProperty
  status?: LeadStatus
  tags: string[]
  note?: string
  externalId?: string
  lawfulBasis?: {
    kind?: LawfulBasisKind
    /** ISO 8601, UTC. */
    at?: string
  }
  /** Text, or what an NDJSON line has. */
  customFields: Record<string, unknown>
}

export interface ImportedProperty {
  operation?: Operation
  propertyType?: PropertyType
  title?: string
  description?: string
  /** Major units of `currency`. */
  price?: number
  /** ISO 4217; there if the price is. */
  currency?: string
  squareMeters?: number
  rooms?: number
  bedrooms?: number
  bathrooms?: number
  floor?: string
  condition?: Condition
  features: Feature[]
  address?: string
  municipality?: string
  province?: string
  postcode?: string
  /** Degrees, WGS 84; both or neither. */
  latitude?: number
  longitude?: number
  images: string[]
  url?: string
  /** ISO 8601, UTC. */
  publishedAt?: string
}

/** A value that could not be read. The rest of the row stands. */
export interface RowProblem {
  /** The heading; null: the row as a whole. */
  column: string | null
  value: string
  message: string
  /** Stable, UPPER_SNAKE. */
  code: string
}
