/** When rules apply, and when they are met. Unknown facts make no rule apply, except that of the energy rating. */
import type { AdvertisedProperty } from './advertised-property.ts'

type Predicate = (advertised: AdvertisedProperty) => boolean

export const all =
  (...predicates: Predicate[]): Predicate =>
  advertised =>
    predicates.every(predicate => predicate(advertised))

/** Subtypes that are not heated or cooled, or are no building. */
const unconditionedSubtypes = ['land', 'garage', 'storage']

/** Laws require energy ratings of whatever is heated or cooled; an unknown type counts as that. */
export function needsEnergyRating({ property }: AdvertisedProperty): boolean {
  return property.propertyType !== 'garages' && !unconditionedSubtypes.includes(property.subtype ?? '')
}

/** A certificate in progress is not a rating: no law here has an exception for it. */
export function hasEnergyRating({ energy }: AdvertisedProperty): boolean {
  const rating = energy?.rating ?? null
  return rating !== null && rating !== 'in_progress'
}

export function isEnergyExempt({ energy }: AdvertisedProperty): boolean {
  return energy?.rating === 'exempt'
}

export function isHome({ property }: AdvertisedProperty): boolean {
  return property.propertyType === 'homes' && !unconditionedSubtypes.includes(property.subtype ?? '')
}

export function isSale({ property }: AdvertisedProperty): boolean {
  return property.operation === 'sale'
}

export function isShortTermRent({ property, advertising }: AdvertisedProperty): boolean {
  if (property.operation !== 'rent') return false
  if (advertising.rentalUse) return advertising.rentalUse === 'short_term'
  return property.pricePeriod === 'day' || property.pricePeriod === 'week'
}

export function isLongTermRent(advertised: AdvertisedProperty): boolean {
  return advertised.property.operation === 'rent' && !isShortTermRent(advertised)
}

/** New or not yet finished. */
export function isNewBuild({ property, advertising }: AdvertisedProperty): boolean {
  return (
    property.condition === 'new' ||
    advertising.construction === 'under_construction' ||
    advertising.construction === 'planned'
  )
}

export function isInStressedArea({ advertising }: AdvertisedProperty): boolean {
  return advertising.isStressedArea === true
}

/** Sheets do not print blank texts, and no price or area is zero. */
function isStated(value: string | number | boolean | null): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return typeof value === 'number' ? value > 0 : value !== null
}

export const statesProperty =
  (field: keyof AdvertisedProperty['property']): Predicate =>
  ({ property }) =>
    isStated(property[field])

export function statesLocation({ property }: AdvertisedProperty): boolean {
  return isStated(property.municipality) || isStated(property.address)
}

export const makesStatement =
  (field: keyof AdvertisedProperty['advertising']): Predicate =>
  ({ advertising }) =>
    isStated(advertising[field])

export function statesRentLimit({ advertising }: AdvertisedProperty): boolean {
  return isStated(advertising.lastRent) || isStated(advertising.referenceRent)
}

export function hasAgentLicence({ agent }: AdvertisedProperty): boolean {
  return (agent?.licence ?? '').trim() !== ''
}
