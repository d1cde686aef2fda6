/** The events of appointments. */
import { invitationAnswers } from '../../domain/icalendar/read-reply.ts'
import { appointmentStatuses } from '../../domain/scheduling/appointment-status.ts'
import { type EmbeddedObject, type EventDefinition, event } from '../../kit/events/event.ts'
import { id, nullable, oneOf, strictObject, time } from '../../kit/schema.ts'
import { payloadExample } from './appointments/examples.ts'
import { readWithoutLinks } from './appointments/reply.ts'
import { AppointmentWithoutLinks, cancellers, outcomeResults } from './appointments/schemas.ts'

const embeds: EmbeddedObject = {
  name: 'appointment',
  schema: AppointmentWithoutLinks,
  example: payloadExample,
  async read(tx, ids, maxBytes) {
    const texts = (await readWithoutLinks(tx, ids)).map(
      appointment => [appointment.id, JSON.stringify(appointment)] as const,
    )
    return new Map(texts.map(([id, json]) => [id, Buffer.byteLength(json) <= maxBytes ? json : null]))
  },
}

const fields = {
  appointmentId: id('The appointment.'),
  eventTypeId: id('Its event type.'),
  agendaId: id('The agenda of the agent who receives the visitor.'),
  agentUserId: id('The agent who receives the visitor.'),
  leadId: nullable(id('The lead of the visitor; null: there is none.')),
  status: oneOf(appointmentStatuses, { description: 'Its status after the change.' }),
  start: time('When it begins.'),
  end: time('When it ends.'),
}
const { id: appointmentId, eventTypeId, agendaId, agentUserId, leadId, status, start, end } = payloadExample
const example = { appointmentId, eventTypeId, agendaId, agentUserId, leadId, status, start, end }

/** What people wrote is in the embedded object only, which is read when the event is delivered. */
const shared = { object: ['appointmentId' as const], embeds }

export const appointmentBooked = event({
  ...shared,
  type: 'appointment.booked',
  summary: 'An appointment was booked',
  data: strictObject(fields),
  example,
})

export const appointmentConfirmed = event({
  ...shared,
  type: 'appointment.confirmed',
  summary: 'The agent confirmed an appointment',
  data: strictObject(fields),
  example,
})

export const appointmentRescheduled = event({
  ...shared,
  type: 'appointment.rescheduled',
  summary: 'An appointment was moved to another time',
  data: strictObject({
    ...fields,
    previousStart: time('When it began before.'),
    previousAgendaId: id('The agenda that it had before.'),
  }),
  example: { ...example, previousStart: '2026-11-30T10:00:00.000Z', previousAgendaId: agendaId },
})

export const appointmentAssigned = event({
  ...shared,
  type: 'appointment.assigned',
  summary: 'Another agent receives the visitor of an appointment',
  data: strictObject({ ...fields, previousAgendaId: id('The agenda that it had before.') }),
  example: { ...example, previousAgendaId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f' },
})

export const appointmentCancelled = event({
  ...shared,
  type: 'appointment.cancelled',
  summary: 'An appointment was cancelled',
  data: strictObject({
    ...fields,
    cancelledBy: oneOf(cancellers, {
      description: 'Who cancelled it; `expiry`: nobody confirmed it in time.',
    }),
  }),
  example: { ...example, status: 'cancelled', cancelledBy: 'visitor' },
})

export const appointmentCompleted = event({
  ...shared,
  type: 'appointment.completed',
  summary: 'An appointment has ended',
  data: strictObject(fields),
  example: { ...example, status: 'completed' },
})

export const appointmentNoShow = event({
  ...shared,
  type: 'appointment.no_show',
  summary: 'A visitor did not come',
  data: strictObject(fields),
  example: { ...example, status: 'no_show' },
})

export const appointmentOutcomeRecorded = event({
  ...shared,
  type: 'appointment.outcome_recorded',
  summary: 'It was recorded what came of an appointment',
  data: strictObject({
    ...fields,
    result: oneOf(outcomeResults, { description: 'What the visitor thinks of it.' }),
  }),
  example: { ...example, status: 'completed', result: 'interested' },
})

export const appointmentAnswered = event({
  ...shared,
  type: 'appointment.answered',
  summary: 'The visitor answered the invitation to an appointment',
  data: strictObject({
    ...fields,
    answer: oneOf(invitationAnswers, { description: 'What the visitor answered in their calendar.' }),
  }),
  example: { ...example, answer: 'declined' },
})

export const appointmentUpdated = event({
  ...shared,
  type: 'appointment.updated',
  summary: 'The visitor, the answers or the notes of an appointment were changed',
  data: strictObject(fields),
  example,
})

export const appointmentEvents: EventDefinition[] = [
  appointmentBooked,
  appointmentConfirmed,
  appointmentRescheduled,
  appointmentAssigned,
  appointmentCancelled,
  appointmentCompleted,
  appointmentNoShow,
  appointmentOutcomeRecorded,
  appointmentAnswered,
  appointmentUpdated,
]
