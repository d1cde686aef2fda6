/** The streets around a place, read from vector tiles and ready to be drawn at any size. */
import { setImmediate as yieldOnce } from 'node:timers/promises'
import { metersPerDegree, type Point } from '../../domain/geo.ts'
import type { Box } from '../charts/svg.ts'
import { computeBox } from './geometry.ts'
import {
  type AreaKind,
  findTileSchema,
  isMapLayer,
  type LineKind,
  type PlaceKind,
  type TileSchema,
  toMapFeature,
} from './schema.ts'
import { type GeometryParts, type ReadingBudget, readVectorTile, TileRefused } from './vector-tile.ts'

/** The part of the earth that a map shows. */
export interface MapView {
  centre: Point
  halfWidthMeters: number
  halfHeightMeters: number
}

/** Metres east and south of the centre of the map: `x, y, x, y, …`. */
export type Meters = Float32Array

export interface StreetLine {
  kind: LineKind
  isTunnel: boolean
  name: string | null
  isDrawn: boolean
  points: Meters
}

export interface StreetPlace {
  kind: PlaceKind
  name: string
  x: number
  y: number
}

export interface Streets {
  /** Rings; those of holes run in the opposite direction. */
  areas: Record<AreaKind, Meters[]>
  lines: StreetLine[]
  places: StreetPlace[]
  /** Whom the map names as the source of its data. */
  attribution: string
}

export interface TilePosition {
  z: number
  x: number
  y: number
}

/** The widest drawing, in units of the SVG: its tiles have enough detail for narrower ones. */
const widthUnits = 620
/** The size on the drawing for which the contents of a tile are made. */
const tileUnits = 512
const tilesMax = 16
const latitudeMax = 85
const budget: ReadingBudget = { features: 400_000, vertices: 1_500_000 }
/** More points than this are not kept. Buildings are left out first. */
const pointsMax = 600_000

/** Returns the tiles of a view, or null if the file has no zoom at which they are few. */
export function listTiles(
  view: MapView,
  { minZoom, maxZoom }: { minZoom: number; maxZoom: number },
): TilePosition[] | null {
  if (Math.abs(view.centre.latitude) > latitudeMax) return null
  const metersOfWorld = 360 * metersPerDegree * Math.cos((view.centre.latitude * Math.PI) / 180)
  const unitsPerMeter = widthUnits / 2 / view.halfWidthMeters
  const ideal = Math.floor(Math.log2((metersOfWorld * unitsPerMeter) / tileUnits) + 0.4)
  const z = Math.max(minZoom, Math.min(maxZoom, ideal))
  const size = 2 ** z
  const centre = toWorld(view.centre)
  const [halfX, halfY] = [view.halfWidthMeters / metersOfWorld, view.halfHeightMeters / metersOfWorld]
  const [left, right] = [Math.floor((centre.x - halfX) * size), Math.floor((centre.x + halfX) * size)]
  const top = Math.max(0, Math.floor((centre.y - halfY) * size))
  const bottom = Math.min(size - 1, Math.floor((centre.y + halfY) * size))
  if ((right - left + 1) * (bottom - top + 1) > tilesMax) return null
  const tiles: TilePosition[] = []
  for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) tiles.push({ z, x, y })
  return tiles
}

/** The position on the map of the world, from 0 to 1 (spherical Mercator, as tiles have it). */
function toWorld({ latitude, longitude }: Point): { x: number; y: number } {
  const sine = Math.sin((latitude * Math.PI) / 180)
  return {
    x: (longitude + 180) / 360,
    y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI),
  }
}

export interface StreetsReader {
  add(tile: TilePosition, bytes: Uint8Array): Promise<void>
  /** Returns null if the tiles had nothing to draw. */
  finish(): { streets: Omit<Streets, 'attribution'>; schema: TileSchema | null } | null
}

/** Creates a reader of the tiles of a view. `add` throws TileRefused. */
export function createStreetsReader(view: MapView): StreetsReader {
  const left = { ...budget }
  const areas = {} as Streets['areas']
  const lines: StreetLine[] = []
  const places: StreetPlace[] = []
  const layerNames = new Set<string>()
  let points = 0
  const showsBuildings = view.halfHeightMeters <= buildingsReachMaxMeters
  const seen: Box = {
    left: -view.halfWidthMeters,
    right: view.halfWidthMeters,
    top: -view.halfHeightMeters,
    bottom: view.halfHeightMeters,
  }
  const keep = (parts: GeometryParts, toMeters: ToMeters, add: (points: Meters) => void) => {
    for (const part of parts) {
      const meters = toMeters(part)
      const box = computeBox(meters)
      const isSeen =
        box.left <= seen.right && box.right >= seen.left && box.top <= seen.bottom && box.bottom >= seen.top
      if (!isSeen) continue
      points += meters.length / 2
      add(meters)
    }
  }
  const addTile = (tile: TilePosition, bytes: Uint8Array) => {
    const toMeters = createProjection(view.centre, tile)
    readVectorTile(bytes, left, {
      wantsLayer(name) {
        layerNames.add(name)
        return isMapLayer(name) && (showsBuildings || !/^buildings?$/.test(name))
      },
      select(feature) {
        const found = toMapFeature(feature)
        if (!found) return null
        if (found.kind === 'area')
          return parts =>
            keep(parts, toMeters, meters => {
              areas[found.area] ??= []
              areas[found.area].push(meters)
            })
        if (found.kind === 'place')
          return parts =>
            keep(parts, toMeters, ([x, y]) => {
              places.push({ kind: found.place, name: found.name, x: x!, y: y! })
            })
        const { line: kind, isTunnel, name, isDrawn } = found
        return parts =>
          keep(parts, toMeters, points => {
            if (points.length >= 4) lines.push({ kind, isTunnel, name, isDrawn, points })
          })
      },
    })
    if (points > pointsMax && areas.building) {
      points -= areas.building.reduce((sum, ring) => sum + ring.length / 2, 0)
      areas.building = []
    }
    if (points > pointsMax) throw new TileRefused('the tiles have too many points')
  }
  return {
    async add(tile, bytes) {
      addTile(tile, bytes)
      await yieldOnce()
    },
    finish() {
      const isEmpty = lines.length === 0 && Object.keys(areas).length === 0
      return isEmpty ? null : { streets: { areas, lines, places }, schema: findTileSchema(layerNames) }
    },
  }
}

/** On a map of a larger area, buildings would be dots. */
const buildingsReachMaxMeters = 1_300

type ToMeters = (part: Float64Array) => Meters

/**
 * Projects a tile on the plane of the valuation's map: equirectangular, true to scale at the centre. The latitude is
 * interpolated within the tile, which is exact to a metre on tiles that show streets.
 */
function createProjection(centre: Point, { z, x, y }: TilePosition): ToMeters {
  const size = 2 ** z
  const metersPerLongitude = metersPerDegree * Math.cos((centre.latitude * Math.PI) / 180)
  const west = (x / size) * 360 - 180
  const left = (west - centre.longitude) * metersPerLongitude
  const width = (360 / size) * metersPerLongitude
  const top = (centre.latitude - toLatitude(y / size)) * metersPerDegree
  const height = (centre.latitude - toLatitude((y + 1) / size)) * metersPerDegree - top
  return part => {
    const meters = new Float32Array(part.length)
    for (let at = 0; at < part.length; at += 2) {
      meters[at] = left + part[at]! * width
      meters[at + 1] = top + part[at + 1]! * height
    }
    return meters
  }
}

function toLatitude(worldY: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * worldY))) * 180) / Math.PI
}
