/** Travel times: those of a router where they are known, and otherwise an estimate without a map. */
import { metersBetween, type Point } from '../geo.ts'
import type { Place, Travel } from './types.ts'

/**
 * Roads are longer than the straight line by this factor: 1.417 on average over 66,000 pairs of a place and a hospital (Boscoe, Henry and
 * Zdeb, "A Nationwide Comparison of Driving Distance Versus Straight-Line Distance to Hospitals", The Professional Geographer 64, 2012).
 */
const detourFactor = 1.417

/** The way by road, in metres. */
export const estimateMeters = (from: Point, to: Point): number => metersBetween(from, to) * detourFactor

/** A way whose driving time a router knows. Its ends are place keys. */
export interface Drive {
  origin: string
  destination: string
}

/** Driving times in seconds, by drive key. */
export type DrivingTimes = ReadonlyMap<string, number>

const placeDecimals = 4

/** The place as drives name it: degrees of latitude and longitude, rounded to some ten metres. */
export const toPlaceKey = ({ latitude, longitude }: Point): string =>
  [latitude, longitude].map(degrees => (round(degrees) || 0).toFixed(placeDecimals)).join(',')

const round = (degrees: number) => Math.round(degrees * 10 ** placeDecimals) / 10 ** placeDecimals

/** The place of a key. */
export function parsePlaceKey(key: string): Place {
  const [latitude = 0, longitude = 0] = key.split(',').map(Number)
  return { latitude, longitude }
}

export const toDriveKey = ({ origin, destination }: Drive): string => `${origin};${destination}`

/** The drives from a place to others and back, without those that end where they begin. */
export function listDrivesBetween(place: Place, others: readonly Place[]): Drive[] {
  const hub = toPlaceKey(place)
  const keys = [...new Set(others.map(toPlaceKey))].filter(key => key !== hub)
  return [
    ...keys.map(destination => ({ origin: hub, destination })),
    ...keys.map(origin => ({ origin, destination: hub })),
  ]
}

/** Travel by known driving times; for other ways, at `speedKmh` on average, door to door. Whole minutes. */
export function estimateTravel(place: Place, speedKmh: number, drivingTimes?: DrivingTimes): Travel {
  const metersPerMin = (speedKmh * 1000) / 60
  return {
    place,
    estimateMin(from, to) {
      const drive = { origin: toPlaceKey(from), destination: toPlaceKey(to) }
      const seconds = drivingTimes?.get(toDriveKey(drive))
      return Math.ceil(seconds === undefined ? estimateMeters(from, to) / metersPerMin : seconds / 60)
    },
  }
}
