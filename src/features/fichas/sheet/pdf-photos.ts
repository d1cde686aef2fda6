/** The photos of the PDF, and the rows in which the template may arrange them. */
import type { NumberedPhoto } from './fit-photos.ts'
import { getSheetWords } from './languages.ts'
import type { Sheet, SheetPhoto } from './sheet.ts'

/** The most photos in a PDF of two pages. */
const photosMax = 16
const rowMax = 4

interface PdfPhoto {
  name: string
  alt: string
  /** Its width divided by its height. */
  ratio: number
  /** The ratio without extremes. */
  shape: number
}

export interface PdfPhotos {
  photos: PdfPhoto[]
  /**
   * By the number of photos: their arrangements in rows, as the number of photos in each row. The first ones have the
   * most photos, and the largest.
   */
  plans: Record<string, number[][]>
  /** By number. */
  numbered: NumberedPhoto[]
}

export function toPdfPhotos(sheet: Sheet): PdfPhotos {
  const usable = sheet.photos.slice(0, photosMax).flatMap(photo => {
    const sources = photo.sources.flatMap(source => ('bytes' in source ? [source] : []))
    return sources.length > 0 ? [{ photo, sources }] : []
  })
  const words = getSheetWords(sheet.language)
  return {
    photos: usable.map(({ photo }, number) => ({
      name: `photo-${number}.jpg`,
      alt: photo.alt ?? words.photo(String(number + 1), String(sheet.photos.length)),
      ratio: toRatio(photo),
      shape: Math.min(1.9, Math.max(0.66, toRatio(photo))),
    })),
    plans: Object.fromEntries(usable.map((_, at) => [at + 1, listPlans(at + 1)])),
    numbered: usable.map(({ sources }, number) => [number, sources]),
  }
}

function toRatio({ widthPx, heightPx }: SheetPhoto): number {
  return Math.max(1, widthPx) / Math.max(1, heightPx)
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
