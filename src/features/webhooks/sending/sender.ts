/** Sends what is due to each subscription, in a lane of its own, in every process that takes jobs. */
import { createHeldLocks } from '../../../kit/held-locks.ts'
import type { Runner } from '../../../kit/jobs/runner.ts'
import { forgottenTopic } from '../forgetting.ts'
import { deliveriesTopic } from '../waking.ts'
import { type Lane, type LaneContext, openLane } from './lane.ts'
import { listDueSubscriptions, type Subscription, subscriptionsTopic } from './queries.ts'

/** Notices may get lost, and other processes die: so often everything is looked through. */
const lookEveryMs = 5000
/** What is under way when the process stops may take so long. */
const cutOffMs = 10_000
/** The longest that a timer can wait for. */
const timerMaxMs = 2 ** 31 - 1

export function webhookSender({
  http,
  cipher,
  metrics,
  catalogue,
  receiverTimeoutMs,
}: Pick<LaneContext, 'http' | 'cipher' | 'metrics' | 'catalogue' | 'receiverTimeoutMs'>): Runner {
  return {
    start({ database, log }) {
      const stopping = new AbortController()
      const cutOff = new AbortController()
      const locks = createHeldLocks(database.ownerPool)
      const lanes = new Map<string, Lane>()
      const timers = new Map<string, { at: number; timer: NodeJS.Timeout }>()
      const context: LaneContext = {
        ...{ database, http, cipher, metrics, catalogue, receiverTimeoutMs, log, locks },
        ...{ stopping: stopping.signal, cutOff: cutOff.signal, dueAt },
      }

      function wake(subscription: Subscription): void {
        if (stopping.signal.aborted) return
        const { webhookId } = subscription
        if (lanes.get(webhookId)?.wake()) return
        lanes.set(
          webhookId,
          openLane(subscription, context, () => lanes.delete(webhookId)),
        )
      }

      function dueAt(subscription: Subscription, at: Date): void {
        const { webhookId } = subscription
        const known = timers.get(webhookId)
        if (known && known.at <= at.getTime()) return
        clearTimeout(known?.timer)
        const run = () => {
          timers.delete(webhookId)
          wake(subscription)
        }
        const timer = setTimeout(run, Math.min(timerMaxMs, Math.max(0, at.getTime() - Date.now()))).unref()
        timers.set(webhookId, { at: at.getTime(), timer })
      }

      // Of several notices that come while one is looked into, one look is enough.
      const wanted = new Set<string | null>()
      let isLooking = false
      let looked = Promise.resolve()
      const look = (tenantId: string | null) => {
        wanted.add(tenantId)
        if (!isLooking) looked = lookAtWanted()
      }
      const lookAtWanted = async () => {
        isLooking = true
        while (wanted.size > 0 && !stopping.signal.aborted) {
          const tenants = wanted.has(null) ? [null] : [...wanted]
          wanted.clear()
          try {
            for (const tenantId of tenants)
              for (const due of await listDueSubscriptions(database, tenantId))
                if (due.dueAt.getTime() <= Date.now()) wake(due)
                else dueAt(due, due.dueAt)
          } catch (error) {
            log.debug({ err: error }, 'no look at webhooks this time')
          }
        }
        isLooking = false
      }

      const refresh = (webhookId: string) => {
        for (const [id, lane] of lanes) if (!webhookId || id === webhookId) lane.refresh()
      }
      const forget = (tenantId: string) => {
        for (const lane of lanes.values()) if (!tenantId || lane.tenantId === tenantId) lane.refresh()
      }
      const unlisten = [
        database.changes.on(deliveriesTopic, tenantId => look(tenantId || null)),
        database.changes.on(subscriptionsTopic, refresh),
        database.changes.on(forgottenTopic, forget),
      ]
      const timer = setInterval(() => look(null), lookEveryMs)
      look(null)
      return {
        async stop() {
          stopping.abort()
          for (const stop of unlisten) stop()
          clearInterval(timer)
          for (const { timer } of timers.values()) clearTimeout(timer)
          const cut = setTimeout(() => cutOff.abort(new Error('the process stops')), cutOffMs)
          await looked
          await Promise.all([...lanes.values()].map(lane => lane.stop()))
          clearTimeout(cut)
          await locks.close()
        },
      }
    },
  }
}
