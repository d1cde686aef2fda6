/** Writes small PMTiles files (specification 3): one directory, gzip or no compression. */
import { gzipSync } from 'node:zlib'
import { Compression, TileType, zxyToTileId } from 'pmtiles'
import type { SampleTile } from './sample-city.ts'

export interface PmtilesOptions {
  tiles: SampleTile[]
  metadata?: object
  tileType?: TileType
  /** Replaces the root directory. */
  directory?: Uint8Array
  /** Applied to each tile. */
  compress?: (bytes: Uint8Array) => Uint8Array
}

const headerBytes = 127

export function makePmtiles({
  tiles,
  metadata = {},
  tileType = TileType.Mvt,
  directory,
  compress = gzipSync,
}: PmtilesOptions): Buffer {
  const entries = tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), data: compress(bytes) }))
    .sort((a, b) => a.id - b.id)
  const root =
    directory ?? gzipSync(writeDirectory(entries.map(({ id, data }) => ({ id, length: data.length }))))
  const json = gzipSync(JSON.stringify(metadata))
  const data = Buffer.concat(entries.map(({ data }) => data))
  const header = Buffer.alloc(headerBytes)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  const sections = [root.length, json.length, 0, data.length]
  let offset = headerBytes
  for (const [nth, length] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + nth * 16)
    header.writeBigUInt64LE(BigInt(length), 16 + nth * 16)
    offset += length
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(entries.length), at)
  header[96] = 1
  header[97] = Compression.Gzip
  header[98] = compress === gzipSync ? Compression.Gzip : Compression.None
  header[99] = tileType
  const zooms = tiles.map(({ z }) => z)
  header[100] = Math.min(...zooms)
  header[101] = Math.max(...zooms)
  for (const [at, degrees] of [
    [102, -180],
    [106, -85],
    [110, 180],
    [114, 85],
  ] as const)
    header.writeInt32LE(degrees * 1e7, at)
  return Buffer.concat([header, root, json, data])
}

function writeDirectory(entries: { id: number; length: number }[]): Uint8Array {
  const bytes: number[] = []
  const write = (value: number) => {
    let rest = value
    while (rest > 127) {
      bytes.push((rest % 128) | 128)
      rest = Math.floor(rest / 128)
    }
    bytes.push(rest)
  }
  write(entries.length)
  for (const [nth, { id }] of entries.entries()) write(id - (entries[nth - 1]?.id ?? 0))
  for (const _ of entries) write(1)
  for (const { length } of entries) write(length)
  for (const [nth] of entries.entries()) write(nth === 0 ? 1 : 0)
  return Uint8Array.from(bytes)
}
