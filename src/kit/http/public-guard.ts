/** Decides who may use a public route and how often, before the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/index.ts'
import type { Log } from '../log.ts'
import { Problem } from '../problem.ts'
import { defaultLimits, type PublicRoute, type TokenResource } from '../public-route.ts'
import { createRateLimiter, type RateDecision } from '../rate-limit.ts'
import { type Admission, type Admitted, admit, rethrowWithoutKey } from './admission.ts'
import { toClientAddress } from './client-address.ts'
import { publicNotFound } from './public-replies.ts'

export type PublicGuard = ReturnType<typeof createPublicGuard>

interface GuardOptions {
  database: Database
  admission: Admission
  log: Log
  trustedProxies?: readonly string[] | undefined
}

/**
 * The tenant of a token is not known before the lookup, so all lookups share the slots of one pseudo tenant. The client
 * address replaces the key.
 */
const tokenLookups = { tenantId: 'looking up a token' }

/**
 * The rate limiters are separate from those of keys, and bounded: a client with many addresses cannot evict the bucket
 * of a key.
 */
export function createPublicGuard({ database, admission, log, trustedProxies = [] }: GuardOptions) {
  const warnAboutProxy = createProxyWarning(log, trustedProxies)
  const addressLimiter = createRateLimiter()
  const missLimiter = createRateLimiter()
  const tokenLimiter = createRateLimiter()

  const findByToken = async (route: PublicRoute, request: FastifyRequest): Promise<TokenResource> => {
    const limits = { ...defaultLimits, ...route.limits }
    warnAboutProxy(request)
    const address = toClientAddress(request.ip)
    const visitor = `${route.path} ${address}`
    throwIfLimited(addressLimiter(visitor, limits.address))
    throwIfLimited(missLimiter(visitor, limits.unknown, undefined, 0))
    const { token } = request.params as { token: string }
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const resource = await getQueue(admission, route)
      .run({ ...tokenLookups, keyId: address }, () => route.findResource(database, token, query), {
        signal: request.disconnected,
      })
      .catch(rethrowWithoutKey)
    if (resource) return resource
    missLimiter(visitor, limits.unknown)
    throw publicNotFound()
  }

  return {
    /**
     * Finds the resource of the token. Throws 404 NOT_FOUND, 403 ORIGIN_NOT_ALLOWED and 429 RATE_LIMITED. A preflight does not count
     * against the token's limit.
     */
    async getResource(
      route: PublicRoute,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<TokenResource> {
      if (route.origins) letRead(request, reply)
      const resource = await findByToken(route, request)
      if (route.origins) checkOrigin(route.origins(resource), request, reply)
      if (request.method !== 'OPTIONS') {
        const { token } = { ...defaultLimits, ...route.limits }
        throwIfLimited(tokenLimiter(resource.name, token))
      }
      return resource
    },
    /** Waits for a slot of the tenant and of the resource. */
    admit(
      route: PublicRoute,
      resource: TokenResource,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<Admitted> {
      const requester = { tenantId: resource.tenantId, keyId: resource.name }
      return admit(getQueue(admission, route), requester, request, reply).catch(rethrowWithoutKey)
    },
  }
}

/** Pages may wait for a PDF, and webhooks come in bursts, so they do not share slots with other public requests. */
const getQueue = (admission: Admission, { kind }: PublicRoute) =>
  kind === 'page' ? admission.page : kind === 'plain' ? admission.inbound : admission.keyless

function throwIfLimited({ allowed, limit, retryAfterSeconds }: RateDecision): void {
  if (allowed) return
  throw new Problem(
    'RATE_LIMITED',
    `At most ${limit} requests a minute are allowed here. Try again in ${retryAfterSeconds} s.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  )
}

/** Warns once: behind a proxy that is not configured, all visitors have one address and share its limits. */
function createProxyWarning(log: Log, trustedProxies: readonly string[]) {
  let shouldWarn = trustedProxies.length === 0
  return ({ headers }: FastifyRequest) => {
    if (!shouldWarn || headers['x-forwarded-for'] === undefined) return
    shouldWarn = false
    log.warn(
      'requests come through a proxy: set TRUSTED_PROXIES, or all visitors share the limits of one address',
    )
  }
}

/** Every page may read that there is nothing: a form that was closed meanwhile says so. */
function letRead({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  reply.header('Vary', 'Origin')
  if (origin !== undefined)
    reply.headers({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'Retry-After' })
}

/** A request without Origin does not come from a page of another site. */
function checkOrigin(
  allowed: readonly string[],
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
): void {
  if (origin === undefined || allowed.includes(origin)) return
  reply.removeHeader('Access-Control-Allow-Origin').removeHeader('Access-Control-Expose-Headers')
  throw new Problem(
    'ORIGIN_NOT_ALLOWED',
    'Pages of this origin may not call this URL. Add the origin to the allowed ones.',
  )
}
