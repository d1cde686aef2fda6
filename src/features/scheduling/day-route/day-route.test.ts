/** The route of a day over HTTP. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { advanceTo, book, makeEventType, move, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'
import type { DayRoute } from './schemas.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const sol = { latitude: 40.4169, longitude: -3.7035 }
const getafe = { latitude: 40.305, longitude: -3.7327 }
const day = (days: number) => toTime(days).slice(0, 10)
const ask = (agendaId: string, query = '') =>
  tenant.call<DayRoute & { errors: { path: string; code: string }[] }>(
    'GET',
    `/scheduling/agendas/${agendaId}/route${query}`,
  )

/** An agenda in UTC whose event types have these places. */
async function makePlaces() {
  const onSite = (locationDetails: object, agendaId?: string) =>
    makeEventType(tenant, {
      name: 'On site',
      locationMode: 'onsite',
      locationDetails,
      config: { travel: { enabled: false, speedKmh: 30 }, seats: 2 },
      ...(agendaId ? { agendaId } : {}),
    })
  const center = await onSite(sol)
  const { agendaId } = center
  await tenant.call('PATCH', `/scheduling/agendas/${agendaId}`, { body: { timezone: 'UTC' } })
  return {
    agendaId,
    center,
    south: await onSite(getafe, agendaId),
    somewhere: await onSite({ address: 'Somewhere 1' }, agendaId),
    call: await makeEventType(tenant, { agendaId }),
  }
}

test('the route of a day has the ways between the appointments on site, and says what is tight or has no place', async () => {
  const { agendaId, center, south, somewhere, call } = await makePlaces()
  const late = await book(tenant, south, toTime(3, 18))
  const first = await book(tenant, center, toTime(3, 9))
  await book(tenant, call, toTime(3, 10))
  await book(tenant, somewhere, toTime(3, 10, 30))
  const tight = await book(tenant, south, toTime(3, 9, 30))
  const second = await book(tenant, south, toTime(3, 9, 30))
  const cancelled = await book(tenant, center, toTime(3, 12))
  await move(tenant, cancelled.id, 'cancel', {})
  await book(tenant, center, toTime(4, 0))
  const { status, body } = await ask(agendaId, `?date=${day(3)}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ date: day(3), timezone: 'UTC' })
  expect(body.stops.map(({ start, place, way }) => [start, place, way])).toEqual([
    [toTime(3, 9), 'known', null],
    [
      toTime(3, 9, 30),
      'known',
      {
        fromAppointmentId: first.id,
        distanceMeters: expect.any(Number),
        travelMin: 36,
        gapMin: 0,
        isTight: true,
      },
    ],
    [toTime(3, 10), 'not_onsite', null],
    [toTime(3, 10, 30), 'unknown', null],
    [
      toTime(3, 18),
      'known',
      { fromAppointmentId: tight.id, distanceMeters: 0, travelMin: 0, gapMin: 480, isTight: false },
    ],
  ])
  expect(body.stops[1]!.appointments).toEqual([
    { id: tight.id, visitorName: tight.visitor.name },
    { id: second.id, visitorName: second.visitor.name },
  ])
  expect(body.stops.at(-1)!.appointments[0]!.id).toBe(late.id)
  const { distanceMeters } = body.stops[1]!.way!
  expect(distanceMeters / 1000).toBeCloseTo(18, 0)
  expect(body.totals).toEqual({ stops: 5, withoutPlace: 1, tight: 1, distanceMeters, travelMin: 36 })
  const { searchParams } = new URL(body.mapLinks[0]!)
  expect([body.mapLinks.length, searchParams.get('waypoints'), searchParams.get('destination')]).toEqual([
    1,
    '40.416900,-3.703500',
    '40.305000,-3.732700',
  ])
})

test('the day is that of the agenda, and today by default; past appointments are in it', async () => {
  const { agendaId, center } = await makePlaces()
  await tenant.call('PATCH', `/scheduling/agendas/${agendaId}`, { body: { timezone: 'Pacific/Auckland' } })
  const { id } = await book(tenant, center, toTime(3, 20))
  expect((await ask(agendaId, `?date=${day(3)}`)).body.stops).toEqual([])
  expect((await ask(agendaId, `?date=${day(4)}`)).body.stops[0]!.appointments[0]!.id).toBe(id)
  await advanceTo(tenant, toTime(3, 22))
  await move(tenant, id, 'no-show')
  expect((await ask(agendaId)).body).toMatchObject({ date: day(4), stops: [{ start: toTime(3, 20) }] })
})

test('the route of a member has what all of a collective event type go to', async () => {
  const { agendaId, center } = await makePlaces()
  const other = await tenant.call<{ id: string }>('POST', '/scheduling/agendas', {
    body: {
      agentUserId: (await tenant.call<{ agentUserId: string }>('GET', `/scheduling/agendas/${agendaId}`)).body
        .agentUserId,
      timezone: 'UTC',
    },
  })
  const members = [{ agendaId }, { agendaId: other.body.id }]
  await tenant.call('PATCH', `/scheduling/event-types/${center.id}`, {
    body: { config: { assignment: { kind: 'collective', members } } },
  })
  const { id } = await book(tenant, center, toTime(3))
  for (const { agendaId } of members)
    expect((await ask(agendaId, `?date=${day(3)}`)).body.stops[0]?.appointments[0]?.id).toBe(id)
})

test('a route is refused for an unknown agenda and for a date that there is not', async () => {
  const { agendaId } = await makePlaces()
  expect((await ask(newId())).status).toBe(404)
  for (const date of ['2026-02-30', 'tomorrow', '0000-01-01', '9999-12-32']) {
    const { status, body } = await ask(agendaId, `?date=${date}`)
    expect([status, body.errors[0]]).toMatchObject([400, { path: '/date', code: 'WRONG_FORMAT' }])
  }
})
