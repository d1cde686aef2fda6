/** Limits how many requests a tenant and a key have under way at once. Each kind of request has slots of its own. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFairQueue, type FairQueue, type FairQueueOptions, type Requester } from '../fair-queue.ts'
import { Problem } from '../problem.ts'
import type { Route } from '../route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborted when the connection closes: nobody waits for the reply any more. */
    disconnected: AbortSignal
    admitted: Admitted | null
  }
}

/** A request that holds a slot. */
export interface Admitted {
  /** Runs the work of the request. The slot is released when the work has ended and the connection has closed. */
  run<T>(work: () => Promise<T>): Promise<T>
}

const noWaiting = { waitingMax: { all: 0, tenant: 0, key: 0 }, retryAfterSeconds: 1 }

// Requests above the capacity wait before their body is read. Otherwise a burst of started requests would delay every
// other request's next step.
const requestLimits = {
  capacity: 64,
  tenantMax: 8,
  keyMax: 6,
  waitingMax: { all: 2000, tenant: 92, key: 58 },
  retryAfterSeconds: 1,
}

const publicLimits = {
  capacity: 64,
  tenantMax: 16,
  keyMax: 8,
  waitingMax: { all: 500, tenant: 60, key: 30 },
  retryAfterSeconds: 5,
}

const kinds = {
  request: { name: 'requests', ...requestLimits },
  /** Requests that wait for a portal or for DNS. Their own slots keep them from delaying other requests of the key. */
  outgoing: { name: 'requests to other servers', ...requestLimits },
  /** Short requests that many people cause at the same moment, and that share their work. */
  burst: {
    name: 'requests',
    capacity: 64,
    // Twice as many as of others, because one read serves all that run.
    tenantMax: 16,
    keyMax: 16,
    waitingMax: { all: 4000, tenant: 1500, key: 1500 },
    // The answer comes for all nearly at once; another attempt of each would only add to the burst.
    waitMaxMs: 60_000,
    retryAfterSeconds: 1,
  },
  /** Requests with `waitSeconds`. */
  wait: {
    name: 'long polls',
    capacity: 1000,
    tenantMax: 100,
    keyMax: 50,
    ...noWaiting,
    retryAfterSeconds: 5,
  },
  stream: {
    name: 'event streams',
    capacity: 1000,
    tenantMax: 100,
    keyMax: 50,
    ...noWaiting,
    retryAfterSeconds: 5,
  },
  download: {
    name: 'downloads',
    capacity: 64,
    tenantMax: 4,
    keyMax: 3,
    waitingMax: { all: 500, tenant: 44, key: 33 },
    retryAfterSeconds: 5,
  },
  /** Each file takes space on disk until its upload ends. */
  upload: { name: 'uploads', capacity: 32, tenantMax: 4, ...noWaiting, retryAfterSeconds: 10 },
  /** Public pages, counted by tenant and by the resource that the token opens. */
  page: { name: 'pages', ...publicLimits },
  /** Forms on other sites, and sign-in requests. */
  keyless: { name: 'requests', ...publicLimits },
  /** Inbound webhooks: a provider sends what has collected all at once. Their bodies are read when they have a slot. */
  inbound: {
    name: 'requests',
    ...publicLimits,
    waitingMax: { all: 8000, tenant: 2000, key: 2000 },
  },
} satisfies Record<string, Omit<FairQueueOptions, 'waitMaxMs'> & { waitMaxMs?: number }>

export type Admission = Record<keyof typeof kinds, FairQueue>

/** `waitMaxMs`: how long a request waits for a slot. */
export function createAdmission({ waitMaxMs = 10_000 }: { waitMaxMs?: number | undefined } = {}): Admission {
  const queues = Object.entries(kinds).map(([kind, options]) => [
    kind,
    createFairQueue({ waitMaxMs, ...options }),
  ])
  return Object.fromEntries(queues) as Admission
}

/**
 * Waits for a slot, and holds it until the connection has closed and the work has ended. Throws 429
 * TOO_MANY_CONCURRENT_REQUESTS as a fair queue does.
 */
export async function admit(
  queue: FairQueue,
  requester: Requester,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admitted> {
  const release = await queue.acquire(requester, { signal: request.disconnected })
  let activeCount = 0
  const releaseWhenDone = () => {
    if (reply.raw.closed && activeCount === 0) release()
  }
  reply.raw.once('close', releaseWhenDone)
  releaseWhenDone()
  return {
    async run(work) {
      activeCount++
      try {
        return await work()
      } finally {
        activeCount--
        releaseWhenDone()
      }
    },
  }
}

/** Rethrows an error. The 429 of a fair queue, which mentions keys, is reworded for clients that have no key. */
export function rethrowWithoutKey(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'TOO_MANY_CONCURRENT_REQUESTS') throw error
  const message = 'Too many requests are in progress here. Try again in a moment.'
  throw new Problem('TOO_MANY_CONCURRENT_REQUESTS', message, { headers: error.headers })
}

/** The kind of slot that a request to this route takes. The query has not been validated yet. */
export function toAdmissionKind(route: Route, { query }: FastifyRequest): keyof Admission {
  if ('open' in route) return 'stream'
  if ('download' in route) return 'download'
  if (route.upload) return 'upload'
  if ('isOutgoing' in route) return 'outgoing'
  if ('comesInBursts' in route) return 'burst'
  const { waitSeconds } = query as { waitSeconds?: string }
  return route.query?.properties.waitSeconds && Number(waitSeconds) > 0 ? 'wait' : 'request'
}
