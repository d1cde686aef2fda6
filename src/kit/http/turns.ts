/**
 * What comes in crowds takes turns: one in each turn of the event loop, and whatever else has come in meanwhile is worked on in
 * between. A hundred at once would otherwise keep everybody waiting for as long as all of them take.
 */
import type { FastifyRequest } from 'fastify'

/** Of characters; looking at fewer takes less than a millisecond. */
const largeBody = 16 * 1024
const largeUrl = 2 * 1024

/** Waits until nobody else of its kind has had this turn of the event loop. */
export type NextTurn = () => Promise<void>

export function createTurns(): NextTurn {
  const waiting: (() => void)[] = []
  let isTaken = false
  const pass = () => {
    const next = waiting.shift()
    if (next) {
      next()
      setImmediate(pass)
    } else isTaken = false
  }
  return () => {
    if (isTaken) return new Promise(resolve => waiting.push(resolve))
    isTaken = true
    setImmediate(pass)
    return Promise.resolve()
  }
}

/** To look at an input that is large. */
export const nextInput = createTurns()
/** To send what costs nobody a place: a refusal, a page without a key. */
export const nextReply = createTurns()

export function isLargeBody(text: string): boolean {
  return text.length > largeBody
}

/** Whether there is much to look at: its body, or its query. */
export function isLarge({ url, headers }: FastifyRequest): boolean {
  const isLong = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > largeBody
  return isLong || url.length > largeUrl
}
