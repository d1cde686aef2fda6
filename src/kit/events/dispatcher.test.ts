/** Event handlers run after the commit, once per event, in the order of each object, until they succeed. */
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
  stopDispatchers,
  tenantId,
} from '../../../test/event-handlers.ts'
import { eventually } from '../../../test/harness.ts'
import { getNow } from '../clock/clock.ts'
import { advanceClock } from '../clock/scheduled-tasks.ts'
import { sql } from '../db/index.ts'
import { newId } from '../id.ts'
import { strictObject, Type } from '../schema.ts'
import { handlerSchedule } from './dispatcher.ts'
import { emit } from './emit.ts'
import { event } from './event.ts'
import { deleteLeadEvents } from './event-history.ts'
import { handleDue } from './handle-events.ts'
import { bindSubscribers } from './subscriber.ts'

const opened = event({
  type: 'shop.opened',
  object: [],
  summary: 'The shop opened',
  data: strictObject({ n: Type.Integer() }),
  example: { n: 1 },
})

prepareEventHandlers()

it('an event is handled after its commit, never after a rollback; other event types are not handled', async () => {
  const handler = makeHandler(recordHandled)
  dispatch(handler)
  await move(newId(), 1)
  await expect(
    inTenant(async tx => {
      await emitMoved(tx, newId(), 2)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await inTenant(tx => emit(tx, opened, { n: 3 }))
  await move(newId(), 4)
  expect(await eventually(listHandled, list => list.includes(4))).toEqual([1, 4])
})

it('any number of events of other types are passed in one turn', async () => {
  const handler = makeHandler(recordHandled)
  await move(newId(), 1)
  await inTenant(async tx => {
    for (let n = 0; n < 250; n++) await emit(tx, opened, { n })
  })
  await move(newId(), 2)
  await inTenant(tx => handler.onEmitted(tx, opened, 252))
  expect(await handleDue(inTenant, handler, () => {})).toBe(false)
  expect(await listHandled()).toEqual([1, 2])
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
  await eventually(listRetries, rows => rows.length === 3 && rows[0]!.error === 'it is broken')
  expect(await listHandled()).toEqual([1, 4, 5])
  isBroken = false
  await makeRetriesDue()
  expect(await eventually(listHandled, list => list.length === 6)).toEqual([1, 4, 5, 2, 3, 6])
  expect(await listRetries()).toEqual([])
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
  await eventually(listRetries, rows => rows.length === 2)
  await inTenant(tx => sql`delete from events where data ->> 'n' = '1'`.execute(tx))
  await makeRetriesDue()
  expect(await eventually(listHandled, list => list.length > 0)).toEqual([2])
})

it('every subscriber is notified when events are deleted', async () => {
  const erasedIds: string[][] = []
  bindSubscribers(database, [
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
  await eventually(listRetries, rows => rows.length === 1)
  const to = new Date(Date.now() + 2 * 3_600_000)
  const { signal } = new AbortController()
  const options = { tenantId, to, timeoutMs: 10_000, signal }
  expect(await advanceClock(database, [handlerSchedule([handler])], options)).toMatchObject({
    isSettled: true,
  })
  const delaysSeconds = triedAt.slice(1).map((at, n) => (at.getTime() - triedAt[n]!.getTime()) / 1000)
  expect(delaysSeconds).toHaveLength(4)
  for (const [n, seconds] of [1, 10, 60, 600].entries()) {
    expect(delaysSeconds[n]).toBeGreaterThanOrEqual(seconds)
    expect(delaysSeconds[n]).toBeLessThan(seconds + 6)
  }
})

it('stored errors are deleted with events, because they may repeat their content', async () => {
  const handler = makeHandler(async (_tx, { data }) => {
    throw new Error(`it is broken by ${data.n}`)
  })
  const [leadId, other] = [newId(), newId()]
  dispatch(handler)
  await move(leadId, 612)
  await move(other, 7)
  const readErrors = async () => (await listRetries()).map(({ error }) => error)
  await eventually(readErrors, list => list.length === 2)
  await stopDispatchers()
  expect(await readErrors()).toContain('it is broken by 612')
  await inTenant(tx => deleteLeadEvents(tx, [leadId]))
  expect(await readErrors()).toEqual([null, null])
})

it('events of other types are not due: a moved clock does not wait until they are passed', async () => {
  const handler = makeHandler(recordHandled)
  dispatch(handler)
  await move(newId(), 1)
  await eventually(listHandled, list => list.includes(1))
  const findNextDueAt = () => inTenant(tx => handlerSchedule([handler]).findNextDueAt(tx, new Date()))
  await stopDispatchers()
  await inTenant(tx => emit(tx, opened, { n: 2 }))
  expect(await findNextDueAt()).toBeNull()
  await move(newId(), 3)
  expect(await findNextDueAt()).not.toBeNull()
})

it('nothing is due after the last events were deleted before they were handled', async () => {
  const handler = makeHandler(recordHandled)
  const leadId = newId()
  await move(leadId, 1, 2)
  await inTenant(tx => deleteLeadEvents(tx, [leadId]))
  dispatch(handler)
  const findNextDueAt = () => inTenant(tx => handlerSchedule([handler]).findNextDueAt(tx, new Date()))
  expect(await eventually(findNextDueAt, at => at === null)).toBeNull()
  await move(newId(), 3)
  expect(await eventually(listHandled, list => list.length > 0)).toEqual([3])
})
