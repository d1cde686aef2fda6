/**
 * Whether two adverts are of one property, by what a market store keeps of them. Portals give the same dwelling other ids, and
 * move its pin. The rule errs towards one: of two flats that look alike, one says as much as both.
 */
import { metersBetween } from '../geo.ts'
import { agreeIfKnown, type Characteristics } from './property.ts'

export type ListedFacts = Pick<
  Characteristics,
  'latitude' | 'longitude' | 'squareMeters' | 'bedrooms' | 'bathrooms' | 'floor' | 'yearBuilt'
> & { price: number }

/** Two pins of one property are never farther apart. */
export const pinToleranceMeters = 130
/** Flats of which neither tells its bathrooms have to be as near as this: a building or two. */
const samePinMeters = 60
const areaTolerance = 0.03
/** One in ten pairs of adverts of one dwelling is more than 11.6 % apart; beyond this hardly any is. */
const priceTolerance = 0.15

/**
 * Of adverts in one market. What both state must agree: the floor (or neither states it), bathrooms, year, and the price within
 * 15 %. Then one property is
 * - up to 60 m apart with exactly the same area;
 * - up to 130 m apart with the same known bathrooms: with exactly the same area and the same known floor or year, or within
 *   3 % of area and the same known floor and year, the year standing for the building.
 *
 * Without bedrooms nothing is known again: garages of one basement are all alike.
 */
export function isSameProperty(one: ListedFacts, other: ListedFacts): boolean {
  if (one.bedrooms === null || one.bedrooms !== other.bedrooms || one.floor !== other.floor) return false
  if (!agreeIfKnown(one.bathrooms, other.bathrooms) || !agreeIfKnown(one.yearBuilt, other.yearBuilt))
    return false
  if (computeGap(one.price, other.price) > priceTolerance) return false
  const areaGap = computeGap(one.squareMeters, other.squareMeters)
  if (areaGap > areaTolerance) return false
  const meters = metersBetween(one, other)
  if (meters <= samePinMeters && areaGap === 0) return true
  if (meters > pinToleranceMeters || one.bathrooms === null || other.bathrooms === null) return false
  const isFloorKnown = one.floor !== null
  const isYearKnown = one.yearBuilt !== null && other.yearBuilt !== null
  return areaGap === 0 ? isFloorKnown || isYearKnown : isFloorKnown && isYearKnown
}

type FingerprintFacts = Pick<ListedFacts, 'squareMeters' | 'bedrooms' | 'floor'>

/** Under which a property is kept: what its adverts have in common, condensed to 32 bits. Null: it can't be known again. */
export function toFingerprint(
  market: string,
  { squareMeters, bedrooms, floor }: FingerprintFacts,
): number | null {
  return bedrooms === null ? null : hashText(`${market} ${bedrooms} ${floor} ${toStep(squareMeters)}`)
}

/** Those under which an advert's property may be kept. */
export function toNearbyFingerprints(market: string, listing: FingerprintFacts): number[] {
  const sizes = [listing.squareMeters * (1 - areaTolerance), listing.squareMeters / (1 - areaTolerance)]
  const near = sizes.map(squareMeters => toFingerprint(market, { ...listing, squareMeters }))
  return [...new Set(near)].filter(fingerprint => fingerprint !== null)
}

/** Wider than what two areas of one property are apart on both sides: those of it are in two steps at most. */
function toStep(squareMeters: number): number {
  return Math.floor(Math.log(squareMeters) / 0.065)
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash | 0
}

/** As a part of the larger. */
function computeGap(one: number, other: number): number {
  return Math.abs(one - other) / Math.max(one, other)
}
