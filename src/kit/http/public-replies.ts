/** Sends the replies and refusals of public routes: pages for people, JSON, and plain text. */
import type { FastifyReply } from 'fastify'
import { isNotModified } from '../etag.ts'
import { Problem } from '../problem.ts'
import type { PublicFile, PublicPage, PublicReplies, PublicRoute } from '../public-route.ts'
import { sendProblem } from './problems.ts'
import { renderErrorPage } from './public-error-page.ts'

/** Keep the token in the URL from leaking: no caching unless a reply has an ETag, no Referer, no search engine. */
export const publicHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
}

type AnyReply = PublicReplies[keyof PublicReplies]

export function sendPublic(route: PublicRoute, content: AnyReply, reply: FastifyReply): FastifyReply {
  if ('redirect' in content) return reply.redirect(content.redirect, 303)
  if ('etag' in content && content.etag !== undefined) {
    reply.headers({ 'Cache-Control': 'private, no-cache', ETag: content.etag, ...content.headers })
    if (isNotModified(reply.request.headers['if-none-match'], content.etag)) return reply.code(304).send()
  }
  if ('bytes' in content) return sendFile(content, reply)
  if ('text' in content)
    return reply
      .code(content.status ?? 200)
      .type('text/plain; charset=utf-8')
      .send(content.text)
  if ('json' in content)
    return reply
      .code(content.status ?? 200)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(content.json))
  return sendPage(route, content, content.status ?? 200, reply)
}

function sendFile({ type, bytes, headers = {} }: PublicFile, reply: FastifyReply): FastifyReply {
  return reply
    .headers({ 'Content-Security-Policy': "default-src 'none'", ...headers })
    .type(type)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Sends an error as a page for pages, and as problem JSON for other routes. */
export function sendPublicProblem(route: PublicRoute, problem: Problem, reply: FastifyReply): FastifyReply {
  if (route.kind !== 'page') return sendProblem(problem, reply)
  const { url, headers } = reply.request
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const body = renderErrorPage(problem, { query, acceptLanguage: headers['accept-language'] })
  return sendPage(route, { type: 'text/html', body }, problem.status, reply.headers(problem.headers))
}

function sendPage(
  { post }: PublicRoute,
  { type, body, headers }: PublicPage,
  status: number,
  reply: FastifyReply,
): FastifyReply {
  const isText = typeof body === 'string'
  const formAction = post ? "'self'" : "'none'"
  const policy = `default-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`
  return reply
    .code(status)
    .headers({ 'Content-Security-Policy': policy, ...headers })
    .type(isText ? `${type}; charset=utf-8` : type)
    .send(isText ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength))
}

/** The same 404 for an unknown token and for an expired or revoked one. */
export const publicNotFound = () => new Problem('NOT_FOUND', 'There is nothing here, or nothing any more.')
