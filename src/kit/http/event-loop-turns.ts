/** Expensive requests that arrive in bursts take turns on the event loop, see createYielder. */
import type { FastifyRequest } from 'fastify'
import { createYielder } from '../yielding.ts'

/** In characters. Parsing fewer takes less than a millisecond. */
const largeBody = 16 * 1024
const largeUrl = 2 * 1024

/** Await before parsing a large input. */
export const yieldForInput = createYielder()
/** Await before sending a reply that holds no slot: a refusal, or a page that needs no key. */
export const yieldForReply = createYielder()

export function isLargeBody(text: string): boolean {
  return text.length > largeBody
}

/** True if the body or the URL is large. A body of unknown length counts as large. */
export function isLarge({ url, headers }: FastifyRequest): boolean {
  const isLong = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > largeBody
  return isLong || url.length > largeUrl
}
