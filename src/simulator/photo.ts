// Photos of adverts: small valid PNG pictures of a room, drawn from numbers, so that no file need be kept.
import { crc32, deflateSync } from 'node:zlib'
import { between, type Random, randomOf } from '../domain/random.ts'

const WIDTH = 400
const HEIGHT = 300

/** The bytes of a 400 by 300 PNG: the same for the same numbers. */
export function drawPhoto(...keys: readonly number[]): Buffer {
  const random = randomOf(...keys, 5)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // Eight bits per pixel, each an index into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', palette(random)),
    chunk('IDAT', deflateSync(room(random), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Colours: 0 wall, 1 floor, 2 skirting, 3 window frame, 4 sky, 5 furniture, 6 its shade, 7 picture. */
function palette(random: Random): Buffer {
  const warm = between(random, 0, 30)
  const fixed = [235 - warm, 228 - warm, 214 - warm, 160 + warm, 122 + warm, 84, 250, 248, 242, 255, 255, 255]
  const sky = [150 + warm, 195 + warm, 235]
  const furniture = Array.from({ length: 3 }, () => between(random, 50, 190))
  const picture = Array.from({ length: 3 }, () => between(random, 60, 230))
  return Buffer.from([...fixed, ...sky, ...furniture, ...furniture.map(value => value - 35), ...picture])
}

/** The scan lines, each behind its filter byte 0. */
function room(random: Random): Buffer {
  const lines = Buffer.alloc((WIDTH + 1) * HEIGHT)
  const paint = (colour: number, left: number, top: number, width: number, height: number) => {
    const right = Math.min(left + width, WIDTH)
    const bottom = Math.min(top + height, HEIGHT)
    for (let y = top; y < bottom; y++)
      lines.fill(colour, y * (WIDTH + 1) + 1 + left, y * (WIDTH + 1) + 1 + right)
  }
  const horizon = between(random, 175, 215)
  paint(1, 0, horizon, WIDTH, HEIGHT - horizon)
  paint(2, 0, horizon - 8, WIDTH, 8)
  const windowLeft = between(random, 15, 230)
  const windowTop = between(random, 20, 55)
  const paneWidth = between(random, 45, 70)
  const paneHeight = between(random, 70, 110)
  paint(3, windowLeft, windowTop, paneWidth * 2 + 15, paneHeight + 10)
  paint(4, windowLeft + 5, windowTop + 5, paneWidth, paneHeight)
  paint(4, windowLeft + 10 + paneWidth, windowTop + 5, paneWidth, paneHeight)
  paint(7, between(random, 5, 340), between(random, 25, 80), between(random, 25, 55), between(random, 25, 60))
  const seatLeft = between(random, 20, 190)
  const seatTop = horizon - between(random, 10, 45)
  const seatWidth = between(random, 120, 190)
  paint(5, seatLeft, seatTop, seatWidth, 45)
  paint(6, seatLeft, seatTop + 45, seatWidth, between(random, 20, 32))
  return lines
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
