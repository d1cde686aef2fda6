/** The signal of one request: work that waits learns from it that nobody waits for its answer any more. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/** Why a signal was aborted. Neither is a failure that anybody needs to hear of. */
export const clientGone = new Problem('UNAVAILABLE', 'The client went away.')
export const serverStopping = new Problem(
  'UNAVAILABLE',
  'The service is being restarted. Try again in a moment.',
  { headers: { 'Retry-After': '2' } },
)

/** Aborted with `clientGone` when the connection closes, also once the reply has been sent. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(clientGone))
  return gone.signal
}

/** Aborted when the connection closes, and with `stopping`'s own reason. */
export function requestSignal({ gone }: FastifyRequest, stopping: AbortSignal): AbortSignal {
  return AbortSignal.any([gone, stopping])
}
