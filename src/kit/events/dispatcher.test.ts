/** Event handlers run after the commit, once per event, in the order of each object, until they succeed. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { getNow } from '../clock/clock.ts'
import { advanceClock } from '../clock/scheduled-tasks.ts'
import { getTenantId } from '../db/context.ts'
import { type Database, openDatabase, sql, type Tx } from '../db/index.ts'
import { notifyAfterCommit } from '../db/notifications.ts'
import { newId } from '../id.ts'
import type { RunningService } from '../jobs/background-service.ts'
import { createLog } from '../log.ts'
import { id, strictObject, Type } from '../schema.ts'
import { defineEventHandler, type EventHandler, eventDispatchService, handlerSchedule } from './dispatcher.ts'
import { emit, emitMany } from './emit.ts'
import { event } from './event.ts'
import { deleteLeadEvents } from './event-history.ts'
import type { EmittedEvent } from './handle-events.ts'
import { bindSubscribers } from './subscriber.ts'

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
const opened = event({
  type: 'shop.opened',
  object: [],
  summary: 'The shop opened',
  data: strictObject({ n: Type.Integer() }),
  example: { n: 1 },
})

let url: string
let database: Database
let tenantId: string
const running: RunningService[] = []
beforeAll(async () => {
  url = await makeDatabase()
  database = openDatabase(url, { onError: () => {} })
})
beforeEach(async () => {
  tenantId = (await makeWorkspace(database)).testTenantId
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
  bindSubscribers([])
})
afterAll(() => database.close())

const inTenant = <T>(work: (tx: Tx) => Promise<T>, tenant = tenantId) =>
  database.withTenant({ tenantId: tenant }, work)
/** Records a handled event as another event, in the transaction of the handler. */
const recordHandled = (tx: Tx, { data }: EmittedEvent) => emit(tx, handled, { n: data.n as number })
const listHandled = async (tenant = tenantId) => {
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

/** A handler with a unique name, which receives events from now on. */
function makeHandler(handle: EventHandler['handle']): EventHandler {
  const handler = defineEventHandler({ name: `test-${newId()}`, on: [moved], handle: handle as never })
  bindSubscribers([{ subscribers: [handler] }])
  return handler
}
const dispatch = (handler: EventHandler, by = database) =>
  running.push(eventDispatchService([handler]).start({ database: by, log: createLog('silent') }))
const move = (leadId: string, ...numbers: number[]) =>
  inTenant(tx =>
    emitMany(
      tx,
      moved,
      numbers.map(n => ({ leadId, n })),
    ),
  )
/** Makes failed events due at once. */
const makeRetriesDue = () =>
  inTenant(async tx => {
    await sql`update event_retries set next_attempt_at = now()`.execute(tx)
    notifyAfterCommit(tx, 'events')
  })

it('an event is handled after its commit, never after a rollback; other event types are not handled', async () => {
  const handler = makeHandler(recordHandled)
  dispatch(handler)
  await move(newId(), 1)
  await expect(
    inTenant(async tx => {
      await emit(tx, moved, { leadId: newId(), n: 2 })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await inTenant(tx => emit(tx, opened, { n: 3 }))
  await move(newId(), 4)
  expect(await eventually(listHandled, list => list.includes(4))).toEqual([1, 4])
})

it('two processes handle each event once, and those of one object in order', async () => {
  const things = Array.from({ length: 5 }, () => newId())
  const order = new Map<string, number[]>()
  const handler = makeHandler(async (tx, event) => {
    await recordHandled(tx, event)
    order.set(event.objectId, [...(order.get(event.objectId) ?? []), event.data.n as number])
  })
  const other = openDatabase(url, { onError: () => {} })
  dispatch(handler)
  dispatch(handler, other)
  await Promise.all(
    Array.from({ length: 60 }, (_, round) =>
      move(things[round % 5]!, ...[0, 1, 2, 3, 4].map(n => round * 5 + n)),
    ),
  )
  const handledNumbers = await eventually(listHandled, list => list.length >= 300)
  expect(handledNumbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n))
  for (const [thing, numbers] of order) {
    const stored = await inTenant(tx =>
      tx.selectFrom('events').select('data').where('object_id', '=', thing).orderBy('sequence').execute(),
    )
    expect(numbers).toEqual(stored.map(({ data }) => (data as { n: number }).n))
  }
  for (const one of running.splice(0)) await one.stop()
  await other.close()
})

it('a failed event is rolled back and retried; later events of its object wait, other objects continue', async () => {
  const [bad, good] = [newId(), newId()]
  let isBroken = true
  const handler = makeHandler(async (tx, event) => {
    await recordHandled(tx, event)
    if (isBroken && event.objectId === bad && event.data.n === 2) throw new Error('it is broken')
  })
  dispatch(handler)
  await move(bad, 1, 2, 3)
  await move(good, 4, 5)
  await move(bad, 6)
  expect(await eventually(listHandled, list => list.includes(5))).toEqual([1, 4, 5])
  await eventually(
    () =>
      inTenant(tx =>
        tx.selectFrom('event_retries').select(['attempts', 'error']).orderBy('position').execute(),
      ),
    rows => rows.length === 3 && rows[0]!.error === 'it is broken',
  )
  expect(await listHandled()).toEqual([1, 4, 5])
  isBroken = false
  await makeRetriesDue()
  expect(await eventually(listHandled, list => list.length === 6)).toEqual([1, 4, 5, 2, 3, 6])
  expect(await inTenant(tx => tx.selectFrom('event_retries').selectAll().execute())).toEqual([])
})

it('an event that is deleted while it waits blocks nothing', async () => {
  const bad = newId()
  const handler = makeHandler(async (tx, event) => {
    if (event.data.n === 1) throw new Error('it is broken')
    await recordHandled(tx, event)
  })
  dispatch(handler)
  await move(bad, 1)
  await move(bad, 2)
  await eventually(
    () => inTenant(tx => tx.selectFrom('event_retries').selectAll().execute()),
    rows => rows.length === 2,
  )
  await inTenant(tx => sql`delete from events where data ->> 'n' = '1'`.execute(tx))
  await makeRetriesDue()
  expect(await eventually(listHandled, list => list.length > 0)).toEqual([2])
})

it('events that one process did not handle are handled by the next one', async () => {
  const handler = makeHandler(recordHandled)
  await move(newId(), 1, 2, 3)
  expect(await listHandled()).toEqual([])
  dispatch(handler)
  expect(await eventually(listHandled, list => list.length === 3)).toEqual([1, 2, 3])
})

it('a failing handler of one tenant does not affect other tenants', async () => {
  const { testTenantId: otherTenantId } = await makeWorkspace(database)
  const broken = tenantId
  const handler = makeHandler(async (tx, event) => {
    if (getTenantId(tx) === broken) throw new Error('it is broken')
    await recordHandled(tx, event)
  })
  dispatch(handler)
  await move(newId(), 1, 2, 3)
  await inTenant(tx => emit(tx, moved, { leadId: newId(), n: 4 }), otherTenantId)
  expect(
    await eventually(
      () => listHandled(otherTenantId),
      list => list.length > 0,
    ),
  ).toEqual([4])
})

it('every subscriber is notified when events are deleted', async () => {
  const erasedIds: string[][] = []
  bindSubscribers([
    {
      subscribers: [
        {
          name: 'reader',
          on: [],
          onEmitted: async () => {},
          onErased: async (_tx, ids) => erasedIds.push(ids),
        },
      ],
    },
  ])
  const leadId = newId()
  await move(leadId, 1)
  await inTenant(tx => deleteLeadEvents(tx, [leadId]))
  await inTenant(tx => deleteLeadEvents(tx, [leadId]))
  expect(erasedIds).toEqual([[]])
})

it('a failed event is retried by its backoff when the clock of its environment is moved', async () => {
  const lead = newId()
  const triedAt: Date[] = []
  const handler = makeHandler(async tx => {
    triedAt.push(getNow(tx))
    if (triedAt.length < 5) throw new Error('it is broken')
  })
  dispatch(handler)
  await move(lead, 1)
  await eventually(
    () => inTenant(tx => tx.selectFrom('event_retries').select('attempts').execute()),
    rows => rows.length === 1,
  )
  const to = new Date(Date.now() + 2 * 3_600_000)
  const { signal } = new AbortController()
  const options = { tenantId, to, timeoutMs: 10_000, signal }
  expect(await advanceClock(database, [handlerSchedule(handler)], options)).toMatchObject({ isSettled: true })
  const delaysSeconds = triedAt.slice(1).map((at, n) => (at.getTime() - triedAt[n]!.getTime()) / 1000)
  expect(delaysSeconds).toHaveLength(4)
  for (const [n, seconds] of [1, 10, 60, 600].entries()) {
    expect(delaysSeconds[n]).toBeGreaterThanOrEqual(seconds)
    expect(delaysSeconds[n]).toBeLessThan(seconds + 6)
  }
})

const waitUntil = <T>(read: () => T | Promise<T>, isDone: (value: T) => boolean) =>
  eventually(async () => read(), isDone)
/** A second process. */
async function withSecondProcess(work: (other: Database) => Promise<void>): Promise<void> {
  const other = openDatabase(url, { onError: () => {} })
  await work(other)
  for (const one of running.splice(0)) await one.stop()
  await other.close()
}

it('an event that one process defers while another completes the previous one is not lost', async () => {
  const [thing, bystander] = [newId(), newId()]
  const [retrying, handling] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const attempts: number[] = []
  const handler = makeHandler(async (tx, event) => {
    const n = event.data.n as number
    attempts.push(n)
    if (n === 1 && attempts.filter(each => each === 1).length === 1) throw new Error('it is broken')
    if (n === 1) await retrying.promise
    if (n === 3) await handling.promise
    await recordHandled(tx, event)
  })
  dispatch(handler)
  await withSecondProcess(async other => {
    await move(thing, 1)
    await waitUntil(
      () => inTenant(tx => tx.selectFrom('event_retries').selectAll().execute()),
      rows => rows.length === 1,
    )
    await makeRetriesDue()
    await waitUntil(
      () => attempts,
      list => list.length === 2,
    )
    dispatch(handler, other)
    await move(thing, 2)
    await move(bystander, 3)
    // The other process has started by now, if it is allowed to.
    await new Promise(resolve => setTimeout(resolve, 300))
    retrying.resolve()
    await waitUntil(listHandled, list => list.includes(1))
    handling.resolve()
    expect((await waitUntil(listHandled, list => list.length === 3)).toSorted()).toEqual([1, 2, 3])
  })
})

it('an event that fails here while another process handles it is handled once', async () => {
  let isBroken = true
  const handler = makeHandler(async (tx, event) => {
    if (isBroken) throw new Error('it is broken')
    await recordHandled(tx, event)
  })
  await withSecondProcess(async other => {
    const failed = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    // No event can be deferred while the table is locked.
    const locking = other.owner.transaction().execute(async tx => {
      await sql`lock table event_retries in share mode`.execute(tx)
      failed.resolve()
      await released.promise
    })
    await failed.promise
    dispatch(handler)
    await move(newId(), 1)
    await new Promise(resolve => setTimeout(resolve, 200))
    isBroken = false
    dispatch(handler, other)
    await new Promise(resolve => setTimeout(resolve, 300))
    released.resolve()
    await locking
    await eventually(
      async () => {
        await makeRetriesDue()
        return listHandled()
      },
      list => list.length > 0,
    )
    await makeRetriesDue()
    await waitUntil(
      () => inTenant(tx => tx.selectFrom('event_retries').selectAll().execute()),
      rows => rows.length === 0,
    )
    expect(await listHandled()).toEqual([1])
  })
})

it('stored errors are deleted with events, because they may repeat their content', async () => {
  const handler = makeHandler(async (_tx, { data }) => {
    throw new Error(`it is broken by ${data.n}`)
  })
  const [leadId, other] = [newId(), newId()]
  dispatch(handler)
  await move(leadId, 612)
  await move(other, 7)
  const readErrors = () =>
    inTenant(async tx =>
      (await tx.selectFrom('event_retries').select('error').execute()).map(({ error }) => error),
    )
  await waitUntil(readErrors, list => list.length === 2)
  for (const one of running.splice(0)) await one.stop()
  expect(await readErrors()).toContain('it is broken by 612')
  await inTenant(tx => deleteLeadEvents(tx, [leadId]))
  expect(await readErrors()).toEqual([null, null])
})

it('nothing is due after the last events were deleted before they were handled', async () => {
  const handler = makeHandler(recordHandled)
  const leadId = newId()
  await move(leadId, 1, 2)
  await inTenant(tx => deleteLeadEvents(tx, [leadId]))
  dispatch(handler)
  const nextAt = () => handlerSchedule(handler).nextAt(database, tenantId, new Date())
  expect(await waitUntil(nextAt, at => at === null)).toBeNull()
  await move(newId(), 3)
  expect(await waitUntil(listHandled, list => list.length > 0)).toEqual([3])
})

it('a slow handler of one tenant does not delay other tenants', async () => {
  const { testTenantId: otherTenantId } = await makeWorkspace(database)
  const slow = tenantId
  const released = Promise.withResolvers<void>()
  const handler = makeHandler(async (tx, event) => {
    if (getTenantId(tx) === slow) await released.promise
    await recordHandled(tx, event)
  })
  dispatch(handler)
  await move(newId(), 1)
  await new Promise(resolve => setTimeout(resolve, 100))
  await inTenant(tx => emit(tx, moved, { leadId: newId(), n: 2 }), otherTenantId)
  expect(
    await eventually(
      () => listHandled(otherTenantId),
      list => list.length > 0,
    ),
  ).toEqual([2])
  released.resolve()
  expect(await waitUntil(listHandled, list => list.length > 0)).toEqual([1])
})
