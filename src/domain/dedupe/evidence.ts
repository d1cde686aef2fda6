/** Weights of the evidence that two listings are of one property. */
import { isSamePostcode } from './gaps.ts'
import type { PropertyFacts } from './property-facts.ts'

/**
 * Bits of evidence: log2 of how much more often a level occurs between listings of one property than between listings
 * of two properties that are compared (Fellegi and Sunter, "A Theory for Record Linkage", 1969,
 * https://doi.org/10.1080/01621459.1969.10501049). Rounded estimates, checked against the counts of
 * `bench/deduplication.ts`. Where the benchmark's listings state more than real ones (streets), the weights are lower
 * than the counts suggest. Where its neighbours copy each other on purpose (photos, phones), they are higher.
 */
export const levelWeights = {
  'same private phone': 9,
  'same phone': 5,
  'other phone': -1,
  'two private phones': -5,

  'pins within 15 m': 3,
  'pins within 70 m': 1,
  'pins within 150 m': 0,
  'pins within 250 m': -0.5,

  'no place in common': -4,
  'same address': 6,
  'same street': 2.5,
  'other number': -4,
  'other street': -4,
  'same door': 4,
  'same postcode': 0.3,
  'other postcode': -2,

  'same size': 1.5,
  'size within 1.25 %': 0.5,
  'size within 3 %': -1,

  'same price': 4,
  'price within 1 %': 2,
  'price within 2.5 %': 1,
  'price within 5 %': 0,
  'price within 8 %': -1.5,
  'price within 15 %': -3,

  'same bedrooms': 0.5,
  'same bathrooms': 0.5,
  'same floor': 2.5,
  'same house, floors unclear': -4,
  'same condition': 0.3,
  'other condition': -3,
  'new and to renovate': -6,
  'same features': 2,
  'similar features': 0.3,
  'other features': -1.5,
  'exterior and interior': -3,

  'same wording': 4,
  'similar wording': 1,
  'same photos': 6,
  'one photo in common': 2,
  'same reference': 5,
  'other reference': -4,
  'same cadastral number': 16,
} as const

export type Level = keyof typeof levelWeights

export function comparePhones(one: PropertyFacts, other: PropertyFacts): Level | null {
  if (one.phone === null || other.phone === null) return null
  const isPrivate = one.advertiserType === 'private' && other.advertiserType === 'private'
  if (one.phone === other.phone) return isPrivate ? 'same private phone' : 'same phone'
  return isPrivate ? 'two private phones' : 'other phone'
}

export function toDistanceLevel(meters: number | null): Level | null {
  if (meters === null) return null
  if (meters <= 15) return 'pins within 15 m'
  if (meters <= 70) return 'pins within 70 m'
  return meters <= 150 ? 'pins within 150 m' : 'pins within 250 m'
}

/**
 * `ratio`: the difference as a share of the larger value. The last level includes 2 m² of a small property, which is
 * more than 3 %.
 */
export function toSizeLevel(ratio: number | null): Level | null {
  if (ratio === null) return null
  if (ratio < 0.0005) return 'same size'
  return ratio <= 0.0125 ? 'size within 1.25 %' : 'size within 3 %'
}

export function toPriceLevel(ratio: number | null): Level | null {
  if (ratio === null) return null
  if (ratio < 0.0005) return 'same price'
  if (ratio <= 0.01) return 'price within 1 %'
  if (ratio <= 0.025) return 'price within 2.5 %'
  if (ratio <= 0.05) return 'price within 5 %'
  return ratio <= 0.08 ? 'price within 8 %' : 'price within 15 %'
}

/** Different counts are a contradiction, so they are not evidence. */
export function compareBedrooms(one: PropertyFacts, other: PropertyFacts): Level | null {
  return one.bedrooms !== null && one.bedrooms === other.bedrooms ? 'same bedrooms' : null
}

export function compareBathrooms(one: PropertyFacts, other: PropertyFacts): Level | null {
  return one.bathrooms !== null && one.bathrooms === other.bathrooms ? 'same bathrooms' : null
}

/**
 * Flats above each other are very similar. So in one house, a floor that is unknown or a mezzanine on one side counts
 * against them.
 */
export function compareFloors(one: PropertyFacts, other: PropertyFacts, isSameHouse: boolean): Level | null {
  if (one.floor !== null && one.floor === other.floor) return 'same floor'
  const isFlat = one.propertyType === null || one.propertyType === 'homes' || one.propertyType === 'offices'
  return isSameHouse && isFlat ? 'same house, floors unclear' : null
}

export function compareConditions(one: PropertyFacts, other: PropertyFacts): Level | null {
  if (!one.condition || !other.condition) return null
  if (one.condition === other.condition) return 'same condition'
  const both = [one.condition, other.condition]
  return both.includes('new') && both.includes('to_renovate') ? 'new and to renovate' : 'other condition'
}

/** A missing feature means "not stated", so it counts against them only if both lists are long. */
export function compareFeatures(one: PropertyFacts, other: PropertyFacts): Level | null {
  if (!one.features?.length || !other.features?.length) return null
  const [a, b] = [new Set(one.features), new Set(other.features)]
  if (faceOppositeSides(a, b) || faceOppositeSides(b, a)) return 'exterior and interior'
  if (Math.min(a.size, b.size) < 3) return null
  const common = a.intersection(b).size
  const all = a.size + b.size - common
  if (common === all) return 'same features'
  return common / all >= 0.5 ? 'similar features' : 'other features'
}

/** `exterior` homes have windows to the street, `interior` ones only to a courtyard. */
function faceOppositeSides(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.has('exterior') && !one.has('interior') && other.has('interior') && !other.has('exterior')
}

export function comparePostcodes(one: PropertyFacts, other: PropertyFacts): Level | null {
  if (one.postcode === null || other.postcode === null) return null
  return isSamePostcode(one.postcode, other.postcode) ? 'same postcode' : 'other postcode'
}
