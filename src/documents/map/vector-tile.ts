/**
 * Reads vector tiles (Mapbox Vector Tile specification 2.1). A tile may come from another server, so everything in it is
 * limited: `@mapbox/vector-tile` would repeat a command of the geometry half a billion times if a tile says so.
 */
import { PbfReader } from 'pbf'

export type GeometryType = 'point' | 'line' | 'polygon'

export type TileAttributes = Record<string, string | number | boolean>

export interface TileFeature {
  layer: string
  type: GeometryType
  attributes: TileAttributes
}

/** Counts what is left to read of a map. */
export interface ReadingBudget {
  features: number
  vertices: number
}

/** The tile exceeds a limit or is malformed. */
export class TileRefused extends Error {}

/** The parts of a geometry as `x, y, x, y, …`, in shares of the tile's side: 0 to 1, and slightly beyond. */
export type GeometryParts = Float64Array[]

export interface TileReader {
  /** Returns false for a layer that is not read. */
  wantsLayer(name: string): boolean
  /** Returns what receives the geometry, or null for a feature that is not read. */
  select(feature: TileFeature): ((parts: GeometryParts) => void) | null
}

const geometryTypes: (GeometryType | undefined)[] = [undefined, 'point', 'line', 'polygon']
const extentMax = 65_536

/** Reads a decompressed tile. Takes time in proportion to its bytes. Throws TileRefused. */
export function readVectorTile(bytes: Uint8Array, budget: ReadingBudget, reader: TileReader): void {
  try {
    const pbf = new PbfReader(bytes)
    pbf.readFields((tag, _, pbf) => {
      if (tag === 3) readLayer(pbf, budget, reader)
    }, null)
  } catch (error) {
    throw error instanceof TileRefused ? error : new TileRefused('the tile is malformed', { cause: error })
  }
}

interface Layer {
  name: string
  extent: number
  keys: string[]
  values: (string | number | boolean)[]
  /** The positions of the features in the tile. */
  features: number[]
}

function readLayer(pbf: PbfReader, budget: ReadingBudget, reader: TileReader): void {
  const layer: Layer = { name: '', extent: 4096, keys: [], values: [], features: [] }
  pbf.readMessage((tag, _, pbf) => {
    if (tag === 1) layer.name = pbf.readString()
    else if (tag === 2) layer.features.push(pbf.pos)
    else if (tag === 3) layer.keys.push(pbf.readString())
    else if (tag === 4) layer.values.push(readValue(pbf))
    else if (tag === 5) layer.extent = pbf.readVarint()
  }, null)
  if (!reader.wantsLayer(layer.name)) return
  if (layer.extent < 1 || layer.extent > extentMax)
    throw new TileRefused(`a layer has the extent ${layer.extent}`)
  budget.features -= layer.features.length
  if (budget.features < 0) throw new TileRefused('the tiles have too many features')
  const endOfLayer = pbf.pos
  for (const position of layer.features) {
    pbf.pos = position
    readFeature(pbf, layer, budget, reader)
  }
  pbf.pos = endOfLayer
}

function readValue(pbf: PbfReader): string | number | boolean {
  const found: { value: string | number | boolean } = { value: '' }
  pbf.readMessage((tag, found, pbf) => {
    if (tag === 1) found.value = pbf.readString()
    else if (tag === 2) found.value = pbf.readFloat()
    else if (tag === 3) found.value = pbf.readDouble()
    else if (tag === 4) found.value = pbf.readVarint(true)
    else if (tag === 5) found.value = pbf.readVarint()
    else if (tag === 6) found.value = pbf.readSVarint()
    else if (tag === 7) found.value = pbf.readBoolean()
  }, found)
  return found.value
}

function readFeature(pbf: PbfReader, layer: Layer, budget: ReadingBudget, reader: TileReader): void {
  const found = { type: 0, tags: [-1, -1], geometry: -1 }
  pbf.readMessage((tag, found, pbf) => {
    if (tag === 2) found.tags = [pbf.pos, pbf.readVarint() + pbf.pos]
    else if (tag === 3) found.type = pbf.readVarint()
    else if (tag === 4) found.geometry = pbf.pos
    if (tag === 2) pbf.pos = found.tags[1]!
  }, found)
  const type = geometryTypes[found.type]
  if (!type || found.geometry < 0) return
  const attributes = readAttributes(pbf, layer, found.tags[0]!)
  const receive = reader.select({ layer: layer.name, type, attributes })
  if (!receive) return
  pbf.pos = found.geometry
  receive(readGeometry(pbf, layer.extent, budget))
}

function readAttributes(pbf: PbfReader, { keys, values }: Layer, position: number): TileAttributes {
  const attributes: TileAttributes = Object.create(null)
  if (position < 0) return attributes
  pbf.pos = position
  const end = pbf.readVarint() + pbf.pos
  while (pbf.pos < end) {
    const key = keys[pbf.readVarint()]
    const value = values[pbf.readVarint()]
    if (key !== undefined && value !== undefined) attributes[key] = value
  }
  return attributes
}

const moveTo = 1
const lineTo = 2
const closePath = 7

/** Reads the commands of a geometry. A polygon's rings are closed implicitly. */
function readGeometry(pbf: PbfReader, extent: number, budget: ReadingBudget): GeometryParts {
  const end = pbf.readVarint() + pbf.pos
  const parts: GeometryParts = []
  let part: number[] = []
  let x = 0
  let y = 0
  const endPart = () => {
    if (part.length > 0) parts.push(Float64Array.from(part))
    part = []
  }
  while (pbf.pos < end) {
    const command = pbf.readVarint()
    const kind = command & 7
    const count = command >>> 3
    // It has no parameters, so its count can be anything.
    if (kind === closePath) continue
    if (kind !== moveTo && kind !== lineTo) throw new TileRefused(`a geometry has the command ${kind}`)
    budget.vertices -= count
    if (budget.vertices < 0) throw new TileRefused('the tiles have too many vertices')
    for (let nth = 0; nth < count; nth++) {
      if (pbf.pos >= end) throw new TileRefused('a geometry is cut off')
      if (kind === moveTo) endPart()
      x += pbf.readSVarint()
      y += pbf.readSVarint()
      part.push(x / extent, y / extent)
    }
  }
  endPart()
  return parts
}
