/** Pages for whoever has their address: a token that nobody guesses is all that opens them, so that it must not leak. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/index.ts'
import { Problem } from '../problem.ts'
import type { PublicPage, PublicRoute } from '../public-route.ts'
import type { RateLimiter } from '../rate-limit.ts'
import { type Admission, admit } from './admission.ts'
import { requestSignal } from './request-signal.ts'

/** Of one page, whoever looks at it: making one is work. */
const requestsPerMinute = 60
/** Nothing that is sent with the page may lead others to it, or keep it. */
const headers = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
}
const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves a route at `url`. A token that opens nothing, or nothing any more, gets one and the same page with 404. */
export function mountPublicRoute(
  app: FastifyInstance,
  url: string,
  route: PublicRoute,
  {
    database,
    limiter,
    admission,
    stopping,
  }: { database: Database; limiter: RateLimiter; admission: Admission; stopping: AbortSignal },
): void {
  // Whose page it is, is not known yet: all who look one up share a few places.
  const looking = { tenantId: 'looking up a page' }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token } = request.params as { token: string }
    const { gone } = request
    const opened = await admission.page.run(looking, () => route.open(database, token), { signal: gone })
    if (!opened) return send(reply, 404, nothing)
    const rate = limiter(`page ${opened.name}`, requestsPerMinute)
    if (!rate.allowed) return send(reply.header('Retry-After', rate.retryAfterSeconds), 429, tooMany)
    const viewer = { tenantId: opened.tenantId, keyId: opened.name }
    const admitted = await admit(admission.page, viewer, request, reply)
    return admitted.during(async () => {
      const isVisit = request.method === 'GET'
      const signal = requestSignal(request, stopping)
      const page = await route.page({ database, opened: { ...opened, signal: gone }, isVisit, signal })
      return page ? send(reply, 200, page) : send(reply, 404, nothing)
    })
  }
  app.get(url, async (request, reply) => {
    reply.headers(headers)
    const refused = await answer(request, reply).catch(busyPage)
    return refused instanceof Problem
      ? send(reply.headers(refused.headers), refused.status, tooMany)
      : refused
  })
}

/** A refusal for want of room, which has a page; everything else is thrown on. */
function busyPage(error: unknown): Problem {
  if (error instanceof Problem && (error.status === 429 || error.status === 503)) return error
  throw error
}

function send(reply: FastifyReply, status: number, { type, body, headers }: PublicPage): FastifyReply {
  const isText = typeof body === 'string'
  return reply
    .code(status)
    .headers({ 'Content-Security-Policy': policy, ...headers })
    .type(isText ? `${type}; charset=utf-8` : type)
    .send(isText ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength))
}

const nothing = plainPage('There is nothing here, or nothing any more. · Aquí no hay nada, o ya no.')
const tooMany = plainPage(
  'Too many at once: try again in a minute. · Demasiadas a la vez: vuelva en un minuto.',
)

function plainPage(text: string): PublicPage {
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Aldaba</title></head>
<body><p>${text}</p></body>
</html>
`
  return { type: 'text/html', body }
}
