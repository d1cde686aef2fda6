/**
 * The street maps of documents. The operator configures where the tiles are; a map without them has rings of distance
 * instead. A document never fails because of its map.
 */
import { createByteCache } from '../../kit/byte-cache.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import type { Log } from '../../kit/log.ts'
import { createFileRange, createHttpRange, createPmtilesSource } from './pmtiles-source.ts'
import { findTileSchema, type TileSchema } from './schema.ts'
import { createStreetsReader, listTiles, type MapView, type Streets } from './streets.ts'
import { createTileServerSource, type TileSource, type TileSourceInfo } from './tile-source.ts'
import { TileRefused } from './vector-tile.ts'

export interface MapTiles {
  /** Returns null if the streets are not available. Never throws. */
  loadStreets(view: MapView): Promise<Streets | null>
  /** Reads what the source says about itself, and throws if it cannot be used. */
  check(): Promise<CheckedTiles>
}

export interface CheckedTiles extends TileSourceInfo {
  /** Null if the layers are unknown, or of neither schema. */
  schema: TileSchema | null
}

export interface MapTilesOptions {
  /** The path or URL of a PMTiles file, or the URL of a tile server with `{z}`, `{x}` and `{y}`. */
  location: string
  /** Replaces what the source says about whom to name; null: what it says. */
  attribution: string | null
  http: HttpClient
  log: Pick<Log, 'warn'>
  /** For all tiles of a map. Default: 4 s. */
  timeoutMs?: number
}

const defaultTimeoutMs = 4_000
/** After a failure, documents do not wait for the tiles again for this long. */
const pauseMs = 30_000
/** The tiles that are kept in memory. */
const cacheMaxBytes = 24_000_000
const cacheMs = 600_000

const defaultAttribution: Record<TileSchema | 'unknown', string> = {
  Protomaps: 'Protomaps © OpenStreetMap',
  OpenMapTiles: '© OpenMapTiles © OpenStreetMap',
  unknown: '© OpenStreetMap',
}

/** Returns null if no tiles are configured. `http`: reaches what the operator configured. */
export function openMapTiles(
  { mapTiles, mapAttribution }: { mapTiles: string | null; mapAttribution: string | null },
  http: HttpClient,
  log: MapTilesOptions['log'],
): MapTiles | null {
  return mapTiles === null
    ? null
    : createMapTiles({ location: mapTiles, attribution: mapAttribution, http, log })
}

export function createMapTiles({
  location,
  attribution,
  http,
  log,
  timeoutMs = defaultTimeoutMs,
}: MapTilesOptions): MapTiles {
  const source = createTileSource(location, http, timeoutMs)
  const readTile = createTileCache(source)
  let pausedUntilMs = 0

  const loadStreets = async (view: MapView, signal: AbortSignal): Promise<Streets | null> => {
    const info = await source.readInfo(signal)
    const tiles = listTiles(view, info)
    if (!tiles || !covers(info, view)) return null
    const contents = await Promise.all(
      tiles.map(async tile => ({ tile, bytes: await readTile(tile, signal) })),
    )
    const reader = createStreetsReader(view)
    for (const { tile, bytes } of contents) if (bytes) await reader.add(tile, bytes)
    const found = reader.finish()
    if (!found) return null
    const { streets, schema } = found
    return {
      ...streets,
      attribution: attribution ?? info.attribution ?? defaultAttribution[schema ?? 'unknown'],
    }
  }

  return {
    async loadStreets(view) {
      if (performance.now() < pausedUntilMs) return null
      const signal = AbortSignal.timeout(timeoutMs)
      const timedOut = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      try {
        return await Promise.race([loadStreets(view, signal), timedOut])
      } catch (err) {
        // A refused tile says nothing about the others.
        if (!(err instanceof TileRefused)) pausedUntilMs = performance.now() + pauseMs
        log.warn({ err }, 'the map tiles cannot be read: the map has no streets')
        return null
      }
    },
    async check() {
      const signal = AbortSignal.timeout(timeoutMs)
      const info = await source.readInfo(signal)
      if (!location.includes('{z}')) return { ...info, schema: findTileSchema(info.layers) }
      // A server says nothing about itself, but has the tile of the world.
      await source.readTile({ z: 0, x: 0, y: 0 }, signal)
      return { ...info, schema: null }
    },
  }
}

function createTileSource(location: string, http: HttpClient, timeoutMs: number): TileSource {
  if (location.includes('{z}')) return createTileServerSource(location, http, timeoutMs)
  const isUrl = /^https?:\/\//.test(location)
  return createPmtilesSource(isUrl ? createHttpRange(location, http, timeoutMs) : createFileRange(location))
}

function covers({ bounds }: TileSourceInfo, { centre: { latitude, longitude } }: MapView): boolean {
  if (!bounds) return true
  const [west, south, east, north] = bounds
  return longitude >= west && longitude <= east && latitude >= south && latitude <= north
}

/** Keeps the tiles that were read last: the page and the PDF of a report need the same ones. */
function createTileCache(source: TileSource): TileSource['readTile'] {
  const cache = createByteCache({ maxBytes: cacheMaxBytes, ttlMs: cacheMs, sizeOf })
  return async ({ z, x, y }, signal) => {
    const wrapped = { z, x: ((x % 2 ** z) + 2 ** z) % 2 ** z, y }
    const key = `${z}/${wrapped.x}/${y}`
    const cached = cache.find(key)
    if (cached !== undefined) return cached
    const bytes = await source.readTile(wrapped, signal)
    cache.store(key, bytes)
    return bytes
  }
}

/** An absent tile takes some memory too. */
const sizeOf = (bytes: Uint8Array | null) => (bytes?.length ?? 0) + 1_000
