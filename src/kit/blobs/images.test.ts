/** Images: resizing, removal of metadata, and rejected files. */
import { Readable } from 'node:stream'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { newId } from '../id.ts'
import { type ImageSizes, imageBytesMax, resizeImage } from './images.ts'

const requester = { tenantId: newId() }

const resize = (file: Buffer, sizes: Partial<ImageSizes> = {}) =>
  resizeImage(requester, async () => Readable.from([file]), { widths: [200], format: 'jpeg', ...sizes })

/** Red on the left, blue on the right. */
const makePicture = (width: number, height: number) => {
  const half = { width: Math.ceil(width / 2), height, channels: 3 as const, background: 'blue' }
  return sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    { input: { create: half }, left: Math.floor(width / 2), top: 0 },
  ])
}

const findRefusalCode = (file: Buffer) =>
  resize(file).then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  )

/** Returns a PNG that declares this size, but has hardly any data. */
function makeBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(10_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('resizing an image', () => {
  test('returns each width, never wider than the original', async () => {
    const file = await makePicture(1000, 500).png().toBuffer()
    const resized = await resize(file, { widths: [320, 2000, 64] })
    expect(resized.map(({ width, height }) => [width, height])).toEqual([
      [320, 160],
      [1000, 500],
      [64, 32],
    ])
    for (const { bytes, mediaType, width } of resized) {
      expect(mediaType).toBe('image/jpeg')
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width })
    }
  })

  test('rotates it upright, and removes all metadata', async () => {
    const exif = {
      IFD0: { Artist: 'Marta Quintanilla', Copyright: 'Marta' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '41/1 23/1 0/1' },
    }
    const file = await makePicture(400, 200)
      .jpeg()
      .withExif(exif)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Quintanilla</x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(file.includes('Quintanilla')).toBe(true)
    for (const format of ['jpeg', 'webp'] as const) {
      const [resized] = await resize(file, { format })
      expect(resized).toMatchObject({ width: 200, height: 400 })
      expect(resized!.bytes.includes('Quintanilla')).toBe(false)
      const found = await sharp(resized!.bytes).metadata()
      for (const kind of ['exif', 'xmp', 'iptc', 'icc', 'orientation'] as const)
        expect(found[kind]).toBeUndefined()
      // Rotated by 90° clockwise, the left side is at the top.
      const { data } = await sharp(resized!.bytes).raw().toBuffer({ resolveWithObject: true })
      expect(data[0]).toBeGreaterThan(200)
      expect(data[data.length - 1]).toBeGreaterThan(200)
    }
  })

  test('makes transparent areas white in a JPEG, and keeps them in a WebP', async () => {
    const file = await sharp({
      create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const [jpeg] = await resize(file)
    expect([...(await sharp(jpeg!.bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255])
    const [webp] = await resize(file, { format: 'webp' })
    expect((await sharp(webp!.bytes).metadata()).hasAlpha).toBe(true)
  })

  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('reads %s', async format => {
    const [resized] = await resize(await makePicture(300, 300).toFormat(format).toBuffer())
    expect(resized).toMatchObject({ width: 200, height: 200 })
  })

  test('returns the first frame of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(30 * 30 * 3, 255), Buffer.alloc(30 * 30 * 3, 0)])
    const raw = { width: 30, height: 60, channels: 3 as const, pageHeight: 30 }
    const file = await sharp(frames, { raw })
      .gif({ loop: 0, delay: [100, 100] })
      .toBuffer()
    expect((await sharp(file, { animated: true }).metadata()).pages).toBe(2)
    const [resized] = await resize(file)
    expect(resized).toMatchObject({ width: 30, height: 30 })
    expect((await sharp(resized!.bytes).raw().toBuffer())[0]).toBeGreaterThan(250)
  })
})

describe('rejects', () => {
  test('an image that would fill the memory, before decoding it', async () => {
    const file = makeBomb(30_000, 30_000)
    expect(file.length).toBeLessThan(100_000)
    const before = process.memoryUsage.rss()
    expect(await findRefusalCode(file)).toBe('IMAGE_TOO_LARGE')
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
    expect(await findRefusalCode(makeBomb(60_000, 10))).toBe('IMAGE_TOO_LARGE')
  })

  test('a damaged or incomplete file', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const file = await makePicture(800, 800).toFormat(format).toBuffer()
      expect(await findRefusalCode(file.subarray(0, Math.ceil(file.length / 2))), format).toBe(
        'IMAGE_DAMAGED',
      )
      expect(await findRefusalCode(file.subarray(0, 16)), format).toBe('IMAGE_DAMAGED')
    }
    expect(await findRefusalCode(makeBomb(7000, 7000))).toBe('IMAGE_DAMAGED')
  })

  test('SVG, which can load resources and run scripts, and files that are not images', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
    const tiff = await makePicture(30, 30).tiff().toBuffer()
    const files = [svg, `<?xml version="1.0"?>${svg}`, '%PDF-1.7\n', 'P6 1 1 255 abc', '', 'GIF'].map(text =>
      Buffer.from(text),
    )
    for (const file of [...files, tiff])
      expect(await findRefusalCode(file), file.toString('latin1', 0, 20)).toBe('IMAGE_NOT_SUPPORTED')
  })

  test('HEIC, with a message that names it', async () => {
    // The boxes that identify a real HEIC file.
    const file = await makePicture(64, 64).avif().toBuffer()
    const heic = Buffer.from(
      file.toString('latin1').replaceAll('av01', 'hvc1').replace('ftypavif', 'ftypheic'),
      'latin1',
    )
    await expect(resize(heic)).rejects.toMatchObject({
      code: 'IMAGE_NOT_SUPPORTED',
      message: expect.stringContaining('HEIC'),
    })
  })

  test('a file above the size limit', async () => {
    expect(await findRefusalCode(Buffer.alloc(imageBytesMax + 1))).toBe('PAYLOAD_TOO_LARGE')
  })
})

test('the images of several tenants are processed in turn', async () => {
  const file = await makePicture(3000, 2000).jpeg().toBuffer()
  const done: string[] = []
  const work = (tenantId: string) =>
    resizeImage({ tenantId }, async () => Readable.from([file]), { widths: [1600], format: 'webp' }).then(
      () => done.push(tenantId),
    )
  const [one, other] = [newId(), newId()]
  await Promise.all([...Array.from({ length: 8 }, () => work(one)), work(other)])
  expect(done.indexOf(other)).toBeLessThan(4)
})
