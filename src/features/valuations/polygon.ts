/** Areas that people draw: what is no area is told apart before anybody searches it. */
import type { Place } from '../../domain/valuation/property.ts'

/** Corners in order, without one that only closes the ring or repeats the one before. */
export function cornersOf(polygon: Place[]): Place[] {
  const isSame = (one: Place, other: Place) =>
    one.latitude === other.latitude && one.longitude === other.longitude
  return polygon.filter((corner, at) => polygon.length === 1 || !isSame(corner, polygon.at(at - 1)!))
}

/** What is wrong with these corners; null: nothing. */
export function faultOf(corners: Place[]): { code: string; message: string } | null {
  if (corners.length < 3)
    return { code: 'TOO_FEW', message: 'must have at least 3 corners that are not the same place' }
  const longitudes = corners.map(({ longitude }) => longitude)
  if (Math.max(...longitudes) - Math.min(...longitudes) > 180)
    return { code: 'NOT_ALLOWED', message: 'must not cross the 180th meridian' }
  if (crossesItself(corners))
    return {
      code: 'SELF_CROSSING',
      message: 'crosses or touches itself: give its corners in order around it',
    }
  if (Math.abs(doubleArea(corners)) < smallestDoubleArea)
    return { code: 'NO_AREA', message: 'encloses nothing: its corners are in one line' }
  return null
}

/** In square degrees: about a square metre. */
const smallestDoubleArea = 2e-10

/** The shoelace formula; counted from the first corner, lest digits are lost. */
function doubleArea(corners: Place[]): number {
  const { latitude: south, longitude: west } = corners[0]!
  return corners.reduce((sum, corner, at) => {
    const next = corners[(at + 1) % corners.length]!
    return (
      sum +
      (corner.longitude - west) * (next.latitude - south) -
      (next.longitude - west) * (corner.latitude - south)
    )
  }, 0)
}

/** Whether two sides that are no neighbours meet: if neighbours lie on each other, so do some that are none. */
function crossesItself(corners: Place[]): boolean {
  const sides = corners.map((corner, at) => [corner, corners[(at + 1) % corners.length]!] as const)
  return sides.some((one, at) =>
    // The last side is a neighbour of the first.
    sides.slice(at + 2, at === 0 ? -1 : undefined).some(other => meet(...one, ...other)),
  )
}

/** On which side of the line through the first two the third lies. */
function turn(from: Place, to: Place, place: Place): number {
  return Math.sign(
    (to.longitude - from.longitude) * (place.latitude - from.latitude) -
      (to.latitude - from.latitude) * (place.longitude - from.longitude),
  )
}

/** Whether two sides cross, touch or lie on each other. */
function meet(from: Place, to: Place, otherFrom: Place, otherTo: Place): boolean {
  const turns = [turn(from, to, otherFrom), turn(from, to, otherTo)]
  if (turns[0] === 0 && turns[1] === 0)
    return (
      [otherFrom, otherTo].some(place => isBetween(from, to, place)) || isBetween(otherFrom, otherTo, from)
    )
  return turns[0] !== turns[1] && turn(otherFrom, otherTo, from) !== turn(otherFrom, otherTo, to)
}

/** Of a place in line with both. */
function isBetween(from: Place, to: Place, place: Place): boolean {
  return (
    place.longitude >= Math.min(from.longitude, to.longitude) &&
    place.longitude <= Math.max(from.longitude, to.longitude) &&
    place.latitude >= Math.min(from.latitude, to.latitude) &&
    place.latitude <= Math.max(from.latitude, to.latitude)
  )
}
