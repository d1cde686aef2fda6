/** Sends the due items of an outbox to their destinations, in every process that takes jobs. */
import { getTenantNow, onClockChanged } from '../clock/clock.ts'
import type { Database } from '../db/index.ts'
import type { BackgroundService } from '../jobs/background-service.ts'
import { createScanner } from '../jobs/scanner.ts'
import { type DestinationSender, openSender, type SenderContext } from './destination-sender.ts'
import type { AnyOutbox, Destination, DueDestination } from './outbox.ts'
import { createSessionLocks } from './session-locks.ts'

/** How often all tenants are scanned, because notifications may get lost and other processes may die. */
const pollIntervalMs = 5000
/** How long attempts in flight may take when the process stops. */
const forceStopAfterMs = 10_000
/** The longest wait that `setTimeout` supports. */
const timerMaxMs = 2 ** 31 - 1

export function outboxService(outbox: AnyOutbox): BackgroundService {
  return {
    start({ database, log }) {
      const stopping = new AbortController()
      const forceStop = new AbortController()
      const locks = createSessionLocks(database.direct)
      const senders = new Map<string, DestinationSender>()
      const wake = (destination: Destination) => {
        const { destinationId } = destination
        if (stopping.signal.aborted || senders.get(destinationId)?.wake()) return
        const sender = openSender(destination, context, () => senders.delete(destinationId))
        senders.set(destinationId, sender)
      }
      const timers = createTimers(wake)
      const context: SenderContext = {
        outbox,
        database,
        log,
        locks,
        wakeAfter: timers.wakeAfter,
        stopping: stopping.signal,
        forceStop: forceStop.signal,
      }
      const schedule = (due: DueDestination) => {
        const waitMs = due.dueAt.getTime() - getTenantNow(database, due.tenantId).getTime()
        if (waitMs <= 0) wake(due)
        else timers.wakeAfter(due, waitMs)
      }
      const scanner = createScanner(async tenantIds => {
        try {
          for (const tenantId of tenantIds ?? [null])
            for (const due of await outbox.listDue(database.owner, tenantId)) schedule(due)
        } catch (error) {
          log.debug({ err: error, outbox: outbox.name }, 'the outbox could not be scanned')
        }
      }, stopping.signal)
      const unlisten = [
        database.notifications.on(outbox.topics.due, tenantId => scanner.request(tenantId || null)),
        onClockChanged(database, scanner.request),
        ...listenForChanges(outbox, database, senders),
      ]
      const timer = setInterval(() => scanner.request(null), pollIntervalMs)
      scanner.request(null)
      return {
        async stop() {
          stopping.abort()
          for (const stop of unlisten) stop()
          clearInterval(timer)
          timers.stop()
          const forceStopTimer = setTimeout(
            () => forceStop.abort(new Error('the process stops')),
            forceStopAfterMs,
          )
          await scanner.idle()
          await Promise.all([...senders.values()].map(sender => sender.stop()))
          clearTimeout(forceStopTimer)
          await locks.close()
        },
      }
    },
  }
}

/** Refreshes senders whose destination or items have changed, or all of them if the notification names none. */
const listenForChanges = (
  { topics }: AnyOutbox,
  { notifications }: Database,
  senders: Map<string, DestinationSender>,
) => [
  notifications.on(topics.changed, destinationId => {
    for (const [id, sender] of senders) if (!destinationId || id === destinationId) sender.refresh()
  }),
  notifications.on(topics.erased, tenantId => {
    for (const sender of senders.values())
      if (!tenantId || sender.destination.tenantId === tenantId) sender.refresh()
  }),
]

/** One timer per destination, set to its earliest requested time. */
function createTimers(wake: (destination: Destination) => void) {
  const timers = new Map<string, { atMs: number; timer: NodeJS.Timeout }>()
  return {
    wakeAfter(destination: Destination, waitMs: number): void {
      const { destinationId } = destination
      const atMs = performance.now() + waitMs
      const current = timers.get(destinationId)
      if (current && current.atMs <= atMs) return
      clearTimeout(current?.timer)
      const timer = setTimeout(
        () => {
          timers.delete(destinationId)
          wake(destination)
        },
        Math.min(timerMaxMs, Math.max(0, waitMs)),
      ).unref()
      timers.set(destinationId, { atMs, timer })
    },
    stop() {
      for (const { timer } of timers.values()) clearTimeout(timer)
    },
  }
}
