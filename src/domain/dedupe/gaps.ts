/** How far apart two adverts of one property may be in place, size and price, and what else cannot be of one. */
import { metersBetween, type Point } from '../geo.ts'
import { toSlug } from '../slug.ts'
import type { PropertyFacts } from './property-facts.ts'

/** Portals round areas: 3 %, or 2 m² of a small place. */
export const areaTolerance = 0.03
export const areaToleranceSquareMeters = 2
/** Portals blur the pin of an address. */
export const pinToleranceMeters = 250
/**
 * One in ten adverts of one dwelling is more than 11.6 % off another's price (idealista18: Rey-Blanco et al. 2024,
 * https://doi.org/10.1177/23998083241242844); beyond this hardly any is.
 */
const priceTolerance = 0.15

/** Null where one of the two does not state it. */
export interface Gaps {
  meters: number | null
  /** As a part of the larger. */
  area: number | null
  price: number | null
}

/** What cannot be true of one property, in words for people. */
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
  'different numbers in the land register',
] as const
export type Contradiction = (typeof contradictions)[number]

export function computeGaps(one: PropertyFacts, other: PropertyFacts): Gaps {
  return {
    meters: metersBetweenPins(one, other),
    area: computeGapRatio(one.squareMeters, other.squareMeters),
    price: computeGapRatio(one.price, other.price),
  }
}

/** The first thing that both state and that cannot be said of one property; the cheap ones first. */
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
  // With pins there is no need of names, which are written in several languages.
  return gaps.meters === null && isSameTown(one, other) === false ? 'different towns' : null
}

/** By postcode or, failing that, by name; false only where both contradict, null where nothing shows it. */
export function isSameTown(one: PropertyFacts, other: PropertyFacts): boolean | null {
  const postcode =
    one.postcode === null || other.postcode === null ? null : isSamePostcode(one.postcode, other.postcode)
  if (postcode === true) return true
  if (one.municipality === null || other.municipality === null) return null
  const isSameName =
    one.municipality === other.municipality || toSlug(one.municipality) === toSlug(other.municipality)
  return isSameName || (postcode === null ? null : false)
}

/** `1200-109`, `1200 109` and `1200` are one. */
export function isSamePostcode(one: string, other: string): boolean {
  if (one === other) return true
  const [a, b] = [one.replace(/\D/g, ''), other.replace(/\D/g, '')]
  return a.length >= 4 && b.length >= 4 && (a.startsWith(b) || b.startsWith(a))
}

/** Mezzanines are counted differently from portal to portal: they say nothing against another floor. */
function isOtherFloor(one: number | null, other: number | null): boolean {
  return differs(one, other) && Number.isInteger(one) && Number.isInteger(other)
}

/** Both stated, and not alike. */
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
