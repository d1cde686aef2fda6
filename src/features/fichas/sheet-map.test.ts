/** The map of a sheet follows its privacy. */
import { expect, test, vi } from 'vitest'
import { makeSampleSheet } from '../../../test/sample-sheet.ts'
import type { MapTiles } from '../../documents/map/map-tiles.ts'
import { loadGazetteer } from '../platforms/gazetteer.ts'
import { makeSheetMap } from './sheet-map.ts'

const sheet = makeSampleSheet({})
const loadStreets = vi.fn(async () => null)
const mapTiles: MapTiles = { loadStreets, check: () => Promise.reject(new Error('not used')) }
const make = (coordinates: 'exact' | 'approximate' | 'hidden', latitude = sheet.property.latitude) =>
  makeSheetMap(
    { ...sheet, property: { ...sheet.property, latitude } },
    { address: 'full', coordinates },
    { mapTiles, loadGazetteer },
  )

test('a hidden or unknown location has no map, and reads no tiles', async () => {
  expect(await make('hidden')).toBeNull()
  expect(await make('exact', null)).toBeNull()
  expect(loadStreets).not.toHaveBeenCalled()
})

test('the exact location of a hidden address reads no tiles', async () => {
  const map = await makeSheetMap(
    sheet,
    { address: 'hidden', coordinates: 'exact' },
    { mapTiles, loadGazetteer },
  )
  expect(map).toMatchObject({ isApproximate: false })
  expect(loadStreets).not.toHaveBeenCalled()
})

test('a location without tiles is shown among its towns', async () => {
  const map = await make('approximate')
  expect(map).toMatchObject({ isApproximate: true })
  expect(map!.svg).toContain('Barcelona')
  expect(loadStreets).toHaveBeenCalledTimes(1)
  expect((await make('exact'))!.isApproximate).toBe(false)
})

test('a map is drawn once, unless its tiles are missing', async () => {
  const loadGazetteerOnce = vi.fn(loadGazetteer)
  const draw = (tiles: MapTiles | null, color = '#123456') =>
    makeSheetMap(
      { ...sheet, branding: { ...sheet.branding, color } },
      { address: 'full', coordinates: 'exact' },
      { mapTiles: tiles, loadGazetteer: loadGazetteerOnce },
    )
  const first = await draw(null)
  expect(await draw(null)).toEqual(first)
  expect(loadGazetteerOnce).toHaveBeenCalledTimes(1)
  expect(await draw(null, '#654321')).not.toEqual(first)
  await draw(mapTiles)
  await draw(mapTiles)
  expect(loadGazetteerOnce).toHaveBeenCalledTimes(4)
})
