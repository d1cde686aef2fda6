/** An appointment as it is stored. */

import type { Answer } from '../../../domain/scheduling/answers.ts'
import type { AppointmentState, AppointmentStatus } from '../../../domain/scheduling/appointment-status.ts'
import type { AppointmentLocation, cancellers, Outcome, Visitor, VisitorAnswer } from './schemas.ts'

export interface AppointmentRow {
  id: string
  eventTypeId: string
  /** Null: it occupies no time any more. */
  bookedSlotId: string | null
  agendaId: string
  agentUserId: string
  status: AppointmentStatus
  start: Date
  end: Date
  timezone: string
  /** Empty after an erasure. */
  visitor: Partial<Visitor>
  leadId: string | null
  location: AppointmentLocation
  answers: Record<string, Answer>
  notes: string | null
  source: 'api' | 'page'
  icalUid: string
  sequence: number
  expiresAt: Date | null
  cancelledBy: (typeof cancellers)[number] | null
  cancelReason: string | null
  /** To the invitation of its present time; null: none. */
  visitorAnswer: VisitorAnswer | null
  outcome: Outcome | null
  createdAt: Date
  updatedAt: Date
  confirmedAt: Date | null
  cancelledAt: Date | null
}

export const toState = ({ status, start, end }: AppointmentRow): AppointmentState => ({
  status,
  startMs: start.getTime(),
  endMs: end.getTime(),
})
