/** A voice note of the sandbox: silence in Opus (RFC 6716) in Ogg (RFC 3533, RFC 7845), which every player plays. */

const serial = 1
const packetMs = 20
const samplesPerMs = 48
/** One frame of silence of 20 ms, mono. */
const silence = Buffer.from([0xf8, 0xff, 0xfe])
const packetsPerPage = 50

export function createVoiceNote(durationMs: number): Buffer {
  const packets = Array<Buffer>(Math.ceil(durationMs / packetMs)).fill(silence)
  const pages = [
    toPage([toHead()], { sequence: 0, granule: 0, flags: 2 }),
    toPage([toTags()], { sequence: 1, granule: 0, flags: 0 }),
  ]
  for (let start = 0; start < packets.length; start += packetsPerPage) {
    const page = packets.slice(start, start + packetsPerPage)
    const end = start + page.length
    const flags = end === packets.length ? 4 : 0
    pages.push(toPage(page, { sequence: pages.length, granule: end * packetMs * samplesPerMs, flags }))
  }
  return Buffer.concat(pages)
}

function toHead(): Buffer {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head.writeUInt8(1, 8)
  head.writeUInt8(1, 9)
  head.writeUInt32LE(48_000, 12)
  return head
}

function toTags(): Buffer {
  const vendor = 'aldaba'
  const tags = Buffer.alloc(16 + vendor.length)
  tags.write('OpusTags')
  tags.writeUInt32LE(vendor.length, 8)
  tags.write(vendor, 12)
  return tags
}

/** `flags`: 2 for the first page, 4 for the last one. Packets are shorter than 255 bytes. */
function toPage(
  packets: Buffer[],
  { sequence, granule, flags }: { sequence: number; granule: number; flags: number },
): Buffer {
  const head = Buffer.alloc(27)
  head.write('OggS')
  head.writeUInt8(flags, 5)
  head.writeBigInt64LE(BigInt(granule), 6)
  head.writeUInt32LE(serial, 14)
  head.writeUInt32LE(sequence, 18)
  head.writeUInt8(packets.length, 26)
  const page = Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets])
  page.writeUInt32LE(toChecksum(page), 22)
  return page
}

/** CRC-32 with the polynomial 04c11db7, not reflected. */
export function toChecksum(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}
