/** The signal of one request: work that waits learns from it that nobody waits for its answer any more. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/** Why a signal was aborted. Neither is a failure that anybody needs to hear of. */
export const clientDisconnected = new Problem('UNAVAILABLE', 'The client went away.')
export const serverStopping = new Problem(
  'UNAVAILABLE',
  'The service is being restarted. Try again in a moment.',
  { headers: { 'Retry-After': '2' } },
)

/** Aborted with `clientDisconnected` when the connection closes, also once the reply has been sent. */
export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort(clientDisconnected))
  return disconnected.signal
}

/** Aborted when the connection closes, and with `stopping`'s own reason. */
export function requestSignal({ disconnected }: FastifyRequest, stopping: AbortSignal): AbortSignal {
  return AbortSignal.any([disconnected, stopping])
}
