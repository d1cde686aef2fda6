/**
 * Hands events to the subscribers that handle them, after the commit: once each, as the transaction that handles an event also
 * moves the subscriber's place; in the order of each object. An event whose handling fails is tried again, for ever, and later ones
 * of its object wait for it; those of other objects go on.
 */

import { nowOf, onClockMoved, sqlNow, sqlNowOf } from '../clock/clock.ts'
import { type Wait, waitFor } from '../clock/waits.ts'
import { notifyAfterCommit } from '../db/changes.ts'
import { type Database, isDatabaseAway, sql, type Tx } from '../db/index.ts'
import type { Runner } from '../jobs/runner.ts'
import type { Static, TObject } from '../schema.ts'
import { lastPosition } from './emit.ts'
import { allEventsId, type EventDefinition } from './event.ts'
import type { Subscriber } from './subscriber.ts'

/** An event as its handler gets it. */
export interface EmittedEvent<D = Record<string, unknown>> {
  /** The same in every attempt. */
  id: string
  type: string
  /** What it reports on. */
  objectId: string
  data: D
}

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
const batchSize = 100
/** Notices may get lost, and what failed comes due: so often everything is looked through. */
const lookEveryMs = 5000
/** Waits before the second attempt, the third, and so on; the last one again and again. */
const waitsSeconds = [1, 10, 60, 600, 3600]

/** Declares what is done after events. */
export function eventHandler<T extends TObject>(definition: HandlerDefinition<T>): Handler {
  const { name } = definition
  return {
    ...(definition as unknown as HandlerDefinition<TObject>),
    async emitted(tx, _definition, count) {
      // The first time it begins with these events.
      await sql`
        insert into event_subscribers (name, position) values (${name}, ${lastPosition} - ${count})
        on conflict (tenant_id, name) do nothing`.execute(tx)
      notifyAfterCommit(tx, topic)
    },
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
      let isWanted = false
      let working: Promise<void> | null = null
      const look = () => {
        isWanted = true
        working ??= work().finally(() => {
          working = null
        })
      }
      const work = async () => {
        while (isWanted && !signal.aborted) {
          isWanted = false
          try {
            for (const { tenantId, name } of await listDue(database, handlers)) {
              if (signal.aborted) return
              const handler = handlers.find(one => one.name === name)!
              const warn: Warn = ({ id: eventId, type }, error) =>
                log.error(
                  { err: error, tenantId, handler: name, eventId, type },
                  'an event could not be handled and will be tried again',
                )
              // One batch each: no tenant waits for all of another's.
              if (await handleDue(work => database.withTenant({ tenantId }, work), handler, warn))
                isWanted = true
            }
          } catch (error) {
            log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, 'events could not be dispatched')
          }
        }
      }
      const unlisten = [database.changes.on(topic, look), onClockMoved(database, look)]
      const timer = setInterval(look, lookEveryMs)
      look()
      return {
        async stop() {
          stopping.abort()
          for (const stop of unlisten) stop()
          clearInterval(timer)
          await working
        },
      }
    },
  }
}

/** When a handler has something to handle, or to try again. Its dispatcher notices by itself that the clock was moved. */
export const handlerWait = ({ name }: Handler): Wait =>
  waitFor(async tx => {
    const { rows } = await sql<{ isBehind: boolean; nextAt: Date | null }>`
      select s.position < ${lastPosition} as "isBehind", (
        select min(next_attempt_at) from event_retries r where r.name = ${name} and r.attempts > 0) as "nextAt"
      from event_subscribers s where s.name = ${name}`.execute(tx)
    const [found] = rows
    return found?.isBehind ? new Date(0) : (found?.nextAt ?? null)
  })

/** Whether it is handed events after the commit. */
export const isHandler = (subscriber: Subscriber): subscriber is Handler => 'handle' in subscriber

type InTenant = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
type Warn = (event: EmittedEvent, error: unknown) => void
type StoredEvent = EmittedEvent & { position: number }
/** `id` is null: it was forgotten meanwhile. */
type Retry = (StoredEvent | { [K in keyof StoredEvent]: null }) & { at: number; of: string; attempts: number }

/** Whose events wait for which handler. */
async function listDue(
  { owner }: Database,
  handlers: Handler[],
): Promise<{ tenantId: string; name: string }[]> {
  const { rows } = await sql<{ tenantId: string; name: string }>`
    select s.tenant_id as "tenantId", s.name
    from event_subscribers s join event_sequences e on e.tenant_id = s.tenant_id and e.object_id = ${allEventsId}
    where s.name = any(${handlers.map(({ name }) => name)}) and (e.last > s.position or exists (
      select from event_retries r where r.tenant_id = s.tenant_id and r.name = s.name and r.attempts > 0 and r.next_attempt_at <= ${sqlNowOf('r.tenant_id')}
        and r.position <= s.position))`.execute(owner)
  return rows
}

/** Returns whether there may be more. */
async function handleDue(inTenant: InTenant, handler: Handler, warn: Warn): Promise<boolean> {
  const retried = await handleRetry(inTenant, handler, warn)
  const handled = await handleNext(inTenant, handler, warn)
  return retried || handled
}

/** Handles the next events of the tenant. Returns whether there may be more. */
async function handleNext(inTenant: InTenant, handler: Handler, warn: Warn): Promise<boolean> {
  let current: StoredEvent | null = null
  const through = async (tx: Tx) => {
    const batch = await takeBatch(tx, handler, batchSize)
    if (!batch) return false
    for (const event of batch.events) {
      current = event
      if (!event.isWaiting) await handler.handle(tx, event)
    }
    current = null
    await setAside(
      tx,
      handler,
      batch.events.filter(({ isWaiting }) => isWaiting),
    )
    await movePlace(tx, handler, batch.lookedTo)
    return batch.isFull
  }
  try {
    return await inTenant(through)
  } catch (error) {
    const failed = current as StoredEvent | null
    if (!failed || isDatabaseAway(error)) throw error
    warn(failed, error)
    await inTenant(tx => setAsideFailed(tx, handler, failed, error))
    return true
  }
}

interface Batch {
  /** Those that the handler wants. `isWaiting`: an earlier one of its object failed. */
  events: (StoredEvent & { isWaiting: boolean })[]
  /** The position of the last event that was looked at. */
  lookedTo: number
  isFull: boolean
}

/** Null: another process is at it, or there is nothing. */
async function takeBatch(tx: Tx, { name, on }: Handler, limit: number): Promise<Batch | null> {
  const types = on.map(({ type }) => type)
  const { rows } = await sql<StoredEvent & { isWanted: boolean; isWaiting: boolean }>`
    with place as materialized (
      select position from event_subscribers where name = ${name} for update skip locked)
    select e.id, e.type, e.object_id as "objectId", e.data, e.position, e.type = any(${types}) as "isWanted",
      exists (select from event_retries r where r.name = ${name} and r.object_id = e.object_id and r.position <= e.position) as "isWaiting"
    from place cross join lateral (
      select * from events where position > place.position order by tenant_id, position limit ${limit}) e
    order by e.position`.execute(tx)
  if (rows.length === 0) return null
  return {
    events: rows.filter(({ isWanted }) => isWanted),
    lookedTo: rows.at(-1)!.position,
    isFull: rows.length === limit,
  }
}

async function movePlace(tx: Tx, { name }: Handler, position: number): Promise<void> {
  await sql`update event_subscribers set position = ${position} where name = ${name}`.execute(tx)
}

/** They wait for an earlier event of their object. */
async function setAside(tx: Tx, { name }: Handler, events: StoredEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('event_retries')
    .values(
      events.map(({ objectId, position }) => ({
        name,
        object_id: objectId,
        position,
        next_attempt_at: nowOf(tx),
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** It is tried again once the events before it were handled. */
async function setAsideFailed(tx: Tx, { name }: Handler, failed: StoredEvent, error: unknown): Promise<void> {
  await sql`
    insert into event_retries (name, object_id, position, attempts, next_attempt_at, error)
    values (${name}, ${failed.objectId}, ${failed.position}, 1, ${sqlNow(tx)} + make_interval(secs => ${waitsSeconds[0]!}), ${messageOf(error)})
    on conflict do nothing`.execute(tx)
}

/** Tries one again that failed. Returns whether there may be more. */
async function handleRetry(inTenant: InTenant, handler: Handler, warn: Warn): Promise<boolean> {
  const { name } = handler
  let current: Retry | null = null
  try {
    return await inTenant(async tx => {
      const retry = await takeRetry(tx, name)
      if (!retry) return false
      current = retry
      if (retry.id !== null) await handler.handle(tx, retry)
      current = null
      await endRetry(tx, name, retry)
      return true
    })
  } catch (error) {
    const failed = current as Retry | null
    if (failed?.id == null || isDatabaseAway(error)) throw error
    warn(failed, error)
    const waitSeconds = waitsSeconds[Math.min(failed.attempts, waitsSeconds.length - 1)]!
    await inTenant(tx =>
      sql`
        update event_retries set attempts = attempts + 1, next_attempt_at = ${sqlNow(tx)} + make_interval(secs => ${waitSeconds}),
          error = ${messageOf(error)}
        where name = ${name} and position = ${failed.at}`.execute(tx),
    )
    return true
  }
}

/** The first event of an object that is due again, locked. */
async function takeRetry(tx: Tx, name: string): Promise<Retry | undefined> {
  const { rows } = await sql<Retry>`
    select e.id, e.type, e.object_id as "objectId", e.data, e.position, r.position as at, r.object_id as of, r.attempts
    from event_retries r join event_subscribers s on s.name = r.name
    left join events e on e.position = r.position
    where r.name = ${name} and r.attempts > 0 and r.next_attempt_at <= ${sqlNow(tx)} and r.position <= s.position
    order by r.next_attempt_at, r.position limit 1 for update of r skip locked`.execute(tx)
  return rows[0]
}

/** The next event of its object waits for nobody any more. */
async function endRetry(tx: Tx, name: string, { at, of }: Retry): Promise<void> {
  await sql`delete from event_retries where name = ${name} and position = ${at}`.execute(tx)
  await sql`
    update event_retries set attempts = 1, next_attempt_at = ${sqlNow(tx)}
    where name = ${name} and position = (
      select min(position) from event_retries where name = ${name} and object_id = ${of})`.execute(tx)
}

const messageOf = (error: unknown): string => String((error as Error)?.message ?? error).slice(0, 500)
