/** Finds the nearest comparable properties in memory. */
import { metersBetween, metersPerDegree } from '../geo.ts'
import type { Characteristics, Place } from './property.ts'
import { areaFactorMax, bedroomsDifferenceMax } from './similarity.ts'

export interface Neighbour<T> {
  property: T
  meters: number
}

/**
 * Builds a grid index with squares of about `sideMeters`. The returned function searches rings of squares around a
 * place.
 */
export function createNearestFinder<T extends Characteristics>(
  properties: T[],
  sideMeters = 300,
): (subject: Characteristics, count: number, accept?: (found: Neighbour<T>) => boolean) => Neighbour<T>[] {
  const side = sideMeters / metersPerDegree
  // Degrees of longitude shrink towards the poles. One scale for the whole grid keeps the squares aligned.
  const shrink = Math.cos(((properties[0]?.latitude ?? 0) * Math.PI) / 180)
  const toColumn = ({ longitude }: Place) => Math.floor((longitude * shrink) / side)
  const toRow = ({ latitude }: Place) => Math.floor(latitude / side)
  const toKey = (column: number, row: number) => column * 8_388_608 + row
  const squares = Map.groupBy(properties, property => toKey(toColumn(property), toRow(property)))
  return (subject, count, accept = () => true) => {
    const [column, row] = [toColumn(subject), toRow(subject)]
    let found: Neighbour<T>[] = []
    const addIfComparable = (property: T) => {
      if (!areComparable(subject, property)) return
      const near = { property, meters: metersBetween(subject, property) }
      if (accept(near)) found.push(near)
    }
    for (let ring = 0; ; ring++) {
      if ((2 * ring + 1) ** 2 > squares.size) {
        found = []
        for (const property of properties) addIfComparable(property)
        break
      }
      for (const key of listRingKeys(column, row, ring, toKey)) squares.get(key)?.forEach(addIfComparable)
      // Everything outside the searched rings is at least this far away; 5 % cover the change of scale within a city.
      const seenMeters = ring * sideMeters * 0.95
      if (found.length >= count && found.filter(({ meters }) => meters <= seenMeters).length >= count) break
    }
    return found.sort((a, b) => a.meters - b.meters).slice(0, count)
  }
}

function* listRingKeys(
  column: number,
  row: number,
  ring: number,
  toKey: (column: number, row: number) => number,
): Generator<number> {
  for (let across = -ring; across <= ring; across++) {
    const step = Math.abs(across) === ring ? 1 : 2 * ring
    for (let along = -ring; along <= ring; along += Math.max(1, step))
      yield toKey(column + across, row + along)
  }
}

/** True if the areas and bedrooms are close enough to compare two properties. */
export function areComparable(one: Characteristics, other: Characteristics): boolean {
  const ratio = one.squareMeters / other.squareMeters
  if (ratio > areaFactorMax || ratio < 1 / areaFactorMax) return false
  if (one.bedrooms === null || other.bedrooms === null) return true
  return Math.abs(one.bedrooms - other.bedrooms) <= bedroomsDifferenceMax
}
