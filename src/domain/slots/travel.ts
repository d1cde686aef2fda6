/** Estimated travel times without a map. */
import { metersBetween, type Point } from '../geo.ts'
import type { Place, Travel } from './types.ts'

/**
 * Roads are longer than the straight line by this factor: 1.417 on average over 66,000 pairs of a place and a hospital (Boscoe, Henry and
 * Zdeb, "A Nationwide Comparison of Driving Distance Versus Straight-Line Distance to Hospitals", The Professional Geographer 64, 2012).
 */
const detourFactor = 1.417

/** The way by road, in metres. */
export const estimateMeters = (from: Point, to: Point): number => metersBetween(from, to) * detourFactor

/** Travel at `speedKmh` on average, door to door, in whole minutes. */
export function estimateTravel(place: Place, speedKmh: number): Travel {
  const metersPerMin = (speedKmh * 1000) / 60
  return { place, estimateMin: (from, to) => Math.ceil(estimateMeters(from, to) / metersPerMin) }
}
