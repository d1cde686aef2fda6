/**
 * Shares a limited number of slots (connections, processes, streams) fairly between tenants. No tenant gets all of
 * them, waiting requests are served round-robin by tenant and then by key, and the number of waiting requests is
 * limited.
 */
import { Problem } from './problem.ts'

/** The tenant and key that request a slot. Internal work, such as a job, has no key. */
export interface Requester {
  tenantId: string
  keyId?: string | undefined
  /** The request belongs to no particular tenant. It does not limit other tenants to `tenantContendedMax`. */
  isAnonymous?: boolean
}

export interface WaitOptions {
  /** Abort it when the slot is no longer needed. */
  signal?: AbortSignal | undefined
  /** Waits without limit and is never refused: for work that is limited elsewhere, such as jobs. */
  waitsForever?: boolean
}

export interface FairQueueOptions {
  /** The plural noun in error messages: `Too many ${name} are in progress`. */
  name: string
  /** The number of slots. */
  capacity: number
  /** The slots that one tenant may hold; never more than its share, see `fairShare`. Default: `capacity`. */
  tenantMax?: number
  /** The same while another tenant has requested a slot within the last ten seconds. Default: `tenantMax`. */
  tenantContendedMax?: number
  /** The slots that are kept free for the next tenant. Default: one share, see `fairShare`. */
  reserved?: number
  /** Replaces shares: these slots are only for tenants that hold none, and a tenant may hold all others. */
  reservedForNewTenants?: number
  /** The slots that one key may hold. Default: `capacity`. */
  keyMax?: number
  /** The waiting requests allowed in total, per tenant and per key. 0: requests never wait. */
  waitingMax: { all: number; tenant: number; key: number }
  /** A request that has waited this long is refused. */
  waitMaxMs: number
  /** The header `Retry-After` of a refusal. */
  retryAfterSeconds: number
}

export interface FairQueue {
  /**
   * Waits for a slot. Returns a function that releases it; calling it again does nothing. Throws 429
   * `TOO_MANY_CONCURRENT_REQUESTS` if the tenant already holds slots, and 503 `UNAVAILABLE` if other tenants hold them
   * all, both with `Retry-After`. If `signal` is aborted, throws its reason.
   */
  acquire(requester: Requester, options?: WaitOptions): Promise<() => void>
  /** Holds a slot while `work` runs. Throws the errors of `acquire` and of `work`. */
  run<T>(requester: Requester, work: () => Promise<T>, options?: WaitOptions): Promise<T>
}

const recentMs = 10_000

interface Waiter {
  grant(): void
}

/** The held slots and the waiting requests of one tenant, of one key, or of all. */
interface Usage {
  held: number
  waiting: number
}
interface KeyUsage extends Usage {
  waiters: Set<Waiter>
}
interface TenantUsage extends Usage {
  /** In round-robin order: the next key to be served is first. */
  keys: Map<string, KeyUsage>
}

/**
 * Returns the slots that each of `tenants` tenants may hold: `capacity / (tenants + 1)`, at least one slot. So a
 * further tenant finds a free slot, and a single tenant may hold half of them. With `reserved`, that many slots stay
 * free, and the tenants share the others.
 */
export function fairShare(capacity: number, tenants: number, reserved?: number): number {
  const share = reserved === undefined ? capacity / (tenants + 1) : (capacity - reserved) / tenants
  return Math.max(1, Math.floor(share))
}

/** Creates a queue for these slots. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { capacity, tenantMax = capacity, keyMax = capacity, waitingMax, waitMaxMs } = options
  const { tenantContendedMax = tenantMax, reservedForNewTenants = 0 } = options
  const recentRequests = trackRequests()
  /** In round-robin order: the next tenant to be served is first. */
  const tenants = new Map<string, TenantUsage>()
  const all: Usage = { held: 0, waiting: 0 }

  const hasCapacity = (tenantId: string, { held }: TenantUsage) => {
    const max = recentRequests.hasRecentOthers(tenantId) ? Math.min(tenantContendedMax, tenantMax) : tenantMax
    if (reservedForNewTenants > 0)
      return all.held < capacity - (held > 0 ? reservedForNewTenants : 0) && held < max
    return all.held < capacity && held < Math.min(max, fairShare(capacity, tenants.size, options.reserved))
  }

  const getUsage = ({ tenantId, keyId = '' }: Requester) => {
    const tenant = getOrAdd(tenants, tenantId, () => ({ held: 0, waiting: 0, keys: new Map() }))
    const key = getOrAdd(tenant.keys, keyId, () => ({ held: 0, waiting: 0, waiters: new Set<Waiter>() }))
    return { tenant, key }
  }

  const deleteIdle = ({ tenantId, keyId = '' }: Requester) => {
    const { tenant, key } = getUsage({ tenantId, keyId })
    if (key.held + key.waiting === 0) tenant.keys.delete(keyId)
    if (tenant.held + tenant.waiting === 0) tenants.delete(tenantId)
  }

  const hold = (requester: Requester): (() => void) => {
    const { tenant, key } = getUsage(requester)
    const moveLast = () => {
      moveToEnd(tenants, requester.tenantId)
      moveToEnd(tenant.keys, requester.keyId ?? '')
    }
    for (const usage of [all, tenant, key]) usage.held++
    moveLast()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      for (const usage of [all, tenant, key]) usage.held--
      moveLast()
      deleteIdle(requester)
      grantNext()
    }
  }

  const findNext = (): Waiter | undefined => {
    for (const [tenantId, tenant] of tenants) {
      if (tenant.waiting === 0 || !hasCapacity(tenantId, tenant)) continue
      for (const key of tenant.keys.values())
        if (key.waiting > 0 && key.held < keyMax) return key.waiters.values().next().value
    }
    return undefined
  }

  const grantNext = () => {
    while (all.waiting > 0 && all.held < capacity) {
      const next = findNext()
      if (!next) return
      next.grant()
    }
  }

  const refuse = (requester: Requester): Problem => {
    const problem = createRefusal(options, requester, getUsage(requester))
    deleteIdle(requester)
    return problem
  }

  const wait = (requester: Requester, { signal, waitsForever }: WaitOptions): Promise<() => void> => {
    const { tenant, key } = getUsage(requester)
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      key.waiters.delete(waiter)
      for (const usage of [all, tenant, key]) usage.waiting--
    }
    const fail = (error: unknown) => {
      release()
      deleteIdle(requester)
      reject(error)
      // One tenant fewer may raise the shares of the others.
      grantNext()
    }
    const abort = () => fail(signal!.reason)
    const waiter = {
      grant() {
        release()
        resolve(hold(requester))
      },
    }
    const timer = waitsForever ? undefined : setTimeout(() => fail(refuse(requester)), waitMaxMs)
    signal?.addEventListener('abort', abort, { once: true })
    key.waiters.add(waiter)
    for (const usage of [all, tenant, key]) usage.waiting++
    return promise
  }

  const isFull = ({ tenant, key }: { tenant: Usage; key: Usage }) =>
    all.waiting >= waitingMax.all || tenant.waiting >= waitingMax.tenant || key.waiting >= waitingMax.key

  const acquire: FairQueue['acquire'] = async (requester, waiting = {}) => {
    waiting.signal?.throwIfAborted()
    if (!requester.isAnonymous) recentRequests.add(requester.tenantId)
    const usage = getUsage(requester)
    if (hasCapacity(requester.tenantId, usage.tenant) && usage.key.held < keyMax) return hold(requester)
    if (!waiting.waitsForever && isFull(usage)) throw refuse(requester)
    return wait(requester, waiting)
  }
  return toFairQueue(acquire)
}

/** Combines two queues: a request first acquires a slot of the first, then one of the second. */
export function chainQueues(first: FairQueue, second: FairQueue): FairQueue {
  return toFairQueue(async (requester, waiting) => {
    const releaseFirst = await first.acquire(requester, waiting)
    try {
      const releaseSecond = await second.acquire(requester, waiting)
      return () => {
        releaseSecond()
        releaseFirst()
      }
    } catch (error) {
      releaseFirst()
      throw error
    }
  })
}

function toFairQueue(acquire: FairQueue['acquire']): FairQueue {
  return {
    acquire,
    async run(requester, work, waiting) {
      const release = await acquire(requester, waiting)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

function createRefusal(
  { name, retryAfterSeconds }: FairQueueOptions,
  { keyId }: Requester,
  { tenant, key }: { tenant: Usage; key: Usage },
): Problem {
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  if (tenant.held === 0 || keyId === undefined) {
    const message = `Too many ${name} are in progress. Try again in ${retryAfterSeconds} s.`
    return new Problem('UNAVAILABLE', message, { headers })
  }
  const total = tenant.held + tenant.waiting
  const subject =
    key.held + key.waiting === total ? 'This key already has' : 'The keys of this environment already have'
  return new Problem(
    'TOO_MANY_CONCURRENT_REQUESTS',
    `${subject} ${total} ${name} in progress. Wait until some have ended, then try again.`,
    { headers },
  )
}

/**
 * Records the last request, and the last one of another tenant. That is enough to know for each tenant whether another
 * one has made a request recently.
 */
function trackRequests() {
  let last = { tenantId: '', atMs: -Infinity }
  let lastOther = last
  return {
    add(tenantId: string): void {
      if (tenantId !== last.tenantId) lastOther = last
      last = { tenantId, atMs: performance.now() }
    },
    hasRecentOthers(tenantId: string): boolean {
      const other = tenantId === last.tenantId ? lastOther : last
      return performance.now() - other.atMs < recentMs
    },
  }
}

function getOrAdd<T>(entries: Map<string, T>, id: string, make: () => T): T {
  const existing = entries.get(id)
  if (existing) return existing
  const created = make()
  entries.set(id, created)
  return created
}

function moveToEnd<T>(entries: Map<string, T>, id: string): void {
  const usage = entries.get(id)!
  entries.delete(id)
  entries.set(id, usage)
}
