/**
 * What a feature of a vector tile is on the map. Knows the two schemas that free tools produce from OpenStreetMap:
 * Protomaps basemap (versions 2 to 4) and OpenMapTiles.
 */
import { toPrintable } from '../markup.ts'
import type { TileAttributes, TileFeature } from './vector-tile.ts'

/** In drawing order. */
export const areaKinds = [
  'farmland',
  'industrial',
  'facility',
  'sand',
  'green',
  'wood',
  'pedestrian',
  'water',
  'building',
] as const
export type AreaKind = (typeof areaKinds)[number]

/** From the least to the most important, which is the drawing order. */
export const lineKinds = [
  'stream',
  'river',
  'path',
  'service',
  'minor',
  'medium',
  'rail',
  'major',
  'motorway',
] as const
export type LineKind = (typeof lineKinds)[number]

export type PlaceKind = 'town' | 'district' | 'park' | 'water' | 'station'

export type MapFeature =
  | { kind: 'area'; area: AreaKind }
  | { kind: 'line'; line: LineKind; isTunnel: boolean; name: string | null; isDrawn: boolean }
  | { kind: 'place'; place: PlaceKind; name: string }

export type TileSchema = 'Protomaps' | 'OpenMapTiles'

const layersOf: Record<TileSchema, string[]> = {
  Protomaps: [
    'landuse',
    'natural',
    'water',
    'physical_line',
    'roads',
    'transit',
    'buildings',
    'places',
    'pois',
  ],
  OpenMapTiles: [
    'landcover',
    'landuse',
    'park',
    'water',
    'waterway',
    'transportation',
    'transportation_name',
    'building',
    'place',
    'water_name',
    'poi',
  ],
}

const layers = new Set(Object.values(layersOf).flat())
/** Layers that are in one of the schemas only. */
const tellingLayers: Record<string, TileSchema> = {
  roads: 'Protomaps',
  buildings: 'Protomaps',
  transportation: 'OpenMapTiles',
  transportation_name: 'OpenMapTiles',
}

export function isMapLayer(name: string): boolean {
  return layers.has(name)
}

/** Returns null if the names of the layers don't tell. */
export function findTileSchema(layerNames: Iterable<string>): TileSchema | null {
  for (const name of layerNames) if (Object.hasOwn(tellingLayers, name)) return tellingLayers[name]!
  return null
}

const areaWords: Record<AreaKind, string[]> = {
  farmland: ['farmland', 'farm', 'orchard', 'vineyard', 'allotments', 'plant_nursery'],
  industrial: ['industrial', 'railway', 'quarry', 'military', 'garages', 'commercial', 'retail'],
  facility: ['school', 'kindergarten', 'university', 'college', 'hospital', 'stadium', 'zoo', 'theme_park'],
  sand: ['sand', 'beach'],
  green: [
    'park',
    'garden',
    'grass',
    'grassland',
    'meadow',
    'village_green',
    'recreation_ground',
    'playground',
    'pitch',
    'golf_course',
    'cemetery',
    'dog_park',
    'scrub',
    'heath',
    'wetland',
  ],
  wood: ['wood', 'forest', 'nature_reserve', 'national_park', 'protected_area'],
  pedestrian: ['pedestrian', 'footway', 'pier', 'platform'],
  water: [],
  building: [],
}
const areaOfWord = invert(areaWords)

/** Values of the key `highway`, and the words of the two schemas for groups of them. */
const lineWords: Record<LineKind, string[]> = {
  stream: ['stream', 'drain', 'ditch'],
  river: ['river', 'canal'],
  path: ['path', 'footway', 'steps', 'cycleway', 'bridleway', 'track', 'pedestrian'],
  service: ['service', 'raceway', 'busway'],
  minor: ['minor_road', 'minor', 'residential', 'unclassified', 'living_street', 'road'],
  medium: ['medium_road', 'tertiary', 'tertiary_link', 'secondary_link', 'primary_link', 'trunk_link'],
  rail: ['rail', 'light_rail', 'narrow_gauge', 'transit', 'tram', 'subway'],
  major: ['major_road', 'primary', 'secondary', 'trunk', 'motorway_link'],
  motorway: ['highway', 'motorway'],
}
const lineOfWord = invert(lineWords)

/** Tunnels of these are not drawn: they are invisible in the street. */
const isUndergroundLine = (line: LineKind) => line === 'rail' || line === 'stream' || line === 'river'

/** Returns null for a feature that the map does not show. */
export function toMapFeature(feature: TileFeature): MapFeature | null {
  if (feature.type === 'point') return toPlace(feature)
  return feature.type === 'polygon' ? toArea(feature) : toLine(feature)
}

function toArea({ layer, attributes }: TileFeature): MapFeature | null {
  if (layer === 'building' || layer === 'buildings') return { kind: 'area', area: 'building' }
  if (layer === 'water') return { kind: 'area', area: 'water' }
  const words = layer === 'park' ? ['park'] : listWords(attributes)
  // The detailed word comes first: the landcover "grass" may be a park.
  const area = words.map(word => areaOfWord.get(word)).find(area => area !== undefined)
  const isRoadArea = layer === 'roads' || layer === 'transportation'
  if (!area || (isRoadArea && area !== 'pedestrian')) return null
  return { kind: 'area', area }
}

const waterLayers = ['water', 'waterway', 'physical_line', 'water_name']
const roadLayers = ['roads', 'transportation', 'transportation_name', 'transit']

function toLine({ layer, attributes }: TileFeature): MapFeature | null {
  const isWater = waterLayers.includes(layer)
  if (!isWater && !roadLayers.includes(layer)) return null
  const name = findName(attributes)
  const isDrawn = layer !== 'transportation_name' && layer !== 'water_name'
  const line = listWords(attributes)
    .map(word => lineOfWord.get(word))
    .find(line => line !== undefined && (line === 'river' || line === 'stream') === isWater)
  if (!line || (!isDrawn && !name)) return null
  const isTunnel =
    attributes.brunnel === 'tunnel' || attributes.is_tunnel === true || readLevel(attributes) < 0
  if (isTunnel && isUndergroundLine(line)) return null
  return { kind: 'line', line, isTunnel, name, isDrawn }
}

function toPlace({ layer, attributes }: TileFeature): MapFeature | null {
  const name = findName(attributes)
  if (!name) return null
  const place = findPlaceKind(layer, listWords(attributes))
  return place && { kind: 'place', place, name }
}

const townWords = ['city', 'town', 'village']
const districtWords = ['suburb', 'quarter', 'neighbourhood', 'macrohood', 'borough', 'hamlet']
const stationWords = ['station', 'railway', 'subway', 'halt']

function findPlaceKind(layer: string, words: string[]): PlaceKind | null {
  const has = (list: string[]) => words.some(word => list.includes(word))
  if (layer === 'place' || layer === 'places')
    return has(districtWords) ? 'district' : has([...townWords, 'locality']) ? 'town' : null
  if (layer === 'water' || layer === 'water_name') return 'water'
  if (layer === 'park') return 'park'
  if (layer !== 'poi' && layer !== 'pois') return null
  if (has(['park', 'garden'])) return 'park'
  return has(stationWords) && !has(['tram_stop', 'bus_station', 'subway_entrance']) ? 'station' : null
}

/** The words for what a feature is, the most detailed first. `pmap:` is the prefix of older Protomaps tiles. */
function listWords(attributes: TileAttributes): string[] {
  const { kind_detail, kind, subclass } = attributes
  const words = [
    kind_detail,
    attributes['pmap:kind_detail'],
    subclass,
    kind,
    attributes['pmap:kind'],
    attributes.class,
  ]
  return words.filter(word => typeof word === 'string')
}

function readLevel(attributes: TileAttributes): number {
  return Number(attributes['pmap:level'] ?? 0)
}

const nameMax = 48
/** The letters of the fonts of documents. */
const drawable =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]+$/u

/** The local name; a Latin one if the fonts lack its letters. */
function findName(attributes: TileAttributes): string | null {
  const names = [attributes.name, attributes['name:latin'], attributes['name:en'], attributes.name_en]
  for (const name of names) {
    if (typeof name !== 'string' || name.length > nameMax) continue
    const text = toPrintable(name)
    if (text !== '' && drawable.test(text) && /\p{L}|\p{N}/u.test(text)) return text
  }
  return null
}

function invert<Kind extends string>(words: Record<Kind, string[]>): Map<string, Kind> {
  const pairs = Object.entries<string[]>(words).flatMap(([kind, list]) =>
    list.map((word): [string, Kind] => [word, kind as Kind]),
  )
  return new Map(pairs)
}
