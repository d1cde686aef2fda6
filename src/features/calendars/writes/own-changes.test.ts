/** No change of a person is lost, also if a read ends in the middle of its work. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { settleCalendars } from '../../../../test/calendar-writes.ts'
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
import { createLog } from '../../../kit/log.ts'
import { CalendarError } from '../../../plugins/calendar.ts'
import { deleteDisconnectedCalendars } from '../disconnect.ts'
import type { Calendar } from '../schemas.ts'
import { notifyWrites } from './plan-writes.ts'

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

// Nothing of one test is written during the next one.
afterEach(() => settle())

/** Until everything is read and written. */
const settle = () => settleCalendars(app, tenant)

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

test.each([
  ['the past', toTime(-10)],
  ['a time that is not read', toTime(1000)],
])(
  'an event that a person moved to %s is moved back by the next complete read, with a warning',
  async (_name, at) => {
    const { id, icalUid } = await book(tenant, eventType, toTime(2))
    await settle()
    await readNow()
    fake.change(icalUid, at)
    await tenant.inTenant(tx =>
      sql`update calendars set cursor = null where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    await readNow()
    await settle()
    expect(await readAppointment(tenant, id)).toMatchObject({ start: toTime(2), status: 'confirmed' })
    expect(fake.listEvents('main').map(({ start }) => Date.parse(start))).toEqual([Date.parse(toTime(2))])
    const { body } = await tenant.call<Calendar>('GET', path)
    expect(body.warnings).toMatchObject([{ code: 'CHANGE_REFUSED' }])
  },
)

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
  await choose('other')
  await settle()
  expect(fake.listUids('other')).toEqual([icalUid])
  expect(fake.listUids('main')).toEqual([running.icalUid])
  await readNow()
  await settle()
  for (const appointment of [id, running.id])
    expect((await readAppointment(tenant, appointment)).status).toBe('confirmed')
})

const choose = async (externalId: string) => {
  const { status, text } = await tenant.call('PATCH', path, { body: { externalId } })
  expect(status, text).toBe(200)
}

test('an event that is being written while another calendar is chosen is in that one only', async () => {
  const reply = Promise.withResolvers<void>()
  fake.faults.replies = reply.promise
  const { icalUid, id } = await book(tenant, eventType, toTime(2))
  await eventually(
    async () => fake.listUids('main'),
    uids => uids.length > 0,
  )
  await choose('other')
  reply.resolve()
  await settle()
  expect([fake.listUids('main'), fake.listUids('other')]).toEqual([[], [icalUid]])
  await move(tenant, id, 'reschedule', { start: toTime(3) })
  await settle()
  expect([fake.listUids('main'), fake.listUids('other')]).toEqual([[], [icalUid]])
})

test('an appointment that was booked while another calendar was being chosen is in that one only', async () => {
  const { icalUid, id } = await book(tenant, eventType, toTime(2))
  await settle()
  await choose('other')
  await settle()
  // The booking did not see the choice, nor the choice the booking.
  await tenant.inTenant(tx =>
    sql`
      update calendar_writes set external_calendar_id = 'main', external_id = null, attempts = 0, next_attempt_at = now()
      where tenant_id = ${tenant.tenantId} and appointment_id = ${id}`.execute(tx),
  )
  fake.clear()
  await move(tenant, id, 'reschedule', { start: toTime(3) })
  await settle()
  expect([fake.listUids('main'), fake.listUids('other')]).toEqual([[], [icalUid]])
})

test('a calendar stays connected if its credentials give no access to the one that was chosen before', async () => {
  const { icalUid } = await book(tenant, eventType, toTime(2))
  await settle()
  fake.faults.remove = new CalendarError('INVALID_CREDENTIALS', 'No access.')
  await choose('other')
  await eventually(
    async () => fake.listUids('other'),
    uids => uids.length > 0,
  )
  await waitUntilIdle(app.database, tenant.tenantId)
  expect((await tenant.call<Calendar>('GET', path)).body.status).toBe('CONNECTED')
  expect([fake.listUids('main'), fake.listUids('other')]).toEqual([[icalUid], [icalUid]])
  fake.faults.remove = null
  await tenant.inTenant(tx =>
    sql`update calendar_writes set next_attempt_at = now() where tenant_id = ${tenant.tenantId} and next_attempt_at is not null`.execute(
      tx,
    ),
  )
  await move(tenant, (await book(tenant, eventType, toTime(5))).id, 'cancel', {})
  await settle()
  expect(fake.listUids('main')).toEqual([])
})

test('whoever chooses the former calendar again has each event there once', async () => {
  const { icalUid } = await book(tenant, eventType, toTime(2))
  await settle()
  const reply = Promise.withResolvers<void>()
  fake.faults.replies = reply.promise
  await choose('other')
  await choose('main')
  reply.resolve()
  await settle()
  expect([fake.listUids('main'), fake.listUids('other')]).toEqual([[icalUid], []])
})

test('an event whose plan is being changed holds up no other one', async () => {
  const changing = await book(tenant, eventType, toTime(2))
  const other = await book(tenant, eventType, toTime(3))
  await settle()
  await tenant.inTenant(tx =>
    sql`update calendar_writes set next_attempt_at = now() where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  await tenant.inTenant(async holder => {
    await sql`
      select from calendar_writes
      where tenant_id = ${tenant.tenantId} and appointment_id = ${changing.id} for update`.execute(holder)
    await tenant.inTenant(notifyWrites)
    const isWritten = () =>
      tenant.inTenant(async tx => {
        const { rows } = await sql<{ isWritten: boolean }>`
          select next_attempt_at is null as "isWritten" from calendar_writes
          where tenant_id = ${tenant.tenantId} and appointment_id = ${other.id}`.execute(tx)
        return rows[0]!.isWritten
      })
    await eventually(isWritten, isDone => isDone)
  })
})

test('an event that was perhaps written, of an appointment that changed and was cancelled, is deleted', async () => {
  const { id } = await book(tenant, eventType, toTime(2))
  await settle()
  // A process that died after the first attempt has recorded no more than it.
  await tenant.inTenant(tx =>
    sql`
      update calendar_writes set external_id = null, external_version = null, attempts = 1
      where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  const setStatus = (status: string) =>
    tenant.inTenant(tx =>
      sql`update calendars set status = ${status} where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
  await setStatus('EXPIRED')
  await move(tenant, id, 'reschedule', { start: toTime(3) })
  await setStatus('CONNECTED')
  await move(tenant, id, 'cancel', {})
  await settle()
  expect(fake.listUids('main')).toEqual([])
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

test('a calendar that was disconnected keeps its credentials for an hour at most, where a rotation finds them', async () => {
  const { id } = await book(tenant, eventType, toTime(2))
  await settle()
  fake.faults.all = new CalendarError('UNAVAILABLE', 'Try again.')
  await move(tenant, id, 'cancel', {})
  expect((await tenant.call('DELETE', path)).status).toBe(204)
  expect((await tenant.call('GET', path)).status).toBe(404)
  const { body } = await tenant.call<{ data: unknown[] }>('GET', '/scheduling/calendars')
  expect(body.data).toEqual([])
  const readKept = (change = sql`updated_at = updated_at`) =>
    tenant.inTenant(async tx => {
      const { rows } = await sql<{ hasCredentials: boolean; blocks: boolean; nextReadAt: Date | null }>`
        update calendars set ${change} where tenant_id = ${tenant.tenantId}
        returning credentials is not null as "hasCredentials", blocks, next_read_at as "nextReadAt"`.execute(
        tx,
      )
      return rows
    })
  const kept = [{ hasCredentials: true, blocks: false, nextReadAt: null }]
  const run = () =>
    deleteDisconnectedCalendars.run({
      database: app.database,
      log: createLog('silent'),
      attempt: 1,
      isLastAttempt: false,
      signal: new AbortController().signal,
      hasWaitingJobs: async () => false,
    })
  await run()
  expect(await readKept()).toEqual(kept)
  await readKept(sql`disconnected_at = now() - interval '61 minutes'`)
  await run()
  expect(await readKept()).toEqual([])
})
