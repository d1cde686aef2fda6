/** The form of one language's table of words. All words are lower case without accents, separated by commas. */
import type { Condition, Operation } from '../../listing.ts'
import type { EnergyRating, ListingValues, PricePeriod, PropertySubtype } from '../page-listing.ts'

/** What a label says that its value is. The `other…` meanings are known and not read. */
export const labelMeanings = [
  'price',
  'coldRent',
  'warmRent',
  'otherAmount',
  'area',
  'usableArea',
  'totalArea',
  'plotArea',
  'otherArea',
  'rooms',
  'bedrooms',
  'bathrooms',
  'typology',
  'floor',
  'otherCount',
  'yearBuilt',
  'condition',
  'energyRating',
  'emissionsRating',
  'operation',
  'type',
  'status',
  'reference',
  'publishedAt',
  'updatedAt',
  'advertiserName',
  'advertiserPhone',
  'advertiserType',
  'address',
  'neighbourhood',
  'municipality',
  'province',
  'postcode',
  'country',
  'location',
] as const
export type LabelMeaning = (typeof labelMeanings)[number]

/** Headings of the sections of a listing page. */
export type SectionKind = 'description' | 'features' | 'similar' | 'advertiser' | 'location'

export interface LanguageWords {
  /** Frequent words by which the language of a text is recognized. */
  common: string
  /** "number of": omitted before a label. */
  numberOf?: string
  labels: Partial<Record<LabelMeaning, string>>
  sections: Partial<Record<SectionKind, string>>
  operation: Partial<Record<Operation, string>>
  subtype: Partial<Record<PropertySubtype, string>>
  condition?: Partial<Record<Condition, string>>
  status?: Partial<Record<NonNullable<ListingValues['status']>, string>>
  advertiserType?: Partial<Record<NonNullable<ListingValues['advertiserType']>, string>>
  energy?: Partial<Record<EnergyRating, string>>
  period?: Partial<Record<PricePeriod, string>>
  /** Price on request. */
  onRequest?: string
  yes?: string
  no?: string
}
