/** What the advertising rules need to know about a property, its agent, and what the sheet states about it. */
import type { Condition, Operation, PropertyType } from '../listing/listing.ts'

export const constructionStates = ['finished', 'under_construction', 'planned'] as const
export const rentalUses = ['home', 'short_term'] as const

/** Statements that laws require and that listings rarely make. Null: not stated. */
export interface AdvertisingStatements {
  construction: (typeof constructionStates)[number] | null
  /** Number of the building permit, and when it expires. */
  buildingPermit: string | null
  /** Number of the permit to use the building as a home (Portugal: licença de utilização). */
  usePermit: string | null
  priceIncludesTaxes: boolean | null
  /** Null: by `pricePeriod`, a rent per day or week is for a short term. */
  rentalUse: (typeof rentalUses)[number] | null
  /** Number in the register of short-term rentals (Portugal: RNAL; Italy: CIN). */
  shortTermRegistration: string | null
  /** True: the home lies in a stressed residential market area (Ley 12/2023, art. 18). */
  isStressedArea: boolean | null
  /** Rent per month in the last contract of the past five years. */
  lastRent: number | null
  /** Rent per month by the official reference index. */
  referenceRent: number | null
  /** True: the owner is a large holder (gran tenedor). */
  isLargeHolder: boolean | null
}

export const noStatements: AdvertisingStatements = {
  construction: null,
  buildingPermit: null,
  usePermit: null,
  priceIncludesTaxes: null,
  rentalUse: null,
  shortTermRegistration: null,
  isStressedArea: null,
  lastRent: null,
  referenceRent: null,
  isLargeHolder: null,
}

/** Null: the sheet does not state it. */
export interface AdvertisedProperty {
  property: {
    operation: Operation | null
    propertyType: PropertyType | null
    subtype: string | null
    condition: Condition | null
    yearBuilt: number | null
    price: number | null
    pricePeriod: 'month' | 'week' | 'year' | 'day' | null
    squareMeters: number | null
    usableSquareMeters: number | null
    rooms: number | null
    bedrooms: number | null
    address: string | null
    municipality: string | null
    province: string | null
    postcode: string | null
    /** ISO 3166-1 alpha-2. */
    country: string | null
  }
  energy: {
    /** `A` to `G`, with signs as printed (`A+`, `A4`, `B-`), `in_progress` or `exempt`. */
    rating: string | null
    consumptionKwhM2: number | null
  } | null
  agent: { licence: string | null } | null
  advertising: AdvertisingStatements
}
