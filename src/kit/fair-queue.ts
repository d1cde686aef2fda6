/**
 * Places that tenants share: connections, processes, streams. Nobody takes them all, whoever waits is served in turn, tenant
 * after tenant and key after key, and only so many may wait.
 */
import { Problem } from './problem.ts'

/** Who wants a place. Work of the program itself, such as a job, has no key. */
export interface Who {
  tenantId: string
  keyId?: string | undefined
  /** It stands for many, or for nobody: no tenant makes way for it. */
  isNobody?: boolean
}

export interface Waiting {
  /** Aborted when nobody wants the place any more. */
  signal?: AbortSignal | undefined
  /** It is not refused and waits for as long as it takes: for work that is bounded elsewhere, such as jobs. */
  isPatient?: boolean
}

export interface FairQueueOptions {
  /** What the places are for, in a sentence: `Too many ${of} are under way`. */
  of: string
  /** How many are held at once, at most. */
  places: number
  /** How many of them a tenant holds at most; never more than its share, see `shareOf`. */
  tenantMax?: number
  /** How many it holds at most where somebody else has been there within the last ten seconds. */
  tenantAmongOthersMax?: number
  /** So many are kept for who comes next; by default one share, see `shareOf`. */
  keptFree?: number
  /** So many are for tenants that hold none. In place of shares: a tenant may have all others. */
  keptForNewcomers?: number
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
  enter(who: Who, waiting?: Waiting): Promise<() => void>
  /** Holds a place while `work` runs. Throws as `enter` does. */
  run<T>(who: Who, work: () => Promise<T>, waiting?: Waiting): Promise<T>
}

const latelyMs = 10_000

interface Waiter {
  grant(): void
}

/** Of one tenant or of one key: how many places it holds, and who waits. */
interface Line {
  held: number
  waiting: number
}
interface KeyLine extends Line {
  waiters: Set<Waiter>
}
interface TenantLine extends Line {
  /** The one whose turn is next comes first. */
  keys: Map<string, KeyLine>
}

/**
 * How many places a tenant holds at most while `tenants` are there: one of `tenants + 1` equal parts, and one place at least.
 * So there is a place for who comes next, and a tenant alone has half of them. With `keptFree` that many are kept, and the tenants
 * share the others.
 */
export function shareOf(places: number, tenants: number, keptFree?: number): number {
  const share = keptFree === undefined ? places / (tenants + 1) : (places - keptFree) / tenants
  return Math.max(1, Math.floor(share))
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { places, tenantMax = places, keyMax = places, waitingMax, waitMaxMs } = options
  const { tenantAmongOthersMax = tenantMax, keptForNewcomers = 0 } = options
  const visits = rememberVisits()
  /** The one whose turn is next comes first. */
  const tenants = new Map<string, TenantLine>()
  const all: Line = { held: 0, waiting: 0 }

  const hasRoom = (tenantId: string, { held }: TenantLine) => {
    const max = visits.areByOthers(tenantId) ? Math.min(tenantAmongOthersMax, tenantMax) : tenantMax
    if (keptForNewcomers > 0) return all.held < places - (held > 0 ? keptForNewcomers : 0) && held < max
    return all.held < places && held < Math.min(max, shareOf(places, tenants.size, options.keptFree))
  }

  const lineOf = ({ tenantId, keyId = '' }: Who) => {
    const tenant = getOrAdd(tenants, tenantId, () => ({ held: 0, waiting: 0, keys: new Map() }))
    const key = getOrAdd(tenant.keys, keyId, () => ({ held: 0, waiting: 0, waiters: new Set<Waiter>() }))
    return { tenant, key }
  }

  const forgetIdle = ({ tenantId, keyId = '' }: Who) => {
    const { tenant, key } = lineOf({ tenantId, keyId })
    if (key.held + key.waiting === 0) tenant.keys.delete(keyId)
    if (tenant.held + tenant.waiting === 0) tenants.delete(tenantId)
  }

  const hold = (who: Who): (() => void) => {
    const { tenant, key } = lineOf(who)
    const comeLast = () => {
      moveToEnd(tenants, who.tenantId)
      moveToEnd(tenant.keys, who.keyId ?? '')
    }
    for (const line of [all, tenant, key]) line.held++
    comeLast()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      for (const line of [all, tenant, key]) line.held--
      comeLast()
      forgetIdle(who)
      grantNext()
    }
  }

  const findNext = (): Waiter | undefined => {
    for (const [tenantId, tenant] of tenants) {
      if (tenant.waiting === 0 || !hasRoom(tenantId, tenant)) continue
      for (const key of tenant.keys.values())
        if (key.waiting > 0 && key.held < keyMax) return key.waiters.values().next().value
    }
    return undefined
  }

  const grantNext = () => {
    while (all.waiting > 0 && all.held < places) {
      const next = findNext()
      if (!next) return
      next.grant()
    }
  }

  const refusal = (who: Who): Problem => {
    const problem = refuse(options, who, lineOf(who))
    forgetIdle(who)
    return problem
  }

  const wait = (who: Who, { signal, isPatient }: Waiting): Promise<() => void> => {
    const { tenant, key } = lineOf(who)
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const leave = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      key.waiters.delete(waiter)
      for (const line of [all, tenant, key]) line.waiting--
    }
    const giveUp = (error: unknown) => {
      leave()
      forgetIdle(who)
      reject(error)
      // One tenant fewer: the others' shares may have grown.
      grantNext()
    }
    const abort = () => giveUp(signal!.reason)
    const waiter = {
      grant() {
        leave()
        resolve(hold(who))
      },
    }
    const timer = isPatient ? undefined : setTimeout(() => giveUp(refusal(who)), waitMaxMs)
    signal?.addEventListener('abort', abort, { once: true })
    key.waiters.add(waiter)
    for (const line of [all, tenant, key]) line.waiting++
    return promise
  }

  const isFull = ({ tenant, key }: { tenant: Line; key: Line }) =>
    all.waiting >= waitingMax.all || tenant.waiting >= waitingMax.tenant || key.waiting >= waitingMax.key

  const enter: FairQueue['enter'] = async (who, waiting = {}) => {
    waiting.signal?.throwIfAborted()
    if (!who.isNobody) visits.add(who.tenantId)
    const line = lineOf(who)
    if (hasRoom(who.tenantId, line.tenant) && line.key.held < keyMax) return hold(who)
    if (!waiting.isPatient && isFull(line)) throw refusal(who)
    return wait(who, waiting)
  }
  return queueOf(enter)
}

/** One queue of two: whoever has a place of the first waits for one of the second. */
export function bothQueues(first: FairQueue, second: FairQueue): FairQueue {
  return queueOf(async (who, waiting) => {
    const leaveFirst = await first.enter(who, waiting)
    try {
      const leaveSecond = await second.enter(who, waiting)
      return () => {
        leaveSecond()
        leaveFirst()
      }
    } catch (error) {
      leaveFirst()
      throw error
    }
  })
}

function queueOf(enter: FairQueue['enter']): FairQueue {
  return {
    enter,
    async run(who, work, waiting) {
      const leave = await enter(who, waiting)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function refuse(
  { of, retryAfterSeconds }: FairQueueOptions,
  { keyId }: Who,
  { tenant, key }: { tenant: Line; key: Line },
): Problem {
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  if (tenant.held === 0 || keyId === undefined) {
    const message = `Too many ${of} are under way. Try again in ${retryAfterSeconds} s.`
    return new Problem('UNAVAILABLE', message, { headers })
  }
  const own = tenant.held + tenant.waiting
  const whose = key.held + key.waiting === own ? 'This key has' : 'The keys of this environment have'
  return new Problem(
    'TOO_MANY_CONCURRENT_REQUESTS',
    `${whose} ${own} ${of} under way already. Wait until some have ended, then try again.`,
    { headers },
  )
}

/** Who came last, and who came last of all others: enough to know of each whether somebody else was there lately. */
function rememberVisits() {
  let last = { tenantId: '', atMs: -Infinity }
  let lastOther = last
  return {
    add(tenantId: string): void {
      if (tenantId !== last.tenantId) lastOther = last
      last = { tenantId, atMs: performance.now() }
    },
    areByOthers(tenantId: string): boolean {
      const other = tenantId === last.tenantId ? lastOther : last
      return performance.now() - other.atMs < latelyMs
    },
  }
}

function getOrAdd<T>(lines: Map<string, T>, id: string, make: () => T): T {
  const known = lines.get(id)
  if (known) return known
  const made = make()
  lines.set(id, made)
  return made
}

function moveToEnd<T>(lines: Map<string, T>, id: string): void {
  const line = lines.get(id)!
  lines.delete(id)
  lines.set(id, line)
}
