/**
 * Pictures from outside, made safe and small: decoded within limits, turned upright, without what cameras write into them (the place
 * among it), in the widths that are needed. libvips works on threads of its own.
 */
import type { Readable } from 'node:stream'
import type { Metadata, Sharp, SharpOptions, default as sharpModule } from 'sharp'
import { createFairQueue, type Requester, type WaitOptions } from '../fair-queue.ts'
import { Problem } from '../problem.ts'
import { imageDamaged, imageNotSupported, imageTooLarge, tooLarge } from './problems.ts'

/** Larger files are refused: a picture is held in memory while it is worked on. */
export const imageBytesMax = 32_000_000
/** Width times height. Decoded, that is up to 256 MB. */
export const imagePixelsMax = 64_000_000
const sideMax = 30_000
const widthsMax = 8
const secondsMax = 20
/** Pictures that a process works on at once. Each takes one thread of Node's four, which files and DNS need as well. */
const concurrency = 2

const queue = createFairQueue({
  name: 'images',
  capacity: concurrency,
  waitingMax: { all: 200, tenant: 60, key: 40 },
  waitMaxMs: 20_000,
  retryAfterSeconds: 10,
})

type OpenImage = typeof sharpModule
let opening: Promise<OpenImage> | null = null

/** 24 MB of memory, which a process that works on no pictures need not spend. */
async function loadSharp(): Promise<OpenImage> {
  const { default: sharp } = await import('sharp')
  // Of all that libvips reads nothing but these: no SVG, PDF or TIFF, whatever the file is called.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(name => `VipsForeignLoad${name}Buffer`),
  })
  // A thread for a picture: others are for others. Its cache would keep pictures of people.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

const inputOptions: SharpOptions = {
  limitInputPixels: imagePixelsMax,
  // Of an animation the first frame.
  pages: 1,
  failOn: 'error',
  sequentialRead: true,
}

export interface ImageSizes {
  /** In pixels. A picture that is narrower keeps its width. */
  widths: number[]
  /** JPEG is what everybody reads; WebP is smaller, and keeps transparency. */
  format: 'jpeg' | 'webp'
}

export interface Picture {
  bytes: Buffer
  mediaType: 'image/jpeg' | 'image/webp'
  /** In pixels. */
  width: number
  height: number
}

/**
 * Makes a picture of each width, in their order. `open` is called when its turn has come. Throws 413 `PAYLOAD_TOO_LARGE` and
 * `IMAGE_TOO_LARGE`, 415 `IMAGE_NOT_SUPPORTED`, 422 `IMAGE_DAMAGED`, what `open` throws, and what `FairQueue.run` does.
 */
export function resizeImage(
  who: Requester,
  open: () => Promise<Readable>,
  { widths, format }: ImageSizes,
  waiting?: WaitOptions,
): Promise<Picture[]> {
  if (widths.length > widthsMax) throw new Error(`${widths.length} widths are more than ${widthsMax}`)
  const work = async () => {
    opening ??= loadSharp()
    const sharp = await opening
    const file = await readFile(await open())
    await checkImage(sharp, file)
    const pictures: Picture[] = []
    for (const width of widths) pictures.push(await resize(sharp, file, width, format))
    return pictures
  }
  return queue.run(who, work, waiting)
}

async function readFile(source: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > imageBytesMax) throw tooLarge(imageBytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Looks at the head of the file alone. */
async function checkImage(sharp: OpenImage, file: Buffer): Promise<void> {
  const { format, compression, width, height } = await readMetadata(sharp, file)
  if (format === 'heif' && compression !== 'av1') throw heic()
  if (width > sideMax || height > sideMax || width * height > imagePixelsMax)
    throw tooManyPixels({ width, height })
}

async function readMetadata(sharp: OpenImage, file: Buffer): Promise<Metadata> {
  try {
    // The limit of pixels is checked with the sizes at hand, to say them.
    return await sharp(file, { ...inputOptions, limitInputPixels: false }).metadata()
  } catch (error) {
    const head = file.toString('latin1', 0, 12)
    if (/ftyphe(ic|ix|vc|vx|im|is)$/.test(head)) throw heic(error)
    // Whoever has the first bytes of a picture has a damaged one.
    const looksRight = /^(\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP)/s.test(head)
    throw looksRight ? damaged(error) : notSupported('The file is no image that is read here.', error)
  }
}

async function resize(
  sharp: OpenImage,
  file: Buffer,
  width: number,
  format: ImageSizes['format'],
): Promise<Picture> {
  try {
    const resized = sharp(file, inputOptions).autoOrient().resize({ width, withoutEnlargement: true })
    const { data, info } = await encode(resized, format)
      .timeout({ seconds: secondsMax })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, mediaType: `image/${format}`, width: info.width, height: info.height }
  } catch (error) {
    if (/timeout/.test((error as Error).message))
      throw new Problem(imageTooLarge, `The image takes longer than ${secondsMax} s to read.`, {
        cause: error,
      })
    throw damaged(error)
  }
}

const encode = (resized: Sharp, format: ImageSizes['format']): Sharp =>
  format === 'webp'
    ? resized.webp({ quality: 80 })
    : resized.flatten({ background: 'white' }).jpeg({ quality: 82, progressive: true })

const damaged = (cause: unknown) => new Problem(imageDamaged, imageDamaged.example, { cause })

const notSupported = (what: string, cause?: unknown) =>
  new Problem(imageNotSupported, `${what} Send a JPEG, PNG, WebP, GIF or AVIF.`, { cause })

/** In the same container as AVIF, with a codec that is patented. */
const heic = (cause?: unknown) => notSupported('HEIC is not read here.', cause)

function tooManyPixels({ width, height }: { width: number; height: number }): Problem {
  const format = (count: number) => count.toLocaleString('en')
  return new Problem(
    imageTooLarge,
    `The image is ${format(width)} by ${format(height)} pixels. It may have ${format(imagePixelsMax)} pixels, and ${format(sideMax)} on a side.`,
  )
}
