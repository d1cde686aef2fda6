/** Appointments in a calendar that a person uses too: written, moved there, deleted there. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
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
import { strictObject, Type } from '../../../kit/schema.ts'
import { CalendarError, type CalendarProvider, type ExternalEvent } from '../../../plugins/calendar.ts'
import type { Calendar } from '../schemas.ts'

/** The calendar of the person, by the ids of its events. */
const events = new Map<
  string,
  { uid: string; version: number; start: string; end: string; summary: string }
>()
let puts: string[] = []
let failure: CalendarError | null = null
/** A broken server that forgets its events in lists. */
let listsNothing = false

const toBusy = ({ start, end }: { start: string; end: string }) => [
  { start: Temporal.Instant.from(start), end: Temporal.Instant.from(end) },
]
const toExternalEvent = (id: string): ExternalEvent | null => {
  const event = events.get(id)
  return event ? { id, uid: event.uid, version: String(event.version), busy: toBusy(event) } : null
}

const fake: CalendarProvider = {
  id: 'fake',
  label: 'Fake',
  baseUrl: null,
  credentials: strictObject({ secret: Type.String() }),
  readIntervalMin: 5,
  listCalendars: async () => [
    { id: 'main', name: 'Main', isPrimary: true, isWritable: true, timezone: null },
  ],
  async read() {
    if (failure) throw failure
    return {
      isComplete: true,
      events: listsNothing ? [] : [...events.keys()].map(id => toExternalEvent(id)!),
      removedIds: [],
      cursor: null,
      warnings: [],
    }
  },
  writes: {
    async put(_connection, event, written) {
      if (failure) throw failure
      const id = `id-${event.uid}`
      const before = events.get(id)
      if (written?.version && String(before?.version) !== written.version)
        throw new CalendarError('CONFLICT', 'It was changed.')
      puts.push(event.uid)
      const version = (before?.version ?? 0) + 1
      const { uid, summary } = event
      events.set(id, { uid, version, summary, start: event.start.toString(), end: event.end.toString() })
      return { externalId: id, version: String(version) }
    },
    find: async (_connection, { externalId }) => toExternalEvent(externalId),
    async remove(_connection, { externalId }) {
      if (failure) throw failure
      events.delete(externalId)
    },
  },
}

let app: TestApp
let tenant: TestTenant
let eventType: MadeEventType
let calendar: Calendar

beforeAll(async () => {
  app = await startTestApp({ calendarProviders: [fake] })
})
afterAll(() => app.stop())
beforeEach(async () => {
  events.clear()
  puts = []
  failure = null
  listsNothing = false
  tenant = await makeTenant(app, 'live')
  eventType = await makeEventType(tenant)
  const { status, body, text } = await tenant.call<Calendar>('POST', '/scheduling/calendars', {
    body: { agendaId: eventType.agendaId, provider: 'fake', credentials: { secret: 's' }, receives: true },
  })
  expect([status, text]).toEqual([201, text])
  calendar = body
})

const countWaiting = async () => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ count: number }>`
      select count(*)::int as count from calendar_writes
      where tenant_id = ${tenant.tenantId} and next_attempt_at is not null`.execute(tx),
  )
  return rows[0]!.count
}
const settle = () => eventually(countWaiting, count => count === 0)

const readNow = async () =>
  (await tenant.call<Calendar>('POST', `/scheduling/calendars/${calendar.id}/read`)).body

/** What a person does in the calendar program. */
function change(id: string, start: string) {
  const event = events.get(`id-${id}`)!
  const lengthMs = Date.parse(event.end) - Date.parse(event.start)
  const end = new Date(Date.parse(start) + lengthMs).toISOString()
  events.set(`id-${id}`, { ...event, start, end, version: event.version + 1 })
}

test('a booking is written, a reschedule moves the same event, and a cancellation deletes it', async () => {
  const booked = await book(tenant, eventType, toTime(2))
  await settle()
  const [event] = events.values()
  expect(event).toMatchObject({ uid: booked.icalUid, summary: expect.stringContaining('Viewing: Visitor') })
  expect(Date.parse(event!.start)).toBe(Date.parse(booked.start))
  await move(tenant, booked.id, 'reschedule', { start: toTime(3) })
  await settle()
  expect([...events.values()]).toMatchObject([{ uid: booked.icalUid, version: 2 }])
  // The own event does not block: its time is that of the reservation.
  await readNow()
  expect((await readNow()).eventCount).toBe(0)
  await move(tenant, booked.id, 'cancel', {})
  await settle()
  expect(events.size).toBe(0)
})

test('an event that a person moves reschedules the appointment', async () => {
  const booked = await book(tenant, eventType, toTime(2))
  await settle()
  change(booked.icalUid, toTime(4, 12))
  expect((await readNow()).warnings).toEqual([])
  expect(await readAppointment(tenant, booked.id)).toMatchObject({
    start: toTime(4, 12),
    icalUid: booked.icalUid,
    sequence: 1,
  })
  await settle()
  await readNow()
  expect((await readAppointment(tenant, booked.id)).sequence).toBe(1)
})

test('a move to a time that is taken is written back, with a warning', async () => {
  const booked = await book(tenant, eventType, toTime(2))
  await book(tenant, eventType, toTime(3))
  await settle()
  change(booked.icalUid, toTime(3))
  expect((await readNow()).status).toBe('CONNECTED')
  const { body } = await tenant.call<Calendar>('GET', `/scheduling/calendars/${calendar.id}`)
  expect(body.warnings).toMatchObject([{ code: 'CHANGE_REFUSED', count: 1 }])
  await settle()
  expect((await readAppointment(tenant, booked.id)).start).toBe(toTime(2))
  expect(Date.parse(events.get(`id-${booked.icalUid}`)!.start)).toBe(Date.parse(toTime(2)))
})

test('an event that a person deletes cancels the appointment; a server that lists nothing cancels none', async () => {
  const booked = await book(tenant, eventType, toTime(2))
  const other = await book(tenant, eventType, toTime(3))
  await settle()
  listsNothing = true
  await readNow()
  expect((await readAppointment(tenant, booked.id)).status).toBe('confirmed')
  listsNothing = false
  events.delete(`id-${booked.icalUid}`)
  await readNow()
  expect(await readAppointment(tenant, booked.id)).toMatchObject({
    status: 'cancelled',
    cancelledBy: 'calendar',
  })
  expect((await readAppointment(tenant, other.id)).status).toBe('confirmed')
})

test('a change of the text in the calendar changes nothing, and does not stop the next write', async () => {
  const booked = await book(tenant, eventType, toTime(2))
  await settle()
  change(booked.icalUid, toTime(2))
  await readNow()
  expect((await readAppointment(tenant, booked.id)).sequence).toBe(0)
  change(booked.icalUid, toTime(2))
  await move(tenant, booked.id, 'reschedule', { start: toTime(5) })
  await settle()
  expect(Date.parse(events.get(`id-${booked.icalUid}`)!.start)).toBe(Date.parse(toTime(5)))
})

test('expired access is reported, and the appointments are written when it is connected again', async () => {
  failure = new CalendarError('INVALID_CREDENTIALS', 'Connect the calendar again.')
  const booked = await book(tenant, eventType, toTime(2))
  const get = async () => (await tenant.call<Calendar>('GET', `/scheduling/calendars/${calendar.id}`)).body
  await eventually(get, ({ status }) => status === 'EXPIRED')
  expect(await countWaiting()).toBe(1)
  failure = null
  await tenant.call('PATCH', `/scheduling/calendars/${calendar.id}`, {
    body: { credentials: { secret: 't' } },
  })
  await settle()
  expect([...events.values()]).toMatchObject([{ uid: booked.icalUid }])
})

test('a calendar that receives from now on gets the appointments to come, each once', async () => {
  await tenant.call('PATCH', `/scheduling/calendars/${calendar.id}`, { body: { receives: false } })
  const booked = await book(tenant, eventType, toTime(2))
  expect(await countWaiting()).toBe(0)
  await tenant.call('PATCH', `/scheduling/calendars/${calendar.id}`, { body: { receives: true } })
  await settle()
  expect(puts).toEqual([booked.icalUid])
})

test('a process that died after it had written leads to no second event', async () => {
  const booked = await book(tenant, eventType, toTime(2))
  await settle()
  await tenant.inTenant(tx =>
    sql`
      update calendar_writes set external_id = null, external_version = null, attempts = 1,
        next_attempt_at = now() - interval '1 second'
      where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  await move(tenant, booked.id, 'cancel', {})
  await settle()
  expect(events.size).toBe(0)
})

test('the erasure of the person deletes the event, also that of a past appointment', async () => {
  const booked = await book(tenant, eventType, toTime(2))
  await settle()
  await tenant.inTenant(tx =>
    sql`
      update appointments set status = 'completed', starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'
      where tenant_id = ${tenant.tenantId} and id = ${booked.id}`.execute(tx),
  )
  expect((await tenant.call('DELETE', `/leads/${booked.leadId}?erase=true`)).status).toBe(204)
  await eventually(
    async () => events.size,
    size => size === 0,
  )
})
