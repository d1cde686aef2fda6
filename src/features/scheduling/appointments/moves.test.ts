/** Moves of appointments: reschedule, assign, cancel, and what the clock does. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  advanceTo,
  book,
  listEvents,
  type MadeEventType,
  makeEventType,
  move,
  readAppointment,
  requestBooking,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

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

const listTypes = async () => (await listEvents(tenant)).map(({ type }) => type.replace('appointment.', ''))
const isFree = async (start: string) => {
  const { status, body } = await requestBooking(tenant, eventType, start)
  if (status === 201) await move(tenant, body.id, 'cancel', {})
  return status === 201
}

describe('a reschedule', () => {
  it('keeps id, UID and links, grows the sequence, and frees the former time', async () => {
    const booked = await book(tenant, eventType, toTime(2))
    const { status, body } = await move(tenant, booked.id, 'reschedule', {
      start: toTime(3),
      timezone: 'Europe/Lisbon',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...booked,
      start: toTime(3),
      end: toTime(3, 10, 30),
      timezone: 'Europe/Lisbon',
      sequence: 1,
      updatedAt: body.updatedAt,
    })
    expect(await isFree(toTime(2))).toBe(true)
    expect(await isFree(toTime(3))).toBe(false)
    const moved = (await listEvents(tenant)).find(({ type }) => type === 'appointment.rescheduled')!
    expect(moved.data).toMatchObject({
      start: toTime(3),
      previousStart: toTime(2),
      agendaId: booked.agendaId,
    })
  })

  it('may overlap its own former time', async () => {
    const long = await makeEventType(tenant, { durationMin: 60, bufferBeforeMin: 15, bufferAfterMin: 15 })
    const booked = await book(tenant, long, toTime(2))
    expect((await move(tenant, booked.id, 'reschedule', { start: toTime(2, 10, 30) })).status).toBe(200)
  })

  it('that is refused changes nothing', async () => {
    const [booked, other] = [
      await book(tenant, eventType, toTime(2)),
      await book(tenant, eventType, toTime(3)),
    ]
    const { status, body } = await move(tenant, booked.id, 'reschedule', { start: other.start })
    expect([status, body.code, body.nearestSlots.length]).toEqual([409, 'SLOT_TAKEN', 5])
    expect(await move(tenant, booked.id, 'reschedule', { start: toTime(3, 10, 1) })).toMatchObject({
      status: 422,
    })
    expect(await readAppointment(tenant, booked.id)).toEqual(booked)
    expect(await isFree(booked.start)).toBe(false)
    expect(await listTypes()).toEqual(['booked', 'booked'])
  })

  it('to the same time changes nothing', async () => {
    const booked = await book(tenant, eventType, toTime(2))
    expect((await move(tenant, booked.id, 'reschedule', { start: booked.start })).body).toEqual(booked)
  })

  it('of two to one slot at once: one gets it, the other one stays where it was', async () => {
    const booked = [await book(tenant, eventType, toTime(2)), await book(tenant, eventType, toTime(3))]
    const replies = await Promise.all(
      booked.map(({ id }) => move(tenant, id, 'reschedule', { start: toTime(4) })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const starts = await Promise.all(booked.map(async ({ id }) => (await readAppointment(tenant, id)).start))
    expect(starts.sort().at(-1)).toBe(toTime(4))
    expect(new Set(starts).size).toBe(2)
  })
})

describe('a cancelled appointment', () => {
  it('frees its time, and can no longer be changed', async () => {
    const { id } = await book(tenant, eventType, toTime(2))
    const { body } = await move(tenant, id, 'cancel', { reason: 'The owner is away.' })
    expect(body).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'agent',
      cancelReason: 'The owner is away.',
      sequence: 1,
    })
    expect(await isFree(toTime(2))).toBe(true)
    for (const [action, sent] of [
      ['cancel', {}],
      ['confirm', undefined],
      ['reschedule', { start: toTime(3) }],
      ['no-show', undefined],
      ['outcome', { result: 'offer' }],
      ['assign', { agendaId: eventType.agendaId }],
    ] as const)
      expect(await move(tenant, id, action, sent)).toMatchObject({
        status: 409,
        body: { code: 'INVALID_TRANSITION', message: expect.stringContaining('Possible now: nothing.') },
      })
  })
})

describe('an assignment', () => {
  it('moves the appointment to the agenda of another agent who is free then', async () => {
    const other = await makeEventType(tenant)
    const booked = await book(tenant, eventType, toTime(2))
    const { body } = await move(tenant, booked.id, 'assign', { agendaId: other.agendaId })
    expect(body).toEqual({ ...booked, agendaId: other.agendaId, sequence: 1, updatedAt: body.updatedAt })
    expect(await isFree(toTime(2))).toBe(true)
    expect(await requestBooking(tenant, other, toTime(2))).toMatchObject({ status: 409 })
    expect((await listEvents(tenant)).at(1)).toMatchObject({
      type: 'appointment.assigned',
      data: { agendaId: other.agendaId, previousAgendaId: eventType.agendaId },
    })
  })

  it('is refused if the other agent is not free, or does not exist', async () => {
    const other = await makeEventType(tenant)
    const booked = await book(tenant, eventType, toTime(2))
    await book(tenant, other, toTime(2))
    expect(await move(tenant, booked.id, 'assign', { agendaId: other.agendaId })).toMatchObject({
      status: 409,
      body: { code: 'SLOT_TAKEN' },
    })
    expect(await move(tenant, booked.id, 'assign', { agendaId: booked.id })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/agendaId', code: 'UNKNOWN_AGENDA' }] },
    })
    expect(await readAppointment(tenant, booked.id)).toEqual(booked)
  })
})

describe('the clock', () => {
  const confirmation = { required: true, expiresAfterMin: 120 }

  it('cancels what nobody confirms, and completes what ends, in order', async () => {
    const pending = await makeEventType(tenant, { config: { confirmation } })
    const expiring = await book(tenant, pending, toTime(5))
    const ending = await book(tenant, eventType, toTime(2))
    await advanceTo(tenant, toTime(2, 10, 31))
    expect(await readAppointment(tenant, expiring.id)).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'expiry',
      sequence: 1,
      expiresAt: null,
    })
    expect(await readAppointment(tenant, ending.id)).toMatchObject({ status: 'completed' })
    expect(await listTypes()).toEqual(['booked', 'booked', 'cancelled', 'completed'])
    expect((await requestBooking(tenant, pending, toTime(5))).status).toBe(201)
  })

  it('expires a pending one at the latest when it begins', async () => {
    const pending = await makeEventType(tenant, {
      config: { confirmation: { required: true, expiresAfterMin: null } },
    })
    const { id, expiresAt } = await book(tenant, pending, toTime(2))
    expect(expiresAt).toBe(toTime(2))
    const { body } = await move(tenant, id, 'reschedule', { start: toTime(3) })
    expect(body.expiresAt).toBe(toTime(3))
    await advanceTo(tenant, toTime(2, 12))
    expect(await readAppointment(tenant, id)).toMatchObject({ status: 'pending' })
    await advanceTo(tenant, toTime(3, 10, 1))
    expect(await readAppointment(tenant, id)).toMatchObject({ status: 'cancelled', cancelledBy: 'expiry' })
  })

  test('what has begun can be a no-show or have an outcome, not earlier', async () => {
    const long = await makeEventType(tenant, { durationMin: 120 })
    const { id } = await book(tenant, long, toTime(2))
    const outcome = { result: 'interested', feedback: { rating: 4, text: 'Likes the light.' } }
    for (const [action, body] of [['no-show'], ['outcome', outcome]] as const)
      expect(await move(tenant, id, action, body)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('has not begun') },
      })
    await advanceTo(tenant, toTime(2, 11))
    expect((await move(tenant, id, 'outcome', outcome)).body.outcome).toMatchObject(outcome)
    await advanceTo(tenant, toTime(2, 13))
    const { body } = await move(tenant, id, 'no-show')
    expect(body).toMatchObject({ status: 'no_show', outcome: null })
    expect(await listTypes()).toEqual(['booked', 'outcome_recorded', 'completed', 'no_show'])
    const back = await move(tenant, id, 'outcome', outcome)
    expect(back.body).toMatchObject({ status: 'completed', outcome })
  })
})
