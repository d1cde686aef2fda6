/** The nearest properties that are like one, among those in memory. */
import { metersBetween, metersPerDegree } from '../geo.ts'
import { areaFactorMax, bedroomsApartMax } from './likeness.ts'
import type { Characteristics, Place } from './property.ts'

export interface Near<T> {
  property: T
  meters: number
}

/** Prepares to look for the nearest: properties are put in squares of about `sideMeters` on a side, and those around come first. */
export function nearestAmong<T extends Characteristics>(
  properties: T[],
  sideMeters = 300,
): (subject: Characteristics, count: number, accept?: (found: Near<T>) => boolean) => Near<T>[] {
  const side = sideMeters / metersPerDegree
  // Degrees of longitude shrink towards the poles: one scale for all keeps squares in line.
  const shrink = Math.cos(((properties[0]?.latitude ?? 0) * Math.PI) / 180)
  const columnOf = ({ longitude }: Place) => Math.floor((longitude * shrink) / side)
  const rowOf = ({ latitude }: Place) => Math.floor(latitude / side)
  const keyOf = (column: number, row: number) => column * 8_388_608 + row
  const squares = Map.groupBy(properties, property => keyOf(columnOf(property), rowOf(property)))
  return (subject, count, accept = () => true) => {
    const [column, row] = [columnOf(subject), rowOf(subject)]
    let found: Near<T>[] = []
    const look = (property: T) => {
      if (!areLike(subject, property)) return
      const near = { property, meters: metersBetween(subject, property) }
      if (accept(near)) found.push(near)
    }
    for (let ring = 0; ; ring++) {
      if ((2 * ring + 1) ** 2 > squares.size) {
        found = []
        for (const property of properties) look(property)
        break
      }
      for (const key of ringKeys(column, row, ring, keyOf)) squares.get(key)?.forEach(look)
      // Nothing outside of the rings seen is nearer than this, but for what a degree shrinks within a city.
      const seenMeters = ring * sideMeters * 0.95
      if (found.length >= count && found.filter(({ meters }) => meters <= seenMeters).length >= count) break
    }
    return found.sort((a, b) => a.meters - b.meters).slice(0, count)
  }
}

function* ringKeys(
  column: number,
  row: number,
  ring: number,
  keyOf: (column: number, row: number) => number,
): Generator<number> {
  for (let across = -ring; across <= ring; across++) {
    const step = Math.abs(across) === ring ? 1 : 2 * ring
    for (let along = -ring; along <= ring; along += Math.max(1, step))
      yield keyOf(column + across, row + along)
  }
}

/** Only of these something can be learnt. */
export function areLike(one: Characteristics, other: Characteristics): boolean {
  const ratio = one.squareMeters / other.squareMeters
  if (ratio > areaFactorMax || ratio < 1 / areaFactorMax) return false
  if (one.bedrooms === null || other.bedrooms === null) return true
  return Math.abs(one.bedrooms - other.bedrooms) <= bedroomsApartMax
}
