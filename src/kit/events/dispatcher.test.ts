/** Handlers of events: after the commit, once, in the order of each object, for as long as it takes. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { nowOf } from '../clock/clock.ts'
import { moveThrough } from '../clock/waits.ts'
import { notifyAfterCommit } from '../db/changes.ts'
import { tenantIdOf } from '../db/context.ts'
import { type Database, openDatabase, sql, type Tx } from '../db/index.ts'
import { newId } from '../id.ts'
import type { Running } from '../jobs/runner.ts'
import { createLog } from '../log.ts'
import { closed, id, Type } from '../schema.ts'
import { eventDispatcher, eventHandler, type Handler, handlerWait } from './dispatcher.ts'
import { emit, emitMany } from './emit.ts'
import { event } from './event.ts'
import { deleteEventsOf } from './event-history.ts'
import type { EmittedEvent } from './handle-events.ts'
import { bindSubscribers } from './subscriber.ts'

const moved = event({
  type: 'thing.moved',
  object: ['leadId'],
  summary: 'A thing moved',
  data: closed({ leadId: id('A thing.'), n: Type.Integer() }),
  example: { leadId: newId(), n: 1 },
})
const handled = event({
  type: 'thing.handled',
  object: [],
  summary: 'A thing was handled',
  data: closed({ n: Type.Integer() }),
  example: { n: 1 },
})
const opened = event({
  type: 'shop.opened',
  object: [],
  summary: 'The shop opened',
  data: closed({ n: Type.Integer() }),
  example: { n: 1 },
})

let url: string
let database: Database
let tenantId: string
const running: Running[] = []
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

const inTenant = <T>(work: (tx: Tx) => Promise<T>, of = tenantId) =>
  database.withTenant({ tenantId: of }, work)
/** What was handled is written in the transaction that handled it, as events. */
const note = (tx: Tx, { data }: EmittedEvent) => emit(tx, handled, { n: data.n as number })
const noted = async (of = tenantId) => {
  const rows = await inTenant(
    tx =>
      tx
        .selectFrom('events')
        .select('data')
        .where('type', '=', 'thing.handled')
        .orderBy('position')
        .execute(),
    of,
  )
  return rows.map(({ data }) => (data as { n: number }).n)
}

/** A handler of a name of its own, to whom events go from now on. */
function makeHandler(handle: Handler['handle']): Handler {
  const handler = eventHandler({ name: `test-${newId()}`, on: [moved], handle: handle as never })
  bindSubscribers([{ subscribers: [handler] }])
  return handler
}
const dispatch = (handler: Handler, by = database) =>
  running.push(eventDispatcher([handler]).start({ database: by, log: createLog('silent') }))
const move = (leadId: string, ...numbers: number[]) =>
  inTenant(tx =>
    emitMany(
      tx,
      moved,
      numbers.map(n => ({ leadId, n })),
    ),
  )
/** What failed is due at once. */
const hurry = () =>
  inTenant(async tx => {
    await sql`update event_retries set next_attempt_at = now()`.execute(tx)
    notifyAfterCommit(tx, 'events')
  })

it('an event is handled after its commit, and not if there is none; others are not', async () => {
  const handler = makeHandler(note)
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
  expect(await eventually(noted, list => list.includes(4))).toEqual([1, 4])
})

it('two processes handle each of many once, and each object in its order', async () => {
  const things = Array.from({ length: 5 }, () => newId())
  const order = new Map<string, number[]>()
  const handler = makeHandler(async (tx, event) => {
    await note(tx, event)
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
  const all = await eventually(noted, list => list.length >= 300)
  expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n))
  for (const [thing, numbers] of order) {
    const stored = await inTenant(tx =>
      tx.selectFrom('events').select('data').where('object_id', '=', thing).orderBy('sequence').execute(),
    )
    expect(numbers).toEqual(stored.map(({ data }) => (data as { n: number }).n))
  }
  for (const one of running.splice(0)) await one.stop()
  await other.close()
})

it('what fails is tried again and leaves nothing half done; its object waits for it, others go on', async () => {
  const [bad, good] = [newId(), newId()]
  let isBroken = true
  const handler = makeHandler(async (tx, event) => {
    await note(tx, event)
    if (isBroken && event.objectId === bad && event.data.n === 2) throw new Error('it is broken')
  })
  dispatch(handler)
  await move(bad, 1, 2, 3)
  await move(good, 4, 5)
  await move(bad, 6)
  expect(await eventually(noted, list => list.includes(5))).toEqual([1, 4, 5])
  await eventually(
    () =>
      inTenant(tx =>
        tx.selectFrom('event_retries').select(['attempts', 'error']).orderBy('position').execute(),
      ),
    rows => rows.length === 3 && rows[0]!.error === 'it is broken',
  )
  expect(await noted()).toEqual([1, 4, 5])
  isBroken = false
  await hurry()
  expect(await eventually(noted, list => list.length === 6)).toEqual([1, 4, 5, 2, 3, 6])
  expect(await inTenant(tx => tx.selectFrom('event_retries').selectAll().execute())).toEqual([])
})

it('an event that is forgotten while it waits holds up nothing', async () => {
  const bad = newId()
  const handler = makeHandler(async (tx, event) => {
    if (event.data.n === 1) throw new Error('it is broken')
    await note(tx, event)
  })
  dispatch(handler)
  await move(bad, 1)
  await move(bad, 2)
  await eventually(
    () => inTenant(tx => tx.selectFrom('event_retries').selectAll().execute()),
    rows => rows.length === 2,
  )
  await inTenant(tx => sql`delete from events where data ->> 'n' = '1'`.execute(tx))
  await hurry()
  expect(await eventually(noted, list => list.length > 0)).toEqual([2])
})

it('what a process did not get to is handled by the next one', async () => {
  const handler = makeHandler(note)
  await move(newId(), 1, 2, 3)
  expect(await noted()).toEqual([])
  dispatch(handler)
  expect(await eventually(noted, list => list.length === 3)).toEqual([1, 2, 3])
})

it('a tenant with a broken handler keeps no other from its events', async () => {
  const { testTenantId: otherTenantId } = await makeWorkspace(database)
  const broken = tenantId
  const handler = makeHandler(async (tx, event) => {
    if (tenantIdOf(tx) === broken) throw new Error('it is broken')
    await note(tx, event)
  })
  dispatch(handler)
  await move(newId(), 1, 2, 3)
  await inTenant(tx => emit(tx, moved, { leadId: newId(), n: 4 }), otherTenantId)
  expect(
    await eventually(
      () => noted(otherTenantId),
      list => list.length > 0,
    ),
  ).toEqual([4])
})

it('every subscriber is told what events say no more', async () => {
  const told: string[][] = []
  bindSubscribers([
    {
      subscribers: [
        { name: 'reader', on: [], emitted: async () => {}, forgotten: async (_tx, ids) => told.push(ids) },
      ],
    },
  ])
  const leadId = newId()
  await move(leadId, 1)
  await inTenant(tx => deleteEventsOf(tx, [leadId]))
  await inTenant(tx => deleteEventsOf(tx, [leadId]))
  expect(told).toEqual([[]])
})

it('what failed is tried again when the clock of its environment is moved, by its schedule', async () => {
  const lead = newId()
  const triedAt: Date[] = []
  const handler = makeHandler(async tx => {
    triedAt.push(nowOf(tx))
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
  const moving = { tenantId, to, patienceMs: 10_000, signal }
  expect(await moveThrough(database, [handlerWait(handler)], moving)).toMatchObject({ isSettled: true })
  const waitsSeconds = triedAt.slice(1).map((at, n) => (at.getTime() - triedAt[n]!.getTime()) / 1000)
  expect(waitsSeconds).toHaveLength(4)
  for (const [n, seconds] of [1, 10, 60, 600].entries()) {
    expect(waitsSeconds[n]).toBeGreaterThanOrEqual(seconds)
    expect(waitsSeconds[n]).toBeLessThan(seconds + 6)
  }
})

const until = <T>(read: () => T | Promise<T>, isDone: (value: T) => boolean) =>
  eventually(async () => read(), isDone)
/** A second process. */
async function besides(work: (other: Database) => Promise<void>): Promise<void> {
  const other = openDatabase(url, { onError: () => {} })
  await work(other)
  for (const one of running.splice(0)) await one.stop()
  await other.close()
}

it('an event that one process sets aside while another ends the one before it is not left behind', async () => {
  const [thing, bystander] = [newId(), newId()]
  const [retrying, handling] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const attempts: number[] = []
  const handler = makeHandler(async (tx, event) => {
    const n = event.data.n as number
    attempts.push(n)
    if (n === 1 && attempts.filter(each => each === 1).length === 1) throw new Error('it is broken')
    if (n === 1) await retrying.promise
    if (n === 3) await handling.promise
    await note(tx, event)
  })
  dispatch(handler)
  await besides(async other => {
    await move(thing, 1)
    await until(
      () => inTenant(tx => tx.selectFrom('event_retries').selectAll().execute()),
      rows => rows.length === 1,
    )
    await hurry()
    await until(
      () => attempts,
      all => all.length === 2,
    )
    dispatch(handler, other)
    await move(thing, 2)
    await move(bystander, 3)
    // The other process has begun, if it may.
    await new Promise(resolve => setTimeout(resolve, 300))
    retrying.resolve()
    await until(noted, list => list.includes(1))
    handling.resolve()
    expect((await until(noted, list => list.length === 3)).toSorted()).toEqual([1, 2, 3])
  })
})

it('an event that fails here and is handled by another process meanwhile is handled once', async () => {
  let isBroken = true
  const handler = makeHandler(async (tx, event) => {
    if (isBroken) throw new Error('it is broken')
    await note(tx, event)
  })
  await besides(async other => {
    const failed = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    // Nothing is set aside for as long as the table is locked.
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
        await hurry()
        return noted()
      },
      list => list.length > 0,
    )
    await hurry()
    await until(
      () => inTenant(tx => tx.selectFrom('event_retries').selectAll().execute()),
      rows => rows.length === 0,
    )
    expect(await noted()).toEqual([1])
  })
})

it('an error that was noted goes when events are forgotten: it may repeat them', async () => {
  const handler = makeHandler(async (_tx, { data }) => {
    throw new Error(`it is broken by ${data.n}`)
  })
  const [leadId, other] = [newId(), newId()]
  dispatch(handler)
  await move(leadId, 612)
  await move(other, 7)
  const errors = () =>
    inTenant(async tx =>
      (await tx.selectFrom('event_retries').select('error').execute()).map(({ error }) => error),
    )
  await until(errors, all => all.length === 2)
  for (const one of running.splice(0)) await one.stop()
  expect(await errors()).toContain('it is broken by 612')
  await inTenant(tx => deleteEventsOf(tx, [leadId]))
  expect(await errors()).toEqual([null, null])
})

it('nothing is left to do once the last events were deleted before they were handled', async () => {
  const handler = makeHandler(note)
  const leadId = newId()
  await move(leadId, 1, 2)
  await inTenant(tx => deleteEventsOf(tx, [leadId]))
  dispatch(handler)
  const nextAt = () => handlerWait(handler).nextAt(database, tenantId, new Date())
  expect(await until(nextAt, at => at === null)).toBeNull()
  await move(newId(), 3)
  expect(await until(noted, list => list.length > 0)).toEqual([3])
})

it('a tenant whose handler is slow keeps no other waiting', async () => {
  const { testTenantId: otherTenantId } = await makeWorkspace(database)
  const slow = tenantId
  const released = Promise.withResolvers<void>()
  const handler = makeHandler(async (tx, event) => {
    if (tenantIdOf(tx) === slow) await released.promise
    await note(tx, event)
  })
  dispatch(handler)
  await move(newId(), 1)
  await new Promise(resolve => setTimeout(resolve, 100))
  await inTenant(tx => emit(tx, moved, { leadId: newId(), n: 2 }), otherTenantId)
  expect(
    await eventually(
      () => noted(otherTenantId),
      list => list.length > 0,
    ),
  ).toEqual([2])
  released.resolve()
  expect(await until(noted, list => list.length > 0)).toEqual([1])
})
