/** Several processes handle each event once, in the order of its object; tenants do not wait for each other. */
import { expect, it } from 'vitest'
import {
  database,
  dispatch,
  emitMoved,
  inTenant,
  listHandled,
  listRetries,
  makeHandler,
  makeRetriesDue,
  move,
  prepareEventHandlers,
  recordHandled,
  tenantId,
  withSecondProcess,
} from '../../../test/event-handlers.ts'
import { eventually } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { getTenantId } from '../db/context.ts'
import { sql } from '../db/index.ts'
import { newId } from '../id.ts'

prepareEventHandlers()

it('two processes handle each event once, and those of one object in order', async () => {
  const things = Array.from({ length: 5 }, () => newId())
  const order = new Map<string, number[]>()
  const handler = makeHandler(async (tx, event) => {
    await recordHandled(tx, event)
    order.set(event.objectId, [...(order.get(event.objectId) ?? []), event.data.n as number])
  })
  await withSecondProcess(async other => {
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
  })
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
  await inTenant(tx => emitMoved(tx, newId(), 4), otherTenantId)
  expect(
    await eventually(
      () => listHandled(otherTenantId),
      list => list.length > 0,
    ),
  ).toEqual([4])
})

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
    await eventually(listRetries, rows => rows.length === 1)
    await makeRetriesDue()
    await eventually(
      async () => attempts,
      list => list.length === 2,
    )
    dispatch(handler, other)
    await move(thing, 2)
    await move(bystander, 3)
    // The other process has started by now, if it is allowed to.
    await new Promise(resolve => setTimeout(resolve, 300))
    retrying.resolve()
    await eventually(listHandled, list => list.includes(1))
    handling.resolve()
    expect((await eventually(listHandled, list => list.length === 3)).toSorted()).toEqual([1, 2, 3])
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
    await eventually(listRetries, rows => rows.length === 0)
    expect(await listHandled()).toEqual([1])
  })
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
  await inTenant(tx => emitMoved(tx, newId(), 2), otherTenantId)
  expect(
    await eventually(
      () => listHandled(otherTenantId),
      list => list.length > 0,
    ),
  ).toEqual([2])
  released.resolve()
  expect(await eventually(listHandled, list => list.length > 0)).toEqual([1])
})
