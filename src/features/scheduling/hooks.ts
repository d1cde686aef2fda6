/** The hooks for parts of the program that act when an appointment changes, such as notices, or an agenda is deleted. */
import { hook } from '../../kit/hook.ts'
import type { AppointmentRow } from './appointments/row.ts'

export interface AppointmentChange {
  kind:
    | 'booked'
    | 'confirmed'
    | 'rescheduled'
    | 'assigned'
    | 'cancelled'
    | 'completed'
    | 'no_show'
    | 'outcome_recorded'
    | 'answered'
    | 'updated'
  /** Null: it is new. */
  before: AppointmentRow | null
  after: AppointmentRow
  /** Nobody is notified: the person was erased. */
  isSilent: boolean
}

/** Called in the transaction of every change, after the appointment was stored. */
export const appointmentChanged = hook<AppointmentChange>('appointmentChanged')

/** Called in the transaction that deletes an agenda, with its id. */
export const agendaDeleted = hook<string>('agendaDeleted')
