/** Serves requests of people who are not signed in: signing in, and setting a password with a token. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnonymousRoute, toRoute } from '../anonymous-route.ts'
import type { Database } from '../db/index.ts'
import { Problem } from '../problem.ts'
import { createRateLimiter } from '../rate-limit.ts'
import type { JsonRoute } from '../route.ts'
import { requireSameOrigin } from '../session-caller.ts'
import { admit, rethrowWithoutKey } from './admission.ts'
import { createInputCheck } from './check-input.ts'
import { toClientAddress } from './client-address.ts'
import type { RequestContext } from './handle-request.ts'

/** Per client address, for all anonymous routes together: an office of thirty people may sign in at the same time. */
const requestsPerMinute = 30

/** The tenant is not known yet, so all share the slots of one pseudo tenant. The client address replaces the key. */
const anonymousTenant = { tenantId: 'anonymous' }

export interface AnonymousContext extends RequestContext {
  database: Database
  publicUrl: string
}

/** Returns a function that throws 429 RATE_LIMITED for a client address that has sent too many requests. */
export function createAnonymousLimit(): (address: string) => void {
  const limiter = createRateLimiter()
  return address => {
    const { allowed, retryAfterSeconds } = limiter(address, requestsPerMinute)
    if (allowed) return
    throw new Problem('RATE_LIMITED', `Too many attempts. Try again in ${retryAfterSeconds} s.`, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    })
  }
}

/**
 * Serves an anonymous route at `url`. Before the body is read, a request is refused with 429 RATE_LIMITED, or with 403
 * ORIGIN_NOT_ALLOWED if it comes from another site.
 */
export function mountAnonymousRoute(
  app: FastifyInstance,
  url: string,
  anonymousRoute: AnonymousRoute,
  context: AnonymousContext & { limitAnonymous: (address: string) => void },
): void {
  const route = toRoute(anonymousRoute)
  const checkInput = createInputCheck(route)
  app.route({
    method: 'POST',
    url,
    bodyLimit: 16 * 1024,
    async onRequest(request) {
      context.limitAnonymous(toClientAddress(request.ip))
      requireSameOrigin(request.headers, context.publicUrl)
    },
    async handler(request, reply) {
      await checkInput(request, context)
      // Admitted only now: a body that arrives slowly holds no slot.
      const requester = { ...anonymousTenant, keyId: toClientAddress(request.ip) }
      const { run } = await admit(context.admission.keyless, requester, request, reply).catch(
        rethrowWithoutKey,
      )
      return run(() => answer(anonymousRoute, route, request, reply, context))
    },
  })
}

async function answer(
  anonymousRoute: AnonymousRoute,
  route: JsonRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  { database, inspectReply }: AnonymousContext,
): Promise<FastifyReply> {
  const { reply: body, headers } = await anonymousRoute.handle({
    body: request.body,
    database,
    address: toClientAddress(request.ip),
    disconnected: request.disconnected,
  })
  reply.code(anonymousRoute.status).headers({ 'Cache-Control': 'no-store', ...headers })
  if (anonymousRoute.status === 204) return reply.send()
  const text = JSON.stringify(body)
  inspectReply?.(route, anonymousRoute.status, text)
  return reply.type('application/json; charset=utf-8').send(text)
}
