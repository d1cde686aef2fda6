/**
 * Serves routes with Fastify. Checks run in the order of the contract: key, scope, rate limit, input, then the handler.
 */
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify'
import { type AnonymousRoute, toRoute } from '../anonymous-route.ts'
import {
  type Authenticator,
  type Caller,
  createAuthenticator,
  requireScope,
  toUnauthenticated,
} from '../auth.ts'
import { newId } from '../id.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { Problem } from '../problem.ts'
import type { PublicRoute } from '../public-route.ts'
import { createRateLimiter, type RateLimiter, rateHeaders } from '../rate-limit.ts'
import { defaultBodyMaxBytes, type Route } from '../route.ts'
import { listScopes } from '../route-refusals.ts'
import type { SessionOptions } from '../session-caller.ts'
import { admit, createAdmission, toAdmissionKind } from './admission.ts'
import { createAnonymousLimit, mountAnonymousRoute } from './anonymous-routes.ts'
import { limitBodyTime } from './body-timeout.ts'
import { createInputCheck } from './check-input.ts'
import { compressReplies } from './compression.ts'
import { sendDownload } from './download.ts'
import { isLarge, yieldForInput, yieldForReply } from './event-loop-turns.ts'
import { handleRequest, type RequestContext, sendEvents } from './handle-request.ts'
import { acceptOnlyJson } from './json-bodies.ts'
import { invalidCharacters, replyToMalformed, sendProblem, toProblem } from './problems.ts'
import { createPublicGuard } from './public-guard.ts'
import { mountPublicRoute } from './public-routes.ts'
import { recordRequest } from './request-log.ts'
import { clientDisconnected, createDisconnectSignal, serverStopping } from './request-signal.ts'
import { type UploadRule, unsupportedFile } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    startedMs: number
  }
}

export interface HttpServerOptions
  extends Pick<RequestContext, 'database' | 'cipher' | 'inspectReply'>,
    SessionOptions {
  routes: Route[]
  publicRoutes?: PublicRoute[]
  /** Routes for people who are signed in, below `/dashboard/v1`. */
  dashboardRoutes?: Route[]
  anonymousRoutes?: AnonymousRoute[]
  basePaths: string[]
  /** CIDR blocks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies?: string[]
  /** How long a request waits for a slot. Default: 10 s. */
  slotWaitMaxMs?: number | undefined
  log: Log
  metrics: Metrics
}

const bodyMaxMs = 60_000

export const apiPrefix = '/public/v1'
export const dashboardPrefix = '/dashboard/v1'

/** Creates the server. Call `listen` to start it. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: defaultBodyMaxBytes,
    trustProxy: options.trustedProxies?.length ? options.trustedProxies : false,
    genReqId: request => readRequestId(request.headers['x-request-id']) ?? newId(),
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: replyToMalformed,
    // An external id may have 255 characters, each up to nine bytes long when percent-encoded.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2500 },
    // Errors of the router itself bypass the hooks and the error handler.
    frameworkErrors: (error, request, reply) =>
      sendProblem(toProblem(error), reply.header('X-Request-Id', request.id)),
  })
  acceptOnlyJson(app)
  app.decorateRequest('caller', null)
  app.decorateRequest('startedMs', 0)
  app.decorateRequest('disconnected', undefined as never)
  app.decorateRequest('admitted', null)
  app.decorateRequest('tokenResource', null)
  app.decorateRequest('bodyType', '')
  app.decorateRequest('bodyTypeHeader', '')
  app.addHook('onRequest', async (request, reply) => {
    request.startedMs = performance.now()
    request.disconnected = createDisconnectSignal(reply)
    limitBodyTime(request.raw, reply.raw, bodyMaxMs)
    reply.header('X-Request-Id', request.id)
    if (/\?.*%00/.test(request.url)) throw invalidCharacters()
  })
  app.addHook('onResponse', async (request, reply) => recordRequest(options, request, reply))

  const stopping = new AbortController()
  // Ends long polls and streams, for which the server would otherwise wait.
  app.addHook('preClose', async () => stopping.abort(serverStopping))
  // A connection kept alive after a reply during shutdown would delay the shutdown.
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.signal.aborted) reply.header('Connection', 'close')
  })

  const authenticator = createAuthenticator(options.database, options)
  const handleError = (request: FastifyRequest, error: unknown) =>
    resolveProblem(error, request, authenticator, options.log)
  app.setErrorHandler(async (error, request, reply) => {
    return sendProblem(await handleError(request, error), reply)
  })
  app.setNotFoundHandler((request, reply) => {
    sendProblem(
      new Problem('NOT_FOUND', `There is nothing at ${request.method} ${request.url.split('?')[0]}.`),
      reply,
    )
  })

  const admission = createAdmission({ waitMaxMs: options.slotWaitMaxMs })
  const context = {
    ...options,
    authenticator,
    limiter: createRateLimiter(),
    admission,
    guard: createPublicGuard({ ...options, admission }),
    limitAnonymous: createAnonymousLimit(),
    stopping: stopping.signal,
    handleError,
  }
  compressReplies(app)
  app.after(() => {
    for (const basePath of options.basePaths) {
      const api = basePath + apiPrefix
      for (const route of options.routes) {
        if (route.upload) mountUpload(app, route.upload, scope => mountRoute(scope, api, route, context))
        else mountRoute(app, api, route, context)
      }
      rejectOtherMethods(app, api, options.routes)
      mountDashboard(app, basePath + dashboardPrefix, context)
      for (const route of options.publicRoutes ?? [])
        mountPublicRoute(app, basePath + fastifyPath(route.path), route, context)
    }
  })
  return app
}

/** Mounts a route in a scope where bodies of any type are left unparsed, because the route receives the file itself. */
function mountUpload(app: FastifyInstance, rule: UploadRule, mount: (scope: FastifyInstance) => void): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
    // The default message for an invalid Content-Type suggests JSON.
    scope.setErrorHandler((error: Error & { code?: string }) => {
      throw error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? unsupportedFile(rule) : error
    })
    mount(scope)
  })
}

function mountDashboard(
  app: FastifyInstance,
  prefix: string,
  context: RouteContext & Pick<HttpServerOptions, 'dashboardRoutes' | 'anonymousRoutes'>,
): void {
  const { dashboardRoutes = [], anonymousRoutes = [] } = context
  for (const route of dashboardRoutes) mountRoute(app, prefix, route, context, 'authenticatePerson')
  for (const anonymousRoute of anonymousRoutes)
    mountAnonymousRoute(app, prefix + anonymousRoute.path, anonymousRoute, context)
  rejectOtherMethods(app, prefix, [...dashboardRoutes, ...anonymousRoutes.map(toRoute)])
}

type RouteContext = RequestContext & { limiter: RateLimiter } & Parameters<typeof mountAnonymousRoute>[3]

function mountRoute(
  app: FastifyInstance,
  prefix: string,
  route: Route,
  context: RouteContext,
  authenticate: 'authenticate' | 'authenticatePerson' = 'authenticate',
): void {
  const checkInput = createInputCheck(route)

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isLarge(request)) await yieldForInput()
    await checkInput(request, context)
    if ('open' in route) return sendEvents(route, request, reply, context)
    if ('download' in route) return sendDownload(route, request, reply, context)
    const { status, body, headers } = await handleRequest(route, request, reply, context)
    context.inspectReply?.(route, status, body, { isPartial: 'fields' in (request.query as object) })
    reply.code(status).headers(headers ?? {})
    if (status === 204) return reply.send()
    return reply.header('Cache-Control', 'no-store').type('application/json; charset=utf-8').send(body)
  }

  app.route({
    method: route.method,
    url: prefix + fastifyPath(route.path),
    bodyLimit: ('bodyMaxBytes' in route && route.bodyMaxBytes) || defaultBodyMaxBytes,
    async onRequest(request, reply) {
      const caller = await context.authenticator[authenticate](request)
      request.caller = { ...caller, signal: request.disconnected }
      // Counted first, so that every reply to a known key carries the rate headers, including a 403.
      const rate = context.limiter(caller.keyId, caller.requestsPerMinute)
      reply.headers(rateHeaders(rate))
      for (const scope of listScopes(route)) requireScope(caller, scope)
      if (!rate.allowed) {
        throw new Problem(
          'RATE_LIMITED',
          `${caller.userId ? 'You' : 'This key'} may send ${rate.limit} requests a minute. Try again in ${rate.retryAfterSeconds} s.`,
          {
            headers: { 'Retry-After': String(rate.retryAfterSeconds) },
          },
        )
      }
      // Admitted before the body is read, which limits how many bodies are held at once.
      request.admitted = await admit(
        context.admission[toAdmissionKind(route, request)],
        caller,
        request,
        reply,
      )
    },
    handler: (request, reply) => request.admitted!.run(() => answer(request, reply)),
  })
}

/**
 * Returns the problem to send for an error, and logs it if it is a 5xx. A request that failed before its first
 * transaction used a cached key, so the key is confirmed in the database first: a revoked one gets 401 instead.
 */
async function resolveProblem(
  error: unknown,
  request: FastifyRequest,
  authenticator: Authenticator,
  log: Log,
): Promise<Problem> {
  const { caller } = request
  const found = toProblem(error, request.routeOptions.bodyLimit)
  const problem = caller && found.code === 'UNAUTHENTICATED' ? toUnauthenticated(caller) : found
  if (!caller) await yieldForReply()
  if (caller && problem.code === 'UNAUTHENTICATED') authenticator.invalidate(caller)
  if (caller && problem.status < 500 && problem.code !== 'UNAUTHENTICATED') {
    try {
      if (problem.status === 429) {
        await authenticator.confirmRefused(caller)
        await yieldForReply()
      } else await authenticator.confirm(caller)
    } catch (refusal) {
      authenticator.invalidate(caller)
      return toProblem(refusal)
    }
  }
  if (problem.status >= 500 && problem !== clientDisconnected && problem !== serverStopping)
    log.error(
      { err: problem.cause ?? error, requestId: request.id, url: request.routeOptions.url },
      'a request failed',
    )
  return problem
}

function rejectOtherMethods(app: FastifyInstance, prefix: string, routes: Route[]): void {
  const byPath = Map.groupBy(routes, route => route.path)
  for (const [path, known] of byPath) {
    const allowed: HTTPMethods[] = known.map(route => route.method)
    if (allowed.includes('GET')) allowed.push('HEAD')
    app.route({
      method: app.supportedMethods.filter(method => !allowed.includes(method as HTTPMethods)),
      url: prefix + fastifyPath(path),
      onRequest: async request => {
        throw new Problem(
          'METHOD_NOT_ALLOWED',
          `${path} does not accept ${request.method}. It accepts ${allowed.join(', ')}.`,
          {
            headers: { Allow: allowed.join(', ') },
          },
        )
      },
      handler: () => {},
    })
  }
}

function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function readRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : null
}
