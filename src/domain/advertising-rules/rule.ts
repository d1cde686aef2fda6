/** The form of an advertising rule. */
import type { AdvertisedProperty } from './advertised-property.ts'

export const advertisingCodes = [
  'ENERGY_RATING_MISSING',
  'ENERGY_CONSUMPTION_MISSING',
  'PRICE_MISSING',
  'PRICE_WITHOUT_TAXES',
  'PRICE_TAXES_UNSTATED',
  'USABLE_AREA_MISSING',
  'BUILT_AREA_MISSING',
  'ROOMS_MISSING',
  'YEAR_BUILT_MISSING',
  'LOCATION_MISSING',
  'CONSTRUCTION_STATE_MISSING',
  'BUILDING_PERMIT_MISSING',
  'USE_PERMIT_MISSING',
  'AGENT_LICENCE_MISSING',
  'SHORT_TERM_REGISTRATION_MISSING',
  'STRESSED_AREA_UNSTATED',
  'RENT_LIMIT_MISSING',
  'LARGE_HOLDER_UNSTATED',
] as const
export type AdvertisingCode = (typeof advertisingCodes)[number]

/** The field of a ficha that has to be filled in. */
export type AdvertisedField =
  | `property.${keyof AdvertisedProperty['property']}`
  | `energy.${keyof NonNullable<AdvertisedProperty['energy']>}`
  | `advertising.${keyof AdvertisedProperty['advertising']}`
  | 'agent.licence'

/**
 * `required`: the law demands the statement in advertising. `recommended`: the law applies only where a region has no
 * rule of its own, or to another occasion (a platform, the time before a deposit), or if facts that the sheet does not
 * know are so.
 */
export const advertisingSeverities = ['required', 'recommended'] as const
export type AdvertisingSeverity = (typeof advertisingSeverities)[number]

export interface Law {
  title: string
  /** Null: the article is not known. */
  article: string | null
  url: string
}

/**
 * How far the rule was checked. `text`: against the text of the law, as an official journal, a parliament or the
 * European Commission publishes it. `secondary`: against what an authority, an association or a law firm writes about
 * it. `none`: not found.
 */
export const confirmations = ['text', 'secondary', 'none'] as const
type Confirmation = (typeof confirmations)[number]

/** What every rule of one provision shares. */
export interface Provision {
  country: 'ES' | 'PT' | 'IT'
  /** ISO 3166-2; null: the whole country. */
  region: 'ES-CT' | 'ES-VC' | null
  law: Law
  /** First day, `YYYY-MM-DD`. */
  from: string
  /** Last day; null: still in force. */
  until: string | null
  confirmation: Confirmation
  /** The text that it was checked against, or what could not be found. */
  checkedAgainst: string
}

export interface AdvertisingRule extends Provision {
  code: AdvertisingCode
  field: AdvertisedField
  severity: AdvertisingSeverity
  message: string
  applies: (advertised: AdvertisedProperty) => boolean
  isMet: (advertised: AdvertisedProperty) => boolean
}

/** Builds the rules of one provision. */
export function rulesOf(
  provision: Provision,
  rules: Omit<AdvertisingRule, keyof Provision>[],
): AdvertisingRule[] {
  return rules.map(rule => ({ ...provision, ...rule }))
}
