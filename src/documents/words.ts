/** The words that documents share. A language is one file of `words/`; a word that it lacks does not compile. */
import type { Amenity, Condition, Operation, PropertyType } from '../domain/valuation/property.ts'

/** Kinds of homes that sources name in the same way; any other is printed as the source has it. */
export type KnownSubtype =
  | 'flat'
  | 'duplex'
  | 'studio'
  | 'penthouse'
  | 'drawHouse'
  | 'blockOfFlats'
  | 'tenement'
  | 'apartmentBuilding'

/** Texts in parameters are formatted already. */
export interface Words {
  /** BCP 47: of numbers and dates. */
  locale: string
  perMonth: (money: string) => string
  /** Page 2 of 4. */
  page: (page: string, pages: string) => string

  facts: {
    heading: string
    address: string
    operation: string
    propertyType: string
    subtype: string
    area: string
    plot: string
    bedrooms: string
    bathrooms: string
    condition: string
    floor: string
    yearBuilt: string
    amenities: string
  }
  operation: Record<Operation, string>
  propertyType: Record<PropertyType, string>
  subtype: Record<KnownSubtype, string>
  condition: Record<Condition, string>
  amenity: Record<Amenity, string>
  studio: string
  groundFloor: string
  mezzanine: string
  belowGround: string
  /** Shortly, one after another in a table. */
  short: {
    bedrooms: (count: number) => string
    bathrooms: (count: number, text: string) => string
    floor: (floor: number) => string
    yearBuilt: (year: string) => string
    plot: (area: string) => string
  }
  yes: string
  no: string
}
