/** Ids are UUIDv7, created by the program, so that their order is the order of creation. */
import { randomUUIDv7 } from 'node:crypto'

/** Returns a new UUIDv7 in canonical lower case, with the timestamp `time` (default: now). */
export function newId(time?: Date): string {
  const id = randomUUIDv7()
  if (!time) return id
  const hex = toHex(time)
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`
}

/** Returns the timestamp of a UUIDv7 (RFC 9562, section 5.7: the first 48 bits are Unix milliseconds). */
export function getIdTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** Returns an id that sorts after all ids of this millisecond and before all later ones. */
export function maxIdAt(time: Date): string {
  const hex = toHex(time)
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffffff`
}

/** Times before 1970 count as 1970. */
const toHex = (time: Date): string => Math.max(0, time.getTime()).toString(16).padStart(12, '0')
