/** Appointments over HTTP: book, read, list and change them. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  book,
  listEvents,
  makeEventType,
  makeVisitor,
  move,
  readAppointment,
  requestBooking,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Appointment } from './schemas.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

describe('a booking', () => {
  it('replies with all fields of the contract, and is read the same', async () => {
    const eventType = await makeEventType(tenant)
    const visitor = { name: 'Marta Soler', email: 'Marta@Example.com', phone: '612 345 678', language: 'es' }
    const start = toTime(2)
    const booked = await book(tenant, eventType, start, {
      visitor,
      timezone: 'europe/madrid',
      notes: 'Likes light.',
    })
    expect(booked).toMatchObject({
      status: 'confirmed',
      eventTypeId: eventType.id,
      agendaId: eventType.agendaId,
      start,
      end: toTime(2, 10, 30),
      timezone: 'Europe/Madrid',
      visitor: { name: 'Marta Soler', email: 'marta@example.com', phone: '+34612345678', language: 'es' },
      location: { mode: 'call', phone: '+34612345678' },
      answers: {},
      notes: 'Likes light.',
      sequence: 0,
      source: 'api',
      visitorAnswer: null,
      outcome: null,
    })
    expect(booked.icalUid).toMatch(new RegExp(`^${booked.id}@`))
    const { page, reschedule, cancel, ics } = booked.links!
    expect(page).toMatch(/^http.*\/appointment\/[\w-]{32}$/)
    expect([reschedule, cancel, ics]).toEqual(
      ['/reschedule', '/cancel', '/invite.ics'].map(end => page + end),
    )
    expect(await readAppointment(tenant, booked.id)).toEqual(booked)
    expect(await listEvents(tenant)).toMatchObject([
      {
        type: 'appointment.booked',
        data: { appointmentId: booked.id, leadId: booked.leadId, status: 'confirmed', start },
      },
    ])
  })

  it('is in the event feed and in webhooks as it is now, without its links', async () => {
    const { links: _links, ...appointment } = await book(tenant, await makeEventType(tenant), toTime(2))
    const { body } = await tenant.call<{ data: object[] }>('GET', '/events?types=appointment.booked')
    expect(body.data).toMatchObject([{ data: { appointmentId: appointment.id, appointment } }])
  })

  it('is replayed with its Idempotency-Key, also if the slot is now taken by it', async () => {
    const eventType = await makeEventType(tenant)
    const send = () =>
      tenant.call<Appointment>('POST', '/scheduling/appointments', {
        body: { eventTypeId: eventType.id, start: toTime(2), visitor: { name: 'Marta', phone: '612345678' } },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  })

  it('checks the answers against the questions of the event type', async () => {
    const questions = [
      { id: 'budget', label: 'Your budget', type: 'text', required: true },
      { id: 'size', label: 'Size', type: 'select', options: ['small', 'large'] },
    ]
    const eventType = await makeEventType(tenant, { config: { questions } })
    const refused = await requestBooking(tenant, eventType, toTime(2), {
      answers: { size: 'huge', age: '3' },
    })
    expect(refused).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: '/answers/age', code: 'UNKNOWN_QUESTION' },
          { path: '/answers/budget', code: 'REQUIRED' },
          { path: '/answers/size', code: 'NOT_ALLOWED' },
        ],
      },
    })
    const booked = await book(tenant, eventType, toTime(2), { answers: { size: 'large', budget: '300' } })
    expect(booked.answers).toEqual({ budget: '300', size: 'large' })
    const changed = await tenant.call('PATCH', `/scheduling/appointments/${booked.id}`, {
      body: { answers: { budget: '300', age: '3' } },
    })
    const message = 'There is no such question. The questions are budget, size.'
    expect(changed.body).toMatchObject({ errors: [{ path: '/answers/age', message }] })
  })

  it('needs the phone of a visitor whom the agent calls', async () => {
    const refusal = { status: 400, body: { errors: [{ path: '/visitor/phone', code: 'REQUIRED' }] } }
    const eventType = await makeEventType(tenant)
    const visitor = { name: 'Marta', email: 'marta@example.com' }
    expect(await requestBooking(tenant, eventType, toTime(2), { visitor })).toMatchObject(refusal)
    const { id } = await book(tenant, eventType, toTime(2))
    const path = `/scheduling/appointments/${id}`
    expect(await tenant.call('PATCH', path, { body: { visitor: { phone: null } } })).toMatchObject(refusal)
    expect((await tenant.call('PATCH', path, { body: { visitor: { email: null } } })).status).toBe(200)
    const details = { locationMode: 'call', locationDetails: { whoCalls: 'visitor', phone: '+34931234567' } }
    await book(tenant, await makeEventType(tenant, details), toTime(3), { visitor })
  })

  it('refuses a phone, an address and a time zone that are none, all at once', async () => {
    const eventType = await makeEventType(tenant)
    const visitor = { name: 'Marta', phone: 'none', email: 'marta@' }
    const more = { visitor, timezone: 'Europe/Nowhere' }
    expect(await requestBooking(tenant, eventType, toTime(2), more)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/timezone' }, { path: '/visitor/phone' }, { path: '/visitor/email' }] },
    })
  })

  it('takes an address with letters of other alphabets, as the booking page does', async () => {
    const visitor = { name: 'Ana', phone: '+34612345678', email: 'Ana.José@ñandú.es' }
    const booked = await book(tenant, await makeEventType(tenant), toTime(2), { visitor })
    expect(booked.visitor.email).toBe('ana.josé@xn--and-6ma2c.es')
  })

  it('is refused with 404 for an unknown event type and an unknown lead', async () => {
    const eventType = await makeEventType(tenant)
    expect(await requestBooking(tenant, { id: eventType.agendaId }, toTime(2))).toMatchObject({ status: 404 })
    expect(await requestBooking(tenant, eventType, toTime(2), { leadId: eventType.id })).toMatchObject({
      status: 404,
    })
    expect(await listEvents(tenant)).toEqual([])
  })

  it('is refused with 409 and the nearest free slots if its slot is taken', async () => {
    const eventType = await makeEventType(tenant, { bufferAfterMin: 15 })
    await book(tenant, eventType, toTime(2))
    const { status, body } = await requestBooking(tenant, eventType, toTime(2, 10, 30))
    expect([status, body.code, body.slotReason]).toEqual([409, 'SLOT_TAKEN', 'BUSY'])
    expect(body.nearestSlots.map(({ start }) => start)).toEqual([
      toTime(2, 11),
      toTime(2, 11, 30),
      toTime(2, 9),
      toTime(2, 12),
      toTime(2, 8, 30),
    ])
    for (const { start } of body.nearestSlots.slice(0, 1)) await book(tenant, eventType, start)
  })

  test.each([
    ['a time between slots', toTime(2, 10, 10), 'NOT_A_SLOT_START'],
    ['the past', toTime(-1), 'NOTICE'],
    ['a time far ahead', toTime(400), 'HORIZON'],
  ])('is refused with 422 and the reason for %s', async (_what, start, reason) => {
    const eventType = await makeEventType(tenant)
    const { status, body } = await requestBooking(tenant, eventType, start)
    expect([status, body.code, body.slotReason]).toEqual([422, 'SLOT_UNAVAILABLE', reason])
    expect(body.nearestSlots.length).toBeGreaterThan(0)
  })

  it('waits for a confirmation if the event type requires one', async () => {
    const eventType = await makeEventType(tenant, {
      config: { confirmation: { required: true, expiresAfterMin: 60 } },
    })
    const booked = await book(tenant, eventType, toTime(2))
    expect(booked.status).toBe('pending')
    expect(Date.parse(booked.expiresAt!) - Date.parse(booked.createdAt)).toBe(3_600_000)
    expect((await move(tenant, booked.id, 'confirm')).body).toMatchObject({
      status: 'confirmed',
      expiresAt: null,
    })
    expect(await move(tenant, booked.id, 'confirm')).toMatchObject({
      status: 409,
      body: {
        code: 'INVALID_TRANSITION',
        message: expect.stringContaining('Possible now: reschedule, assign, cancel.'),
      },
    })
  })

  it('takes place at the property of the lead', async () => {
    const property = {
      address: 'Carrer de Mallorca, 214',
      postcode: '08008',
      latitude: 41.39,
      longitude: 2.16,
    }
    const { body: lead } = await tenant.call<{ id: string }>('POST', '/leads', {
      body: { property, contact: { name: 'Jordi' } },
    })
    const eventType = await makeEventType(tenant, { locationMode: 'onsite' })
    const { location } = await book(tenant, eventType, toTime(2), { leadId: lead.id })
    expect(location).toMatchObject({
      mode: 'onsite',
      address: 'Carrer de Mallorca, 214, 08008',
      latitude: 41.39,
    })
  })
})

describe('the list', () => {
  const list = (query: Record<string, string>) =>
    tenant.call<{ data: Appointment[]; nextCursor: string | null }>(
      'GET',
      `/scheduling/appointments?${new URLSearchParams(query)}`,
    )

  it('filters and sorts by the beginning, in pages', async () => {
    const [viewing, call] = [await makeEventType(tenant), await makeEventType(tenant)]
    const starts = [toTime(4), toTime(2), toTime(3)]
    const booked = []
    for (const start of starts) booked.push(await book(tenant, viewing, start))
    const other = await book(tenant, call, toTime(2))
    await move(tenant, booked[0]!.id, 'cancel', {})
    const readStarts = async (query: Record<string, string>) =>
      (await list(query)).body.data.map(({ start, status }) => `${status} ${start}`)
    expect(await readStarts({ eventTypeId: viewing.id })).toEqual([
      `confirmed ${toTime(2)}`,
      `confirmed ${toTime(3)}`,
      `cancelled ${toTime(4)}`,
    ])
    expect(
      await readStarts({ agendaId: viewing.agendaId, sort: '-start', status: 'confirmed,pending' }),
    ).toEqual([`confirmed ${toTime(3)}`, `confirmed ${toTime(2)}`])
    expect(await readStarts({ from: toTime(3), to: toTime(4) })).toEqual([`confirmed ${toTime(3)}`])
    expect(await readStarts({ leadId: other.leadId! })).toHaveLength(1)
    expect(await readStarts({ agentUserId: other.agentUserId })).toHaveLength(4)
    const ids: string[] = []
    let cursor: string | null = null
    do {
      const { body }: { body: { data: Appointment[]; nextCursor: string | null } } = await list({
        limit: '1',
        sort: '-start',
        ...(cursor ? { cursor } : {}),
      })
      ids.push(...body.data.map(({ id }) => id))
      cursor = body.nextCursor
    } while (cursor)
    expect(new Set(ids).size).toBe(4)
    expect(await list({ status: 'done' })).toMatchObject({ status: 400 })
  })
})

describe('a change of the details', () => {
  it('keeps what is omitted, and checks what is sent', async () => {
    const eventType = await makeEventType(tenant, {
      config: { questions: [{ id: 'budget', label: 'Budget', type: 'text', required: true }] },
    })
    const visitor = makeVisitor()
    const booked = await book(tenant, eventType, toTime(2), { visitor, answers: { budget: '300' } })
    const patch = (body: object) =>
      tenant.call<Appointment>('PATCH', `/scheduling/appointments/${booked.id}`, { body })
    const { body: changed } = await patch({ notes: 'By lift.', visitor: { phone: '+34699000001' } })
    expect(changed).toMatchObject({
      notes: 'By lift.',
      visitor: { ...visitor, phone: '+34699000001', language: null },
      location: { phone: '+34699000001' },
      answers: { budget: '300' },
      sequence: 0,
    })
    expect(await patch({ answers: {} })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/answers/budget' }] },
    })
    expect((await patch({ notes: null })).body.notes).toBeNull()
    expect((await listEvents(tenant)).map(({ type }) => type)).toEqual([
      'appointment.booked',
      'appointment.updated',
      'appointment.updated',
    ])
  })
})
