/** Validates the polygons that users draw as search areas. */
import type { Place } from '../../domain/valuation/property.ts'

/** The corners without repetitions of the previous corner, and without a last corner that closes the ring. */
export function toCorners(polygon: Place[]): Place[] {
  const isSame = (one: Place, other: Place) =>
    one.latitude === other.latitude && one.longitude === other.longitude
  return polygon.filter((corner, index) => polygon.length === 1 || !isSame(corner, polygon.at(index - 1)!))
}

/** The first error of these corners; null: they are a valid polygon. */
export function findPolygonError(corners: Place[]): { code: string; message: string } | null {
  if (corners.length < 3)
    return { code: 'TOO_FEW', message: 'must have at least 3 corners that are not the same place' }
  const longitudes = corners.map(({ longitude }) => longitude)
  if (Math.max(...longitudes) - Math.min(...longitudes) > 180)
    return { code: 'NOT_ALLOWED', message: 'must not cross the 180th meridian' }
  if (isSelfCrossing(corners))
    return {
      code: 'SELF_CROSSING',
      message: 'crosses or touches itself: send its corners in order around the area',
    }
  if (Math.abs(doubleArea(corners)) < smallestDoubleArea)
    return { code: 'NO_AREA', message: 'must enclose an area: its corners lie on one line' }
  return null
}

/** Twice the area, in square degrees: about one square metre. */
const smallestDoubleArea = 2e-10

/** Twice the signed area by the shoelace formula, relative to the first corner to keep precision. */
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

/** Checks only sides that are not neighbours: if two neighbours overlap, two others meet as well. */
function isSelfCrossing(corners: Place[]): boolean {
  const sides = corners.map((corner, index) => [corner, corners[(index + 1) % corners.length]!] as const)
  return sides.some((one, index) =>
    // The last side is a neighbour of the first.
    sides.slice(index + 2, index === 0 ? -1 : undefined).some(other => intersects(...one, ...other)),
  )
}

/** The side of the line `from`–`to` on which `place` lies: 1 left, -1 right, 0 on the line. */
function orientation(from: Place, to: Place, place: Place): number {
  return Math.sign(
    (to.longitude - from.longitude) * (place.latitude - from.latitude) -
      (to.latitude - from.latitude) * (place.longitude - from.longitude),
  )
}

/** Returns true if two sides cross, touch or overlap. */
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

/** Expects a place on the line through both. */
function isBetween(from: Place, to: Place, place: Place): boolean {
  return (
    place.longitude >= Math.min(from.longitude, to.longitude) &&
    place.longitude <= Math.max(from.longitude, to.longitude) &&
    place.latitude >= Math.min(from.latitude, to.latitude) &&
    place.latitude <= Math.max(from.latitude, to.latitude)
  )
}
