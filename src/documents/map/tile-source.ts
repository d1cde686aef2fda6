/** Where vector tiles come from: a PMTiles file, on disk or on a server, or a server of single tiles. */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib'
import { isGzip } from '../../kit/gzip.ts'
import type { HttpClient } from '../../kit/http/client.ts'
import type { TilePosition } from './streets.ts'
import { TileRefused } from './vector-tile.ts'

export interface TileSource {
  readInfo(signal: AbortSignal): Promise<TileSourceInfo>
  /** Returns a decompressed tile, or null if the source has none there. */
  readTile(tile: TilePosition, signal: AbortSignal): Promise<Uint8Array | null>
}

export interface TileSourceInfo {
  minZoom: number
  maxZoom: number
  /** What the source says about whom to name; null: nothing. */
  attribution: string | null
  /** The names of its layers, if known. */
  layers: string[]
  /** West, south, east, north, in degrees, if known. */
  bounds: [number, number, number, number] | null
}

/** Both of a compressed tile or directory, and of a decompressed one. */
export const tileBytesMax = 4_000_000

const decompressors = {
  gzip: promisify(gunzip),
  brotli: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/** Decompresses at most `tileBytesMax` bytes. Throws TileRefused. */
export async function decompressTile(
  bytes: Uint8Array,
  compression: keyof typeof decompressors,
): Promise<Uint8Array> {
  try {
    return await decompressors[compression](bytes, { maxOutputLength: tileBytesMax })
  } catch (error) {
    throw new TileRefused('a tile cannot be decompressed within its limit', { cause: error })
  }
}

/** Zooms that servers of OpenMapTiles have. */
const serverZooms = { minZoom: 0, maxZoom: 14 }

/** A server with a URL for each tile: `https://tiles.example/{z}/{x}/{y}.mvt`. */
export function createTileServerSource(template: string, http: HttpClient, timeoutMs: number): TileSource {
  return {
    async readInfo() {
      return { ...serverZooms, attribution: null, layers: [], bounds: null }
    },
    async readTile({ z, x, y }, signal) {
      const values: Record<string, number> = { z, x, y }
      const url = template.replace(/\{([zxy])\}/g, (_, name) => String(values[name]))
      const headers = { 'accept-encoding': 'gzip, br' }
      const reply = await http.fetch(url, { headers, timeoutMs, bodyMaxBytes: tileBytesMax, signal })
      if (reply.status === 404 || reply.status === 204) return null
      if (reply.status !== 200) throw new Error(`the tile server answers ${reply.status}`)
      return isGzip(reply.body) ? decompressTile(reply.body, 'gzip') : reply.body
    },
  }
}
