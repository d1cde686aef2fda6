/** A PMTiles file: all tiles of a region in one file, read in ranges. */
import { open } from 'node:fs/promises'
import { Compression, EtagMismatch, PMTiles, ResolvedValueCache, type Source, TileType } from 'pmtiles'
import type { HttpClient } from '../../kit/http/client.ts'
import { toPrintable } from '../markup.ts'
import { decompressTile, type TileSource, tileBytesMax } from './tile-source.ts'
import { TileRefused } from './vector-tile.ts'

/** The file is read anew if it was replaced. */
export function createFileRange(path: string): Source {
  return {
    getKey: () => path,
    async getBytes(offset, length, _, etag) {
      checkRange(offset, length)
      const file = await open(path)
      try {
        const { mtimeMs, size, ino } = await file.stat()
        const version = `${ino}-${mtimeMs}-${size}`
        if (etag && etag !== version) throw new EtagMismatch()
        const buffer = new Uint8Array(length)
        const { bytesRead } = await file.read(buffer, 0, length, offset)
        return { data: buffer.buffer.slice(0, bytesRead), etag: version }
      } finally {
        await file.close()
      }
    },
  }
}

export function createHttpRange(url: string, http: HttpClient, timeoutMs: number): Source {
  return {
    getKey: () => url,
    async getBytes(offset, length, signal, etag) {
      checkRange(offset, length)
      const headers = { range: `bytes=${offset}-${offset + length - 1}` }
      const limits = { timeoutMs, bodyMaxBytes: length, ...(signal ? { signal } : {}) }
      const reply = await http.fetch(url, { headers, ...limits })
      if (reply.status !== 206) throw new Error(`the server of the tiles answers ${reply.status}, not 206`)
      const version = reply.headers.etag?.startsWith('W/') ? undefined : reply.headers.etag
      if (etag && version && etag !== version) throw new EtagMismatch()
      const data = new Uint8Array(reply.body).buffer
      return { data, ...(version ? { etag: version } : {}) }
    },
  }
}

function checkRange(offset: number, length: number): void {
  const isValid = Number.isSafeInteger(offset) && offset >= 0 && length >= 1 && length <= tileBytesMax
  if (!isValid) throw new TileRefused(`the file has ${length} bytes for a tile or directory`)
}

const compressions: Partial<Record<Compression, Parameters<typeof decompressTile>[1]>> = {
  [Compression.Gzip]: 'gzip',
  [Compression.Brotli]: 'brotli',
  [Compression.Zstd]: 'zstd',
}

async function decompress(data: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  const name = compressions[compression]
  if (!name) return data
  const bytes = await decompressTile(new Uint8Array(data), name)
  return new Uint8Array(bytes).buffer
}

/** The library trusts the count at the start of a directory, in which each entry has at least four bytes. */
async function decompressDirectory(data: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  const directory = await decompress(data, compression)
  if (readCount(new Uint8Array(directory)) > directory.byteLength / 4)
    throw new TileRefused('a directory of the file is malformed')
  return directory
}

function readCount(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < 10; at++) {
    const byte = bytes[at] ?? 0
    count += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) break
  }
  return count
}

const directoriesMax = 32

export function createPmtilesSource(range: Source): TileSource {
  const cache = new ResolvedValueCache(directoriesMax, true, decompressDirectory)
  const file = new PMTiles(range, cache, decompress)
  return {
    async readInfo() {
      const header = await file.getHeader()
      if (header.tileType !== TileType.Mvt)
        throw new TileRefused('the file has no vector tiles of the type MVT')
      const metadata = toMetadata(await file.getMetadata())
      const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = header
      return { minZoom, maxZoom, ...metadata, bounds: [minLon, minLat, maxLon, maxLat] }
    },
    async readTile({ z, x, y }, signal) {
      const tile = await file.getZxy(z, x, y, signal)
      return tile ? new Uint8Array(tile.data) : null
    },
  }
}

const attributionMax = 120

function toMetadata(metadata: unknown): { attribution: string | null; layers: string[] } {
  const { attribution, vector_layers } = (metadata ?? {}) as Record<string, unknown>
  const layers = Array.isArray(vector_layers) ? vector_layers.slice(0, 100) : []
  return {
    attribution: typeof attribution === 'string' ? toPlainText(attribution) : null,
    layers: layers.map(layer => String((layer as { id?: unknown } | null)?.id)),
  }
}

const entities: Record<string, string> = { '&copy;': '©', '&amp;': '&', '&#169;': '©', '&nbsp;': ' ' }

/** The metadata may have links in HTML. */
function toPlainText(html: string): string | null {
  const text = html
    .slice(0, 2_000)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(copy|amp|nbsp|#169);/g, entity => entities[entity]!)
    .replace(/\s+/g, ' ')
  return toPrintable(text).slice(0, attributionMax).trim() || null
}
