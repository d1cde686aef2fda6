/** Pages for whoever has their address: a token that nobody guesses is all that opens them, so that it must not leak. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/index.ts'
import { Problem } from '../problem.ts'
import type { RateLimiter } from '../rate-limit.ts'
import type { PublicPage, PublicRoute } from '../route.ts'
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
  { database, limiter, stopping }: { database: Database; limiter: RateLimiter; stopping: AbortSignal },
): void {
  app.get(url, async (request: FastifyRequest, reply: FastifyReply) => {
    const { token } = request.params as { token: string }
    reply.headers(headers)
    const opened = await route.open(database, token)
    if (!opened) return send(reply, 404, nothing)
    const rate = limiter(`page ${opened.name}`, requestsPerMinute)
    if (!rate.allowed) return send(reply.header('Retry-After', rate.retryAfterSeconds), 429, tooMany)
    const signal = requestSignal(reply, stopping)
    const page = await route
      .page({ database, opened, isVisit: request.method === 'GET', signal })
      .catch(busyPage)
    if (page instanceof Problem) return send(reply.headers(page.headers), page.status, tooMany)
    return page ? send(reply, 200, page) : send(reply, 404, nothing)
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
