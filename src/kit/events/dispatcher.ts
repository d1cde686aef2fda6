/**
 * Hands events to the subscribers that handle them, after the commit: once each, as the transaction that handles an event also
 * moves the subscriber's place; in the order of each object. An event whose handling fails is tried again, for ever, and later ones
 * of its object wait for it; those of other objects go on.
 */
import { onClockChanged, sqlNowFor } from '../clock/clock.ts'
import { type ScheduledTask, scheduledQuery } from '../clock/scheduled-tasks.ts'
import { getTenantId } from '../db/context.ts'
import { type Database, isDatabaseUnavailable, sql, type Tx } from '../db/index.ts'
import { notifyAfterCommit } from '../db/notifications.ts'
import type { BackgroundService, ServiceContext } from '../jobs/background-service.ts'
import { createScanner } from '../jobs/scanner.ts'
import { createTenantWorkQueue } from '../jobs/tenant-work-queue.ts'
import type { Static, TObject } from '../schema.ts'
import { sqlLastPosition } from './emit.ts'
import { allEventsId, type EventDefinition } from './event.ts'
import { type EmittedEvent, handleDue } from './handle-events.ts'
import type { Subscriber } from './subscriber.ts'

export interface EventHandlerDefinition<T extends TObject> {
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
export type EventHandler = Subscriber & EventHandlerDefinition<TObject>

const topic = 'events'
/** Notices may get lost, and what failed comes due: so often everything is looked through. */
const pollIntervalMs = 5000
/** Tenants whose events a process handles at once: one with slow handlers keeps no other waiting. */
const tenantConcurrency = 4

/** Declares what is done after events. */
export function defineEventHandler<T extends TObject>(definition: EventHandlerDefinition<T>): EventHandler {
  const { name } = definition
  return {
    ...(definition as unknown as EventHandlerDefinition<TObject>),
    async onEmitted(tx, _definition, count) {
      // The first time it begins with these events.
      await sql`
        insert into event_subscribers (tenant_id, name, position)
        select tenant_id, ${name}, last - ${count}
        from event_sequences where tenant_id = ${getTenantId(tx)} and object_id = ${allEventsId}
        on conflict (tenant_id, name) do nothing returning name`.execute(tx)
      notifyAfterCommit(tx, `${topic} ${getTenantId(tx)}`)
    },
    // An error may repeat what an event said; the next attempt tells it again if it still holds.
    onErased: tx =>
      sql`
        update event_retries set error = null
        where tenant_id = ${getTenantId(tx)} and name = ${name} and error is not null`.execute(tx),
  }
}

/** Runs those of these subscribers that are handlers, in every process that takes jobs. */
export function eventDispatchService(subscribers: Subscriber[]): BackgroundService {
  const handlers = subscribers.filter(isHandler)
  return {
    start({ database, log }) {
      if (handlers.length === 0) return { stop: async () => {} }
      const stopping = new AbortController()
      const { signal } = stopping
      const logFailure = (error: unknown) =>
        log[isDatabaseUnavailable(error) ? 'debug' : 'error'](
          { err: error },
          'events could not be dispatched',
        )
      const workQueue = createTenantWorkQueue<EventHandler>({
        concurrency: tenantConcurrency,
        signal,
        async work(tenantId, handlersToRun) {
          for (const handler of handlersToRun)
            if (!signal.aborted)
              await handleTenantBatch({ database, log }, tenantId, handler)
                .then(hasMore => hasMore && workQueue.add(tenantId, handler))
                .catch(logFailure)
        },
      })
      const scan = (tenantIds: string[] | null) =>
        listDue(database, handlers, tenantIds)
          .then(listAll => {
            for (const { tenantId, name } of listAll)
              workQueue.add(tenantId, handlers.find(one => one.name === name)!)
          })
          .catch(logFailure)
      const scanner = createScanner(scan, signal)
      const unlisten = [
        database.notifications.on(topic, tenantId => scanner.request(tenantId || null)),
        onClockChanged(database, scanner.request),
      ]
      const timer = setInterval(() => scanner.request(null), pollIntervalMs)
      scanner.request(null)
      return {
        async stop() {
          stopping.abort()
          for (const stop of unlisten) stop()
          clearInterval(timer)
          await scanner.idle()
          await workQueue.idle()
        },
      }
    },
  }
}

/** One batch: no tenant waits for all of another's. Returns whether there may be more. */
const handleTenantBatch = (
  { database, log }: ServiceContext,
  tenantId: string,
  handler: EventHandler,
): Promise<boolean> =>
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
export const handlerSchedule = ({ name }: EventHandler): ScheduledTask =>
  scheduledQuery(async tx => {
    const tenantId = getTenantId(tx)
    const { rows } = await sql<{ isBehind: boolean; nextAt: Date | null }>`
      select s.position < ${sqlLastPosition(tx)} as "isBehind", (
        select min(next_attempt_at) from event_retries r
        where r.tenant_id = ${tenantId} and r.name = ${name} and r.attempts > 0) as "nextAt"
      from event_subscribers s where s.tenant_id = ${tenantId} and s.name = ${name}`.execute(tx)
    const [found] = rows
    return found?.isBehind ? new Date(0) : (found?.nextAt ?? null)
  })

/** Whether it is handed events after the commit. */
export const isHandler = (subscriber: Subscriber): subscriber is EventHandler => 'handle' in subscriber

interface DueHandler {
  tenantId: string
  name: string
}

/** Which handlers have events to handle or to try again, in these tenants, or in all. */
async function listDue(
  { owner }: Database,
  handlers: EventHandler[],
  tenantIds: string[] | null,
): Promise<DueHandler[]> {
  const { rows } = await sql<DueHandler>`
    select s.tenant_id as "tenantId", s.name
    from event_subscribers s join event_sequences e on e.tenant_id = s.tenant_id and e.object_id = ${allEventsId}
    where s.name = any(${handlers.map(({ name }) => name)})
      and (${tenantIds}::uuid[] is null or s.tenant_id = any(${tenantIds}::uuid[]))
      and (e.last > s.position or exists (
        select from event_retries r
        where r.tenant_id = s.tenant_id and r.name = s.name and r.attempts > 0 and r.position <= s.position
          and r.next_attempt_at <= ${sqlNowFor('r.tenant_id')}))`.execute(owner)
  return rows
}
