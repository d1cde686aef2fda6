/** Ids: UUIDv7, made by the program, so that their order is the order of creation. */
import { randomUUIDv7 } from 'node:crypto'

/** A new UUIDv7 of this millisecond, in the canonical lower-case form. */
export function newId(): string {
  return randomUUIDv7()
}

/** When a UUIDv7 was made (RFC 9562, section 5.7: the first 48 bits are Unix milliseconds). */
export function idTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** After every id that was made until now, this millisecond included. */
export function lastId(now = Date.now()): string {
  const hex = now.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7fff-bfff-ffffffffffff`
}
