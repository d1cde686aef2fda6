/** Serves what people send before they are signed in. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/index.ts'
import { type Entrance, toRoute } from '../entrance.ts'
import { Problem } from '../problem.ts'
import { createRateLimiter } from '../rate-limit.ts'
import type { JsonRoute } from '../route.ts'
import { requireSameOrigin } from '../session-caller.ts'
import { admit, inPlainWords } from './admission.ts'
import { createInputCheck } from './check-input.ts'
import { clientAddressOf } from './client-address.ts'
import type { Work } from './work.ts'

/** Of one client address, all entrances together: an office of thirty people may sign in at the same time. */
const requestsPerMinute = 30

/** Nobody knows yet whose they are: all share the places of one tenant, in turn by their addresses. */
const strangers = { tenantId: 'entrances' }

export interface EntranceServing extends Work {
  database: Database
  publicUrl: string
}

/** `limit` throws 429 for a client address that has sent too many. */
export function createEntranceLimit(): (address: string) => void {
  const limiter = createRateLimiter()
  return address => {
    const { allowed, retryAfterSeconds } = limiter(address, requestsPerMinute)
    if (allowed) return
    throw new Problem('RATE_LIMITED', `Too many attempts. Try again in ${retryAfterSeconds} s.`, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    })
  }
}

export function mountEntrance(
  app: FastifyInstance,
  url: string,
  entrance: Entrance,
  serve: EntranceServing & { limitEntrance: (address: string) => void },
): void {
  const route = toRoute(entrance)
  const checkInput = createInputCheck(route)
  app.route({
    method: 'POST',
    url,
    bodyLimit: 16 * 1024,
    async onRequest(request) {
      serve.limitEntrance(clientAddressOf(request.ip))
      requireSameOrigin(request.headers, serve.publicUrl)
    },
    async handler(request, reply) {
      await checkInput(request, serve)
      // Only now: a body may trickle in, and nobody waits behind it.
      const who = { ...strangers, keyId: clientAddressOf(request.ip) }
      const { during } = await admit(serve.admission.keyless, who, request, reply).catch(inPlainWords)
      return during(() => answer(entrance, route, request, reply, serve))
    },
  })
}

async function answer(
  entrance: Entrance,
  route: JsonRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  { database, inspectReply }: EntranceServing,
): Promise<FastifyReply> {
  const { reply: body, headers } = await entrance.enter({
    body: request.body,
    database,
    address: clientAddressOf(request.ip),
    gone: request.gone,
  })
  reply.code(entrance.status).headers({ 'Cache-Control': 'no-store', ...headers })
  if (entrance.status === 204) return reply.send()
  const text = JSON.stringify(body)
  inspectReply?.(route, entrance.status, text)
  return reply.type('application/json; charset=utf-8').send(text)
}
