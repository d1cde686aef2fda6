/** Chooses the sizes of the photos in a PDF, and compresses them more until they fit. */
import { Readable } from 'node:stream'
import { resizeImage } from '../../../kit/blobs/images.ts'
import type { Requester } from '../../../kit/fair-queue.ts'
import { chooseSource } from './photo-html.ts'

/** One size of a photo. */
export interface EmbeddedSource {
  widthPx: number
  bytes: Uint8Array
}

/** The number of a photo in the sheet, and its sizes. 0 is the cover. */
export type NumberedPhoto = [number: number, sources: EmbeddedSource[]]

/** The pixels of a photo over the whole width, and of one in a row: 180 to 200 per inch. */
const coverPx = 1600
const rowPx = 600
const smallPx = 440
/** The photos of the first row. */
const largeCount = 4
/** Noise hardly compresses: each step makes smaller files. The last ones have some 10 KB. */
const steps = [
  { quality: 68, scale: 1 },
  { quality: 55, scale: 0.8 },
  { quality: 45, scale: 0.6 },
  { quality: 35, scale: 0.4 },
]
/** The cover may take as many bytes as this many other photos. */
const coverWeight = 4

/** Returns a file for each photo. They have at most `bytesMax` together, unless that is less than some 10 KB per photo. */
export async function fitPhotos(
  photos: NumberedPhoto[],
  bytesMax: number,
  requester: Requester & { signal: AbortSignal },
): Promise<Map<number, Uint8Array>> {
  const choose = (largePx: number) =>
    new Map(
      photos.map(([number, sources]) => [
        number,
        chooseSource(sources, number === 0 ? coverPx : number < largeCount ? largePx : smallPx)!,
      ]),
    )
  const isFitting = (files: Map<number, EmbeddedSource>) => sumBytes(files.values()) <= bytesMax
  const large = choose(rowPx)
  const chosen = isFitting(large) ? large : choose(smallPx)
  let fitting = chosen
  for (const { quality, scale } of steps) {
    if (isFitting(fitting)) break
    const weights = sumWeights(fitting.keys())
    fitting = new Map()
    for (const [number, file] of chosen) {
      const share = (bytesMax * toWeight(number)) / weights
      const widths = [Math.round(file.widthPx * scale)]
      fitting.set(
        number,
        file.bytes.length <= share ? file : await compress(file, { widths, quality }, requester),
      )
    }
  }
  return new Map(Array.from(fitting, ([number, { bytes }]) => [number, bytes]))
}

async function compress(
  { bytes }: EmbeddedSource,
  sizes: { widths: number[]; quality: number },
  { signal, ...requester }: Requester & { signal: AbortSignal },
): Promise<EmbeddedSource> {
  const [picture] = await resizeImage(
    requester,
    async () => Readable.from([bytes]),
    { ...sizes, format: 'jpeg' },
    { signal },
  )
  return { widthPx: picture!.width, bytes: picture!.bytes }
}

function sumBytes(files: Iterable<EmbeddedSource>): number {
  return Array.from(files).reduce((sum, { bytes }) => sum + bytes.length, 0)
}

const toWeight = (number: number) => (number === 0 ? coverWeight : 1)

function sumWeights(numbers: Iterable<number>): number {
  return Array.from(numbers).reduce((sum, number) => sum + toWeight(number), 0)
}
