/** No change of a person is lost, also if a read ends in the middle of its work. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeCalendar } from '../../../../test/fake-calendar.ts'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { waitUntilIdle } from '../../../../test/jobs.ts'
import {
  book,
  type MadeEventType,
  makeEventType,
  move,
  readAppointment,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { CalendarError } from '../../../plugins/calendar.ts'
import type { Calendar } from '../schemas.ts'

const fake = createFakeCalendar()
let app: TestApp
let tenant: TestTenant
let eventType: MadeEventType
let path: string

beforeAll(async () => {
  app = await startTestApp({ calendarProviders: [fake.provider] })
})
afterAll(() => app.stop())
beforeEach(async () => {
  fake.clear()
  tenant = await makeTenant(app, 'live')
  eventType = await makeEventType(tenant)
  const { status, body, text } = await tenant.call<Calendar>('POST', '/scheduling/calendars', {
    body: { agendaId: eventType.agendaId, provider: 'fake', credentials: { secret: 's' }, receives: true },
  })
  expect(status, text).toBe(201)
  path = `/scheduling/calendars/${body.id}`
  await settle()
})

/** Until everything is read and written. */
async function settle() {
  const countWaiting = () =>
    tenant.inTenant(async tx => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from calendar_writes
        where tenant_id = ${tenant.tenantId} and next_attempt_at is not null`.execute(tx)
      return rows[0]!.count
    })
  await eventually(countWaiting, count => count === 0)
  await waitUntilIdle(app.database, tenant.tenantId)
}

const readNow = async () => (await tenant.call<Calendar>('POST', `${path}/read`)).status

test.each([
  ['the server fails', new CalendarError('UNAVAILABLE', 'Try again.'), 200],
  ['the process ends', new Error('killed'), 500],
])('what a person moved and deleted is applied by the next read if %s', async (_name, fault, status) => {
  const moved = await book(tenant, eventType, toTime(2))
  const deleted = await book(tenant, eventType, toTime(3))
  await settle()
  await readNow()
  fake.change(moved.icalUid, toTime(4, 12))
  fake.change(deleted.icalUid, null)
  fake.faults.find = fault
  expect(await readNow()).toBe(status)
  expect((await readAppointment(tenant, moved.id)).start).toBe(toTime(2))
  fake.faults.find = null
  await readNow()
  expect((await readAppointment(tenant, moved.id)).start).toBe(toTime(4, 12))
  expect((await readAppointment(tenant, deleted.id)).status).toBe('cancelled')
})

test('a change that a read found while the event was being written is applied afterwards', async () => {
  const { id, icalUid } = await book(tenant, eventType, toTime(2))
  await settle()
  const setWaiting = (at: string | null) =>
    tenant.inTenant(tx =>
      sql`update calendar_writes set next_attempt_at = ${at} where tenant_id = ${tenant.tenantId}`.execute(
        tx,
      ),
    )
  await setWaiting(toTime(9))
  fake.change(icalUid, toTime(4, 12))
  await readNow()
  expect((await readAppointment(tenant, id)).start).toBe(toTime(2))
  await setWaiting(null)
  await readNow()
  expect((await readAppointment(tenant, id)).start).toBe(toTime(4, 12))
})

test('of many changes at once, none is lost', async () => {
  const changes = 22
  const booked = []
  for (let index = 0; index < changes; index++)
    booked.push(await book(tenant, eventType, toTime(2 + Math.floor(index / 6), 9 + (index % 6))))
  await settle()
  for (const { icalUid } of booked) fake.change(icalUid, null)
  await readNow()
  await settle()
  const { body } = await tenant.call<{ data: unknown[] }>(
    'GET',
    '/scheduling/appointments?status=confirmed&limit=100',
  )
  expect(body.data.length).toBe(0)
})

test('another calendar gets the appointments to come, and the one before loses them', async () => {
  const { id, icalUid } = await book(tenant, eventType, toTime(2))
  const running = await book(tenant, eventType, toTime(3))
  await settle()
  await tenant.inTenant(tx =>
    sql`
      update appointments set starts_at = now() - interval '5 minutes'
      where tenant_id = ${tenant.tenantId} and id = ${running.id}`.execute(tx),
  )
  const { status, text } = await tenant.call('PATCH', path, { body: { externalId: 'other' } })
  expect(status, text).toBe(200)
  await settle()
  expect(fake.listUids('other')).toEqual([icalUid])
  expect(fake.listUids('main')).toEqual([running.icalUid])
  await readNow()
  await settle()
  for (const appointment of [id, running.id])
    expect((await readAppointment(tenant, appointment)).status).toBe('confirmed')
})

test.each(['calendar', 'agenda'])(
  'an event that waits to be deleted is deleted also after its %s was',
  async kind => {
    const kept = await book(tenant, eventType, toTime(2), {})
    const cancelled = await book(tenant, eventType, toTime(3))
    await settle()
    fake.faults.all = new CalendarError('UNAVAILABLE', 'Try again.')
    for (const { id } of kind === 'agenda' ? [kept, cancelled] : [cancelled])
      expect((await move(tenant, id, 'cancel', {})).status).toBe(200)
    await waitUntilIdle(app.database, tenant.tenantId)
    fake.faults.all = null
    const agendaPath = `/scheduling/agendas/${eventType.agendaId}`
    if (kind === 'agenda') await tenant.call('DELETE', `/scheduling/event-types/${eventType.id}`)
    expect((await tenant.call('DELETE', kind === 'agenda' ? agendaPath : path)).status).toBe(204)
    await eventually(
      async () => fake.listUids('main'),
      uids => !uids.includes(cancelled.icalUid),
    )
    expect(fake.listUids('main')).toEqual(kind === 'agenda' ? [] : [kept.icalUid])
  },
)
