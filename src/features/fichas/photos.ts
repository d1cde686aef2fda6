/** Copies the photos of a listing, in several widths, so that a sheet outlives the listing. */
import { Readable } from 'node:stream'
import type { Blobs, HeldBlob } from '../../kit/blobs/blobs.ts'
import { resizeImage } from '../../kit/blobs/images.ts'
import type { Tenant } from '../../kit/db/index.ts'
import type { HttpClient } from '../../kit/http/client.ts'

export const photoWidths = [480, 960, 1600]
const photosMax = 40
const photoBytesMax = 15_000_000
/** Of all photos of a listing. Later ones are not copied. */
const totalBytesMax = 200_000_000
/** Smaller images are icons and tracking pixels. */
const sideMinPx = 100
const timeoutMs = 20_000
/** Photos that are downloaded at once. */
const concurrency = 4

export interface CopiedPhoto {
  sourceUrl: string
  /** The size of the largest blob. */
  widthPx: number
  heightPx: number
  /** The narrowest first, without repeated widths. */
  sizes: { widthPx: number; blob: HeldBlob }[]
}

export interface PhotoSourceOptions {
  urls: string[]
  tenant: Tenant
  /** The origin of the portal, which the operator chose. */
  baseUrl: string
  /** For the portal's origin. */
  portalHttp: HttpClient
  /** For all other origins: refuses private addresses. */
  guardedHttp: HttpClient
  blobs: Blobs
  signal: AbortSignal
}

/** Photos in the order of `urls`; `failed`: the number of those that could not be copied. */
export async function copyPhotos(
  options: PhotoSourceOptions,
): Promise<{ photos: CopiedPhoto[]; failed: number }> {
  const urls = [...new Set(options.urls)].slice(0, photosMax)
  const copied: (CopiedPhoto | null)[] = urls.map(() => null)
  const budget = { bytes: totalBytesMax }
  let next = 0
  const work = async () => {
    for (let index = next++; index < copied.length; index = next++) {
      copied[index] = await copyPhoto(urls[index]!, options, budget).catch(error => {
        if (options.signal.aborted) throw error
        return null
      })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const photos = copied.filter(photo => photo !== null)
  return { photos, failed: copied.length - photos.length }
}

async function copyPhoto(
  sourceUrl: string,
  options: PhotoSourceOptions,
  budget: { bytes: number },
): Promise<CopiedPhoto> {
  if (budget.bytes <= 0) throw new Error('the photos are too large together')
  const { tenant, baseUrl, portalHttp, guardedHttp, blobs, signal } = options
  const isPortal = URL.parse(sourceUrl)?.origin === new URL(baseUrl).origin
  const reply = await (isPortal ? portalHttp : guardedHttp).fetch(sourceUrl, {
    headers: { accept: 'image/avif,image/webp,image/jpeg,image/png' },
    timeoutMs,
    bodyMaxBytes: photoBytesMax,
    signal,
  })
  if (reply.status !== 200) throw new Error(`the photo was answered with ${reply.status}`)
  budget.bytes -= reply.body.length
  const pictures = await resizeImage(
    tenant,
    async () => Readable.from([reply.body]),
    { widths: photoWidths, format: 'jpeg' },
    { signal, waitsForever: true },
  )
  const distinct = pictures.filter(({ width }, index) => width !== pictures[index - 1]?.width)
  const { width, height } = distinct.at(-1)!
  if (Math.min(width, height) < sideMinPx) throw new Error('the image is too small for a photo')
  const sizes: CopiedPhoto['sizes'] = []
  for (const { bytes, width } of distinct) {
    const blob = await blobs.receive(tenant, Readable.from([bytes]), { bytesMax: photoBytesMax, signal })
    sizes.push({ widthPx: width, blob })
  }
  return { sourceUrl, widthPx: width, heightPx: height, sizes }
}
