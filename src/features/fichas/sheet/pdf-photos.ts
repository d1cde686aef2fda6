/** The photos of the PDF: which sizes are printed, and in which rows. */
import type { PdfFile } from '../../../documents/typst.ts'
import { chooseSource } from './photo-html.ts'
import type { Sheet, SheetPhoto } from './sheet.ts'

/** The most photos in a PDF of two pages. */
const photosMax = 16
const rowMax = 4
/** The pixels of a photo over the whole width, and of one in a row: 180 to 200 per inch. */
const coverPx = 1600
const rowPx = 600
const smallPx = 440
/** A PDF is sent by e-mail and messengers. */
const bytesMax = 1_250_000

interface PdfPhoto {
  name: string
  alt: string
  /** Its width divided by its height, without extremes. */
  shape: number
}

export interface PdfPhotos {
  photos: PdfPhoto[]
  /**
   * By the number of photos: their arrangements in rows, as the number of photos in each row. The first ones have the
   * most photos, and the largest.
   */
  plans: Record<string, number[][]>
  files: PdfFile[]
}

export function toPdfPhotos(sheet: Sheet): PdfPhotos {
  const usable = sheet.photos.slice(0, photosMax).flatMap(photo => {
    const sources = photo.sources.flatMap(source => ('bytes' in source ? [source] : []))
    return sources.length > 0 ? [{ photo, sources }] : []
  })
  const choose = (smallestPx: number) =>
    usable.map(
      ({ sources }, at) =>
        chooseSource(sources, at === 0 ? coverPx : at < 4 && smallestPx > smallPx ? rowPx : smallPx)!,
    )
  const large = choose(rowPx)
  const total = large.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const chosen = total <= bytesMax ? large : choose(smallPx)
  return {
    photos: usable.map(({ photo }, at) => ({
      name: `photo-${at}.jpg`,
      alt: photo.alt ?? '',
      shape: toShape(photo),
    })),
    plans: Object.fromEntries(usable.map((_, at) => [at + 1, listPlans(at + 1)])),
    files: chosen.map(({ bytes }, at) => ({ name: `photo-${at}.jpg`, bytes })),
  }
}

function toShape({ widthPx, heightPx }: SheetPhoto): number {
  return Math.min(1.9, Math.max(0.66, widthPx / Math.max(1, heightPx)))
}

/** All arrangements of up to `count` photos in rows of nearly equal length, with at most one photo alone in its row. */
export function listPlans(count: number): number[][] {
  const plans: number[][] = []
  for (let shown = count; shown > 0; shown--)
    for (let rows = shown; rows > 0; rows--) {
      const plan = toRows(shown, rows)
      const isGood = plan.at(-1)! <= rowMax && plan.filter(length => length === 1).length <= 1
      if (isGood) plans.push(plan)
    }
  return plans
}

/** The longer rows come last, because their photos are smaller. */
function toRows(count: number, rows: number): number[] {
  const short = Math.floor(count / rows)
  return Array.from({ length: rows }, (_, at) => (at < rows - (count % rows) ? short : short + 1))
}
