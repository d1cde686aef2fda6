/**
 * Places that tenants share: connections, processes, streams. Nobody takes them all, whoever waits is served in turn, tenant
 * after tenant and key after key, and only so many may wait.
 */
import { Problem } from './problem.ts'

/** Who wants a place. Work of the program itself, such as a job, has no key. */
export interface Requester {
  tenantId: string
  keyId?: string | undefined
  /** It stands for many, or for nobody: no tenant makes way for it. */
  isAnonymous?: boolean
}

export interface WaitOptions {
  /** Aborted when nobody wants the place any more. */
  signal?: AbortSignal | undefined
  /** It is not refused and waits for as long as it takes: for work that is bounded elsewhere, such as jobs. */
  waitsForever?: boolean
}

export interface FairQueueOptions {
  /** What the places are for, in a sentence: `Too many ${of} are under way`. */
  name: string
  /** How many are held at once, at most. */
  capacity: number
  /** How many of them a tenant holds at most; never more than its share, see `fairShare`. */
  tenantMax?: number
  /** How many it holds at most where somebody else has been there within the last ten seconds. */
  tenantContendedMax?: number
  /** So many are kept for who comes next; by default one share, see `fairShare`. */
  reserved?: number
  /** So many are for tenants that hold none. In place of shares: a tenant may have all others. */
  reservedForNewTenants?: number
  /** How many of them a key holds at most. */
  keyMax?: number
  /** How many wait, of all tenants, of one, and of one key. 0: nobody waits. */
  waitingMax: { all: number; tenant: number; key: number }
  /** Who has waited for so long is refused. */
  waitMaxMs: number
  /** What a refusal says in `Retry-After`. */
  retryAfterSeconds: number
}

export interface FairQueue {
  /**
   * Waits for a place. Returns how to give it back, which may be called more than once.
   * Throws 429 `TOO_MANY_CONCURRENT_REQUESTS` if the tenant has places of its own already, 503 if others have them all, both
   * with `Retry-After`; and the reason of `signal`, if it is aborted meanwhile.
   */
  acquire(who: Requester, waiting?: WaitOptions): Promise<() => void>
  /** Holds a place while `work` runs. Throws as `acquire` does. */
  run<T>(who: Requester, work: () => Promise<T>, waiting?: WaitOptions): Promise<T>
}

const recentMs = 10_000

interface Waiter {
  grant(): void
}

/** Of one tenant or of one key: how many places it holds, and who waits. */
interface Usage {
  held: number
  waiting: number
}
interface KeyUsage extends Usage {
  waiters: Set<Waiter>
}
interface TenantUsage extends Usage {
  /** The one whose turn is next comes first. */
  keys: Map<string, KeyUsage>
}

/**
 * How many places a tenant holds at most while `tenants` are there: one of `tenants + 1` equal parts, and one place at least.
 * So there is a place for who comes next, and a tenant alone has half of them. With `reserved` that many are kept, and the tenants
 * share the others.
 */
export function fairShare(capacity: number, tenants: number, reserved?: number): number {
  const share = reserved === undefined ? capacity / (tenants + 1) : (capacity - reserved) / tenants
  return Math.max(1, Math.floor(share))
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { capacity, tenantMax = capacity, keyMax = capacity, waitingMax, waitMaxMs } = options
  const { tenantContendedMax = tenantMax, reservedForNewTenants = 0 } = options
  const visits = trackVisits()
  /** The one whose turn is next comes first. */
  const tenants = new Map<string, TenantUsage>()
  const all: Usage = { held: 0, waiting: 0 }

  const hasCapacity = (tenantId: string, { held }: TenantUsage) => {
    const max = visits.hasRecentOthers(tenantId) ? Math.min(tenantContendedMax, tenantMax) : tenantMax
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

  const hold = (who: Requester): (() => void) => {
    const { tenant, key } = getUsage(who)
    const moveLast = () => {
      moveToEnd(tenants, who.tenantId)
      moveToEnd(tenant.keys, who.keyId ?? '')
    }
    for (const usage of [all, tenant, key]) usage.held++
    moveLast()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      for (const usage of [all, tenant, key]) usage.held--
      moveLast()
      deleteIdle(who)
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

  const refusal = (who: Requester): Problem => {
    const problem = createRefusal(options, who, getUsage(who))
    deleteIdle(who)
    return problem
  }

  const wait = (who: Requester, { signal, waitsForever }: WaitOptions): Promise<() => void> => {
    const { tenant, key } = getUsage(who)
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      key.waiters.delete(waiter)
      for (const usage of [all, tenant, key]) usage.waiting--
    }
    const fail = (error: unknown) => {
      release()
      deleteIdle(who)
      reject(error)
      // One tenant fewer: the others' shares may have grown.
      grantNext()
    }
    const abort = () => fail(signal!.reason)
    const waiter = {
      grant() {
        release()
        resolve(hold(who))
      },
    }
    const timer = waitsForever ? undefined : setTimeout(() => fail(refusal(who)), waitMaxMs)
    signal?.addEventListener('abort', abort, { once: true })
    key.waiters.add(waiter)
    for (const usage of [all, tenant, key]) usage.waiting++
    return promise
  }

  const isFull = ({ tenant, key }: { tenant: Usage; key: Usage }) =>
    all.waiting >= waitingMax.all || tenant.waiting >= waitingMax.tenant || key.waiting >= waitingMax.key

  const acquire: FairQueue['acquire'] = async (who, waiting = {}) => {
    waiting.signal?.throwIfAborted()
    if (!who.isAnonymous) visits.add(who.tenantId)
    const usage = getUsage(who)
    if (hasCapacity(who.tenantId, usage.tenant) && usage.key.held < keyMax) return hold(who)
    if (!waiting.waitsForever && isFull(usage)) throw refusal(who)
    return wait(who, waiting)
  }
  return toFairQueue(acquire)
}

/** One queue of two: whoever has a place of the first waits for one of the second. */
export function chainQueues(first: FairQueue, second: FairQueue): FairQueue {
  return toFairQueue(async (who, waiting) => {
    const releaseFirst = await first.acquire(who, waiting)
    try {
      const releaseSecond = await second.acquire(who, waiting)
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
    async run(who, work, waiting) {
      const release = await acquire(who, waiting)
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
    const message = `Too many ${name} are under way. Try again in ${retryAfterSeconds} s.`
    return new Problem('UNAVAILABLE', message, { headers })
  }
  const total = tenant.held + tenant.waiting
  const subject = key.held + key.waiting === total ? 'This key has' : 'The keys of this environment have'
  return new Problem(
    'TOO_MANY_CONCURRENT_REQUESTS',
    `${subject} ${total} ${name} under way already. Wait until some have ended, then try again.`,
    { headers },
  )
}

/** Who came last, and who came last of all others: enough to know of each whether somebody else was there lately. */
function trackVisits() {
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
