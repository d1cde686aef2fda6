/** Serves public routes, which an unguessable token in the URL opens without an API key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/index.ts'
import { Problem } from '../problem.ts'
import type { PublicRoute, TokenResource } from '../public-route.ts'
import { clearBodyDeadline, limitBodyTime } from './body-timeout.ts'
import { toClientAddress } from './client-address.ts'
import type { PublicGuard } from './public-guard.ts'
import { publicHeaders, publicNotFound, sendPublic, sendPublicProblem } from './public-replies.ts'
import { createRequestSignal } from './request-signal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The resource that the token of a public route gives access to. */
    tokenResource: TokenResource | null
    /** The Content-Type of a public route's body, without parameters and in lower case. */
    bodyType: string
    /** The whole Content-Type. */
    bodyTypeHeader: string
  }
}

export interface PublicContext {
  database: Database
  guard: PublicGuard
  /** Aborted when the server stops. */
  stopping: AbortSignal
  handleError(request: FastifyRequest, error: unknown): Promise<Problem>
}

/** Bodies are small, so a slow sender must not hold a slot for long. */
const bodyMaxMs = 10_000
const preflightSeconds = 600

/** Serves a route at `url`. Unknown, expired and revoked tokens get the same 404. */
export function mountPublicRoute(
  app: FastifyInstance,
  url: string,
  route: PublicRoute,
  context: PublicContext,
): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    scope.setErrorHandler(async (error, request, reply) =>
      sendPublicProblem(route, tooLarge(error, route) ?? (await context.handleError(request, error)), reply),
    )
    if (route.get) mount(scope, url, 'GET', route, context)
    if (route.post) mount(scope, url, 'POST', route, context)
    if (route.origins) mountPreflight(scope, url, route, context)
    rejectOtherMethods(scope, url, route)
  })
}

function mount(
  app: FastifyInstance,
  url: string,
  method: 'GET' | 'POST',
  route: PublicRoute,
  context: PublicContext,
): void {
  app.route({
    method,
    url,
    bodyLimit: route.post?.body.maxBytes ?? 1,
    async onRequest(request, reply) {
      reply.headers(publicHeaders)
      if (method === 'POST') prepareForBody(request, reply)
      request.tokenResource = await context.guard.getResource(route, request, reply)
      request.admitted = await context.guard.admit(route, request.tokenResource, request, reply)
    },
    handler: (request, reply) => request.admitted!.run(() => answer(route, request, reply, context)),
  })
}

/**
 * Shortens the deadline of the body, and hides its Content-Type from Fastify, which would refuse an invalid one. The
 * route's body reader checks the type instead.
 */
function prepareForBody(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  clearBodyDeadline(raw)
  limitBodyTime(raw, reply.raw, bodyMaxMs)
  request.bodyTypeHeader = raw.headers['content-type'] ?? ''
  request.bodyType = request.bodyTypeHeader.split(';')[0]!.trim().toLowerCase()
  raw.headers['content-type'] = 'application/octet-stream'
}

async function answer(
  route: PublicRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  { database, stopping }: PublicContext,
): Promise<FastifyReply> {
  const { token: _, ...params } = request.params as Record<string, string>
  const input = {
    database,
    params,
    resource: { ...request.tokenResource!, signal: request.disconnected },
    query: new URLSearchParams(request.url.split('?')[1] ?? ''),
    headers: request.headers,
    address: toClientAddress(request.ip),
    signal: createRequestSignal(request, stopping),
  }
  const content =
    request.method === 'POST'
      ? await route.post!.handle({ ...input, body: await readBody(route, request) })
      : await route.get!({ ...input, isVisit: request.method === 'GET' })
  if (!content) throw publicNotFound()
  return sendPublic(route, content, reply)
}

function readBody(route: PublicRoute, request: FastifyRequest): unknown {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return route.post!.body.read(bytes, request.bodyType, request.bodyTypeHeader)
}

/** Answers the CORS preflight of browsers. */
function mountPreflight(
  app: FastifyInstance,
  url: string,
  route: PublicRoute,
  { guard }: PublicContext,
): void {
  app.route({
    method: 'OPTIONS',
    url,
    async onRequest(request, reply) {
      reply.headers(publicHeaders)
      await guard.getResource(route, request, reply)
    },
    handler: (_request, reply) =>
      reply
        .headers({
          'Access-Control-Allow-Methods': listMethods(route).join(', '),
          'Access-Control-Allow-Headers': 'Content-Type',
          'Access-Control-Max-Age': preflightSeconds,
        })
        .code(204)
        .send(),
  })
}

function rejectOtherMethods(app: FastifyInstance, url: string, route: PublicRoute): void {
  const allowed = listMethods(route)
  const accepted = [...allowed, ...(route.get ? ['HEAD'] : [])]
  app.route({
    method: app.supportedMethods.filter(method => !accepted.includes(method)) as 'GET'[],
    url,
    async onRequest(request, reply) {
      reply.headers(publicHeaders)
      throw new Problem('METHOD_NOT_ALLOWED', `This URL does not accept ${request.method}.`, {
        headers: { Allow: accepted.join(', ') },
      })
    },
    handler: () => {},
  })
}

function listMethods({ get, post, origins }: PublicRoute): string[] {
  return [...(get ? ['GET'] : []), ...(post ? ['POST'] : []), ...(origins ? ['OPTIONS'] : [])]
}

function tooLarge(error: unknown, { post }: PublicRoute): Problem | null {
  if ((error as { code?: string }).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return null
  return new Problem('PAYLOAD_TOO_LARGE', `The body is larger than ${post!.body.maxBytes} bytes.`)
}
