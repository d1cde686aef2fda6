/** The map that separates land from sea: Natural Earth, public domain, accurate to a few hundred metres. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createLandTest } from '../../domain/valuation/land.ts'
import type { Place } from '../../domain/valuation/property.ts'

/** The largest error of the map in km, found mostly at harbours. */
export const coastKm = 1

let isLand: ((place: Place) => boolean) | undefined

/** Returns true for a place on land or within `coastKm` of it. The first call reads the map, which takes 0.1 s. */
export function isOnLand(place: Place): boolean {
  isLand ??= createLandTest(readMap(), coastKm * 1000)
  return isLand(place)
}

function readMap() {
  const require = createRequire(import.meta.url)
  return JSON.parse(readFileSync(require.resolve('world-atlas/land-10m.json'), 'utf8'))
}
