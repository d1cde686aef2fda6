/**
 * Hands events to the subscribers that handle them, after the commit: once each, as the transaction that handles an event also
 * moves the subscriber's place; in the order of each object. An event whose handling fails is tried again, for ever, and later ones
 * of its object wait for it; those of other objects go on.
 */
import { onClockMoved, sqlNowOf } from '../clock/clock.ts'
import { type Wait, waitFor } from '../clock/waits.ts'
import { notifyAfterCommit } from '../db/changes.ts'
import { tenantIdOf } from '../db/context.ts'
import { type Database, isDatabaseAway, sql, type Tx } from '../db/index.ts'
import { createLooks } from '../jobs/looks.ts'
import type { Runner, RunnerContext } from '../jobs/runner.ts'
import { createTenantTurns } from '../jobs/tenant-turns.ts'
import type { Static, TObject } from '../schema.ts'
import { lastPosition } from './emit.ts'
import { allEventsId, type EventDefinition } from './event.ts'
import { type EmittedEvent, handleDue } from './handle-events.ts'
import type { Subscriber } from './subscriber.ts'

export interface HandlerDefinition<T extends TObject> {
  /** Of all subscribers. It is stored: another name begins with the events from then on. */
  name: string
  on: EventDefinition<T>[]
  /**
   * Handles one event, in a transaction that commits together with the subscriber's place. What takes the network goes into an
   * outbox or a job from here.
   */
  handle(tx: Tx, event: EmittedEvent<Static<T>>): Promise<unknown>
}

/** A subscriber that handles events one by one. */
export type Handler = Subscriber & HandlerDefinition<TObject>

const topic = 'events'
/** Notices may get lost, and what failed comes due: so often everything is looked through. */
const lookEveryMs = 5000
/** Tenants whose events a process handles at once: one with slow handlers keeps no other waiting. */
const tenantsAtOnce = 4

/** Declares what is done after events. */
export function eventHandler<T extends TObject>(definition: HandlerDefinition<T>): Handler {
  const { name } = definition
  return {
    ...(definition as unknown as HandlerDefinition<TObject>),
    async emitted(tx, _definition, count) {
      // The first time it begins with these events.
      await sql`
        insert into event_subscribers (tenant_id, name, position)
        select tenant_id, ${name}, last - ${count}
        from event_sequences where tenant_id = ${tenantIdOf(tx)} and object_id = ${allEventsId}
        on conflict (tenant_id, name) do nothing returning name`.execute(tx)
      notifyAfterCommit(tx, `${topic} ${tenantIdOf(tx)}`)
    },
    // An error may repeat what an event said; the next attempt tells it again if it still holds.
    forgotten: tx =>
      sql`
        update event_retries set error = null
        where tenant_id = ${tenantIdOf(tx)} and name = ${name} and error is not null`.execute(tx),
  }
}

/** Runs those of these subscribers that are handlers, in every process that takes jobs. */
export function eventDispatcher(subscribers: Subscriber[]): Runner {
  const handlers = subscribers.filter(isHandler)
  return {
    start({ database, log }) {
      if (handlers.length === 0) return { stop: async () => {} }
      const stopping = new AbortController()
      const { signal } = stopping
      const logFailure = (error: unknown) =>
        log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, 'events could not be dispatched')
      const turns = createTenantTurns<Handler>({
        ...{ atOnce: tenantsAtOnce, signal },
        async work(tenantId, wanted) {
          for (const handler of wanted)
            if (!signal.aborted)
              await handleOnce({ database, log }, tenantId, handler)
                .then(mayBeMore => mayBeMore && turns.add(tenantId, handler))
                .catch(logFailure)
        },
      })
      const look = (tenantIds: string[] | null) =>
        listDue(database, handlers, tenantIds)
          .then(all => {
            for (const { tenantId, name } of all)
              turns.add(tenantId, handlers.find(one => one.name === name)!)
          })
          .catch(logFailure)
      const looks = createLooks(look, signal)
      const unlisten = [
        database.changes.on(topic, tenantId => looks.want(tenantId || null)),
        onClockMoved(database, looks.want),
      ]
      const timer = setInterval(() => looks.want(null), lookEveryMs)
      looks.want(null)
      return {
        async stop() {
          stopping.abort()
          for (const stop of unlisten) stop()
          clearInterval(timer)
          await looks.ended()
          await turns.ended()
        },
      }
    },
  }
}

/** One batch: no tenant waits for all of another's. Returns whether there may be more. */
const handleOnce = ({ database, log }: RunnerContext, tenantId: string, handler: Handler): Promise<boolean> =>
  handleDue(
    work => database.withTenant({ tenantId }, work),
    handler,
    ({ id: eventId, type }, error) =>
      log.error(
        { err: error, tenantId, handler: handler.name, eventId, type },
        'an event could not be handled and will be tried again',
      ),
  )

/** When a handler has something to handle, or to try again. Its dispatcher notices by itself that the clock was moved. */
export const handlerWait = ({ name }: Handler): Wait =>
  waitFor(async tx => {
    const tenantId = tenantIdOf(tx)
    const { rows } = await sql<{ isBehind: boolean; nextAt: Date | null }>`
      select s.position < ${lastPosition(tx)} as "isBehind", (
        select min(next_attempt_at) from event_retries r
        where r.tenant_id = ${tenantId} and r.name = ${name} and r.attempts > 0) as "nextAt"
      from event_subscribers s where s.tenant_id = ${tenantId} and s.name = ${name}`.execute(tx)
    const [found] = rows
    return found?.isBehind ? new Date(0) : (found?.nextAt ?? null)
  })

/** Whether it is handed events after the commit. */
export const isHandler = (subscriber: Subscriber): subscriber is Handler => 'handle' in subscriber

interface Due {
  tenantId: string
  name: string
}

/** Which handlers have events to handle or to try again, in these tenants, or in all. */
async function listDue({ owner }: Database, handlers: Handler[], tenantIds: string[] | null): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select s.tenant_id as "tenantId", s.name
    from event_subscribers s join event_sequences e on e.tenant_id = s.tenant_id and e.object_id = ${allEventsId}
    where s.name = any(${handlers.map(({ name }) => name)})
      and (${tenantIds}::uuid[] is null or s.tenant_id = any(${tenantIds}::uuid[]))
      and (e.last > s.position or exists (
        select from event_retries r
        where r.tenant_id = s.tenant_id and r.name = s.name and r.attempts > 0 and r.position <= s.position
          and r.next_attempt_at <= ${sqlNowOf('r.tenant_id')}))`.execute(owner)
  return rows
}
