/**
 * What a person does to an appointment in the external calendar: moving it reschedules it, deleting it cancels it. What cannot be
 * done is written back, with a warning.
 */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { Problem } from '../../../kit/problem.ts'
import type { CalendarRange, ExternalEvent } from '../../../plugins/calendar.ts'
import {
  type AppointmentRow,
  cancelAppointment,
  getAppointment,
  rescheduleAppointment,
} from '../../scheduling/service.ts'
import type { Calendars, CallOptions, OpenCalendar } from '../calendar-connections.ts'
import { callWithin } from '../call-provider.ts'
import { type CalendarRow, lockCalendar, updateCalendar } from '../queries.ts'
import type { CalendarWarning } from '../schemas.ts'
import { findWrites, wantPresent } from './queries.ts'
import { recordWritten } from './results.ts'
import { listSuspects, markSuspect, type Suspect } from './suspects.ts'

const findTimeoutMs = 20_000
/** A person may have moved the event out of the time that is read. */
const movedHoursMax = 24 * 365 * 10
const warningsMax = 20
/** Events that are checked after one read. */
const batchSize = 20

/**
 * Every event is read once more before: a server that answers with an empty list must not cancel all appointments. What cannot be
 * read is tried again after the next read. Returns whether there may be more.
 */
export async function applyOwnEvents(
  calendars: Calendars,
  opened: OpenCalendar,
  options: CallOptions & { range: CalendarRange },
): Promise<boolean> {
  const { database, signal } = options
  const { tenantId, calendar, provider } = opened
  if (!calendar.receives || !provider.writes) return false
  const suspects = await database.readTenant({ tenantId }, tx => listSuspects(tx, calendar, batchSize))
  for (const suspect of suspects) {
    signal.throwIfAborted()
    const { appointmentId } = suspect
    try {
      const found = await findEvent(calendars, opened, suspect, options)
      await database.withTenant({ tenantId }, tx => applyEvent(tx, calendar, suspect, found))
    } catch (error) {
      await database.withTenant({ tenantId }, tx =>
        markSuspect(tx, calendar.id, { appointmentId, suspectedAt: getNow(tx) }),
      )
      throw error
    }
  }
  return suspects.length === batchSize
}

async function findEvent(
  calendars: Calendars,
  { provider, connection, calendar, tenantId, clockShiftMs }: OpenCalendar,
  event: { uid: string; externalId: string },
  { range, database, signal }: CallOptions & { range: CalendarRange },
): Promise<ExternalEvent | null> {
  return callWithin(signal, findTimeoutMs, signal => {
    const called = { provider, tenantId, clockShiftMs, calendarId: calendar.id }
    return provider.writes!.find(
      connection,
      event,
      { from: range.from.subtract({ hours: movedHoursMax }), to: range.to.add({ hours: movedHoursMax }) },
      calendars.createContext(called, { database, signal }),
    )
  })
}

async function applyEvent(
  tx: Tx,
  calendar: CalendarRow,
  { appointmentId, externalId }: Suspect,
  event: ExternalEvent | null,
): Promise<void> {
  const calendarId = calendar.id
  const [write] = await findWrites(tx, calendar, [appointmentId])
  // The appointment was changed meanwhile, which is written before, or another calendar was chosen.
  if (write?.wanted !== 'present' || write.nextAttemptAt !== null || write.externalId !== externalId) return
  await markSuspect(tx, calendarId, { appointmentId, suspectedAt: null })
  if (event !== null && event.version !== null && event.version === write.externalVersion) return
  const appointment = await getAppointment(tx, appointmentId)
  // What the program writes from now on follows the version that a person made.
  await recordWritten(tx, write, {
    externalId: event === null ? null : externalId,
    version: event?.version ?? null,
  })
  if (appointment.status !== 'pending' && appointment.status !== 'confirmed') return
  const refusal = await change(tx, appointment, event)
  if (refusal === null) return
  await wantPresent(tx, appointmentId, [calendarId])
  await addWarning(tx, calendarId, refusal)
}

/** Returns why it cannot be done; null: it was done, or nothing is to be done. */
async function change(
  tx: Tx,
  appointment: AppointmentRow,
  event: ExternalEvent | null,
): Promise<string | null> {
  const { id, start, end } = appointment
  try {
    if (event === null) {
      await cancelAppointment(tx, id, { by: 'calendar' })
      return null
    }
    const [time] = event.busy
    if (!time) return null
    const startMs = time.start.epochMilliseconds
    if (startMs !== start.getTime())
      await rescheduleAppointment(tx, id, { start: time.start.toString(), by: 'agent' })
    const lengthMs = time.end.epochMilliseconds - startMs
    return lengthMs === end.getTime() - start.getTime()
      ? null
      : 'The length of an appointment cannot be changed in a calendar.'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message
  }
}

async function addWarning(tx: Tx, calendarId: string, reason: string): Promise<void> {
  const calendar = await lockCalendar(tx, calendarId)
  if (!calendar) return
  const code = 'CHANGE_REFUSED'
  const message = `A change of an appointment in the calendar was refused, and written back: ${reason}`
  const same = calendar.warnings.find(warning => warning.message === message)
  const warning: CalendarWarning = { code, message, count: (same?.count ?? 0) + 1 }
  const others = calendar.warnings.filter(warning => warning.message !== message).slice(0, warningsMax - 1)
  await updateCalendar(tx, calendarId, { warnings: JSON.stringify([warning, ...others]) })
}
