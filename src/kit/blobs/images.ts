/**
 * Makes uploaded images safe and small: decodes them within limits, rotates them upright, removes metadata (such as the
 * GPS position), and resizes them. libvips works on its own threads.
 */
import type { Readable } from 'node:stream'
import type { Metadata, Sharp, SharpOptions, default as sharpModule } from 'sharp'
import { createFairQueue, type Requester, type WaitOptions } from '../fair-queue.ts'
import { Problem } from '../problem.ts'
import { imageDamaged, imageNotSupported, imageTooLarge, tooLarge } from './problems.ts'

/** The largest file, because images are processed in memory. */
export const imageBytesMax = 32_000_000
/** The largest width times height. Decoded, that is up to 256 MB. */
export const imagePixelsMax = 64_000_000
const sideMax = 30_000
const widthsMax = 8
const secondsMax = 20
/** The images processed at once. Each takes one of Node's four pool threads, which files and DNS need too. */
const concurrency = 2

const queue = createFairQueue({
  name: 'images',
  capacity: concurrency,
  waitingMax: { all: 200, tenant: 60, key: 40 },
  waitMaxMs: 20_000,
  retryAfterSeconds: 10,
})

type SharpModule = typeof sharpModule
let loading: Promise<SharpModule> | null = null

/** Loads sharp on first use, because it takes 24 MB of memory. */
async function loadSharp(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp')
  // Allow only these formats of libvips: no SVG, PDF or TIFF, whatever the name of the file.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(name => `VipsForeignLoad${name}Buffer`),
  })
  // One thread per image leaves the others free. The cache would keep personal images in memory.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

const inputOptions: SharpOptions = {
  limitInputPixels: imagePixelsMax,
  // Only the first frame of an animation.
  pages: 1,
  failOn: 'error',
  sequentialRead: true,
}

export interface ImageSizes {
  /** In pixels. A narrower image keeps its width. */
  widths: number[]
  /** JPEG is supported everywhere; WebP is smaller, and keeps transparency. */
  format: 'jpeg' | 'webp'
  /** 1 to 100; default: one that hides the compression. */
  quality?: number
}

export interface Picture {
  bytes: Buffer
  mediaType: 'image/jpeg' | 'image/webp'
  /** In pixels. */
  width: number
  height: number
  /** The size of the original, upright. */
  original: { width: number; height: number }
}

/**
 * Returns the image in each width, in their order. `open` is called once a slot is free. Throws 413 `PAYLOAD_TOO_LARGE`
 * and `IMAGE_TOO_LARGE`, 415 `IMAGE_NOT_SUPPORTED`, 422 `IMAGE_DAMAGED`, the errors of `open` and of `FairQueue.run`.
 */
export function resizeImage(
  requester: Requester,
  open: () => Promise<Readable>,
  { widths, format, quality }: ImageSizes,
  waiting?: WaitOptions,
): Promise<Picture[]> {
  if (widths.length > widthsMax) throw new Error(`${widths.length} widths are more than ${widthsMax}`)
  const work = async () => {
    loading ??= loadSharp()
    const sharp = await loading
    const file = await readFile(await open())
    const original = await checkImage(sharp, file)
    const pictures: Picture[] = []
    for (const width of widths)
      pictures.push({ ...(await resize(sharp, file, { width, format, quality })), original })
    return pictures
  }
  return queue.run(requester, work, waiting)
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

/** Checks the format and the size from the file's header, without decoding. Returns the size of the upright image. */
async function checkImage(sharp: SharpModule, file: Buffer): Promise<Picture['original']> {
  const { format, compression, width, height, autoOrient } = await readMetadata(sharp, file)
  if (format === 'heif' && compression !== 'av1') throw heicNotSupported()
  if (width > sideMax || height > sideMax || width * height > imagePixelsMax)
    throw tooManyPixels({ width, height })
  return { width: autoOrient.width, height: autoOrient.height }
}

async function readMetadata(sharp: SharpModule, file: Buffer): Promise<Metadata> {
  try {
    // `checkImage` checks the pixels itself, so that its message can name the size.
    return await sharp(file, { ...inputOptions, limitInputPixels: false }).metadata()
  } catch (error) {
    const head = file.toString('latin1', 0, 12)
    if (/ftyphe(ic|ix|vc|vx|im|is)$/.test(head)) throw heicNotSupported(error)
    // A file with the first bytes of an image is a damaged one.
    const isImage = /^(\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP)/s.test(head)
    throw isImage ? damaged(error) : notSupported('The file is not a supported image.', error)
  }
}

async function resize(
  sharp: SharpModule,
  file: Buffer,
  { width, format, quality }: { width: number; format: ImageSizes['format']; quality: number | undefined },
): Promise<Omit<Picture, 'original'>> {
  try {
    const resized = sharp(file, inputOptions).autoOrient().resize({ width, withoutEnlargement: true })
    const { data, info } = await encode(resized, format, quality)
      .timeout({ seconds: secondsMax })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, mediaType: `image/${format}`, width: info.width, height: info.height }
  } catch (error) {
    if (/timeout/.test((error as Error).message))
      throw new Problem(
        imageTooLarge,
        `The image takes longer than ${secondsMax} s to process. Send a smaller one.`,
        {
          cause: error,
        },
      )
    throw damaged(error)
  }
}

const encode = (resized: Sharp, format: ImageSizes['format'], quality?: number): Sharp =>
  format === 'webp'
    ? resized.webp({ quality: quality ?? 80 })
    : resized.flatten({ background: 'white' }).jpeg({ quality: quality ?? 82, progressive: true })

const damaged = (cause: unknown) => new Problem(imageDamaged, imageDamaged.example, { cause })

const notSupported = (what: string, cause?: unknown) =>
  new Problem(imageNotSupported, `${what} Send a JPEG, PNG, WebP, GIF or AVIF.`, { cause })

/** HEIC has the same container as AVIF, but a patented codec. */
const heicNotSupported = (cause?: unknown) => notSupported('HEIC is not supported.', cause)

function tooManyPixels({ width, height }: { width: number; height: number }): Problem {
  const format = (count: number) => count.toLocaleString('en')
  return new Problem(
    imageTooLarge,
    `The image is ${format(width)} by ${format(height)} pixels. At most ${format(imagePixelsMax)} pixels are allowed, and ${format(sideMax)} on a side.`,
  )
}
