/** What one row of an imported file says of a lead, in the words of the product. */
import type { Channel, LawfulBasisKind } from '../contactability/facts.ts'
import type { Feature } from '../listing/features.ts'
import type { Condition, Operation, PropertyType } from '../listing/listing.ts'
import type { AdvertiserType, LeadStatus } from './value-words.ts'

/** A name that is missing is one that the row does not tell; nothing is null. */
export interface ImportedLead {
  contact: {
    name?: string
    /** As written, repaired; each is a valid number in the country given. The first is the phone, the others identifiers. */
    phones: string[]
    /** How the phone was written, where the row states it beside the phone itself. */
    phoneRaw?: string
    emails: string[]
    /** Further telephones, addresses and chats (`whatsapp:34612345678`), as written; there if the row tells any. */
    otherIdentifiers?: string[]
    advertiserType?: AdvertiserType
  }
  property: ImportedProperty
  status?: LeadStatus
  tags: string[]
  note?: string
  /** The lead's own, in an export of ours. */
  aldabaId?: string
  externalId?: string
  lawfulBasis?: {
    kind?: LawfulBasisKind
    /** ISO 8601, UTC. */
    at?: string
    /** The words of a consent and where they were given, or what else shows it. */
    proof?: string
    /** Those it was given for; missing: those that its kind covers. */
    channels?: Channel[]
    /** ISO 8601, UTC. */
    expiresAt?: string
    /** Part of it could not be read: the rest may say more than is true. */
    isUnclear?: true
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
  /** ISO 4217; null: it is not known which. */
  currency?: string | null
  squareMeters?: number
  rooms?: number
  bedrooms?: number
  bathrooms?: number
  floor?: number
  floorText?: string
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
