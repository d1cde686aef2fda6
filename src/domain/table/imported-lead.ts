/** The parsed data of one row of an imported file. */
import type { Channel, LawfulBasisKind } from '../contactability/facts.ts'
import type { Feature } from '../listing/features.ts'
import type { Condition, Operation, PropertyType } from '../listing/listing.ts'
import type { AdvertiserType, LeadStatus } from './value-words.ts'

/** Missing fields are not stated in the row. Only the currency may be null. */
export interface ImportedLead {
  contact: {
    name?: string
    /**
     * As written, after repair; each is valid in the given country. The first is the phone, the others are identifiers.
     */
    phones: string[]
    /** The phone as originally written, if the row has it as a separate value. */
    phoneRaw?: string
    emails: string[]
    /** Further phones, addresses and chats (`whatsapp:34612345678`), as written; missing if there are none. */
    otherIdentifiers?: string[]
    advertiserType?: AdvertiserType
  }
  property: ImportedProperty
  status?: LeadStatus
  tags: string[]
  note?: string
  /** The id of the lead, in our own exports. */
  aldabaId?: string
  externalId?: string
  lawfulBasis?: {
    kind?: LawfulBasisKind
    /** ISO 8601, UTC. */
    at?: string
    /** The text of a consent and where it was given, or other evidence. */
    proof?: string
    /** The channels it was given for; missing: the default channels of its kind. */
    channels?: Channel[]
    /** ISO 8601, UTC. */
    expiresAt?: string
    /** True if a part could not be read, so that the rest may state more than is true. */
    isUnclear?: true
  }
  /** Text, or any value of an NDJSON line. */
  customFields: Record<string, unknown>
}

export interface ImportedProperty {
  operation?: Operation
  propertyType?: PropertyType
  title?: string
  description?: string
  /** Major units of `currency`. */
  price?: number
  /** ISO 4217; null if it is unknown. */
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

/** A value that could not be read. The rest of the row is kept. */
export interface RowProblem {
  /** The heading; null for the whole row. */
  column: string | null
  value: string
  message: string
  /** Stable, in UPPER_SNAKE case. */
  code: string
}
