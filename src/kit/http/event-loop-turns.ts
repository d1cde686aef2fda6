/** Requests that come in crowds take turns, see createYielder. */
import type { FastifyRequest } from 'fastify'
import { createYielder } from '../yielding.ts'

/** Of characters; looking at fewer takes less than a millisecond. */
const largeBody = 16 * 1024
const largeUrl = 2 * 1024

/** To look at an input that is large. */
export const yieldForInput = createYielder()
/** To send what costs nobody a place: a refusal, a page without a key. */
export const yieldForReply = createYielder()

export function isLargeBody(text: string): boolean {
  return text.length > largeBody
}

/** Whether there is much to look at: its body, or its query. */
export function isLarge({ url, headers }: FastifyRequest): boolean {
  const isLong = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > largeBody
  return isLong || url.length > largeUrl
}
