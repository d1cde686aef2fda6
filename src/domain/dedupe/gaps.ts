/**
 * Limits for the differences between two listings of one property in place, size and price, and other contradictions.
 */
import { metersBetween, type Point } from '../geo.ts'
import { toSlug } from '../slug.ts'
import type { PropertyFacts } from './property-facts.ts'

/** Portals round areas: by 3 %, or by 2 m² for a small property. */
export const areaTolerance = 0.03
export const areaToleranceSquareMeters = 2
/** Portals blur the pin of an address. */
export const pinToleranceMeters = 250
/**
 * One in ten listings of one dwelling differs by more than 11.6 % from another's price (idealista18: Rey-Blanco et al.
 * 2024, https://doi.org/10.1177/23998083241242844); hardly any by more than 15 %.
 */
const priceTolerance = 0.15

/** Null if one of the two does not state it. */
export interface Gaps {
  meters: number | null
  /** As a share of the larger value. */
  area: number | null
  price: number | null
}

/** Facts that cannot both be true of one property, in words for users. */
export const contradictions = [
  'one is for sale, one for rent',
  'different kinds of property',
  'different numbers of bedrooms',
  'different numbers of bathrooms',
  'different floors',
  'different doors',
  'different sizes',
  'different prices',
  'too far apart',
  'different towns',
  'different cadastral numbers',
] as const
export type Contradiction = (typeof contradictions)[number]

export function computeGaps(one: PropertyFacts, other: PropertyFacts): Gaps {
  return {
    meters: metersBetweenPins(one, other),
    area: computeGapRatio(one.squareMeters, other.squareMeters),
    price: computeGapRatio(one.price, other.price),
  }
}

/** The first contradiction between stated facts; cheap checks first. */
export function findContradiction(
  one: PropertyFacts,
  other: PropertyFacts,
  gaps: Gaps,
): Contradiction | null {
  if (differs(one.bedrooms, other.bedrooms)) return 'different numbers of bedrooms'
  if (differs(one.operation, other.operation)) return 'one is for sale, one for rent'
  if (differs(one.propertyType, other.propertyType)) return 'different kinds of property'
  if (gaps.area !== null && gaps.area > areaTolerance) {
    const squareMeters = Math.abs(one.squareMeters! - other.squareMeters!)
    if (squareMeters > areaToleranceSquareMeters) return 'different sizes'
  }
  if (differs(one.bathrooms, other.bathrooms)) return 'different numbers of bathrooms'
  if (isOtherFloor(one.floor, other.floor)) return 'different floors'
  if (gaps.meters !== null && gaps.meters > pinToleranceMeters) return 'too far apart'
  if (gaps.price !== null && gaps.price > priceTolerance) return 'different prices'
  // Town names exist in several languages, so they are compared only without pins.
  return gaps.meters === null && isSameTown(one, other) === false ? 'different towns' : null
}

/** Compares postcodes, then names. False only if both differ; null if it is unknown. */
export function isSameTown(one: PropertyFacts, other: PropertyFacts): boolean | null {
  const postcode =
    one.postcode === null || other.postcode === null ? null : isSamePostcode(one.postcode, other.postcode)
  if (postcode === true) return true
  if (one.municipality === null || other.municipality === null) return null
  const isSameName =
    one.municipality === other.municipality || toSlug(one.municipality) === toSlug(other.municipality)
  return isSameName || (postcode === null ? null : false)
}

/** `1200-109`, `1200 109` and `1200` are equal. */
export function isSamePostcode(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [one.replace(/\D/g, ''), other.replace(/\D/g, '')]
  return a.length >= 4 && b.length >= 4 && (a.startsWith(b) || b.startsWith(a))
}

/** Portals count mezzanines differently, so they contradict no other floor. */
function isOtherFloor(one: number | null, other: number | null): boolean {
  return differs(one, other) && Number.isInteger(one) && Number.isInteger(other)
}

/** Both are stated, and they are different. */
function differs<T>(one: T | null, other: T | null): boolean {
  return one !== null && other !== null && one !== other
}

/** Null if one of them is not stated. */
function computeGapRatio(one: number | null, other: number | null): number | null {
  if (!one || !other) return null
  return Math.abs(one - other) / Math.max(one, other)
}

/** Null if one of them has no pin. */
function metersBetweenPins(one: PropertyFacts, other: PropertyFacts): number | null {
  return hasPin(one) && hasPin(other) ? metersBetween(one, other) : null
}

const hasPin = (facts: PropertyFacts): facts is PropertyFacts & Point =>
  facts.latitude !== null && facts.longitude !== null
