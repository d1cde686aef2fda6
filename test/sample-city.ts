/**
 * An invented city as vector tiles, with the layers and attributes of both schemas: a grid of blocks with cut corners, an
 * avenue across it, an old town, a river, a coast, parks, a railway and named districts.
 */
import { clipLine, clipRing } from '../src/documents/map/geometry.ts'
import type { TileSchema } from '../src/documents/map/schema.ts'
import { metersPerDegree, type Point } from '../src/domain/geo.ts'
import { type EncodedFeature, encodeLayers, extent } from './encode-tile.ts'

/** A feature in metres east and north of the centre of the city. */
interface CityFeature {
  type: 'point' | 'line' | 'polygon'
  points: number[][]
  /** The layer and the attributes in each schema. */
  Protomaps: [layer: string, attributes: Record<string, string | number | boolean>] | null
  OpenMapTiles: [layer: string, attributes: Record<string, string | number | boolean>] | null
}

export interface SampleTile {
  z: number
  x: number
  y: number
  bytes: Uint8Array
}

/** Returns the tiles of the zoom around the city. */
export function makeCityTiles(
  centre: Point,
  schema: TileSchema,
  zoom = 14,
  reachMeters = 3_000,
): SampleTile[] {
  const features = makeCity()
  const size = 2 ** zoom
  const world = toWorld(centre)
  const share = reachMeters / (360 * metersPerDegree * Math.cos((centre.latitude * Math.PI) / 180))
  const tiles: SampleTile[] = []
  for (let x = Math.floor((world.x - share) * size); x <= (world.x + share) * size; x++)
    for (let y = Math.floor((world.y - share) * size); y <= (world.y + share) * size; y++)
      tiles.push({ z: zoom, x, y, bytes: encodeTile(features, schema, centre, { z: zoom, x, y }) })
  return tiles
}

function makeCity(): CityFeature[] {
  const block = 133
  const angle = Math.PI / 4
  const turn = ([x, y]: number[]) => [
    x! * Math.cos(angle) - y! * Math.sin(angle),
    x! * Math.sin(angle) + y! * Math.cos(angle),
  ]
  const features: CityFeature[] = []
  const coast = '-9000 -1500, -400 -1560, 300 -1460, 9000 -1500'
  const beach = '9000 -1440, 300 -1400, -400 -1500, -9000 -1440'
  features.push(
    area(
      toPoints(`${coast}, 9000 -9000, -9000 -9000`),
      ['water', { kind: 'ocean' }],
      ['water', { class: 'ocean' }],
    ),
    area(
      toPoints(`${coast}, ${beach}`),
      ['landuse', { kind: 'beach' }],
      ['landcover', { class: 'sand', subclass: 'beach' }],
    ),
  )
  features.push(name('water', 'Mar Petita', 600, -1_850))
  const names =
    'Mallorca|València|Provença|Rosselló|Còrsega|Aragó|Consell de Cent|Diputació|Gran Via|Casp|Ausiàs Marc|Alí Bei'.split(
      '|',
    )
  const crossNames =
    'Balmes|Rambla de Catalunya|Passeig de Gràcia|Pau Claris|Roger de Llúria|Bruc|Girona|Bailèn|Nàpols|Sicília|Sardenya|Marina'.split(
      '|',
    )
  for (let nth = -9; nth <= 9; nth++) {
    const at = nth * block
    const isMajor = nth % 5 === 0
    const [ours = '', theirs = ''] = isMajor
      ? ['primary', 'primary']
      : nth % 3 === 0
        ? ['tertiary', 'tertiary']
        : ['residential', 'minor']
    const kind = isMajor ? 'major_road' : 'minor_road'
    const street = `${isMajor ? 'Avinguda' : 'Carrer'} de ${names[(nth + 24) % 12]}`
    const cross = `${isMajor ? 'Passeig' : 'Carrer'} de ${crossNames[(nth + 24) % 12]}`
    const [across, along] = [`-1200 ${at}, 1200 ${at}`, `${at} -1200, ${at} 1200`].map(toPoints)
    features.push(...road(across!.map(turn), street, kind, ours, theirs))
    features.push(...road(along!.map(turn), cross, kind, ours, theirs))
  }
  for (let row = -9; row < 9; row++)
    for (let column = -9; column < 9; column++) {
      const [left, top] = [column * block + 10, row * block + 10]
      const isPark = (row === 2 && column >= 1 && column <= 2) || (row === -4 && column === -3)
      const ring = cutCorners(left, top, block - 20)
      if (isPark)
        features.push(
          area(
            ring.map(turn),
            ['landuse', { kind: 'park' }],
            ['landcover', { class: 'grass', subclass: 'park' }],
          ),
        )
      else {
        const hole = cutCorners(left + 28, top + 28, block - 76).toReversed()
        features.push({
          ...area(
            ring.map(turn),
            ['buildings', { kind: 'building', height: 20 }],
            ['building', { render_height: 20 }],
          ),
          points: [ring.flatMap(turn), hole.flatMap(turn)],
        })
      }
      if (row === 6 && column === -6)
        features.push(area(ring.map(turn), ['landuse', { kind: 'school' }], ['landuse', { class: 'school' }]))
    }
  features.push(
    name('park', 'Jardins de la Font', ...(turn([2 * block + 60, 2.5 * block]) as [number, number])),
  )
  features.push(
    ...road(
      toPoints('-2500 -700, -900 -250, 900 330, 2800 900'),
      'Avinguda Diagonal',
      'major_road',
      'trunk',
      'trunk',
    ),
  )
  features.push(
    ...road(
      toPoints('-4000 1750, -1500 1500, 0 1480, 1700 1800, 4000 1700'),
      'Ronda de Dalt',
      'highway',
      'motorway',
      'motorway',
    ),
  )
  features.push(
    ...road(toPoints('-300 -1420, 900 -1380, 2600 -1330'), 'Passeig Marítim', 'path', 'pedestrian', 'path'),
  )
  const rail = toPoints('-3000 -1150, -1300 -1120, -300 -1250, 1200 -1240, 3500 -1000')
  features.push({
    type: 'line',
    points: [rail.flat()],
    Protomaps: ['roads', { kind: 'rail', kind_detail: 'rail' }],
    OpenMapTiles: ['transportation', { class: 'rail', subclass: 'rail' }],
  })
  const river = toPoints('1900 2600, 1980 1500, 1850 600, 2050 -300, 1980 -1600')
  features.push({
    type: 'line',
    points: [river.flat()],
    Protomaps: ['water', { kind: 'river', name: 'Riu Clar' }],
    OpenMapTiles: ['waterway', { class: 'river', name: 'Riu Clar' }],
  })
  features.push(
    area(
      toPoints(
        '1930 2600, 2010 1500, 1880 600, 2080 -300, 2010 -1560, 1950 -1560, 2020 -300, 1820 600, 1950 1500, 1870 2600',
      ),
      ['water', { kind: 'river' }],
      ['water', { class: 'river' }],
    ),
  )
  features.push(
    area(
      toPoints('-3200 1900, -2100 1750, -1700 2500, -2300 3200, -3400 3000'),
      ['landuse', { kind: 'forest' }],
      ['landcover', { class: 'wood' }],
    ),
  )
  features.push(
    name('district', 'Eixample', 20, 420),
    name('district', 'Barri Vell', -700, -820),
    name('station', 'Estació de França', -420, -1_180),
  )
  return features
}

/** Parses `x y, x y, …`. */
function toPoints(text: string): number[][] {
  return text.split(', ').map(pair => pair.split(' ').map(Number))
}

function cutCorners(left: number, top: number, side: number): number[][] {
  const cut = Math.min(18, side / 4)
  const [right, bottom] = [left + side, top + side]
  return [
    [left + cut, top],
    [right - cut, top],
    [right, top + cut],
    [right, bottom - cut],
    [right - cut, bottom],
    [left + cut, bottom],
    [left, bottom - cut],
    [left, top + cut],
  ]
}

function area(
  ring: number[][],
  ours: CityFeature['Protomaps'],
  theirs: CityFeature['OpenMapTiles'],
): CityFeature {
  return { type: 'polygon', points: [ring.flat()], Protomaps: ours, OpenMapTiles: theirs }
}

function road(points: number[][], name: string, kind: string, detail: string, kind2: string): CityFeature[] {
  const line = { type: 'line' as const, points: [points.flat()] }
  return [
    {
      ...line,
      Protomaps: ['roads', { kind, kind_detail: detail, name }],
      OpenMapTiles: ['transportation', { class: kind2 }],
    },
    { ...line, Protomaps: null, OpenMapTiles: ['transportation_name', { class: kind2, name }] },
  ]
}

function name(
  kind: 'water' | 'park' | 'district' | 'station',
  text: string,
  x: number,
  y: number,
): CityFeature {
  const layers = {
    water: [
      ['water', { kind: 'sea' }],
      ['water_name', { class: 'sea' }],
    ],
    park: [
      ['pois', { kind: 'park' }],
      ['poi', { class: 'park', subclass: 'park' }],
    ],
    district: [
      ['places', { kind: 'neighbourhood' }],
      ['place', { class: 'suburb' }],
    ],
    station: [
      ['pois', { kind: 'station' }],
      ['poi', { class: 'railway', subclass: 'station' }],
    ],
  } as const
  const [[ours, our], [theirs, their]] = layers[kind]
  return {
    type: 'point',
    points: [[x, y]],
    Protomaps: [ours, { ...our, name: text }],
    OpenMapTiles: [theirs, { ...their, name: text }],
  }
}

const buffer = 64

function encodeTile(
  features: CityFeature[],
  schema: TileSchema,
  centre: Point,
  tile: { z: number; x: number; y: number },
): Uint8Array {
  const layers = new Map<string, EncodedFeature[]>()
  for (const feature of features) {
    const described = feature[schema]
    if (!described) continue
    const parts = feature.points.flatMap(points =>
      clipPart(feature.type, points.length ? toTile(points, centre, tile) : []),
    )
    if (parts.length === 0) continue
    const [layer, attributes] = described
    const list = layers.get(layer) ?? []
    list.push({ type: feature.type, parts, attributes })
    layers.set(layer, list)
  }
  return encodeLayers(layers)
}

function clipPart(type: CityFeature['type'], points: number[]): number[][] {
  const box = { left: -buffer, top: -buffer, right: extent + buffer, bottom: extent + buffer }
  if (type === 'line') return clipLine(points, box)
  if (type === 'polygon') return [clipRing(points, box)].filter(ring => ring.length >= 6)
  const [x, y] = [points[0]!, points[1]!]
  return x >= 0 && y >= 0 && x < extent && y < extent ? [points] : []
}

function toTile(points: number[], centre: Point, { z, x, y }: { z: number; x: number; y: number }): number[] {
  const tile: number[] = []
  for (let at = 0; at < points.length; at += 2) {
    const latitude = centre.latitude + points[at + 1]! / metersPerDegree
    const longitude =
      centre.longitude + points[at]! / metersPerDegree / Math.cos((centre.latitude * Math.PI) / 180)
    const world = toWorld({ latitude, longitude })
    tile.push((world.x * 2 ** z - x) * extent, (world.y * 2 ** z - y) * extent)
  }
  return tile
}

function toWorld({ latitude, longitude }: Point) {
  const sine = Math.sin((latitude * Math.PI) / 180)
  return { x: (longitude + 180) / 360, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) }
}
