/** Streets are read from files and servers, and a document never fails or waits long because of them. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { TileType } from 'pmtiles'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { serve } from '../../../test/faulty-server.ts'
import { makePmtiles, type PmtilesOptions } from '../../../test/pmtiles-file.ts'
import { makeCityTiles, type SampleTile } from '../../../test/sample-city.ts'
import { createHttpClient } from '../../kit/http/client.ts'
import { createMapTiles, type MapTilesOptions } from './map-tiles.ts'
import type { MapView } from './streets.ts'

const centre = { latitude: 41.39, longitude: 2.17 }
const view: MapView = { centre, halfWidthMeters: 700, halfHeightMeters: 450 }
const folder = mkdtempSync(join(tmpdir(), 'aldaba-map-'))
const http = createHttpClient({ reach: 'any' })
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})

const zipBomb = gzipSync(Buffer.alloc(50_000_000))
const cityTiles = makeCityTiles(centre, 'Protomaps')
let files = 0

function writeTiles(options: Partial<PmtilesOptions>): string {
  const path = join(folder, `${files++}.pmtiles`)
  writeFileSync(path, makePmtiles({ tiles: cityTiles, ...options }))
  return path
}

function open(location: string, options: Partial<MapTilesOptions> = {}) {
  const warn = vi.fn()
  return { warn, tiles: createMapTiles({ location, attribution: null, http, log: { warn }, ...options }) }
}

const load = (location: string) => open(location).tiles.loadStreets(view)

describe('a file', () => {
  test.each(['Protomaps', 'OpenMapTiles'] as const)('with the layers of %s has streets', async schema => {
    const zooms = [12, 13, 14].flatMap(zoom => makeCityTiles(centre, schema, zoom))
    const { tiles, warn } = open(writeTiles({ tiles: zooms }))
    const streets = await tiles.loadStreets(view)
    expect(warn).not.toHaveBeenCalled()
    const drawn = streets!.lines.filter(({ isDrawn }) => isDrawn)
    expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(['minor', 'medium', 'major']))
    expect(streets!.lines.map(({ name }) => name)).toContain('Avinguda Diagonal')
    expect(streets!.areas.building.length).toBeGreaterThan(50)
    expect(streets!.areas.green.length).toBeGreaterThan(0)
    expect(streets!.places).toContainEqual(expect.objectContaining({ kind: 'district', name: 'Eixample' }))
    // A larger view has the other features, and no buildings.
    const region = await tiles.loadStreets({ centre, halfWidthMeters: 3_000, halfHeightMeters: 1_900 })
    expect(region!.areas.building).toBeUndefined()
    expect(Object.keys(region!.areas)).toEqual(expect.arrayContaining(['water', 'sand', 'wood']))
    const kinds = region!.lines.map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['motorway', 'rail', 'river']))
  })

  test('is true to scale: a street lies where its tiles say', async () => {
    const streets = await load(writeTiles({}))
    const points = streets!.lines
      .filter(({ name }) => name === 'Avinguda Diagonal')
      .flatMap(({ points: [x, y] }) => [{ east: x!, north: -y! }])
      .filter(({ east }) => east > -900 && east < 900)
    expect(points.length).toBeGreaterThan(0)
    for (const { east, north } of points)
      expect(Math.abs(north - (-250 + ((east + 900) * 580) / 1_800))).toBeLessThan(2)
  })

  test.each([
    [
      'its metadata',
      { metadata: { attribution: '<a href="x">&copy; Cartotheque</a>' } },
      null,
      '© Cartotheque',
    ],
    ['its layers', {}, null, 'Protomaps © OpenStreetMap'],
    ['the operator', { metadata: { attribution: 'file' } }, '© Operator', '© Operator'],
  ])('is attributed by %s', async (_, options, attribution, expected) => {
    const { tiles } = open(writeTiles(options), { attribution })
    expect((await tiles.loadStreets(view))!.attribution).toBe(expected)
  })

  test('that was replaced is read anew', async () => {
    const path = writeTiles({})
    const { tiles } = open(path)
    expect((await tiles.loadStreets(view))!.attribution).toContain('Protomaps')
    writeFileSync(path, makePmtiles({ tiles: cityTiles, metadata: { attribution: 'replaced' } }))
    utimesSync(path, 1, 1)
    expect((await tiles.loadStreets(view))!.attribution).toBe('replaced')
  })

  test('of another region has no streets there, and needs no warning', async () => {
    const { tiles, warn } = open(writeTiles({}))
    expect(await tiles.loadStreets({ ...view, centre: { latitude: 48.2, longitude: 16.4 } })).toBeNull()
    // Too large for the zooms of the file, and a place that no tile can have.
    expect(await tiles.loadStreets({ ...view, halfWidthMeters: 90_000 })).toBeNull()
    expect(await tiles.loadStreets({ ...view, centre: { latitude: 89, longitude: 0 } })).toBeNull()
    expect(warn).not.toHaveBeenCalled()
  })

  test('is checked', async () => {
    const metadata = { vector_layers: [{ id: 'earth' }, { id: 'roads' }] }
    expect(await open(writeTiles({ metadata })).tiles.check()).toMatchObject({
      schema: 'Protomaps',
      minZoom: 14,
      maxZoom: 14,
    })
    await expect(open(join(folder, 'absent')).tiles.check()).rejects.toThrow('no such file')
    await expect(open(writeTiles({ tileType: TileType.Png })).tiles.check()).rejects.toThrow(
      'no vector tiles',
    )
  })
})

describe('a server', () => {
  test('sends the ranges of a file', async () => {
    const file = makePmtiles({ tiles: cityTiles })
    const { port, requests } = await serve((request, reply) => {
      const [from, to] = request.headers.range!.replace('bytes=', '').split('-').map(Number)
      reply.writeHead(206, { etag: '"1"' }).end(file.subarray(from!, to! + 1))
    })
    const { tiles } = open(`http://127.0.0.1:${port}/city.pmtiles`)
    expect((await tiles.loadStreets(view))!.lines.length).toBeGreaterThan(20)
    const before = requests.length
    await tiles.loadStreets(view)
    // The tiles are in memory; the metadata is read again.
    expect(requests.length - before).toBeLessThanOrEqual(1)
  })

  test.each(['gzip without its header', 'plain'])('sends single tiles: %s', async encoding => {
    const bodies = new Map(cityTiles.map(({ z, x, y, bytes }) => [`/${z}/${x}/${y}.mvt?key=7`, bytes]))
    const { port } = await serve((request, reply) => {
      const body = bodies.get(request.url!)
      if (body) reply.end(encoding === 'plain' ? body : gzipSync(body))
      else reply.writeHead(404).end()
    })
    const streets = await load(`http://127.0.0.1:${port}/{z}/{x}/{y}.mvt?key=7`)
    expect(streets!.lines.length).toBeGreaterThan(20)
  })

  test('that is slow costs a document one timeout; the next ones do not wait', async () => {
    const { port, requests } = await serve(() => {})
    const { tiles, warn } = open(`http://127.0.0.1:${port}/{z}/{x}/{y}.mvt`, { timeoutMs: 200 })
    const startMs = performance.now()
    expect(await tiles.loadStreets(view)).toBeNull()
    expect(performance.now() - startMs).toBeLessThan(2_000)
    const count = requests.length
    expect(await tiles.loadStreets(view)).toBeNull()
    expect(requests).toHaveLength(count)
    expect(warn).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['an error', 500, Buffer.from('')],
    ['a page', 200, Buffer.from('<!doctype html><title>Sign in</title>')],
    ['too much', 200, Buffer.alloc(5_000_000)],
    ['a zip bomb', 200, zipBomb],
  ])('that sends %s gives no streets', async (_, status, body) => {
    const { port } = await serve((_request, reply) => reply.writeHead(status).end(body))
    const { tiles, warn } = open(`http://127.0.0.1:${port}/{z}/{x}/{y}.mvt`)
    expect(await tiles.loadStreets(view)).toBeNull()
    expect(warn).toHaveBeenCalledTimes(1)
  })
})

describe('a hostile file', () => {
  const withBytes = (bytes: Uint8Array): SampleTile[] => cityTiles.map(tile => ({ ...tile, bytes }))
  const varint = (count: number) => {
    const bytes: number[] = []
    let rest = count
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
    return [...bytes, rest]
  }

  test.each([
    ['a tile that is a zip bomb', { compress: () => zipBomb }],
    ['random tiles', { tiles: withBytes(Buffer.from('7f'.repeat(5_000), 'hex')) }],
    [
      'tiles that are cut off',
      { tiles: cityTiles.map(tile => ({ ...tile, bytes: tile.bytes.slice(0, -40) })) },
    ],
    ['a directory with 2^40 entries', { directory: gzipSync(Uint8Array.from(varint(2 ** 40))) }],
    ['a directory that is a zip bomb', { directory: zipBomb }],
    ['a directory that is not compressed', { directory: Uint8Array.from([1, 2, 3]) }],
  ])('with %s gives no streets', async (_, options: Partial<PmtilesOptions>) => {
    // The compression of the tiles is read from the header.
    const file = makePmtiles({ tiles: cityTiles, ...options })
    if ('compress' in options) file[98] = 2
    const path = join(folder, `hostile-${files++}.pmtiles`)
    writeFileSync(path, file)
    const startMs = performance.now()
    const { tiles, warn } = open(path)
    expect(await tiles.loadStreets(view)).toBeNull()
    expect(warn).toHaveBeenCalledTimes(1)
    expect(performance.now() - startMs).toBeLessThan(3_000)
  })
})
