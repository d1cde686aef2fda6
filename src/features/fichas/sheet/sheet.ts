/** The input of a property sheet. It is complete: rendering reads nothing else. */
import type { Branding } from '../../../documents/document.ts'
import type { AdvertisingStatements } from '../../../domain/advertising-rules/advertised-property.ts'
import type { AdvertisingCode } from '../../../domain/advertising-rules/rule.ts'
import type { Feature } from '../../../domain/listing/features.ts'
import type { Condition, Operation, PropertyType } from '../../../domain/listing/listing.ts'
import type {
  EnergyRating,
  PricePeriod,
  PropertySubtype,
} from '../../../domain/listing/reader/page-listing.ts'

export const sheetLanguages = ['es', 'ca', 'gl', 'eu', 'pt', 'it', 'en', 'fr', 'de'] as const
export type SheetLanguage = (typeof sheetLanguages)[number]

export const sheetLayouts = ['classic', 'gallery', 'compact'] as const
export type SheetLayout = (typeof sheetLayouts)[number]

/** The property as the sheet shows it. Null: unknown, or hidden for privacy. */
export interface SheetProperty {
  title: string | null
  description: string | null
  operation: Operation | null
  propertyType: PropertyType | null
  subtype: PropertySubtype | null
  /** Major units of `currency`. */
  price: number | null
  /** ISO 4217. */
  currency: string | null
  /** Null for a sale. */
  pricePeriod: PricePeriod | null
  squareMeters: number | null
  usableSquareMeters: number | null
  plotSquareMeters: number | null
  rooms: number | null
  bedrooms: number | null
  bathrooms: number | null
  /** 0 is the ground floor, -1 the basement, 0.5 a mezzanine. */
  floor: number | null
  floorText: string | null
  yearBuilt: number | null
  condition: Condition | null
  features: Feature[]
  address: string | null
  neighbourhood: string | null
  municipality: string | null
  province: string | null
  postcode: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  latitude: number | null
  longitude: number | null
  reference: string | null
}

/** One size of a photo: its bytes, or the URL of the file. */
export type PhotoSource = { widthPx: number } & ({ url: string } | { bytes: Uint8Array })

export interface SheetPhoto {
  /** The size of the largest source. */
  widthPx: number
  heightPx: number
  /** JPEG, the narrowest first. */
  sources: PhotoSource[]
  alt: string | null
}

export interface SheetAgent {
  name: string
  phone: string | null
  email: string | null
  /** The licence number, such as `AICAT 1234` or `AMI 5678`. */
  licence: string | null
  /** A JPEG. */
  photo: Uint8Array | null
}

export interface SheetEnergy {
  rating: EnergyRating | null
  emissions: EnergyRating | null
  consumptionKwhM2: number | null
  emissionsKgM2: number | null
}

export interface SheetMap {
  /** A complete SVG document with a `viewBox`, and with the attribution of its data in the drawing. */
  svg: string
  /** True: a circle around the property instead of its position. */
  isApproximate: boolean
}

export type SheetWarningCode = AdvertisingCode | 'LISTING_RESERVED' | 'PHOTOS_FAILED' | 'NO_PHOTOS'

/** Something that a listing of this kind must or should say, and this sheet does not. */
export interface SheetWarning {
  code: SheetWarningCode
  severity: 'required' | 'recommended'
  /** The law that wants it. */
  law: { title: string } | null
}

export interface Sheet {
  language: SheetLanguage
  layout: SheetLayout
  /** Already reduced by the privacy of the sheet. */
  property: SheetProperty
  photos: SheetPhoto[]
  /** Null: the location is hidden or unknown. */
  map: SheetMap | null
  energy: SheetEnergy | null
  agent: SheetAgent | null
  /** What the law requires in advertising. */
  statements: AdvertisingStatements
  branding: Branding & { legalText: string | null }
  /** The public link, for the QR code; null: the sheet is not shared. */
  shareUrl: string | null
  /** Shown on the agency's own preview only. */
  warnings: SheetWarning[]
  issuedAt: Temporal.Instant
  /** The time zone of printed dates, an IANA name. */
  timezone: string
}
