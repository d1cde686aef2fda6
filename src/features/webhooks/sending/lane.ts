/**
 * The lane of one subscription: its due deliveries, a few at a time, in the order of their events while all goes well. No
 * lane waits for another. What tells of one object is never under way twice at once.
 */
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database } from '../../../kit/db/index.ts'
import type { HeldLocks } from '../../../kit/held-locks.ts'
import type { HttpClient } from '../../../kit/http/client.ts'
import { untilDatabaseIsBack } from '../../../kit/jobs/patient-pool.ts'
import type { Log } from '../../../kit/log.ts'
import type { Metrics } from '../../../kit/metrics.ts'
import type { Catalogue } from '../events.ts'
import { attempt, type Receiver } from './attempt.ts'
import { claimDue, type DueDelivery, type Ended, recordEnded, type Subscription } from './queries.ts'

export interface LaneContext {
  database: Database
  http: HttpClient
  cipher: Cipher
  metrics: Metrics
  catalogue: Catalogue
  /** Other than the usual one, for tests. */
  receiverTimeoutMs?: number | undefined
  log: Log
  /** One process at a time sends for a subscription. */
  locks: HeldLocks
  /** Aborted: begin nothing any more. */
  stopping: AbortSignal
  /** Aborted: wait for no reply any more. */
  cutOff: AbortSignal
  /** Something of the lane is due then. */
  dueAt(subscription: Subscription, at: Date): void
}

export interface Lane {
  /** There may be something to send. False: the lane has closed, as nothing was to be sent for a while. */
  wake(): boolean
  tenantId: string
  /** The subscription or its events are no longer what is known of them: whatever is not under way is read anew. */
  refresh(): void
  /** To be called once `stopping` is aborted: resolves when nothing is under way any more. */
  stop(): Promise<void>
}

/** So many deliveries are read at once. */
const claimedMax = 200
/** So many are under way at once: as many to begin with, twice as many after each success, one after a failure. */
const window = { first: 4, max: 16 }
/** So many are sent and not noted yet, at most: they come again if the process is killed. */
const unnotedMax = 128
/** A lane stays open for the next event, and keeps its lock. */
const lingerMs = 2000
/** After an error of the database the next attempt waits. */
const patienceMs = 1000

export function openLane(subscription: Subscription, context: LaneContext, onClose: () => void): Lane {
  const { tenantId, webhookId } = subscription
  const { database, http, metrics, receiverTimeoutMs, log, locks, stopping, cutOff } = context
  const lockName = `webhook ${webhookId}`
  const closed = Promise.withResolvers<void>()
  let receiver: Receiver | null = null
  let version = 0
  let waiting: DueDelivery[] = []
  const underWay = new Map<string, DueDelivery>()
  let ended: Ended[] = []
  let recording: Ended[] = []
  // Known with the first claim.
  let atOnce = 0
  let mayBeMore = true
  // The receiver has asked for a rest that is not noted yet.
  let isToRest = false
  let isClaiming = false
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
      if (mayBeMore && !isClaiming && waiting.length < claimedMax / 2) void claim()
    }
    if (isClaiming || recording.length > 0 || underWay.size > 0) return
    if (stopping.aborted) close()
    else linger = setTimeout(close, lingerMs)
  }

  const close = () => {
    isClosed = true
    locks.release(lockName).catch(error => log.debug({ err: error }, 'a lock went with its connection'))
    closed.resolve()
    onClose()
  }

  const sendNext = (): boolean => {
    const busy = new Set(underWay.values().map(({ objectId }) => objectId))
    const at = waiting.findIndex(({ objectId }) => !busy.has(objectId))
    if (at < 0 || !receiver) return false
    if (!locks.holds(lockName)) {
      // Lost with its connection: what waits here may be another process's by now.
      waiting = []
      mayBeMore = true
      return false
    }
    const [delivery] = waiting.splice(at, 1)
    underWay.set(delivery!.id, delivery!)
    void send(receiver, delivery!)
    return true
  }

  const send = async (to: Receiver, delivery: DueDelivery) => {
    try {
      const made = await attempt(
        http,
        to,
        { id: delivery.eventId, body: delivery.body },
        { signal: cutOff, timeoutMs: receiverTimeoutMs },
      )
      atOnce = made.error === null ? Math.min(window.max, atOnce * 2) : 1
      isToRest ||= made.retryAfterMs > 0
      ended.push({ delivery, attempt: made, url: to.url })
      metrics.webhookDeliveries.inc({ result: made.error === null ? 'delivered' : 'failed' })
    } catch {
      // The process stops. Not recorded: it is made again.
    }
    underWay.delete(delivery.id)
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
          ...[...ended, ...recording].map(({ delivery }) => delivery),
        ]
        const claimed = await database.withTenant({ tenantId }, tx =>
          claimDue(tx, context, {
            webhookId,
            besides: besides.map(({ id }) => id),
            limit: claimedMax,
          }),
        )
        if (claimedVersion === version) {
          receiver = claimed.receiver
          atOnce ||= claimed.isFailing ? 1 : window.first
          if (!receiver) waiting = []
          waiting.push(...claimed.due)
          mayBeMore ||= claimed.isFull
        }
        if (claimed.nextAt) context.dueAt(subscription, claimed.nextAt)
      }
    } catch (error) {
      log.warn({ err: error, webhookId }, 'what is due could not be read; trying again')
      context.dueAt(subscription, new Date(Date.now() + patienceMs))
    }
    isClaiming = false
    step()
  }

  const record = async () => {
    recording = ended
    ended = []
    try {
      const { goesOn, nextAt } = await untilDatabaseIsBack(cutOff, () =>
        database.withTenant({ tenantId }, tx => recordEnded(tx, webhookId, recording)),
      )
      if (!goesOn) {
        waiting = []
        mayBeMore = true
      }
      if (nextAt) context.dueAt(subscription, nextAt)
      tellFailures(recording)
    } catch (error) {
      log.error({ err: error, webhookId }, 'what became of webhooks could not be noted: they are sent again')
      context.dueAt(subscription, new Date(Date.now() + patienceMs))
    }
    recording = []
    isToRest = ended.some(({ attempt }) => attempt.retryAfterMs > 0)
    step()
  }

  const tellFailures = (batch: Ended[]) => {
    const failed = batch.filter(({ attempt }) => attempt.error !== null)
    if (failed.length === 0) return
    const { error } = failed.at(-1)!.attempt
    // Not its whole address: paths and queries of receivers hold secrets.
    const host = receiver && new URL(receiver.url).host
    log.warn({ webhookId, host, count: failed.length, error }, 'webhooks were not delivered')
  }

  const refresh = () => {
    version++
    waiting = []
    mayBeMore = true
    step()
  }

  step()
  return {
    wake() {
      if (isClosed) return false
      mayBeMore = true
      step()
      return true
    },
    tenantId,
    refresh,
    stop() {
      step()
      return closed.promise
    },
  }
}
