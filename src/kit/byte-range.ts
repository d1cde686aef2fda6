/** Parts of files on request (RFC 9110, section 14): players fetch them to seek. */
import { Problem, type ProblemType } from './problem.ts'

/** The bytes from `start` to `end`, both inclusive, counted from 0. */
export interface ByteRange {
  start: number
  end: number
}

export const rangeNotSatisfiable: ProblemType = {
  code: 'RANGE_NOT_SATISFIABLE',
  status: 416,
  meaning: 'The file does not have the bytes that the header `Range` requests.',
  action: 'Request bytes within the size in the header `Content-Range`.',
  example: 'The file has 184320 bytes: request bytes from 0 to 184319.',
}

/**
 * Reads the header Range for a file of this size. Returns null for the whole file: without a header, and for those that
 * a server may ignore (other units, several ranges, wrong syntax). Throws 416 RANGE_NOT_SATISFIABLE.
 */
export function parseRange(header: string | null, bytes: number): ByteRange | null {
  const [, first, last] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  // A range that ends before it begins is invalid, and ignored.
  if (first !== '' && last !== '' && Number(last) < start) return null
  if (start > end)
    throw new Problem(
      rangeNotSatisfiable,
      bytes === 0
        ? 'The file is empty.'
        : `The file has ${bytes} bytes: request bytes from 0 to ${bytes - 1}.`,
      { headers: { 'Content-Range': `bytes */${bytes}` } },
    )
  return { start, end }
}
