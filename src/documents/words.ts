/** The texts that documents share. Each language is a file in `words/`; a missing text is a type error. */
import type { Amenity, Condition, Operation, PropertyType } from '../domain/valuation/property.ts'

/** The types of homes with a translation; any other is printed as the source spells it. */
export type KnownSubtype =
  | 'flat'
  | 'duplex'
  | 'studio'
  | 'penthouse'
  | 'house'
  | 'blockOfFlats'
  | 'tenement'
  | 'apartmentBuilding'

/** Text parameters of functions are already formatted; numbers also choose the form of a noun. */
export interface Words {
  /** The BCP 47 tag for numbers and dates. */
  locale: string
  perMonth: (money: string) => string
  /** "Page 2 of 4". */
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
  /** Short forms for a cell with several facts. */
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
