/** The map of a sheet shows the position, or only an area, with what is around it. */
import { describe, expect, test } from 'vitest'
import { makeCityTiles } from '../../../test/sample-city.ts'
import { createPalette } from '../palette.ts'
import { drawLocationMap, type LocationMapData, toLocationView } from './location-map.ts'
import { createStreetsReader, type Streets } from './streets.ts'

const canvas = { width: 420, palette: createPalette(null) }
const point = { latitude: 41.39, longitude: 2.17 }
const degreesPerKm = 1 / 111.195
const town = (name: string, north: number, population = 9_000) => ({
  name,
  population,
  latitude: point.latitude + north * degreesPerKm,
  longitude: point.longitude + Math.sin(north) / 20,
})

const draw = (data: Partial<LocationMapData>) =>
  drawLocationMap(canvas, {
    point,
    isApproximate: false,
    streets: null,
    towns: [],
    distance: meters => `${Math.round(meters)} m`,
    description: 'Location',
    ...data,
  })

async function readStreets(isApproximate: boolean): Promise<Streets> {
  const reader = createStreetsReader(toLocationView({ point, isApproximate }))
  for (const tile of makeCityTiles(point, 'Protomaps')) await reader.add(tile, tile.bytes)
  return { ...reader.finish()!.streets, attribution: '© OpenStreetMap' }
}

const findCircle = (svg: string) => /<circle cx="210" cy="96.5" r="([\d.]+)"[^>]*fill-opacity/.exec(svg)

describe('with streets', () => {
  test('an exact location is a pin', async () => {
    const svg = draw({ streets: await readStreets(false) })
    expect(svg).toContain('<g transform="translate(210 96.5)"><ellipse')
    expect(findCircle(svg)).toBeNull()
    expect(svg).toContain('© OpenStreetMap')
    expect(svg).toContain('Passeig de')
  })

  test('an approximate location is a circle of more than 500 m, and no pin', async () => {
    const svg = draw({ streets: await readStreets(true), isApproximate: true })
    const meters = (Number(findCircle(svg)![1]) * 850) / 96.5
    expect(meters).toBeGreaterThan(510)
    expect(svg).not.toContain('<ellipse')
  })
})

describe('without streets', () => {
  test('the map has the towns around, on rings of distance', () => {
    const towns = [2, 4, -3, -6, 7, -8, 9, 400].map(km => town(`Town ${km}`, km))
    const svg = draw({ towns })
    expect(svg).toContain('>Town 4<')
    expect(svg).not.toContain('Town 400')
    expect(svg).toContain('stroke-dasharray="4 4"')
    expect(svg).not.toContain('OpenStreetMap')
    expect(draw({ towns, isApproximate: true })).toMatch(/r="[\d.]+"[^>]*fill-opacity/)
  })

  test('the largest towns have names if there is no room for all', () => {
    const towns = Array.from({ length: 2_000 }, (_, at) => town(`Town ${at}`, 1 + (at % 5) / 10, at))
    expect(draw({ towns })).toContain('>Town 1999<')
  })

  test('the map is empty but true to scale where no town is known', () => {
    expect(draw({})).toMatch(/>\d+ m</)
  })
})
