/** The abort signal of one request: work stops when nobody waits for its reply any more. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/** The reasons of an aborted signal. Neither is logged as an error. */
export const clientDisconnected = new Problem('UNAVAILABLE', 'The client disconnected.')
export const serverStopping = new Problem(
  'UNAVAILABLE',
  'The service is restarting. Try again in a moment.',
  { headers: { 'Retry-After': '2' } },
)

/** Aborted with `clientDisconnected` when the connection closes, even after the reply has been sent. */
export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort(clientDisconnected))
  return disconnected.signal
}

/** Aborted when the connection closes, or when `stopping` is, with its reason. */
export function createRequestSignal({ disconnected }: FastifyRequest, stopping: AbortSignal): AbortSignal {
  return AbortSignal.any([disconnected, stopping])
}
