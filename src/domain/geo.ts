/** The earth as a sphere. */

/** The mean radius (IUGG). */
export const earthRadiusMeters = 6_371_008.8
/** Of latitude; of longitude at the equator. */
export const metersPerDegree = (earthRadiusMeters * Math.PI) / 180
