/** How many requests a tenant and a key have under way at once: each kind has places of its own. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFairQueue, type FairQueue, type FairQueueOptions, type Who } from '../fair-queue.ts'
import { Problem } from '../problem.ts'
import type { Route } from '../route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborted when the connection closes: nobody waits for the reply any more. */
    gone: AbortSignal
    admitted: Admitted | null
  }
}

/** A request that has its place. */
export interface Admitted {
  /** The place is given back once this has ended and the reply has been sent, or nobody waits for it. */
  during<T>(work: () => Promise<T>): Promise<T>
}

const nobodyWaits = { waitingMax: { all: 0, tenant: 0, key: 0 }, waitMaxMs: 0, retryAfterSeconds: 1 }
const waitMaxMs = 10_000

// The others wait before their body is read: what a crowd has begun, everybody's next step waits behind.
const requestPlaces = {
  places: 64,
  tenantMax: 8,
  keyMax: 6,
  waitingMax: { all: 2000, tenant: 92, key: 58 },
  waitMaxMs,
  retryAfterSeconds: 1,
}

const publicPlaces = {
  places: 64,
  tenantMax: 16,
  keyMax: 8,
  waitingMax: { all: 500, tenant: 60, key: 30 },
  waitMaxMs,
  retryAfterSeconds: 5,
}

const kinds = {
  request: { of: 'requests', ...requestPlaces },
  /** They wait for a portal or for DNS: nobody else of their key waits behind them. */
  outgoing: { of: 'requests to other servers', ...requestPlaces },
  /** Those with `waitSeconds`. */
  wait: { of: 'long polls', places: 1000, tenantMax: 100, keyMax: 50, ...nobodyWaits, retryAfterSeconds: 5 },
  stream: {
    ...{ of: 'event streams', places: 1000, tenantMax: 100, keyMax: 50 },
    ...{ ...nobodyWaits, retryAfterSeconds: 5 },
  },
  download: {
    ...{ of: 'downloads', places: 64, tenantMax: 4, keyMax: 3 },
    ...{ waitingMax: { all: 500, tenant: 44, key: 33 }, waitMaxMs, retryAfterSeconds: 5 },
  },
  // Each file is held on disk for as long as its sender takes.
  upload: { of: 'uploads', places: 32, tenantMax: 4, ...nobodyWaits, retryAfterSeconds: 10 },
  /** Public ones: of a tenant, and of what a token opens. */
  page: { of: 'pages', ...publicPlaces },
  /** Forms of foreign sites, inbound webhooks, and signing in. */
  keyless: { of: 'requests', ...publicPlaces },
} satisfies Record<string, FairQueueOptions>

export type Admission = Record<keyof typeof kinds, FairQueue>

export function createAdmission(): Admission {
  const queues = Object.entries(kinds).map(([kind, options]) => [kind, createFairQueue(options)])
  return Object.fromEntries(queues) as Admission
}

/** Waits for a place, holds it until the request has been answered and its work has ended. Throws as a fair queue does. */
export async function admit(
  queue: FairQueue,
  who: Who,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admitted> {
  const leave = await queue.enter(who, { signal: request.gone })
  let working = 0
  const leaveIfOver = () => {
    if (reply.raw.closed && working === 0) leave()
  }
  reply.raw.once('close', leaveIfOver)
  leaveIfOver()
  return {
    async during(work) {
      working++
      try {
        return await work()
      } finally {
        working--
        leaveIfOver()
      }
    },
  }
}

/** The refusal of a fair queue speaks of keys: to be said to whoever has none. */
export function inPlainWords(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'TOO_MANY_CONCURRENT_REQUESTS') throw error
  const message = 'Too many requests are under way here. Try again in a moment.'
  throw new Problem('TOO_MANY_CONCURRENT_REQUESTS', message, { headers: error.headers })
}

/** Which places a request to this route takes. Its query has not been checked yet. */
export function kindOf(route: Route, { query }: FastifyRequest): keyof Admission {
  if ('open' in route) return 'stream'
  if ('download' in route) return 'download'
  if (route.upload) return 'upload'
  if ('isOutgoing' in route) return 'outgoing'
  const { waitSeconds } = query as { waitSeconds?: string }
  return route.query?.properties.waitSeconds && Number(waitSeconds) > 0 ? 'wait' : 'request'
}
