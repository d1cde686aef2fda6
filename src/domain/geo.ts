/** Distances on the earth, which is treated as a sphere. */

/** Mean radius of the earth (IUGG), in metres. */
export const earthRadiusMeters = 6_371_008.8
/** Metres in one degree of latitude, and of longitude at the equator. */
export const metersPerDegree = (earthRadiusMeters * Math.PI) / 180

/** A point on the earth, in degrees (WGS 84). */
export interface Point {
  latitude: number
  longitude: number
}

const radians = Math.PI / 180

/** Great-circle distance in metres (haversine formula). The result is bit-identical in both directions. */
export function metersBetween(one: Point, other: Point): number {
  const north = Math.sin(((other.latitude - one.latitude) * radians) / 2)
  const east = Math.sin(((other.longitude - one.longitude) * radians) / 2)
  const chord =
    north * north + Math.cos(one.latitude * radians) * Math.cos(other.latitude * radians) * east * east
  return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(chord)))
}
