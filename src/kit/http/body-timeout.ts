/**
 * Limits how long a client may take to send a body. Node has one limit for all requests, but files need longer than
 * JSON.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { replyToMalformed } from './problems.ts'

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Closes the connection if the body is incomplete after `timeoutMs`, with a 408 if no reply has been sent yet. */
export function limitBodyTime(raw: IncomingMessage, reply: ServerResponse, timeoutMs: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (encoding === undefined && (length === undefined || length === '0')) return
  const timer = setTimeout(() => {
    if (raw.complete || raw.destroyed) return
    if (reply.headersSent) raw.destroy()
    else
      replyToMalformed(Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
  }, timeoutMs).unref()
  deadlines.set(raw, timer)
  raw.once('close', () => clearTimeout(timer))
}

/** Removes the deadline of a body that is received under limits of its own. */
export function clearBodyDeadline(raw: IncomingMessage): void {
  clearTimeout(deadlines.get(raw))
}
