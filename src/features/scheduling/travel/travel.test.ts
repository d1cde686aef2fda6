/** Driving times of a router over HTTP: they decide about slots, listings and bookings agree, and moves are decided by them too. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { publishPage, sendForm, toQueryStart, visit } from '../../../../test/booking-page.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  advanceTo,
  book,
  type MadeEventType,
  makeEventType,
  move,
  type Refusal,
  requestBooking,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { fast, getafe, listTimes, makePlaces, slow } from '../../../../test/travel.ts'
import { sql } from '../../../kit/db/index.ts'
import { type RouterSimulator, startRouter } from '../../../simulator/router.ts'
import type { DayRoute } from '../day-route/schemas.ts'
import type { SlotList } from '../slots/schemas.ts'
import { expireTravelTimes } from './expiry.ts'

let app: TestApp
let router: RouterSimulator
let tenant: TestTenant
beforeAll(async () => {
  router = await startRouter()
  app = await startTestApp({ env: { ROLE: 'api', ROUTING_URL: router.url } })
})
afterAll(async () => {
  await app.stop()
  await router.close()
})
beforeEach(async () => {
  router.faults.length = 0
  router.requests.length = 0
  router.roads.speedKmh = 30
  tenant = await makeTenant(app)
})

const list = (eventType: MadeEventType) => listTimes(tenant, eventType)

describe('slots', () => {
  test('a way that takes longer than the estimate blocks slots, and a shorter one frees them', async () => {
    const { south } = await makePlaces(tenant)
    router.roads.speedKmh = slow
    expect(await list(south)).toEqual([])
    const { status, body } = await requestBooking(tenant, south, toTime(3, 11))
    expect([status, body.code, body.slotReason]).toEqual([422, 'SLOT_UNAVAILABLE', 'TRAVEL'])
    expect(body.nearestSlots[0]!.start).toBe(toTime(3, 12))
    await book(tenant, south, toTime(3, 12))

    tenant = await makeTenant(app)
    router.roads.speedKmh = fast
    const other = await makePlaces(tenant)
    expect((await list(other.south))[0]).toBe('08:00')
    expect(await list(other.south)).toContain('10:00')
    await book(tenant, other.south, toTime(3, 10))
  })

  test('a figure is fetched once, for the place there and back', async () => {
    const { south } = await makePlaces(tenant)
    await list(south)
    await list(south)
    await requestBooking(tenant, south, toTime(3, 8, 30))
    expect(router.requests).toHaveLength(1)
    expect(router.requests[0]).toContain('-3.7327,40.305;-3.7035,40.4169')
  })

  test('who does not wish travel times, or has no place, needs no router', async () => {
    const { center, south } = await makePlaces(tenant)
    await tenant.call('PATCH', `/scheduling/event-types/${south.id}`, {
      body: { config: { travel: { enabled: false } } },
    })
    expect(await list(south)).toContain('09:30')
    await list(await makeEventType(tenant, { agendaId: center.agendaId }))
    expect(router.requests).toEqual([])
  })
})

describe('a booking counts as the listing before', () => {
  test.each([
    ['the router fails', () => router.faults.push({ status: 500, times: 100 })],
    ['the roads become slow', () => Object.assign(router.roads, { speedKmh: slow })],
  ])('if %s meanwhile', async (_what, happen) => {
    router.roads.speedKmh = fast
    const { south } = await makePlaces(tenant)
    expect(await list(south)).toContain('10:00')
    happen()
    const path = `/scheduling/event-types/${south.id}/holds`
    const hold = await tenant.call<{ id: string }>('POST', path, { body: { start: toTime(3, 10) } })
    expect(hold.status).toBe(201)
    await tenant.call('DELETE', `/scheduling/holds/${hold.body.id}`)
    const { id } = await book(tenant, south, toTime(3, 10))
    expect((await move(tenant, id, 'reschedule', { start: toTime(3, 8) })).status).toBe(200)
  })

  test('also after the figures have expired; the next listing has new ones', async () => {
    router.roads.speedKmh = fast
    const { south } = await makePlaces(tenant)
    expect(await list(south)).toContain('10:00')
    router.roads.speedKmh = slow
    await expire('1 minute')
    await book(tenant, south, toTime(3, 10))
    tenant = await makeTenant(app)
    const other = await makePlaces(tenant)
    expect(await list(other.south)).toEqual([])
    router.roads.speedKmh = fast
    await expire('1 minute')
    expect(await list(other.south)).toContain('10:00')
  })

  const expire = (ago: string) =>
    tenant.inTenant(tx =>
      sql`update travel_times set expires_at = now() - ${ago}::interval where tenant_id = ${tenant.tenantId}`.execute(
        tx,
      ),
    )
})

test('a hold, a reschedule and an assignment are decided by the router without a listing before', async () => {
  router.roads.speedKmh = slow
  const { south } = await makePlaces(tenant)
  const hold = await tenant.call<Refusal>('POST', `/scheduling/event-types/${south.id}/holds`, {
    body: { start: toTime(3, 11) },
  })
  expect([hold.status, hold.body.slotReason]).toEqual([422, 'TRAVEL'])

  tenant = await makeTenant(app)
  const moved = await makePlaces(tenant)
  const { id } = await book(tenant, moved.south, toTime(5, 9))
  // The next fetch knows the place of the appointment that is far away in time.
  await sqlForget()
  const refused = await move(tenant, id, 'reschedule', { start: toTime(3, 11) })
  expect([refused.status, refused.body.slotReason]).toEqual([422, 'TRAVEL'])
  expect((await move(tenant, id, 'reschedule', { start: toTime(3, 12) })).status).toBe(200)

  const { agentUserId } = (
    await tenant.call<{ agentUserId: string }>('GET', `/scheduling/agendas/${moved.center.agendaId}`)
  ).body
  const agenda = await tenant.call<{ id: string }>('POST', '/scheduling/agendas', { body: { agentUserId } })
  const elsewhere = await makeEventType(tenant, {
    agendaId: agenda.body.id,
    locationMode: 'onsite',
    locationDetails: getafe,
    config: { travel: { enabled: true, speedKmh: 30 } },
  })
  const late = await book(tenant, elsewhere, toTime(3, 10, 30))
  await sqlForget()
  const assigned = await move(tenant, late.id, 'assign', { agendaId: moved.center.agendaId })
  expect([assigned.status, assigned.body.slotReason]).toEqual([422, 'TRAVEL'])
})

const sqlForget = () =>
  tenant.inTenant(tx => sql`delete from travel_times where tenant_id = ${tenant.tenantId}`.execute(tx))

test('the place is the property of the lead, in the listing and in the booking', async () => {
  router.roads.speedKmh = slow
  const { center } = await makePlaces(tenant)
  const lead = await tenant.call<{ id: string }>('POST', '/leads', {
    body: {
      contact: { name: 'Owner' },
      property: { address: 'Calle 1', latitude: getafe.latitude, longitude: getafe.longitude },
    },
  })
  expect(lead.status).toBe(201)
  const viewing = await makeEventType(tenant, {
    agendaId: center.agendaId,
    locationMode: 'onsite',
    locationDetails: { useLeadProperty: true },
    config: { travel: { enabled: true, speedKmh: 30 } },
  })
  const path = `/scheduling/event-types/${viewing.id}/slots?from=${toTime(3, 8)}&to=${toTime(3, 12)}`
  const listed = await tenant.call<SlotList>('GET', `${path}&leadId=${lead.body.id}`)
  expect(listed.body.data).toEqual({})
  await sqlForget()
  const { body } = await requestBooking(tenant, viewing, toTime(3, 11), { leadId: lead.body.id })
  expect(body.slotReason).toBe('TRAVEL')
})

test('the route of the day has the same figures', async () => {
  const { center, south } = await makePlaces(tenant)
  await tenant.call('PATCH', `/scheduling/agendas/${center.agendaId}`, { body: { timezone: 'UTC' } })
  router.roads.speedKmh = slow
  await book(tenant, south, toTime(3, 12))
  await sqlForget()
  const path = `/scheduling/agendas/${center.agendaId}/route?date=${toTime(3).slice(0, 10)}`
  const { body } = await tenant.call<DayRoute>('GET', path)
  expect(body.stops[1]!.way).toMatchObject({ travelMin: 127, gapMin: 150, isTight: false })
  expect(body.totals.travelMin).toBe(127)
})

test('the booking page lists and books by the same figures, also a move', async () => {
  router.roads.speedKmh = slow
  const { center } = await makePlaces(tenant)
  const page = await publishPage(app, tenant, {
    agendaId: center.agendaId,
    locationMode: 'onsite',
    locationDetails: getafe,
    config: { travel: { enabled: true, speedKmh: 30 } },
  })
  const day = `day=${toTime(3).slice(0, 10)}&tz=UTC`
  const toButton = (time: string) => `value="${toQueryStart(time)}"`
  const { text } = await visit(`${page.url}?${day}`)
  expect(text).not.toContain(toButton(toTime(3, 11)))
  expect(text).toContain(toButton(toTime(3, 12)))
  await sqlForget()
  expect((await sendForm(app, page, toTime(3, 11))).status).not.toBe(303)
  const booked = await sendForm(app, page, toTime(3, 12))
  expect(booked.status).toBe(303)
  await sqlForget()
  const url = `${booked.location!.split('?')[0]}/reschedule`
  const moves = await visit(`${url}?${day}`)
  expect(moves.text).not.toContain(toButton(toTime(3, 11)))
  expect(moves.text).toContain(toButton(toTime(3, 12, 30)))
  await sqlForget()
  const post = (time: string) =>
    visit(url, { method: 'POST', body: new URLSearchParams({ start: toQueryStart(time) }) })
  expect((await post(toTime(3, 11))).status).not.toBe(303)
  expect((await post(toTime(3, 12, 30))).status).toBe(303)
})

test('an erasure forgets all places, and a job those that have expired', async () => {
  const { south } = await makePlaces(tenant)
  const count = async () =>
    (
      await tenant.inTenant(tx =>
        sql<{ count: number }>`
          select count(*)::int as count from travel_times where tenant_id = ${tenant.tenantId}`.execute(tx),
      )
    ).rows[0]!.count
  await list(south)
  expect(await count()).toBe(2)
  const lead = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact: { name: 'Marta' } } })
  expect((await tenant.call('DELETE', `/leads/${lead.body.id}?erase=true`)).status).toBe(204)
  expect(await count()).toBe(0)
  await list(south)
  expect(await count()).toBe(2)
  const expire = () => expireTravelTimes.run({ ...app, signal: AbortSignal.timeout(60_000) } as never)
  await expire()
  expect(await count()).toBe(2)
  await advanceTo(tenant, toTime(29))
  await expire()
  expect(await count()).toBe(2)
  await advanceTo(tenant, toTime(32))
  await expire()
  expect(await count()).toBe(0)
})
