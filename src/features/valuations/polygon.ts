/** Areas that people draw: what is no area is told apart before anybody searches it. */
import type { Place } from '../../domain/valuation/property.ts'

/** Corners in order, without one that only closes the ring or repeats the one before. */
export function toCorners(polygon: Place[]): Place[] {
  const isSame = (one: Place, other: Place) =>
    one.latitude === other.latitude && one.longitude === other.longitude
  return polygon.filter((corner, index) => polygon.length === 1 || !isSame(corner, polygon.at(index - 1)!))
}

/** What is wrong with these corners; null: nothing. */
export function findPolygonError(corners: Place[]): { code: string; message: string } | null {
  if (corners.length < 3)
    return { code: 'TOO_FEW', message: 'must have at least 3 corners that are not the same place' }
  const longitudes = corners.map(({ longitude }) => longitude)
  if (Math.max(...longitudes) - Math.min(...longitudes) > 180)
    return { code: 'NOT_ALLOWED', message: 'must not cross the 180th meridian' }
  if (isSelfCrossing(corners))
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
  return corners.reduce((sum, corner, index) => {
    const next = corners[(index + 1) % corners.length]!
    return (
      sum +
      (corner.longitude - west) * (next.latitude - south) -
      (next.longitude - west) * (corner.latitude - south)
    )
  }, 0)
}

/** Whether two sides that are no neighbours meet: if neighbours lie on each other, so do some that are none. */
function isSelfCrossing(corners: Place[]): boolean {
  const sides = corners.map((corner, index) => [corner, corners[(index + 1) % corners.length]!] as const)
  return sides.some((one, index) =>
    // The last side is a neighbour of the first.
    sides.slice(index + 2, index === 0 ? -1 : undefined).some(other => intersects(...one, ...other)),
  )
}

/** On which side of the line through the first two the third lies. */
function orientation(from: Place, to: Place, place: Place): number {
  return Math.sign(
    (to.longitude - from.longitude) * (place.latitude - from.latitude) -
      (to.latitude - from.latitude) * (place.longitude - from.longitude),
  )
}

/** Whether two sides cross, touch or lie on each other. */
function intersects(from: Place, to: Place, otherFrom: Place, otherTo: Place): boolean {
  const orientations = [orientation(from, to, otherFrom), orientation(from, to, otherTo)]
  if (orientations[0] === 0 && orientations[1] === 0)
    return (
      [otherFrom, otherTo].some(place => isBetween(from, to, place)) || isBetween(otherFrom, otherTo, from)
    )
  return (
    orientations[0] !== orientations[1] &&
    orientation(otherFrom, otherTo, from) !== orientation(otherFrom, otherTo, to)
  )
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
