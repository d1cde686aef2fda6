/** Sends what is due to each destination of an outbox, in every process that takes jobs. */
import { nowIn, onClockMoved } from '../clock/clock.ts'
import type { Database } from '../db/index.ts'
import { createLooks } from '../jobs/looks.ts'
import type { Runner } from '../jobs/runner.ts'
import { type DestinationSender, openSender, type SenderContext } from './destination-sender.ts'
import type { AnyOutbox, Destination, DueDestination } from './outbox.ts'
import { createSessionLocks } from './session-locks.ts'

/** Notifications may get lost, and other processes die: so often everything is looked through. */
const lookEveryMs = 5000
/** What is under way when the process stops may take so long. */
const cutOffMs = 10_000
/** The longest that a timer can wait for. */
const timerMaxMs = 2 ** 31 - 1

export function outboxRunner(outbox: AnyOutbox): Runner {
  return {
    start({ database, log }) {
      const stopping = new AbortController()
      const cutOff = new AbortController()
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
        ...{ outbox, database, log, locks, wakeIn: timers.wakeIn },
        ...{ stopping: stopping.signal, cutOff: cutOff.signal },
      }
      const begin = (due: DueDestination) => {
        const waitMs = due.dueAt.getTime() - nowIn(database, due.tenantId).getTime()
        if (waitMs <= 0) wake(due)
        else timers.wakeIn(due, waitMs)
      }
      const looks = createLooks(async tenantIds => {
        try {
          for (const tenantId of tenantIds ?? [null])
            for (const due of await outbox.listDue(database, tenantId)) begin(due)
        } catch (error) {
          log.debug({ err: error, outbox: outbox.name }, 'no look at the outbox this time')
        }
      }, stopping.signal)
      const unlisten = [
        database.changes.on(outbox.topics.due, tenantId => looks.want(tenantId || null)),
        onClockMoved(database, looks.want),
        ...listenForChanges(outbox, database, senders),
      ]
      const timer = setInterval(() => looks.want(null), lookEveryMs)
      looks.want(null)
      return {
        async stop() {
          stopping.abort()
          for (const stop of unlisten) stop()
          clearInterval(timer)
          timers.stop()
          const cut = setTimeout(() => cutOff.abort(new Error('the process stops')), cutOffMs)
          await looks.ended()
          await Promise.all([...senders.values()].map(sender => sender.stop()))
          clearTimeout(cut)
          await locks.close()
        },
      }
    },
  }
}

/** Senders whose destinations or items are no longer what they know are refreshed; without a detail, all of them. */
const listenForChanges = (
  { topics }: AnyOutbox,
  { changes }: Database,
  senders: Map<string, DestinationSender>,
) => [
  changes.on(topics.changed, destinationId => {
    for (const [id, sender] of senders) if (!destinationId || id === destinationId) sender.refresh()
  }),
  changes.on(topics.forgotten, tenantId => {
    for (const sender of senders.values())
      if (!tenantId || sender.destination.tenantId === tenantId) sender.refresh()
  }),
]

/** One timer for each destination, until the first of its items is due. */
function createTimers(wake: (destination: Destination) => void) {
  const timers = new Map<string, { atMs: number; timer: NodeJS.Timeout }>()
  return {
    wakeIn(destination: Destination, waitMs: number): void {
      const { destinationId } = destination
      const atMs = performance.now() + waitMs
      const known = timers.get(destinationId)
      if (known && known.atMs <= atMs) return
      clearTimeout(known?.timer)
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
