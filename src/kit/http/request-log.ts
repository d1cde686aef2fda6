/** Writes one log line and records one metric for each request. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'

const isWrite = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'

export function recordRequest(
  { metrics, log }: { metrics: Metrics; log: Log },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const ms = performance.now() - request.startedMs
  const route = request.routeOptions.url ?? 'unknown'
  metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, ms / 1000)
  log.info(
    {
      requestId: request.id,
      ...(request.caller?.userId ? { userId: request.caller.userId } : { keyId: request.caller?.keyId }),
      method: request.method,
      route,
      status: reply.statusCode,
      // Ids in the path show later who changed or deleted what. Only for successful writes, whose path holds nothing
      // else; never for public routes, whose parameters are tokens.
      ...(isWrite(request) && !request.tokenResource && reply.statusCode < 400
        ? { params: request.params }
        : {}),
      ms: Math.round(ms * 10) / 10,
    },
    'request',
  )
}
