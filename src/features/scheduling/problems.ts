/** The error codes of scheduling. */
import type { ProblemType } from '../../kit/problem.ts'

export const slotTaken: ProblemType = {
  code: 'SLOT_TAKEN',
  status: 409,
  meaning: 'Somebody else has booked or holds this time, or the agent is busy.',
  action: 'Choose one of `nearestSlots`, or request the slots again.',
  example: 'The slot on 2026-12-01T10:00:00Z is taken. Choose another one.',
}

export const slugTaken: ProblemType = {
  code: 'SLUG_TAKEN',
  status: 409,
  meaning: 'Another event type of the agent has this slug.',
  action: 'Choose another slug, or change the other event type.',
  example: 'Another event type of this agent has the slug "viewing-30-min". Choose another one.',
}

/** The largest numbers of event types and of agendas of an environment. */
export const eventTypesMax = 5000
export const agendasMax = 2000

export const tooManyEventTypes: ProblemType = {
  code: 'TOO_MANY_EVENT_TYPES',
  status: 422,
  meaning: 'The environment has as many event types as it may.',
  action: 'Delete an event type that is no longer used.',
  example: `There are ${eventTypesMax} event types already, the maximum. Delete one that is no longer used.`,
}

export const tooManyAgendas: ProblemType = {
  code: 'TOO_MANY_AGENDAS',
  status: 422,
  meaning: 'The environment has as many agendas as it may.',
  action: 'Use an existing agenda, or delete one that is no longer used.',
  example: `There are ${agendasMax} agendas already, the maximum. Use one of them, or delete one.`,
}

export const agendaInUse: ProblemType = {
  code: 'AGENDA_IN_USE',
  status: 409,
  meaning: 'The agenda has appointments or holds to come, or an event type uses it.',
  action: 'Cancel or move the appointments, and delete the event type or give it another agenda.',
  example: 'The agenda has appointments to come. Cancel them or move them first.',
}
