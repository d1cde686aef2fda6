/**
 * The sender of one destination: its due items, a few at a time, in their order while all goes well. Items with one order key are
 * never under way at once.
 */
import { nowIn } from '../clock/clock.ts'
import type { Database, Tx } from '../db/index.ts'
import { untilDatabaseIsBack } from '../jobs/patient-pool.ts'
import type { Log } from '../log.ts'
import type { AnyOutbox, Attempt, Destination, OutboxItem, Sent } from './outbox.ts'
import type { SessionLocks } from './session-locks.ts'

export interface SenderContext {
  outbox: AnyOutbox
  database: Database
  log: Log
  /** One process at a time sends to a destination. */
  locks: SessionLocks
  /** Aborted: begin nothing any more. */
  stopping: AbortSignal
  /** Aborted: wait for no reply any more. */
  cutOff: AbortSignal
  /** Something of the destination is due after so long. */
  wakeIn(destination: Destination, waitMs: number): void
}

export interface DestinationSender {
  destination: Destination
  /** There may be something to send. False: the sender has closed, as nothing was to be sent for a while. */
  wake(): boolean
  /** The destination or its items are no longer what is known of them: whatever is not under way is read anew. */
  refresh(): void
  /** To be called once `stopping` is aborted: resolves when nothing is under way any more. */
  stop(): Promise<void>
}

/** So many are sent and not noted yet, at most: they come again if the process is killed. */
const unnotedMax = 128
/** A sender stays open for the next item, and keeps its lock. */
const lingerMs = 2000
/** After an error of the database the next attempt waits. */
const patienceMs = 1000

type SentItem = Sent<unknown, OutboxItem, Attempt>

export function openSender(
  destination: Destination,
  context: SenderContext,
  onClose: () => void,
): DestinationSender {
  const { tenantId, destinationId } = destination
  const { outbox, database, log, locks, stopping, cutOff } = context
  const { concurrency, batch } = outbox
  const about = { outbox: outbox.name, destinationId }
  const lockName = `${outbox.name} ${destinationId}`
  const closed = Promise.withResolvers<void>()
  let target: unknown = null
  let version = 0
  let waiting: OutboxItem[] = []
  // Claimed, and not to be sent as they are.
  let dropped: OutboxItem[] = []
  const underWay = new Map<string, OutboxItem>()
  let ended: SentItem[] = []
  let recording: SentItem[] = []
  // Known with the first claim.
  let atOnce = 0
  let mayBeMore = true
  // The destination has asked for a rest that is not noted yet.
  let isToRest = false
  let isClaiming = false
  let isReleasing = false
  let isClosed = false
  let linger: NodeJS.Timeout | undefined

  /** Does whatever can be done now; called after everything that happens. */
  const step = () => {
    if (isClosed) return
    clearTimeout(linger)
    if (ended.length > 0 && recording.length === 0) void record()
    if (!stopping.aborted && !isToRest) {
      const unnoted = () => underWay.size + ended.length + recording.length
      while (underWay.size < atOnce && unnoted() < unnotedMax && sendNext());
      if (mayBeMore && !isClaiming && waiting.length < batch / 2) void claim()
    }
    if (isClaiming || isReleasing || recording.length > 0 || underWay.size > 0) return
    if (!stopping.aborted) linger = setTimeout(close, lingerMs)
    else if (outbox.release && waiting.length + dropped.length > 0) void giveBack()
    else close()
  }

  const close = () => {
    isClosed = true
    locks.release(lockName).catch(error => log.debug({ err: error }, 'a lock went with its connection'))
    closed.resolve()
    onClose()
  }

  const giveBack = async () => {
    isReleasing = true
    drop()
    await database.withTenant({ tenantId }, release).catch(error => {
      log.warn({ err: error, ...about }, 'what was claimed could not be given back')
    })
    dropped = []
    isReleasing = false
    step()
  }

  const wakeAt = (at: Date) => context.wakeIn(destination, at.getTime() - nowIn(database, tenantId).getTime())

  const drop = () => {
    dropped.push(...waiting)
    waiting = []
  }

  const release = async (tx: Tx) => {
    const released = dropped
    if (!outbox.release || released.length === 0) return
    await outbox.release(tx, destinationId, released)
    dropped = dropped.filter(item => !released.includes(item))
  }

  const sendNext = (): boolean => {
    const busy = new Set(underWay.values().map(({ orderKey }) => orderKey))
    const at = waiting.findIndex(({ orderKey }) => !busy.has(orderKey))
    if (at < 0 || target === null) return false
    if (!locks.holds(lockName)) {
      // Lost with its connection: what waits here may be another process's by now.
      waiting = []
      mayBeMore = true
      return false
    }
    const [item] = waiting.splice(at, 1)
    underWay.set(item!.id, item!)
    void send(target, item!)
    return true
  }

  const send = async (to: unknown, item: OutboxItem) => {
    try {
      const attempt: Attempt = await outbox.send(to, item, cutOff)
      atOnce = attempt.error === null ? Math.min(concurrency.max, atOnce * 2) : 1
      isToRest ||= attempt.retryAfterMs > 0
      ended.push({ item, attempt, target: to })
    } catch {
      // The process stops. Not recorded: it is made again.
    }
    underWay.delete(item.id)
    step()
  }

  const claim = async () => {
    isClaiming = true
    mayBeMore = false
    const claimedVersion = version
    try {
      if (!(await locks.hold(lockName))) {
        waiting = []
      } else {
        const besides = [
          ...underWay.values(),
          ...waiting,
          ...[...ended, ...recording].map(({ item }) => item),
        ]
        const claimed = await database.withTenant({ tenantId }, async tx => {
          await release(tx)
          return outbox.claim(tx, destinationId, { besides: besides.map(({ id }) => id), limit: batch })
        })
        if (claimedVersion === version) {
          target = claimed.target
          atOnce ||= claimed.isFailing ? 1 : concurrency.first
          if (target === null) drop()
          waiting.push(...claimed.items)
          mayBeMore ||= claimed.isFull
        } else {
          dropped.push(...claimed.items)
        }
        if (claimed.nextAt) wakeAt(claimed.nextAt)
      }
    } catch (error) {
      log.warn({ err: error, ...about }, 'what is due could not be read; trying again')
      context.wakeIn(destination, patienceMs)
    }
    isClaiming = false
    step()
  }

  const record = async () => {
    recording = ended
    ended = []
    try {
      const { goesOn, nextAt } = await untilDatabaseIsBack(cutOff, () =>
        database.withTenant({ tenantId }, tx => outbox.record(tx, destinationId, recording)),
      )
      if (!goesOn) {
        drop()
        mayBeMore = true
      }
      if (nextAt) wakeAt(nextAt)
      const failed = recording.filter(({ attempt }) => attempt.error !== null)
      if (failed.length > 0) outbox.logFailures(log, destinationId, failed)
    } catch (error) {
      log.error({ err: error, ...about }, 'what was sent could not be noted: it is sent again')
      context.wakeIn(destination, patienceMs)
    }
    recording = []
    isToRest = ended.some(({ attempt }) => attempt.retryAfterMs > 0)
    step()
  }

  const refresh = () => {
    version++
    drop()
    mayBeMore = true
    step()
  }

  step()
  return {
    destination,
    wake() {
      if (isClosed) return false
      mayBeMore = true
      step()
      return true
    },
    refresh,
    stop() {
      step()
      return closed.promise
    },
  }
}
