/** Ids: UUIDv7, made by the program, so that their order is the order of creation. */
import { randomUUIDv7 } from 'node:crypto'

/** A new UUIDv7 of this millisecond, or of that one, in the canonical lower-case form. */
export function newId(time?: Date): string {
  const id = randomUUIDv7()
  if (!time) return id
  const hex = toHex(time)
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`
}

/** When a UUIDv7 was made (RFC 9562, section 5.7: the first 48 bits are Unix milliseconds). */
export function getIdTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** After every id that was made until then, this millisecond included. */
export function maxIdAt(time: Date): string {
  const hex = toHex(time)
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffffff`
}

/** Before 1970 there are no ids. */
const toHex = (time: Date): string => Math.max(0, time.getTime()).toString(16).padStart(12, '0')
