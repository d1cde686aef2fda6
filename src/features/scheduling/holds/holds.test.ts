/** Holds over HTTP: they really hold, become appointments, end by themselves, and are limited. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  advanceTo,
  book,
  type MadeEventType,
  makeEventType,
  type Refusal,
  requestBooking,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { SlotList } from '../slots/schemas.ts'
import type { Hold } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
let eventType: MadeEventType

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  eventType = await makeEventType(tenant)
})

const start = toTime(3)
const hold = (at = start, { id } = eventType) =>
  tenant.call<Hold & Refusal>('POST', `/scheduling/event-types/${id}/holds`, { body: { start: at } })
const isListed = async (at = start) => {
  const path = `/scheduling/event-types/${eventType.id}/slots?from=${at}`
  const { data } = (await tenant.call<SlotList>('GET', path)).body
  return Object.values(data).some(slots => slots.some(slot => slot.start === at))
}

test('a hold keeps the slot for five minutes: it is not listed, not held and not booked by others', async () => {
  const before = Date.now()
  const { status, body } = await hold()
  expect([status, body]).toMatchObject([201, { eventTypeId: eventType.id, start, end: toTime(3, 10, 30) }])
  const seconds = (Date.parse(body.expiresAt) - before) / 1000
  expect(Math.abs(seconds - 300)).toBeLessThan(20)
  expect(await isListed()).toBe(false)
  for (const refused of [await hold(), await requestBooking(tenant, eventType, start)]) {
    expect([refused.status, refused.body.code]).toEqual([409, 'SLOT_TAKEN'])
    expect(refused.body.nearestSlots).toHaveLength(5)
  }
  const booked = await book(tenant, eventType, start, { holdId: body.id })
  expect(booked).toMatchObject({ status: 'confirmed', start })
  expect((await tenant.call('DELETE', `/scheduling/holds/${body.id}`)).status).toBe(404)
})

test('a released hold frees the slot at once; a time that is not offered cannot be held', async () => {
  const { body } = await hold()
  expect((await tenant.call('DELETE', `/scheduling/holds/${body.id}`)).status).toBe(204)
  expect(await isListed()).toBe(true)
  const odd = await hold(toTime(3, 10, 10))
  expect([odd.status, odd.body.code, odd.body.slotReason]).toEqual([
    422,
    'SLOT_UNAVAILABLE',
    'NOT_A_SLOT_START',
  ])
  const unknown = await tenant.call('POST', `/scheduling/event-types/${newId()}/holds`, { body: { start } })
  expect(unknown.status).toBe(404)
})

test('an expired hold is free for the next booking', async () => {
  const { body } = await hold()
  await tenant.inTenant(tx =>
    sql`update slot_holds set expires_at = now() - interval '1 second' where tenant_id = ${tenant.tenantId}`.execute(
      tx,
    ),
  )
  expect(await isListed()).toBe(true)
  const late = await requestBooking(tenant, eventType, start, { holdId: body.id })
  expect([late.status, late.body.code]).toEqual([409, 'HOLD_NOT_VALID'])
  await book(tenant, eventType, start)
})

test('holds of a group viewing take its seats', async () => {
  eventType = await makeEventType(tenant, { config: { seats: 2 } })
  const first = await hold()
  expect((await hold()).status).toBe(201)
  expect((await hold()).body.code).toBe('SLOT_TAKEN')
  await book(tenant, eventType, start, { holdId: first.body.id })
  expect(await isListed()).toBe(false)
})

test('a hold for no particular lead is decided again for the property of the visitor', async () => {
  const near = { latitude: 41.39, longitude: 2.16 }
  eventType = await makeEventType(tenant, {
    locationMode: 'onsite',
    locationDetails: near,
    config: { travel: { enabled: true, speedKmh: 30 } },
  })
  const leadAt = async (latitude: number) => {
    const property = { ...near, latitude }
    const { body } = await tenant.call<{ id: string }>('POST', '/leads', { body: { property } })
    return body.id
  }
  await book(tenant, eventType, start)
  const next = toTime(3, 10, 30)
  const { body } = await hold(next)
  const far = await requestBooking(tenant, eventType, next, { holdId: body.id, leadId: await leadAt(41.98) })
  expect([far.status, far.body.slotReason]).toEqual([422, 'TRAVEL'])
  const later = await hold(toTime(3, 15))
  const held = { holdId: later.body.id, leadId: await leadAt(41.98) }
  expect((await requestBooking(tenant, eventType, toTime(3, 15), held)).status).toBe(201)
  // The way back from there takes two hours.
  const back = await requestBooking(tenant, eventType, toTime(3, 16))
  expect([back.status, back.body.slotReason]).toEqual([422, 'TRAVEL'])
  expect((await requestBooking(tenant, eventType, next, { holdId: body.id })).status).toBe(201)
})

test('of simultaneous holds of one slot, one succeeds', async () => {
  const replies = await Promise.all(Array.from({ length: 12 }, () => hold()))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]))
})

test('holds of one event type are limited, so that nobody can hold all of its slots', async () => {
  await hold()
  await tenant.inTenant(tx =>
    sql`
      insert into slot_holds (tenant_id, id, booked_slot_id, expires_at, created_at)
      select tenant_id, gen_random_uuid(), booked_slot_id, expires_at, created_at
      from slot_holds, generate_series(1, 49) where tenant_id = ${tenant.tenantId}
      on conflict do nothing`.execute(tx),
  )
  const refused = await hold(toTime(4))
  expect([refused.status, refused.body.code]).toEqual([409, 'TOO_MANY_HOLDS'])
  await book(tenant, eventType, toTime(4))
})

test('holds end on the clock of the environment', async () => {
  const own = await startTestApp()
  try {
    tenant = await makeTenant(own)
    eventType = await makeEventType(tenant)
    await hold()
    await advanceTo(tenant, new Date(Date.now() + 6 * 60_000).toISOString())
    const { rows } = await tenant.inTenant(tx =>
      sql`select from booked_slots where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(rows).toEqual([])
  } finally {
    await own.stop()
  }
})
