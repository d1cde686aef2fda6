/** The earth as a sphere. */

/** The mean radius (IUGG). */
export const earthRadiusMeters = 6_371_008.8
/** Of latitude; of longitude at the equator. */
export const metersPerDegree = (earthRadiusMeters * Math.PI) / 180

/** A point of the earth, in degrees (WGS 84). */
export interface Point {
  latitude: number
  longitude: number
}

const radians = Math.PI / 180

/** Great-circle distance (haversine); the same in both directions, to the last bit. */
export function metersBetween(one: Point, other: Point): number {
  const north = Math.sin(((other.latitude - one.latitude) * radians) / 2)
  const east = Math.sin(((other.longitude - one.longitude) * radians) / 2)
  const chord =
    north * north + Math.cos(one.latitude * radians) * Math.cos(other.latitude * radians) * east * east
  return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(chord)))
}
