/** Who may use a public route, and how often: all that is decided before a body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/index.ts'
import type { Log } from '../log.ts'
import { Problem } from '../problem.ts'
import { defaultLimits, type Opened, type PublicRoute } from '../public-route.ts'
import { createRateLimiter, type RateDecision } from '../rate-limit.ts'
import { type Admission, type Admitted, admit, toAnonymousRefusal } from './admission.ts'
import { toClientAddress } from './client-address.ts'
import { publicNotFound } from './public-replies.ts'

export type PublicGuard = ReturnType<typeof createPublicGuard>

interface GuardOptions {
  database: Database
  admission: Admission
  log: Log
  trustedProxies?: readonly string[] | undefined
}

/** Whose token it is, is not known yet: all who look one up share a few places, in turn by their addresses. */
const tokenLookups = { tenantId: 'looking up a token' }

/** Its buckets are apart from those of keys, and bounded: whoever has many addresses makes no key's bucket forgotten. */
export function createPublicGuard({ database, admission, log, trustedProxies = [] }: GuardOptions) {
  const warnAboutProxy = createProxyWarning(log, trustedProxies)
  const addresses = createRateLimiter()
  const misses = createRateLimiter()
  const tokens = createRateLimiter()

  const lookUp = async (route: PublicRoute, request: FastifyRequest): Promise<Opened> => {
    const limits = { ...defaultLimits, ...route.limits }
    warnAboutProxy(request)
    const address = toClientAddress(request.ip)
    const visitor = `${route.path} ${address}`
    throwIfLimited(addresses(visitor, limits.address))
    throwIfLimited(misses(visitor, limits.unknown, undefined, 0))
    const { token } = request.params as { token: string }
    const opened = await getQueue(admission, route)
      .run({ ...tokenLookups, keyId: address }, () => route.open(database, token), {
        signal: request.disconnected,
      })
      .catch(toAnonymousRefusal)
    if (opened) return opened
    misses(visitor, limits.unknown)
    throw publicNotFound()
  }

  return {
    /** Throws 404, 403 and 429. A preflight is not counted as a use of the token. */
    async open(route: PublicRoute, request: FastifyRequest, reply: FastifyReply): Promise<Opened> {
      const opened = await lookUp(route, request)
      if (route.origins) checkOrigin(route.origins(opened), request, reply)
      if (request.method !== 'OPTIONS') {
        const { token } = { ...defaultLimits, ...route.limits }
        throwIfLimited(tokens(opened.name, token))
      }
      return opened
    },
    /** A place among those of the tenant, and of what was opened. */
    admit(
      route: PublicRoute,
      opened: Opened,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<Admitted> {
      const who = { tenantId: opened.tenantId, keyId: opened.name }
      return admit(getQueue(admission, route), who, request, reply).catch(toAnonymousRefusal)
    },
  }
}

/** Pages may wait for a PDF: nobody else waits behind them. */
const getQueue = (admission: Admission, { kind }: PublicRoute) =>
  kind === 'page' ? admission.page : admission.keyless

function throwIfLimited({ allowed, limit, retryAfterSeconds }: RateDecision): void {
  if (allowed) return
  throw new Problem(
    'RATE_LIMITED',
    `At most ${limit} requests a minute are allowed here. Try again in ${retryAfterSeconds} s.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  )
}

/** Once: behind a proxy that is not configured all visitors have one address, and share its limits. */
function createProxyWarning(log: Log, trustedProxies: readonly string[]) {
  let isDue = trustedProxies.length === 0
  return ({ headers }: FastifyRequest) => {
    if (!isDue || headers['x-forwarded-for'] === undefined) return
    isDue = false
    log.warn(
      'requests come through a proxy: set TRUSTED_PROXIES, or its limits hold for all visitors together',
    )
  }
}

/** Without an Origin it is no page of another site that calls. From here on the page may read refusals too. */
function checkOrigin(allowed: readonly string[], { headers }: FastifyRequest, reply: FastifyReply): void {
  reply.header('Vary', 'Origin')
  const { origin } = headers
  if (origin === undefined) return
  if (!allowed.includes(origin))
    throw new Problem('ORIGIN_NOT_ALLOWED', 'Pages of this origin may not call this address.')
  reply.headers({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'Retry-After' })
}
