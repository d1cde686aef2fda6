/** Sends what is due to each destination of an outbox, in every process that takes jobs. */
import { nowIn, onClockMoved } from '../clock/clock.ts'
import { createLooks } from '../jobs/looks.ts'
import type { Runner } from '../jobs/runner.ts'
import { type DestinationSender, openSender, type SenderContext } from './destination-sender.ts'
import type { AnyOutbox, Destination } from './outbox.ts'
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
      const timers = new Map<string, { atMs: number; timer: NodeJS.Timeout }>()
      const context: SenderContext = {
        outbox,
        database,
        log,
        locks,
        stopping: stopping.signal,
        cutOff: cutOff.signal,
        wakeIn,
      }

      function wake(destination: Destination): void {
        if (stopping.signal.aborted) return
        const { destinationId } = destination
        if (senders.get(destinationId)?.wake()) return
        senders.set(
          destinationId,
          openSender(destination, context, () => senders.delete(destinationId)),
        )
      }

      function wakeIn(destination: Destination, waitMs: number): void {
        const { destinationId } = destination
        const atMs = performance.now() + waitMs
        const known = timers.get(destinationId)
        if (known && known.atMs <= atMs) return
        clearTimeout(known?.timer)
        const run = () => {
          timers.delete(destinationId)
          wake(destination)
        }
        const timer = setTimeout(run, Math.min(timerMaxMs, Math.max(0, waitMs))).unref()
        timers.set(destinationId, { atMs, timer })
      }

      const look = async (tenantIds: string[] | null) => {
        try {
          for (const tenantId of tenantIds ?? [null])
            for (const due of await outbox.listDue(database, tenantId)) {
              const waitMs = due.dueAt.getTime() - nowIn(database, due.tenantId).getTime()
              if (waitMs <= 0) wake(due)
              else wakeIn(due, waitMs)
            }
        } catch (error) {
          log.debug({ err: error, outbox: outbox.name }, 'no look at the outbox this time')
        }
      }
      const looks = createLooks(look, stopping.signal)

      const refreshOne = (destinationId: string) => {
        for (const [id, sender] of senders) if (!destinationId || id === destinationId) sender.refresh()
      }
      const refreshTenant = (tenantId: string) => {
        for (const sender of senders.values())
          if (!tenantId || sender.destination.tenantId === tenantId) sender.refresh()
      }
      const unlisten = [
        database.changes.on(outbox.topics.due, tenantId => looks.want(tenantId || null)),
        database.changes.on(outbox.topics.changed, refreshOne),
        database.changes.on(outbox.topics.forgotten, refreshTenant),
        onClockMoved(database, looks.want),
      ]
      const timer = setInterval(() => looks.want(null), lookEveryMs)
      looks.want(null)
      return {
        async stop() {
          stopping.abort()
          for (const stop of unlisten) stop()
          clearInterval(timer)
          for (const { timer } of timers.values()) clearTimeout(timer)
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
