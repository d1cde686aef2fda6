/** The route of a day: the ways between appointments on site. */
import type { Point } from '../geo.ts'
import { type Drive, type DrivingTimes, estimateMeters, estimateTravel, toPlaceKey } from '../slots/travel.ts'

/** Who or what an agent meets at a time. */
export interface Visit {
  startMs: number
  endMs: number
  /** Null: unknown, or not on site. */
  place: Point | null
  /** The speed on the way there. */
  speedKmh: number
}

export interface Way {
  /** The index of the visit from which it leads. */
  from: number
  distanceMeters: number
  travelMin: number
  /** Between the two visits; negative: they overlap. */
  gapMin: number
  /** The gap is shorter than the way. */
  isTight: boolean
}

const minuteMs = 60_000

/** For each visit: the way from the last one before whose place is known; null: there is none. The visits are in order. */
export function toWays(visits: readonly Visit[], drivingTimes: DrivingTimes): (Way | null)[] {
  let from: number | null = null
  return visits.map((visit, index) => {
    if (visit.place === null) return null
    const way: Way | null = from === null ? null : toWay(visits, from, visit, visit.place, drivingTimes)
    from = index
    return way
  })
}

/** Between visits that follow each other. */
export function listDrives(visits: readonly Visit[]): Drive[] {
  const keys = visits.flatMap(({ place }) => (place === null ? [] : toPlaceKey(place)))
  const drives = keys.slice(1).map((destination, index) => ({ origin: keys[index]!, destination }))
  return drives.filter(({ origin, destination }) => origin !== destination)
}

function toWay(
  visits: readonly Visit[],
  from: number,
  { startMs, speedKmh }: Visit,
  place: Point,
  drivingTimes: DrivingTimes,
): Way {
  const previous = visits[from]!
  const travelMin = estimateTravel(place, speedKmh, drivingTimes).estimateMin(previous.place!, place)
  const gapMin = Math.floor((startMs - previous.endMs) / minuteMs)
  const distanceMeters = Math.round(estimateMeters(previous.place!, place))
  return { from, distanceMeters, travelMin, gapMin, isTight: gapMin < travelMin }
}
