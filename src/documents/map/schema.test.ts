/** Features of both tile schemas are recognized. */
import { describe, expect, test } from 'vitest'
import { findTileSchema, toMapFeature } from './schema.ts'
import type { TileAttributes } from './vector-tile.ts'

const area = (layer: string, attributes: TileAttributes) =>
  toMapFeature({ layer, type: 'polygon', attributes })
const line = (layer: string, attributes: TileAttributes) => toMapFeature({ layer, type: 'line', attributes })
const point = (layer: string, attributes: TileAttributes) =>
  toMapFeature({ layer, type: 'point', attributes })

test.each([
  ['landuse', { kind: 'park' }, 'green'],
  ['landuse', { 'pmap:kind': 'cemetery' }, 'green'],
  ['landuse', { kind: 'hospital' }, 'facility'],
  ['natural', { 'pmap:kind': 'wood' }, 'wood'],
  ['water', { kind: 'lake' }, 'water'],
  ['buildings', { kind: 'building_part' }, 'building'],
  ['landcover', { class: 'grass', subclass: 'park' }, 'green'],
  ['landcover', { class: 'wood', subclass: 'forest' }, 'wood'],
  ['landuse', { class: 'school' }, 'facility'],
  ['park', { class: 'nature_reserve' }, 'green'],
  ['building', {}, 'building'],
  ['transportation', { class: 'path', subclass: 'pedestrian' }, 'pedestrian'],
])('the area in %s with %j is %s', (layer, attributes, kind) => {
  expect(area(layer, attributes)).toEqual({ kind: 'area', area: kind })
})

test.each([
  ['roads', { kind: 'highway', kind_detail: 'motorway' }, 'motorway'],
  ['roads', { kind: 'highway', kind_detail: 'motorway_link', is_link: true }, 'major'],
  ['roads', { kind: 'major_road', kind_detail: 'tertiary' }, 'medium'],
  ['roads', { kind: 'minor_road', kind_detail: 'residential' }, 'minor'],
  ['roads', { kind: 'minor_road', kind_detail: 'service' }, 'service'],
  ['roads', { 'pmap:kind': 'medium_road' }, 'medium'],
  ['roads', { kind: 'path', kind_detail: 'steps' }, 'path'],
  ['transit', { 'pmap:kind': 'rail' }, 'rail'],
  ['physical_line', { 'pmap:kind': 'river' }, 'river'],
  ['water', { kind: 'stream' }, 'stream'],
  ['transportation', { class: 'primary' }, 'major'],
  ['transportation', { class: 'minor' }, 'minor'],
  ['transportation', { class: 'rail', subclass: 'rail' }, 'rail'],
  ['waterway', { class: 'canal' }, 'river'],
])('the line in %s with %j is %s', (layer, attributes, kind) => {
  expect(line(layer, attributes)).toEqual({
    kind: 'line',
    line: kind,
    isTunnel: false,
    name: null,
    isDrawn: true,
  })
})

describe('a tunnel', () => {
  test('of a road is drawn as such', () => {
    for (const attributes of [{ is_tunnel: true }, { 'pmap:level': -1 }])
      expect(line('roads', { kind: 'highway', ...attributes } as TileAttributes)).toMatchObject({
        isTunnel: true,
      })
    expect(line('transportation', { class: 'primary', brunnel: 'tunnel' })).toMatchObject({ isTunnel: true })
  })

  test('of a railway or river is not drawn', () => {
    expect(line('transportation', { class: 'transit', brunnel: 'tunnel' })).toBeNull()
    expect(line('waterway', { class: 'river', brunnel: 'tunnel' })).toBeNull()
  })
})

test('what a map does not need is ignored', () => {
  expect(area('landuse', { kind: 'other' })).toBeNull()
  expect(line('roads', { kind: 'ferry' })).toBeNull()
  expect(line('boundaries', { kind: 'country' })).toBeNull()
  expect(line('transportation_name', { class: 'minor' })).toBeNull()
  expect(point('places', { kind: 'country', name: 'Spain' })).toBeNull()
  expect(point('pois', { kind: 'supermarket', name: 'Shop' })).toBeNull()
  expect(point('poi', { class: 'bus', subclass: 'bus_station', name: 'Bus' })).toBeNull()
})

describe('a name', () => {
  test.each([
    [{ name: 'Plaça' }, 'Plaça'],
    [{ name: 'Αθήνα' }, 'Αθήνα'],
    // The fonts lack these letters.
    [{ name: 'القاهرة', 'name:en': 'Cairo' }, 'Cairo'],
    [{ name: '東京', 'name:latin': 'Tōkyō' }, 'Tōkyō'],
    [{ name: 'a\u202eb\u0000c' }, 'ab c'],
  ])('of %j is %s', (attributes, name) => {
    expect(point('places', { kind: 'locality', ...attributes } as TileAttributes)).toEqual({
      kind: 'place',
      place: 'town',
      name,
    })
  })

  test.each([{ name: '東京' }, { name: '' }, { name: 'x'.repeat(60) }, { name: 7 }, {}])(
    'of %j is not printed',
    attributes => {
      expect(point('places', { kind: 'locality', ...attributes } as TileAttributes)).toBeNull()
    },
  )
})

test('the schema follows from the layers', () => {
  expect(findTileSchema(['water', 'roads'])).toBe('Protomaps')
  expect(findTileSchema(['water', 'transportation'])).toBe('OpenMapTiles')
  expect(findTileSchema(['water', '__proto__'])).toBeNull()
})
