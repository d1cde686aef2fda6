/** Writes the feed of portal_e as a gzip file in chunks: the plain text of a whole portal is too large for memory. */
import { crc32, deflateRawSync, constants as zlib } from 'node:zlib'
import type { Variant } from '../portal.ts'
import type { World } from '../world.ts'
import { renderProperty } from './property.ts'

const propertiesPerChunk = 500

// RFC 1952: magic number, deflate, no flags, no time, fastest, Unix.
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3])

/** The bytes of a gzip file with all published listings. */
export function packFeed(world: World, origin: string, variant: Variant): Buffer {
  const packed: Buffer[] = [gzipHeader]
  let checksum = 0
  let length = 0
  for (const text of splitFeed(world, origin, variant)) {
    const chunk = Buffer.from(variant === 'layout' ? redesign(text) : text)
    checksum = crc32(chunk, checksum)
    length += chunk.length
    packed.push(deflateRawSync(chunk, { level: 1, finishFlush: zlib.Z_SYNC_FLUSH }))
  }
  // An empty last block, then the checksum and the length modulo 2^32.
  const end = Buffer.alloc(10)
  end.writeUInt16LE(3, 0)
  end.writeUInt32LE(checksum, 2)
  end.writeUInt32LE(length % 2 ** 32, 6)
  return Buffer.concat([...packed, end])
}

function* splitFeed(world: World, origin: string, variant: Variant): Generator<string> {
  const indexes = [...world.published()]
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!-- ${indexes.length} properties -->
<root>
    <kyero>
        <feed_version>3</feed_version>
        <feed_generated>${new Date(world.asOf).toISOString().slice(0, 19).replace('T', ' ')}</feed_generated>
    </kyero>
`
  const shown = variant === 'empty' ? [] : indexes
  for (let first = 0; first < shown.length; first += propertiesPerChunk) {
    const chunk = shown.slice(first, first + propertiesPerChunk)
    yield chunk.map(index => renderProperty(world.listing(index), origin)).join('')
  }
  yield '</root>\n'
}

/** The same listings in a format of this portal only. */
function redesign(text: string): string {
  return text.replace(/<(\/?)([a-z_]+)/g, '<$1r7-$2')
}
