/** Event types and appointments for tests, created over HTTP. */
import { sql } from 'kysely'
import type { Appointment } from '../src/features/scheduling/appointments/schemas.ts'
import type { Reply } from './harness.ts'
import type { TestTenant } from './tenant.ts'

const dayMs = 86_400_000

/** Hours of every day, so that no test depends on the day on which it runs. */
const always = Array.from({ length: 7 }, (_, index) => ({ day: index + 1, from: '00:00', to: '24:00' }))
const availability = {
  timezone: 'UTC',
  weekly: always,
  minimumNoticeMin: 0,
  horizonDays: 365,
  slotIntervalMin: 30,
}

/** A time of the environment's clock: `days` days from now, at `hour` UTC. */
export function toTime(days: number, hour = 10, minute = 0): string {
  const day = new Date(Date.now() + days * dayMs)
  return new Date(
    Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour, minute),
  ).toISOString()
}

export async function findUserId(tenant: TestTenant): Promise<string> {
  const { rows } = await tenant.inTenant(tx => sql<{ id: string }>`select id from users limit 1`.execute(tx))
  return rows[0]!.id
}

export interface MadeEventType {
  id: string
  agendaId: string
}

let made = 0

/** Makes an event type that can be booked at any time. */
export async function makeEventType(
  tenant: TestTenant,
  { availability: hours = {}, ...fields }: Record<string, unknown> = {},
): Promise<MadeEventType> {
  const { status, text, body } = await tenant.call<MadeEventType>('POST', '/scheduling/event-types', {
    body: {
      ownerAgentUserId: await findUserId(tenant),
      name: 'Viewing',
      slug: `viewing-${++made}`,
      durationMin: 30,
      locationMode: 'call',
      availability: { ...availability, ...(hours as object) },
      ...fields,
    },
  })
  if (status !== 201) throw new Error(`POST /scheduling/event-types answered ${status}: ${text}`)
  return body
}

export interface Refusal {
  code: string
  message: string
  nearestSlots: { start: string; end: string }[]
  slotReason: string
  errors: { path: string; code: string }[]
}

let visitors = 0

export const makeVisitor = () => {
  const number = String(++visitors).padStart(4, '0')
  return { name: `Visitor ${number}`, email: `visitor${number}@example.com`, phone: `+3461234${number}` }
}

export const requestBooking = <T = Appointment & Refusal>(
  tenant: TestTenant,
  { id }: Pick<MadeEventType, 'id'>,
  start: string,
  more: Record<string, unknown> = {},
): Promise<Reply<T>> =>
  tenant.call<T>('POST', '/scheduling/appointments', {
    body: { eventTypeId: id, start, visitor: makeVisitor(), ...more },
  })

/** Throws unless it is booked. */
export async function book(
  tenant: TestTenant,
  eventType: Pick<MadeEventType, 'id'>,
  start: string,
  more: Record<string, unknown> = {},
): Promise<Appointment> {
  const { status, text, body } = await requestBooking<Appointment>(tenant, eventType, start, more)
  if (status !== 201) throw new Error(`booking ${start} answered ${status}: ${text}`)
  return body
}

export const move = <T = Appointment & Refusal>(
  tenant: TestTenant,
  id: string,
  action: string,
  body?: object,
): Promise<Reply<T>> =>
  tenant.call<T>('POST', `/scheduling/appointments/${id}/${action}`, body ? { body } : {})

export const readAppointment = async (tenant: TestTenant, id: string): Promise<Appointment> =>
  (await tenant.call<Appointment>('GET', `/scheduling/appointments/${id}`)).body

/** The events of appointments, oldest first. */
export async function listEvents(
  tenant: TestTenant,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ type: string; data: Record<string, unknown> }>`
      select type, data from events where tenant_id = ${tenant.tenantId} and type like 'appointment.%' order by position`.execute(
      tx,
    ),
  )
  return rows
}

/** Moves the environment's clock. */
export async function advanceTo(tenant: TestTenant, to: string): Promise<void> {
  const { status, text } = await tenant.call('POST', '/sandbox/clock', { body: { now: to } })
  if (status !== 200) throw new Error(`POST /sandbox/clock answered ${status}: ${text}`)
}
