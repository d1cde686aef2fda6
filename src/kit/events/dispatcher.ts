/**
 * Passes events to event handlers after the commit. Each event is handled once, because the transaction that handles it
 * also advances the handler's position. Events of one object are handled in order. An event whose handler fails is
 * retried without limit; later events of its object wait for it, those of other objects continue.
 */
import { onClockChanged, sqlNowFor } from '../clock/clock.ts'
import { findEarliest, type ScheduledTask } from '../clock/scheduled-tasks.ts'
import { getTenantId } from '../db/context.ts'
import { type Database, isDatabaseUnavailable, sql, type Tx } from '../db/index.ts'
import { notifyAfterCommit } from '../db/notifications.ts'
import type { BackgroundService, ServiceContext } from '../jobs/background-service.ts'
import { createScanner } from '../jobs/scanner.ts'
import { createTenantWorkQueue } from '../jobs/tenant-work-queue.ts'
import type { Static, TObject } from '../schema.ts'
import { allEventsId, type EventDefinition } from './event.ts'
import { type EmittedEvent, handleDue } from './handle-events.ts'
import type { Subscriber } from './subscriber.ts'

export interface EventHandlerDefinition<T extends TObject> {
  /** Unique among all subscribers. It is stored: a renamed handler starts with new events only. */
  name: string
  on: EventDefinition<T>[]
  /**
   * Handles one event, in the transaction that advances the handler's position. Network calls belong in an outbox or a
   * job that is enqueued here.
   */
  handle(tx: Tx, event: EmittedEvent<Static<T>>): Promise<unknown>
}

/** A subscriber that handles events one by one. */
export type EventHandler = Subscriber & EventHandlerDefinition<TObject>

const topic = 'events'
/** How often all tenants are scanned, because notifications may get lost and retries become due. */
const pollIntervalMs = 5000
/** How many tenants a process handles at once, so that slow handlers of one tenant delay no other. */
const tenantConcurrency = 4
/** How often a moved clock lets handlers handle each other's events before it waits. */
const passesMax = 5

/** Declares an event handler. */
export function defineEventHandler<T extends TObject>(definition: EventHandlerDefinition<T>): EventHandler {
  const { name } = definition
  return {
    ...(definition as unknown as EventHandlerDefinition<TObject>),
    async onEmitted(tx, _definition, count) {
      // The first events register the handler, which starts with them.
      await sql`
        insert into event_subscribers (tenant_id, name, position)
        select tenant_id, ${name}, last - ${count}
        from event_sequences where tenant_id = ${getTenantId(tx)} and object_id = ${allEventsId}
        on conflict (tenant_id, name) do nothing returning name`.execute(tx)
      notifyAfterCommit(tx, `${topic} ${getTenantId(tx)}`)
    },
    // An error message may repeat personal data of an event. The next attempt stores a new one.
    onErased: tx =>
      sql`
        update event_retries set error = null
        where tenant_id = ${getTenantId(tx)} and name = ${name} and error is not null`.execute(tx),
  }
}

/** Runs the event handlers among these subscribers, in every process that takes jobs. */
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
          .then(dueHandlers => {
            for (const { tenantId, name } of dueHandlers)
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

/** Handles one batch, so that tenants take turns. Returns true if there may be more. */
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

/** When one of the handlers next has an event to handle or retry. New events need no process that takes jobs; retries are left to it. */
export function handlerSchedule(handlers: EventHandler[]): ScheduledTask {
  const types = JSON.stringify(
    Object.fromEntries(handlers.map(({ name, on }) => [name, on.map(({ type }) => type)])),
  )
  return {
    async findNextDueAt(tx) {
      const found = await listNextEvents(tx, types)
      return found.some(({ isBehind }) => isBehind) ? new Date(0) : findEarliest(found.map(one => one.nextAt))
    },
    async start(database, tenantId) {
      // A handler may emit events that an earlier one handles.
      for (let pass = 0; pass < passesMax; pass++) {
        const found = await database.readTenant({ tenantId }, tx => listNextEvents(tx, types))
        const behind = new Set(found.flatMap(({ name, isBehind }) => (isBehind ? name : [])))
        if (behind.size === 0) return
        for (const handler of handlers)
          if (behind.has(handler.name))
            await handleDue(
              work => database.withTenant({ tenantId }, work),
              handler,
              // The error of a failed event is stored with its retry.
              () => {},
            )
      }
    },
  }
}

interface NextEvent {
  name: string
  /** New events wait for the handler. */
  isBehind: boolean
  /** The next retry. */
  nextAt: Date | null
}

/** `types`: JSON of the event types by the name of their handler. */
async function listNextEvents(tx: Tx, types: string): Promise<NextEvent[]> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<NextEvent>`
    select s.name, exists (
      -- Nobody notifies the dispatcher of events of other types, so it passes them only at its next scan.
      select from events e where e.tenant_id = ${tenantId} and e.position > s.position
        and (${types}::jsonb -> s.name) ? e.type) as "isBehind", (
      select min(next_attempt_at) from event_retries r
      where r.tenant_id = ${tenantId} and r.name = s.name and r.attempts > 0) as "nextAt"
    from event_subscribers s where s.tenant_id = ${tenantId} and ${types}::jsonb ? s.name`.execute(tx)
  return rows
}

/** True for a subscriber that handles events after the commit. */
export const isHandler = (subscriber: Subscriber): subscriber is EventHandler => 'handle' in subscriber

interface DueHandler {
  tenantId: string
  name: string
}

/** Lists the handlers with events to handle or retry, in these tenants, or in all if null. */
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
