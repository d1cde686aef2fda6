/** Events of things, handlers that record them, and processes that dispatch them, for the tests of the dispatcher. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Database, openDatabase, sql, type Tx } from '../src/kit/db/index.ts'
import { notifyAfterCommit } from '../src/kit/db/notifications.ts'
import { defineEventHandler, type EventHandler, eventDispatchService } from '../src/kit/events/dispatcher.ts'
import { emit, emitMany } from '../src/kit/events/emit.ts'
import { event } from '../src/kit/events/event.ts'
import type { EmittedEvent } from '../src/kit/events/handle-events.ts'
import { bindSubscribers } from '../src/kit/events/subscriber.ts'
import { newId } from '../src/kit/id.ts'
import type { RunningService } from '../src/kit/jobs/background-service.ts'
import { createLog } from '../src/kit/log.ts'
import { id, strictObject, Type } from '../src/kit/schema.ts'
import { makeDatabase } from './harness.ts'
import { makeWorkspace } from './make.ts'

const moved = event({
  type: 'thing.moved',
  object: ['leadId'],
  summary: 'A thing moved',
  data: strictObject({ leadId: id('A thing.'), n: Type.Integer() }),
  example: { leadId: newId(), n: 1 },
})
const handled = event({
  type: 'thing.handled',
  object: [],
  summary: 'A thing was handled',
  data: strictObject({ n: Type.Integer() }),
  example: { n: 1 },
})

/** The database of the test file, and a new tenant for each test. */
export let database: Database
export let tenantId: string
let url: string
const running: RunningService[] = []

/** Opens the database, and stops what a test has started. */
export function prepareEventHandlers(): void {
  beforeAll(async () => {
    url = await makeDatabase()
    database = openDatabase(url, { onError: () => {} })
  })
  beforeEach(async () => {
    tenantId = (await makeWorkspace(database)).testTenantId
  })
  afterEach(async () => {
    await stopDispatchers()
    bindSubscribers(database, [])
  })
  afterAll(() => database.close())
}

export const inTenant = <T>(work: (tx: Tx) => Promise<T>, tenant = tenantId) =>
  database.withTenant({ tenantId: tenant }, work)

export const emitMoved = (tx: Tx, leadId: string, ...numbers: number[]) =>
  emitMany(
    tx,
    moved,
    numbers.map(n => ({ leadId, n })),
  )
/** Emits an event for each number in one transaction. */
export const move = (leadId: string, ...numbers: number[]) =>
  inTenant(tx => emitMoved(tx, leadId, ...numbers))

/** A handler of `thing.moved` with a unique name, which receives events from now on. */
export function makeHandler(handle: EventHandler['handle']): EventHandler {
  const handler = defineEventHandler({ name: `test-${newId()}`, on: [moved], handle: handle as never })
  bindSubscribers(database, [{ subscribers: [handler] }])
  return handler
}

/** Records a handled event as another event, in the transaction of the handler. */
export const recordHandled = (tx: Tx, { data }: EmittedEvent) => emit(tx, handled, { n: data.n as number })

/** Lists the numbers of the handled events in the order in which they were handled. */
export async function listHandled(tenant = tenantId): Promise<number[]> {
  const rows = await inTenant(
    tx =>
      tx
        .selectFrom('events')
        .select('data')
        .where('type', '=', 'thing.handled')
        .orderBy('position')
        .execute(),
    tenant,
  )
  return rows.map(({ data }) => (data as { n: number }).n)
}

/** Starts a dispatcher; the end of the test stops it. */
export function dispatch(handler: EventHandler, by = database): void {
  bindSubscribers(by, [{ subscribers: [handler] }])
  running.push(eventDispatchService([handler]).start({ database: by, log: createLog('silent') }))
}
export async function stopDispatchers(): Promise<void> {
  for (const one of running.splice(0)) await one.stop()
}

/** Runs `work` with the database of a second process, and stops all dispatchers before that is closed. */
export async function withSecondProcess(work: (other: Database) => Promise<void>): Promise<void> {
  const other = openDatabase(url, { onError: () => {} })
  await work(other)
  await stopDispatchers()
  await other.close()
}

export const listRetries = () =>
  inTenant(tx => tx.selectFrom('event_retries').selectAll().orderBy('position').execute())
/** Makes failed events due at once. */
export const makeRetriesDue = () =>
  inTenant(async tx => {
    await sql`update event_retries set next_attempt_at = now()`.execute(tx)
    notifyAfterCommit(tx, 'events')
  })
