/** Changes of appointments: what is allowed, and the event of each. */
import {
  type AppointmentAction,
  isAllowed,
  listAllowedActions,
} from '../../../domain/scheduling/appointment-status.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { emit } from '../../../kit/events/emit.ts'
import { callHook } from '../../../kit/hook.ts'
import { Problem } from '../../../kit/problem.ts'
import {
  appointmentAnswered,
  appointmentAssigned,
  appointmentBooked,
  appointmentCancelled,
  appointmentCompleted,
  appointmentConfirmed,
  appointmentNoShow,
  appointmentOutcomeRecorded,
  appointmentRescheduled,
  appointmentUpdated,
} from '../events.ts'
import { type AppointmentChange, appointmentChanged } from '../hooks.ts'
import { type AppointmentUpdate, lockAppointment, updateAppointment } from './queries.ts'
import { type AppointmentRow, toState } from './row.ts'

/** Locks an appointment that this can be done with. Throws 404; 409 INVALID_TRANSITION with what can be done. */
export async function lockFor(tx: Tx, id: string, action: AppointmentAction): Promise<AppointmentRow> {
  const row = await lockAppointment(tx, id)
  const nowMs = getNow(tx).getTime()
  if (isAllowed(action, toState(row), nowMs)) return row
  const allowed = listAllowedActions(toState(row), nowMs)
  throw new Problem(
    'INVALID_TRANSITION',
    `The appointment is ${row.status}${describeTime(row, nowMs)}: ${action} is not possible. Possible now: ${allowed.join(', ') || 'nothing'}.`,
  )
}

function describeTime({ start, end }: AppointmentRow, nowMs: number): string {
  if (nowMs >= end.getTime()) return ' and has ended'
  return nowMs >= start.getTime() ? ' and has begun' : ' and has not begun'
}

/** Stores a change of a locked appointment, and emits its event. */
export async function changeAppointment(
  tx: Tx,
  before: AppointmentRow,
  {
    kind,
    update,
    isSilent = false,
  }: Pick<AppointmentChange, 'kind'> & { update: AppointmentUpdate; isSilent?: boolean },
): Promise<AppointmentRow> {
  const after = await updateAppointment(tx, before, update)
  await callHook(tx, appointmentChanged, { kind, before, after, isSilent })
  return after
}

/** Handles `appointmentChanged`. */
export async function emitAppointmentEvent(
  tx: Tx,
  { kind, before, after }: AppointmentChange,
): Promise<void> {
  const data = toEventData(after)
  const previousAgendaId = before?.agendaId ?? after.agendaId
  switch (kind) {
    case 'rescheduled': {
      const previousStart = (before ?? after).start.toISOString()
      await emit(tx, appointmentRescheduled, { ...data, previousStart, previousAgendaId })
      break
    }
    case 'assigned':
      await emit(tx, appointmentAssigned, { ...data, previousAgendaId })
      break
    case 'cancelled':
      await emit(tx, appointmentCancelled, { ...data, cancelledBy: after.cancelledBy ?? 'agent' })
      break
    case 'outcome_recorded':
      await emit(tx, appointmentOutcomeRecorded, { ...data, result: after.outcome?.result ?? 'other' })
      break
    case 'answered':
      await emit(tx, appointmentAnswered, { ...data, answer: after.visitorAnswer?.answer ?? 'tentative' })
      break
    default:
      await emit(tx, plainEvents[kind], data)
  }
}

const plainEvents = {
  booked: appointmentBooked,
  confirmed: appointmentConfirmed,
  completed: appointmentCompleted,
  no_show: appointmentNoShow,
  updated: appointmentUpdated,
}

const toEventData = ({
  id,
  eventTypeId,
  agendaId,
  agentUserId,
  leadId,
  status,
  start,
  end,
}: AppointmentRow) => ({
  appointmentId: id,
  eventTypeId,
  agendaId,
  agentUserId,
  leadId,
  status,
  start: start.toISOString(),
  end: end.toISOString(),
})
