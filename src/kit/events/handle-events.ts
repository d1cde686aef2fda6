/**
 * Handles stored events with one handler in one tenant. Every transaction first locks the handler's position. So only
 * one process at a time handles, retries or defers events of a tenant for a handler, and none reads uncommitted
 * progress.
 */
import { getNow, sqlNow } from '../clock/clock.ts'
import { getTenantId } from '../db/context.ts'
import { isDatabaseUnavailable, sql, type Tx } from '../db/index.ts'
import type { TObject } from '../schema.ts'
import { sqlLastPosition } from './emit.ts'
import type { EventDefinition } from './event.ts'

/** An event as its handler receives it. */
export interface EmittedEvent<D = Record<string, unknown>> {
  /** The same in every attempt. */
  id: string
  type: string
  /** The object that the event is about. */
  objectId: string
  data: D
}

/** The part of a handler that this file uses. */
export interface HandlerSpec {
  name: string
  on: EventDefinition<TObject>[]
  handle(tx: Tx, event: EmittedEvent): Promise<unknown>
}

export type InTenant = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
export type OnFailure = (event: EmittedEvent, error: unknown) => void
type StoredEvent = EmittedEvent & { position: number }
/** `id` is null: the event was deleted meanwhile. */
type Retry = (StoredEvent | { [K in keyof StoredEvent]: null }) & {
  retryPosition: number
  retryObjectId: string
  attempts: number
}

const batchSize = 100
/** How many events of other types a batch passes at most: a handler that is far behind reads no million rows at once. */
const passedMax = 10_000
/** The waits before the second attempt, the third, and so on. The last one repeats without end. */
const backoffSeconds = [1, 10, 60, 600, 3600]

/** Retries one event that is due, and handles the next batch. Returns true if there may be more. */
export async function handleDue(
  inTenant: InTenant,
  handler: HandlerSpec,
  onFailure: OnFailure,
): Promise<boolean> {
  const done = await handleWork(inTenant, handler, onFailure)
  if (done !== 'retry') return done === 'full batch'
  // New events do not wait for further retries.
  await handleWork(inTenant, handler, onFailure, { retries: false })
  return true
}

type RecordFailure = (tx: Tx, error: unknown) => Promise<void>
type Done = 'nothing' | 'retry' | 'batch' | 'full batch'

/** Handles a retry that is due, else the next batch: in one transaction, because most handlers have no retry. */
async function handleWork(
  inTenant: InTenant,
  handler: HandlerSpec,
  onFailure: OnFailure,
  { retries } = { retries: true },
): Promise<Done> {
  const inHand = new Map<StoredEvent, RecordFailure>()
  const handle = async (tx: Tx, event: StoredEvent, record: RecordFailure) => {
    inHand.set(event, record)
    await handler.handle(tx, event)
    inHand.clear()
  }
  try {
    return await inTenant(async tx => {
      inHand.clear()
      // A statement after the lock sees everything that the previous holder of the position committed.
      const [isLocked, retry, batch] = await Promise.all([
        lockPosition(tx, handler),
        retries ? findDueRetry(tx, handler) : undefined,
        readBatch(tx, handler, batchSize),
      ])
      if (!isLocked) return 'nothing'
      if (retry) {
        if (retry.id !== null)
          await handle(tx, retry, (tx, error) => postponeRetry(tx, handler, retry, error))
        await completeRetry(tx, handler, retry)
        return 'retry'
      }
      if (!batch) return 'nothing'
      for (const event of batch.events)
        if (!event.isBlocked) await handle(tx, event, (tx, error) => recordFailure(tx, handler, event, error))
      const waiting = batch.events.filter(({ isBlocked }) => isBlocked)
      await deferEvents(tx, handler, waiting)
      await advancePosition(tx, handler, batch.readUpTo)
      return batch.isFull ? 'full batch' : 'batch'
    })
  } catch (error) {
    const [failed] = inHand
    if (!failed || isDatabaseUnavailable(error)) throw error
    const [event, record] = failed
    onFailure(event, error)
    await inTenant(tx => record(tx, error))
    return 'retry'
  }
}

/**
 * Locks the handler's position until the transaction ends. False if another transaction has locked it or it is missing.
 */
async function lockPosition(tx: Tx, { name }: HandlerSpec): Promise<boolean> {
  const { rows } = await sql`
    select from event_subscribers where tenant_id = ${getTenantId(tx)} and name = ${name}
    for update skip locked`.execute(tx)
  return rows.length === 1
}

interface Batch {
  /** Events that the handler subscribes to. `isBlocked`: an earlier event of the same object failed. */
  events: (StoredEvent & { isBlocked: boolean })[]
  /** The position up to which events of all types were read. */
  readUpTo: number
  isFull: boolean
}

type BatchRow = { last: number; from: number } & ((StoredEvent & { isBlocked: boolean }) | { id: null })

/** Null if there is no new event. */
async function readBatch(tx: Tx, { name, on }: HandlerSpec, limit: number): Promise<Batch | null> {
  const types = on.map(({ type }) => type)
  const tenantId = getTenantId(tx)
  const { rows } = await sql<BatchRow>`
    select e.id, e.type, e.object_id as "objectId", e.data, e.position,
      exists (select from event_retries r where r.tenant_id = ${tenantId} and r.name = ${name}
        and r.object_id = e.object_id and r.position <= e.position) as "isBlocked",
      s.position as "from", ${sqlLastPosition(tx)} as last
    from event_subscribers s left join lateral (
      select * from events where tenant_id = ${tenantId} and position > s.position and position <= s.position + ${passedMax}
        and type = any(${types})
      order by position limit ${limit}) e on true
    where s.tenant_id = ${tenantId} and s.name = ${name}
    order by e.position`.execute(tx)
  const [first] = rows
  if (!first || first.last === first.from) return null
  const events = rows.filter(row => row.id !== null)
  // If the batch is not full, the positions after its last event are those of deleted events and of other types.
  const readUpTo =
    events.length === limit ? events.at(-1)!.position : Math.min(first.from + passedMax, first.last)
  return { events, readUpTo, isFull: readUpTo < first.last }
}

async function advancePosition(tx: Tx, { name }: HandlerSpec, position: number): Promise<void> {
  await sql`
    update event_subscribers set position = ${position}
    where tenant_id = ${getTenantId(tx)} and name = ${name}`.execute(tx)
}

/** Stores events that wait for an earlier event of their object. */
async function deferEvents(tx: Tx, { name }: HandlerSpec, events: StoredEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('event_retries')
    .values(
      events.map(({ objectId, position }) => ({
        tenant_id: getTenantId(tx),
        name,
        object_id: objectId,
        position,
        next_attempt_at: getNow(tx),
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Stores a failed event for a retry, unless another process has handled it meanwhile. */
async function recordFailure(
  tx: Tx,
  { name }: HandlerSpec,
  failed: StoredEvent,
  error: unknown,
): Promise<void> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql`
    select from event_subscribers
    where tenant_id = ${tenantId} and name = ${name} and position < ${failed.position} for update`.execute(tx)
  if (rows.length === 0) return
  await sql`
    insert into event_retries (tenant_id, name, object_id, position, attempts, next_attempt_at, error)
    values (${tenantId}, ${name}, ${failed.objectId}, ${failed.position}, 1, ${secondsFromNow(tx, backoffSeconds[0]!)}, ${toErrorMessage(error)})
    on conflict do nothing`.execute(tx)
}

/** Finds the first failed event whose retry is due. */
async function findDueRetry(tx: Tx, { name }: HandlerSpec): Promise<Retry | undefined> {
  const tenantId = getTenantId(tx)
  const { rows } = await sql<Retry>`
    select e.id, e.type, e.object_id as "objectId", e.data, e.position, r.position as "retryPosition", r.object_id as "retryObjectId", r.attempts
    from event_retries r join event_subscribers s on s.tenant_id = r.tenant_id and s.name = r.name
    left join events e on e.tenant_id = r.tenant_id and e.position = r.position
    where r.tenant_id = ${tenantId} and r.name = ${name} and r.attempts > 0 and r.next_attempt_at <= ${sqlNow(tx)}
      and r.position <= s.position
    order by r.next_attempt_at, r.position limit 1`.execute(tx)
  return rows[0]
}

/** Deletes a retry, and makes the next deferred event of the same object due. */
async function completeRetry(
  tx: Tx,
  { name }: HandlerSpec,
  { retryPosition, retryObjectId }: Retry,
): Promise<void> {
  const tenantId = getTenantId(tx)
  await sql`
    delete from event_retries where tenant_id = ${tenantId} and name = ${name} and position = ${retryPosition}`.execute(
    tx,
  )
  await sql`
    update event_retries set attempts = 1, next_attempt_at = ${sqlNow(tx)}
    where tenant_id = ${tenantId} and name = ${name} and position = (
      select min(position) from event_retries
      where tenant_id = ${tenantId} and name = ${name} and object_id = ${retryObjectId})`.execute(tx)
}

async function postponeRetry(tx: Tx, { name }: HandlerSpec, failed: Retry, error: unknown): Promise<void> {
  const backoff = backoffSeconds[Math.min(failed.attempts, backoffSeconds.length - 1)]!
  await sql`
    update event_retries set attempts = attempts + 1, next_attempt_at = ${secondsFromNow(tx, backoff)},
      error = ${toErrorMessage(error)}
    where tenant_id = ${getTenantId(tx)} and name = ${name} and position = ${failed.retryPosition}
      and attempts = ${failed.attempts}`.execute(tx)
}

const secondsFromNow = (tx: Tx, seconds: number): Date => new Date(getNow(tx).getTime() + seconds * 1000)

const toErrorMessage = (error: unknown): string => String((error as Error)?.message ?? error).slice(0, 500)
