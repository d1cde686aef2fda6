/**
 * Decides if two listings are of one property, by the facts that a market store keeps. Portals give the same dwelling
 * different ids and move its pin. In doubt they count as one: two flats that look the same are no more evidence than
 * one.
 */
import { metersBetween } from '../geo.ts'
import { agreeIfKnown, type Characteristics } from './property.ts'

export type ListedFacts = Pick<
  Characteristics,
  'latitude' | 'longitude' | 'squareMeters' | 'bedrooms' | 'bathrooms' | 'floor' | 'yearBuilt'
> & { price: number }

/** Maximum distance between two pins of one property. */
export const pinToleranceMeters = 130
/** Maximum distance if the bathrooms are not stated on both sides: the same building or the next. */
const samePinMeters = 60
const areaTolerance = 0.03
/** One in ten pairs of listings of one dwelling differs by more than 11.6 %; hardly any by more than 15 %. */
const priceTolerance = 0.15

/**
 * Both listings must be in one market and agree in the floor (or neither states it), bathrooms, year, and the price
 * within 15 %. They are one property if they are
 * - up to 60 m apart with exactly the same area;
 * - up to 130 m apart with the same known bathrooms: with exactly the same area and the same known floor or year, or
 *   within 3 % of area and the same known floor and year (the year identifies the building).
 *
 * Listings without bedrooms never match: garages of one basement all look the same.
 */
export function isSameProperty(one: ListedFacts, other: ListedFacts): boolean {
  if (one.bedrooms === null || one.bedrooms !== other.bedrooms || one.floor !== other.floor) return false
  if (!agreeIfKnown(one.bathrooms, other.bathrooms) || !agreeIfKnown(one.yearBuilt, other.yearBuilt))
    return false
  if (computeRelativeGap(one.price, other.price) > priceTolerance) return false
  const areaGap = computeRelativeGap(one.squareMeters, other.squareMeters)
  if (areaGap > areaTolerance) return false
  const meters = metersBetween(one, other)
  if (meters <= samePinMeters && areaGap === 0) return true
  if (meters > pinToleranceMeters || one.bathrooms === null || other.bathrooms === null) return false
  const isFloorKnown = one.floor !== null
  const isYearKnown = one.yearBuilt !== null && other.yearBuilt !== null
  return areaGap === 0 ? isFloorKnown || isYearKnown : isFloorKnown && isYearKnown
}

type FingerprintFacts = Pick<ListedFacts, 'squareMeters' | 'bedrooms' | 'floor'>

/** The lookup key of a property: common facts of its listings, hashed to 32 bits. Null: it cannot be recognized. */
export function toFingerprint(
  market: string,
  { squareMeters, bedrooms, floor }: FingerprintFacts,
): number | null {
  return bedrooms === null ? null : hashText(`${market} ${bedrooms} ${floor} ${toStep(squareMeters)}`)
}

/** All fingerprints under which the property of a listing may be stored. */
export function toNearbyFingerprints(market: string, listing: FingerprintFacts): number[] {
  const sizes = [listing.squareMeters * (1 - areaTolerance), listing.squareMeters / (1 - areaTolerance)]
  const near = sizes.map(squareMeters => toFingerprint(market, { ...listing, squareMeters }))
  return [...new Set(near)].filter(fingerprint => fingerprint !== null)
}

/** A step is wider than the tolerance on both sides, so the areas of one property are in at most two steps. */
function toStep(squareMeters: number): number {
  return Math.floor(Math.log(squareMeters) / 0.065)
}

/** FNV-1a hash. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash | 0
}

/** The difference as a share of the larger value. */
function computeRelativeGap(one: number, other: number): number {
  return Math.abs(one - other) / Math.max(one, other)
}
