/** Land and sea on the map of the world. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { createLandTest, type LandMap } from './land.ts'

const path = createRequire(import.meta.url).resolve('world-atlas/land-10m.json')
const world: LandMap = JSON.parse(readFileSync(path, 'utf8'))
const isLand = createLandTest(world, 1000)

test.each<[string, number, number]>([
  ['Barcelona', 41.3917, 2.1611],
  ['the beach of Barceloneta', 41.3785, 2.1935],
  ['the new harbour mouth of Barcelona', 41.3609, 2.1813],
  ['Madrid', 40.4168, -3.7038],
  ['Venice', 45.4371, 12.3326],
  ['the Lido of Venice', 45.4066, 12.3671],
  ['Lisbon', 38.7071, -9.1365],
  ['Palma', 39.5696, 2.6502],
  ['Formentera', 38.7051, 1.4287],
  ['Ibiza', 38.9084, 1.4335],
  ['Mahón', 39.8885, 4.2658],
  ['La Manga', 37.6425, -0.7206],
  ['Cádiz', 36.5298, -6.2926],
  ['Funchal', 32.6485, -16.9083],
  ['Las Palmas', 28.1412, -15.4304],
  ['the waterfront of Seattle', 47.6062, -122.3425],
  ['Vashon Island', 47.4473, -122.4598],
  ['Miami Beach', 25.7907, -80.13],
  ['Key West', 24.5551, -81.78],
  ['Manhattan', 40.7831, -73.9712],
  ['Amsterdam', 52.3702, 4.8952],
  ['a lake', 46.45, 6.6],
  ['the South Pole', -90, 0],
  ['Antarctica', -75, 120],
  ['Antarctica, on the 180th meridian', -87, 180],
  ['Chukotka, east of the 180th meridian', 66, -180],
  ['Chukotka, west of it', 66, 180],
  ['Taveuni, on the 180th meridian', -16.85, 179.97],
])('%s is land', (_name, latitude, longitude) => {
  expect(isLand({ latitude, longitude })).toBe(true)
})

test.each<[string, number, number]>([
  ['2.5 km off Barcelona', 41.37, 2.22],
  ['the Gulf of Lion', 42.8, 4.2],
  ['the middle of the Adriatic', 43, 15],
  ['between Ibiza and Majorca', 39.2, 2],
  ['the Atlantic', 45, -30],
  ['latitude and longitude 0', 0, 0],
  ['the Pacific', 0, 180],
  ['the Pacific at longitude -180', 0, -180],
  ['the North Pole', 90, 0],
  ['the Bering Sea by the 180th meridian', 58, 179.999],
  ['far south of a border that two land areas share', 40, -130.354],
])('%s is sea', (_name, latitude, longitude) => {
  expect(isLand({ latitude, longitude })).toBe(false)
})
