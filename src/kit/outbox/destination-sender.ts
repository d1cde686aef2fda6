/**
 * Sends the due items of one destination, a few at a time, in their order while no attempt fails. Items with the same
 * order key are never in flight at the same time.
 */
import { getTenantNow } from '../clock/clock.ts'
import type { Tx } from '../db/index.ts'
import { retryWhileUnavailable } from '../jobs/retrying-pool.ts'
import type { Log } from '../log.ts'
import type { AnyOutbox, Attempt, Claim, Destination, OutboxItem, SendContext, Sent } from './outbox.ts'
import type { SessionLocks } from './session-locks.ts'

export interface SenderContext extends SendContext {
  outbox: AnyOutbox
  log: Log
  /** One process at a time sends to a destination. */
  locks: SessionLocks
  /** Wakes the destination's sender after `waitMs`. */
  wakeAfter(destination: Destination, waitMs: number): void
}

export interface DestinationSender {
  destination: Destination
  /** Call when there may be something to send. Returns false if the sender has closed after being idle. */
  wake(): boolean
  /** Call when the destination or its items have changed: everything that is not in flight is read again. */
  refresh(): void
  /** Call once `stopping` is aborted. Resolves when nothing is in flight any more. */
  stop(): Promise<void>
}

/** The most items that are sent but not recorded yet. They are sent again if the process is killed. */
const unrecordedMax = 128
/** How long an idle sender stays open and keeps its lock. */
const lingerMs = 2000
/** The wait after a database error. */
const retryDelayMs = 1000
/** Results that arrive within this time after the first one are recorded together, up to so many. */
const gather = { ms: 100, items: 32 }

type SentItem = Sent<unknown, OutboxItem, Attempt>

export function openSender(
  destination: Destination,
  context: SenderContext,
  onClose: () => void,
): DestinationSender {
  const sender = new Sender(destination, context, onClose)
  sender.wake()
  return sender
}

class Sender implements DestinationSender {
  readonly destination: Destination
  readonly #context: SenderContext
  readonly #onClose: () => void
  readonly #lockName: string
  readonly #closed = Promise.withResolvers<void>()
  /** Counts the refreshes: items claimed before the last one are not sent. */
  #version = 0
  #target: unknown = null
  /** Claimed items, in the order in which they are sent. */
  #waiting: OutboxItem[] = []
  /** Claimed items that must be read again before they are sent. */
  #dropped: OutboxItem[] = []
  readonly #inFlight = new Map<string, OutboxItem>()
  #completed: SentItem[] = []
  #recording: SentItem[] = []
  /** How many items may be in flight; 0 until the first claim. */
  #concurrency = 0
  #hasMore = true
  /** The destination has sent Retry-After, which is not recorded yet. */
  #isPaused = false
  #isClaiming = false
  #isReleasing = false
  #isClosed = false
  #lingerTimer: NodeJS.Timeout | undefined
  #gatherTimer: NodeJS.Timeout | undefined

  constructor(destination: Destination, context: SenderContext, onClose: () => void) {
    this.destination = destination
    this.#context = context
    this.#onClose = onClose
    this.#lockName = `${context.outbox.name} ${destination.destinationId}`
  }

  wake(): boolean {
    if (this.#isClosed) return false
    this.#hasMore = true
    this.#advance()
    return true
  }

  refresh(): void {
    this.#version++
    this.#drop()
    this.#hasMore = true
    this.#advance()
  }

  stop(): Promise<void> {
    this.#advance()
    return this.#closed.promise
  }

  /** Performs the next possible steps. Called after every change of state. */
  #advance(): void {
    if (this.#isClosed) return
    const { outbox, stopping } = this.#context
    clearTimeout(this.#lingerTimer)
    if (!stopping.aborted && !this.#isPaused) {
      while (
        this.#inFlight.size < this.#concurrency &&
        this.#countUnrecorded() < unrecordedMax &&
        this.#sendNext()
      );
      if (this.#hasMore && !this.#isClaiming && this.#waiting.length < outbox.batch / 2) void this.#claim()
    }
    if (this.#completed.length > 0 && this.#recording.length === 0) this.#recordTogether()
    if (this.#isClaiming || this.#isReleasing || this.#recording.length > 0 || this.#inFlight.size > 0) return
    if (!stopping.aborted) this.#lingerTimer = setTimeout(() => this.#close(), lingerMs)
    else if (outbox.release && this.#waiting.length + this.#dropped.length > 0) void this.#releaseAll()
    else this.#close()
  }

  #countUnrecorded(): number {
    return this.#inFlight.size + this.#completed.length + this.#recording.length
  }

  #close(): void {
    const { locks, log } = this.#context
    this.#isClosed = true
    locks
      .release(this.#lockName)
      .catch(error => log.debug({ err: error }, 'the lock was lost with its connection'))
    this.#closed.resolve()
    this.#onClose()
  }

  #drop(items = this.#waiting.splice(0)): void {
    if (this.#context.outbox.release) this.#dropped.push(...items)
  }

  #sendNext(): boolean {
    const activeKeys = new Set(this.#inFlight.values().map(({ orderKey }) => orderKey))
    const index = this.#waiting.findIndex(({ orderKey }) => !activeKeys.has(orderKey))
    if (index < 0 || this.#target === null) return false
    if (!this.#context.locks.isHeld(this.#lockName)) {
      // The lock was lost with its connection, so another process may have claimed the waiting items.
      this.#drop()
      this.#hasMore = true
      return false
    }
    const [item] = this.#waiting.splice(index, 1)
    this.#inFlight.set(item!.id, item!)
    void this.#send(this.#target, item!)
    return true
  }

  async #send(target: unknown, item: OutboxItem): Promise<void> {
    const { outbox } = this.#context
    try {
      const attempt: Attempt = await outbox.send(target, item, this.#context)
      this.#concurrency = attempt.error === null ? Math.min(outbox.concurrency.max, this.#concurrency * 2) : 1
      this.#isPaused ||= attempt.retryAfterMs > 0
      this.#completed.push({ item, attempt, target })
    } catch {
      // The process stops. The attempt is not recorded, so it is repeated later.
    }
    this.#inFlight.delete(item.id)
    this.#advance()
  }

  async #claim(): Promise<void> {
    const { locks } = this.#context
    this.#isClaiming = true
    this.#hasMore = false
    const version = this.#version
    try {
      if (await locks.acquire(this.#lockName)) this.#accept(await this.#readDue(), version)
      else {
        this.#drop()
        if (this.#dropped.length > 0) await this.#releaseAll()
      }
    } catch (error) {
      this.#warn(error, 'the due items could not be read; trying again')
      this.#context.wakeAfter(this.destination, retryDelayMs)
    }
    this.#isClaiming = false
    this.#advance()
  }

  async #readDue(): Promise<Claim<unknown, OutboxItem>> {
    const { outbox } = this.#context
    const heldItems = [
      ...this.#inFlight.values(),
      ...this.#waiting,
      ...[...this.#completed, ...this.#recording].map(({ item }) => item),
    ]
    const options = { excludedIds: heldItems.map(({ id }) => id), limit: outbox.batch }
    const dropped = [...this.#dropped]
    const claim = await this.#inTenant(async tx => {
      await this.#release(tx, dropped)
      return outbox.claim(tx, this.destination.destinationId, options)
    })
    // Only after the commit: a failed transaction is repeated with the same items.
    this.#dropped = this.#dropped.filter(item => !dropped.includes(item))
    return claim
  }

  /** `version`: the value of `#version` when the claim began. */
  #accept({ target, isFailing, items, isFull, nextAt }: Claim<unknown, OutboxItem>, version: number): void {
    if (version === this.#version) {
      this.#target = target
      this.#concurrency ||= isFailing ? 1 : this.#context.outbox.concurrency.first
      if (target === null) this.#drop()
      this.#waiting.push(...items)
      this.#hasMore ||= isFull
    } else this.#drop(items)
    this.#wakeAt(nextAt)
  }

  /** Records when no result is to be expected, or soon. A failure is recorded at once: it may stop the destination. */
  #recordTogether(): void {
    const isAwaited = this.#inFlight.size > 0 && this.#completed.length < gather.items
    const hasFailed = this.#completed.some(({ attempt }) => attempt.error !== null)
    if (!isAwaited || hasFailed || this.#context.stopping.aborted) void this.#record()
    else this.#gatherTimer ??= setTimeout(() => void this.#record(), gather.ms)
  }

  async #record(): Promise<void> {
    clearTimeout(this.#gatherTimer)
    this.#gatherTimer = undefined
    const { outbox, log, forceStop, wakeAfter } = this.#context
    const { destinationId } = this.destination
    const sent = this.#completed
    this.#recording = sent
    this.#completed = []
    try {
      const { continues, nextAt } = await retryWhileUnavailable(forceStop, () =>
        this.#inTenant(tx => outbox.record(tx, destinationId, sent)),
      )
      if (!continues) {
        this.#drop()
        this.#hasMore = true
      }
      this.#wakeAt(nextAt)
      const failed = sent.filter(({ attempt }) => attempt.error !== null)
      if (failed.length > 0) outbox.logFailures(log, destinationId, failed)
    } catch (error) {
      log.error(
        { err: error, ...this.#logFields() },
        'the results of sent items could not be recorded: the items are sent again',
      )
      wakeAfter(this.destination, retryDelayMs)
    }
    this.#recording = []
    this.#isPaused = this.#completed.some(({ attempt }) => attempt.retryAfterMs > 0)
    this.#advance()
  }

  async #releaseAll(): Promise<void> {
    this.#isReleasing = true
    this.#drop()
    await this.#inTenant(tx => this.#release(tx, this.#dropped)).catch(error =>
      this.#warn(error, 'claimed items could not be released'),
    )
    this.#dropped = []
    this.#isReleasing = false
    this.#advance()
  }

  async #release(tx: Tx, items: OutboxItem[]): Promise<void> {
    if (items.length > 0) await this.#context.outbox.release?.(tx, this.destination.destinationId, items)
  }

  #wakeAt(dueAt: Date | null): void {
    const { database, wakeAfter } = this.#context
    if (dueAt)
      wakeAfter(
        this.destination,
        dueAt.getTime() - getTenantNow(database, this.destination.tenantId).getTime(),
      )
  }

  #inTenant<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#context.database.withTenant({ tenantId: this.destination.tenantId }, work)
  }

  #warn(error: unknown, message: string): void {
    this.#context.log.warn({ err: error, ...this.#logFields() }, message)
  }

  #logFields() {
    return { outbox: this.#context.outbox.name, destinationId: this.destination.destinationId }
  }
}
