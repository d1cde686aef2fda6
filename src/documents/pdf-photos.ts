/**
 * Puts JPEG files into a PDF as they are. Typst decodes each image that it embeds, 2 ms for a photo of one row and 10 ms
 * for a cover. So it gets a placeholder of one pixel for each photo, and the file takes the place of it in the PDF.
 */
import { hash } from 'node:crypto'
import { parseJpegFrame } from './jpeg.ts'

/** A JPEG of one coloured pixel, without its first two bytes. */
const pixel = Buffer.from(
  '/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj/8AAEQgAAQABAwERAAIRAQMRAf/EABQAAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAH/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwB2g//Z',
  'base64',
)

/** The placeholders of one PDF. */
export interface Placeholders {
  /** Returns a JPEG whose comment has the number. Scale it in the template to the shape of the photo. */
  create(number: number): Uint8Array
  /** Returns the numbers of the placeholders that the template has used. */
  list(pdf: Uint8Array): number[]
  /**
   * Replaces the placeholders of these numbers. A photo that the template has left out is not in the file. Throws for a
   * PDF that is not of Typst, and for photos that are not JPEG.
   */
  embed(pdf: Uint8Array, photos: Map<number, Uint8Array>): Buffer
}

/**
 * `content`: all texts of the PDF. The comments have its hash, so that none of them can be taken for one. Unlike a random
 * number, it gives the same file for the same content.
 */
export function createPlaceholders(content: string): Placeholders {
  const key = hash('sha256', content)
  const toMark = (number: number) => `placeholder ${key} ${number}.`
  return {
    create(number) {
      const mark = Buffer.from(toMark(number), 'latin1')
      const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, mark.length + 2])
      return Buffer.concat([head, mark, pixel])
    },
    list(pdf) {
      const marks = toBuffer(pdf)
        .toString('latin1')
        .matchAll(new RegExp(`placeholder ${key} (\\d+)\\.`, 'g'))
      return Array.from(marks, ([, number]) => Number(number))
    },
    embed(pdf, photos) {
      const source = toBuffer(pdf)
      const replacements = [...photos]
        .flatMap(([number, photo]) => {
          const place = findImage(source, toMark(number))
          return place
            ? [{ ...place, bytes: toImage(source.toString('latin1', place.start, place.end), photo) }]
            : []
        })
        .sort((one, other) => one.start - other.start)
      return replaceParts(source, replacements)
    },
  }
}

const toBuffer = (pdf: Uint8Array) => Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)

const streamStart = 'stream\n'
const streamEnd = '\nendstream'

/** Returns the place of the dictionary and the stream of a placeholder. */
function findImage(pdf: Buffer, comment: string): { start: number; end: number } | null {
  const mark = pdf.indexOf(comment, 0, 'latin1')
  if (mark < 0) return null
  const start = pdf.lastIndexOf('<<\n', mark, 'latin1')
  const end = pdf.indexOf(streamEnd, mark, 'latin1')
  if (start < 0 || end < 0) throw new Error('A placeholder of the PDF is in no image.')
  return { start, end }
}

function toImage(placeholder: string, photo: Uint8Array): Buffer {
  const frame = parseJpegFrame(photo)
  if (!frame) throw new Error('A photo of the PDF is not a JPEG.')
  const dictionary = placeholder
    .slice(0, placeholder.indexOf(streamStart) + streamStart.length)
    .replace(/\/Length \d+/, `/Length ${photo.length}`)
    .replace(/\/Width \d+/, `/Width ${frame.width}`)
    .replace(/\/Height \d+/, `/Height ${frame.height}`)
  // The colours of the placeholder are those of sRGB.
  const colours =
    frame.components === 1
      ? dictionary.replace(/\/ColorSpace \d+ 0 R/, '/ColorSpace /DeviceGray')
      : dictionary
  return Buffer.concat([Buffer.from(colours, 'latin1'), photo])
}

interface Replacement {
  /** The offsets in the old file. */
  start: number
  end: number
  bytes: Buffer
}

/** Replaces parts of the file and moves the offsets in its table of objects. */
function replaceParts(pdf: Buffer, replacements: Replacement[]): Buffer {
  const [, tableStart] = /startxref\n(\d+)\n%%EOF\s*$/.exec(pdf.toString('latin1', -64)) ?? []
  if (!tableStart) throw new Error('The PDF has no table of objects.')
  const move = (offset: number) =>
    replacements.reduce(
      (sum, { start, end, bytes }) => (offset >= end ? sum + bytes.length - (end - start) : sum),
      offset,
    )
  const table = pdf
    .toString('latin1', Number(tableStart))
    .replace(
      /^(\d{10}) 00000 n/gm,
      (_, offset: string) => `${String(move(Number(offset))).padStart(10, '0')} 00000 n`,
    )
    .replace(/(startxref\n)\d+/, (_, word: string) => word + move(Number(tableStart)))
  const parts: Buffer[] = []
  let at = 0
  for (const { start, end, bytes } of replacements) {
    parts.push(pdf.subarray(at, start), bytes)
    at = end
  }
  return Buffer.concat([...parts, pdf.subarray(at, Number(tableStart)), Buffer.from(table, 'latin1')])
}
