// Do two adverts offer the same property, for sure enough to join them unasked?
import { compareProperties } from './compare-properties.ts'
import { AREA_TOLERANCE, gapsBetween, PIN_TOLERANCE_METERS } from './gaps.ts'
import type { PropertyFacts } from './property-facts.ts'

export { AREA_TOLERANCE, AREA_TOLERANCE_SQUARE_METERS } from './gaps.ts'
export type { PropertyFacts } from './property-facts.ts'

/** Why two adverts are taken for one property, in words, and how unlike they are all the same (0: alike in all). */
export interface Sameness {
  reason: string
  unlikeness: number
}

/** How far apart prices usually are that two portals round. */
const USUAL_PRICE_GAP = 0.03

/** Null: not the same, or not told enough to say so. */
export function sameProperty(one: PropertyFacts, other: PropertyFacts): Sameness | null {
  const { verdict, reason } = compareProperties(one, other)
  if (verdict !== 'same') return null
  const { meters, area, price } = gapsBetween(one, other)
  const unlikeness = area! / AREA_TOLERANCE + price! / USUAL_PRICE_GAP + (meters ?? 0) / PIN_TOLERANCE_METERS
  return { reason, unlikeness }
}
