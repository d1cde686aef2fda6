/** The texts of property sheets that no other document uses. A missing text in a language is a type error. */
import type { Words } from '../../../documents/words.ts'
import type { AdvertisingStatements } from '../../../domain/advertising-rules/advertised-property.ts'
import type { Operation } from '../../../domain/listing/listing.ts'
import type { PricePeriod, PropertySubtype } from '../../../domain/listing/reader/page-listing.ts'
import type { SheetWarningCode } from './sheet.ts'

/** Parameters of functions are already formatted. */
export interface SheetWords {
  /** "For sale". */
  offered: Record<Operation, string>
  kind: Record<PropertySubtype, string>
  price: string
  priceOnRequest: string
  perPeriod: Record<PricePeriod, (money: string) => string>
  pricePerSquareMeter: string
  usableArea: string
  rooms: string
  reference: string
  details: string
  description: string
  photos: string
  location: string
  /** The map shows an area, not the position. */
  approximateLocation: string
  contact: string
  energy: {
    heading: string
    consumption: string
    emissions: string
    inProgress: string
    exempt: string
  }
  /** The label of the number of the agent's licence. */
  licence: string
  /** Below the QR code. */
  viewOnline: string
  morePhotosOnline: (count: string) => string
  morePhotos: (count: string) => string
  /** Follows a description that the page has no room for. */
  continuedOnline: string
  /** "Photo 3 of 12". */
  photo: (number: string, count: string) => string
  /** Statements that the law requires. */
  statements: {
    construction: string
    constructionState: Record<NonNullable<AdvertisingStatements['construction']>, string>
    buildingPermit: string
    usePermit: string
    taxes: string
    taxesIncluded: string
    taxesNotIncluded: string
    shortTermRegistration: string
    stressedArea: string
    lastRent: string
    referenceRent: string
    largeHolder: string
  }
  warnings: string
  severity: Record<'required' | 'recommended', string>
  /** What the sheet lacks, by the code of the warning. */
  missing: Record<SheetWarningCode, string>
  /** "Sheet of 3 May 2026". */
  issuedOn: (date: string) => string
}

/** All texts of a sheet in one language. */
export type AllSheetWords = Words & SheetWords
