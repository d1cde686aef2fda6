/** Copies the photos of a listing, in several widths, so that a sheet outlives the listing. */
import { Readable } from 'node:stream'
import type { FetchPhoto } from '../../crawl/photo-fetcher.ts'
import type { Blobs, HeldBlob } from '../../kit/blobs/blobs.ts'
import { type Picture, resizeImage } from '../../kit/blobs/images.ts'
import type { Tenant } from '../../kit/db/index.ts'
import { RequeueJob } from '../../kit/jobs/job.ts'
import { mapConcurrently } from '../../kit/map-concurrently.ts'
import { photosMax } from './sheet-schemas.ts'

export const photoWidths = [480, 960, 1600]
/** The limit for all photos of a listing together. Later ones are not copied. */
const totalBytesMax = 200_000_000
/** Smaller images are icons and tracking pixels. */
const sideMinPx = 100
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
  fetchPhoto: FetchPhoto
  blobs: Blobs
  /** Aborted when the job must end: photos that have not come by then are left out. */
  deadline: AbortSignal
  /** Aborted when the process stops or the sheet is cancelled. */
  signal: AbortSignal
}

/**
 * Photos in the order of `urls`; `failed`: the number of those that could not be downloaded in time or are damaged.
 * Throws the errors of the store, because a sheet without photos would stay so.
 */
export async function copyPhotos(
  options: PhotoSourceOptions,
): Promise<{ photos: CopiedPhoto[]; failed: number }> {
  const urls = [...new Set(options.urls)].slice(0, photosMax)
  const budget = { bytes: totalBytesMax }
  const copied = await mapConcurrently(urls, concurrency, async sourceUrl => {
    const pictures = await downloadPhoto(sourceUrl, options, budget).catch(() => null)
    if (options.signal.aborted) throw new RequeueJob()
    return pictures && storePhoto(sourceUrl, pictures, options)
  })
  const photos = copied.filter(photo => photo !== null)
  return { photos, failed: copied.length - photos.length }
}

/** The photo in several widths, the narrowest first. */
async function downloadPhoto(
  sourceUrl: string,
  { tenant, fetchPhoto, deadline }: PhotoSourceOptions,
  budget: { bytes: number },
): Promise<Picture[]> {
  deadline.throwIfAborted()
  if (budget.bytes <= 0) throw new Error('the photos are too large together')
  const bytes = await fetchPhoto(sourceUrl)
  budget.bytes -= bytes.length
  const pictures = await resizeImage(
    tenant,
    async () => Readable.from([bytes]),
    { widths: photoWidths, format: 'jpeg' },
    { signal: deadline, waitsForever: true },
  )
  const distinct = pictures.filter(({ width }, index) => width !== pictures[index - 1]?.width)
  const { width, height } = distinct.at(-1)!
  if (Math.min(width, height) < sideMinPx) throw new Error('the image is too small for a photo')
  return distinct
}

async function storePhoto(
  sourceUrl: string,
  pictures: Picture[],
  { tenant, blobs, signal }: PhotoSourceOptions,
): Promise<CopiedPhoto> {
  const { width, height } = pictures.at(-1)!
  const sizes: CopiedPhoto['sizes'] = []
  for (const { bytes, width } of pictures) {
    const blob = await blobs.receive(tenant, Readable.from([bytes]), { bytesMax: bytes.length, signal })
    sizes.push({ widthPx: width, blob })
  }
  return { sourceUrl, widthPx: width, heightPx: height, sizes }
}
