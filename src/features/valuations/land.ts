/** The map by which places in the sea are told apart: Natural Earth, in the public domain, to a few hundred metres. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createLandTest } from '../../domain/valuation/land.ts'
import type { Place } from '../../domain/valuation/property.ts'

/** The map is off by so much here and there, at harbours above all. */
export const coastKm = 1

let isLand: ((place: Place) => boolean) | undefined

/** Whether a place is on land or by the sea. The first time the map is read, which takes a tenth of a second. */
export function isOnLand(place: Place): boolean {
  isLand ??= createLandTest(readMap(), coastKm * 1000)
  return isLand(place)
}

function readMap() {
  const require = createRequire(import.meta.url)
  return JSON.parse(readFileSync(require.resolve('world-atlas/land-10m.json'), 'utf8'))
}
