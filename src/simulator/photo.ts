/** Photos of listings: small PNG pictures of a room, drawn from numbers, so that no files are needed. */
import { crc32, deflateSync } from 'node:zlib'
import { createRandom, type Random, randomInteger } from '../domain/random.ts'

const photoWidth = 400
const photoHeight = 300

/** Draws a 400 by 300 PNG, deterministic for the numbers. */
export function drawPhoto(...keys: readonly number[]): Buffer {
  const random = createRandom(...keys, 5)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(photoWidth, 0)
  header.writeUInt32BE(photoHeight, 4)
  // Eight bits per pixel, each an index into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    createChunk('IHDR', header),
    createChunk('PLTE', createPalette(random)),
    createChunk('IDAT', deflateSync(drawRoom(random), { level: 1 })),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Colours: 0 wall, 1 floor, 2 skirting, 3 window frame, 4 sky, 5 furniture, 6 its shade, 7 picture. */
function createPalette(random: Random): Buffer {
  const warm = randomInteger(random, 0, 30)
  const fixed = [235 - warm, 228 - warm, 214 - warm, 160 + warm, 122 + warm, 84, 250, 248, 242, 255, 255, 255]
  const sky = [150 + warm, 195 + warm, 235]
  const furniture = Array.from({ length: 3 }, () => randomInteger(random, 50, 190))
  const picture = Array.from({ length: 3 }, () => randomInteger(random, 60, 230))
  return Buffer.from([...fixed, ...sky, ...furniture, ...furniture.map(value => value - 35), ...picture])
}

/** The scan lines, each preceded by its filter byte 0. */
function drawRoom(random: Random): Buffer {
  const lines = Buffer.alloc((photoWidth + 1) * photoHeight)
  const paint = (colour: number, left: number, top: number, width: number, height: number) => {
    const right = Math.min(left + width, photoWidth)
    const bottom = Math.min(top + height, photoHeight)
    for (let y = top; y < bottom; y++)
      lines.fill(colour, y * (photoWidth + 1) + 1 + left, y * (photoWidth + 1) + 1 + right)
  }
  const horizon = randomInteger(random, 175, 215)
  paint(1, 0, horizon, photoWidth, photoHeight - horizon)
  paint(2, 0, horizon - 8, photoWidth, 8)
  const windowLeft = randomInteger(random, 15, 230)
  const windowTop = randomInteger(random, 20, 55)
  const paneWidth = randomInteger(random, 45, 70)
  const paneHeight = randomInteger(random, 70, 110)
  paint(3, windowLeft, windowTop, paneWidth * 2 + 15, paneHeight + 10)
  paint(4, windowLeft + 5, windowTop + 5, paneWidth, paneHeight)
  paint(4, windowLeft + 10 + paneWidth, windowTop + 5, paneWidth, paneHeight)
  paint(
    7,
    randomInteger(random, 5, 340),
    randomInteger(random, 25, 80),
    randomInteger(random, 25, 55),
    randomInteger(random, 25, 60),
  )
  const seatLeft = randomInteger(random, 20, 190)
  const seatTop = horizon - randomInteger(random, 10, 45)
  const seatWidth = randomInteger(random, 120, 190)
  paint(5, seatLeft, seatTop, seatWidth, 45)
  paint(6, seatLeft, seatTop + 45, seatWidth, randomInteger(random, 20, 32))
  return lines
}

function createChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
