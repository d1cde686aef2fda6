/** Reads an appointment for its page, and decides what its visitor can still do. */
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { canGiveFeedback } from '../appointments/complete.ts'
import { addPresentAgent } from '../appointments/present-agent.ts'
import { findAppointments } from '../appointments/queries.ts'
import type { AppointmentRow } from '../appointments/row.ts'
import { type EventTypeRow, findEventType } from '../event-types/queries.ts'
import type { AppointmentView } from './appointment-html.ts'
import { type PageRequest, type ReadContext, readContext } from './context.ts'

export interface OpenAppointment {
  appointment: AppointmentRow
  eventType: EventTypeRow
  context: ReadContext
  status: AppointmentView['status']
  canChange: boolean
  feedback: AppointmentView['feedback']
}

/** Each change sends notices, so whoever has the link can't change it for ever. */
const changesMax = 30

/** Null: it was deleted. */
export async function openAppointment(
  tx: Tx,
  appointmentId: string,
  request: PageRequest,
): Promise<OpenAppointment | null> {
  const [appointment] = await findAppointments(tx, [appointmentId])
  const eventType = appointment && (await findEventType(tx, appointment.eventTypeId))
  if (!appointment || !eventType) return null
  const nowMs = getNow(tx).getTime()
  const status = toStatus(appointment, nowMs)
  return {
    appointment,
    eventType: addPresentAgent(eventType, appointment),
    status,
    feedback: toFeedback(appointment, getNow(tx)),
    canChange:
      (status === 'confirmed' || status === 'pending') && isEarlyEnough(appointment, eventType, nowMs),
    context: await readContext(tx, request, { eventType, appointment }),
  }
}

function toStatus({ status, end }: AppointmentRow, nowMs: number): AppointmentView['status'] {
  if (status === 'cancelled') return 'cancelled'
  if (status === 'completed' || status === 'no_show' || end.getTime() <= nowMs) return 'over'
  return status
}

function toFeedback(appointment: AppointmentRow, now: Date): AppointmentView['feedback'] {
  if (canGiveFeedback(appointment, now)) return 'wanted'
  return appointment.outcome?.feedback.givenAt ? 'given' : null
}

function isEarlyEnough(
  { start, sequence }: AppointmentRow,
  { config }: EventTypeRow,
  nowMs: number,
): boolean {
  const lastMs = start.getTime() - config.bookingPage.cancelBeforeMin * 60_000
  return sequence < changesMax && nowMs < start.getTime() && nowMs <= lastMs
}

export const toInterval = ({ start, end }: AppointmentRow) => ({
  startMs: start.getTime(),
  endMs: end.getTime(),
})
