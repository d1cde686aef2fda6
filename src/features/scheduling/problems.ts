/** The error codes of scheduling, and the fields that errors have for slots. */
import { unavailableReasons } from '../../domain/slots/types.ts'
import type { ProblemType } from '../../kit/problem.ts'
import type { ProblemFields } from '../../kit/problem-schema.ts'
import { oneOf, strictObject, Type, time } from '../../kit/schema.ts'

export const slotTaken: ProblemType = {
  code: 'SLOT_TAKEN',
  status: 409,
  meaning: 'Somebody else has booked or holds this time, or the agent is busy.',
  action: 'Choose one of `nearestSlots`, or request the slots again.',
  example: 'The slot on 2026-12-01T10:00:00Z is taken. Choose another one.',
}

const nearestSlots = [{ start: '2026-12-01T10:30:00.000Z', end: '2026-12-01T11:00:00.000Z' }]

export const slotUnavailable: ProblemType = {
  code: 'SLOT_UNAVAILABLE',
  status: 422,
  meaning: 'The event type is not offered at this time: `slotReason` says why.',
  action: 'Choose one of `nearestSlots`, or request the slots.',
  example:
    'The event type is not offered on 2026-12-01T10:00:00Z: it is outside of its hours. Choose another slot.',
  exampleDetails: { slotReason: 'OUTSIDE_HOURS', nearestSlots },
}

export const slotProblemFields: ProblemFields = {
  nearestSlots: Type.Array(strictObject({ start: time('When it begins.'), end: time('When it ends.') }), {
    description:
      'Free slots near the requested time, at most 5, the nearest first. On `SLOT_TAKEN` and `SLOT_UNAVAILABLE`.',
  }),
  slotReason: oneOf(unavailableReasons, {
    description:
      'Why the time is not offered. `NOTICE`: too soon; `HORIZON`: too far ahead; `CLOSED`: a holiday or a day without hours; `NOT_A_SLOT_START`: slots begin at other times; `NO_AGENDA`: no agent goes there, or none has access to the workspace any more; `TRAVEL`: the way is too long; `CALENDAR_STALE`: a calendar of an agenda that fails closed was not read, and the message says since when. On `SLOT_TAKEN` and `SLOT_UNAVAILABLE`.',
  }),
}

export const slugTaken: ProblemType = {
  code: 'SLUG_TAKEN',
  status: 409,
  meaning: 'Another event type of the agent has this slug.',
  action: 'Choose another slug, or change the other event type.',
  example: 'Another event type of this agent has the slug "viewing-30-min". Choose another one.',
}

export const noEmailAccount: ProblemType = {
  code: 'NO_EMAIL_ACCOUNT',
  status: 422,
  meaning: 'The event type requires a code by e-mail, and no connected e-mail account can send it.',
  action:
    'Connect an e-mail account, name one in `config.notices.emailAccountId`, or turn `requireCode` off.',
  example:
    'Visitors need a code by e-mail, but there is no connected e-mail account that could send it. Connect one, or turn config.bookingPage.requireCode off.',
}

export const notATemplate: ProblemType = {
  code: 'NOT_A_TEMPLATE',
  status: 422,
  meaning: 'The event type belongs to one agent, and only that agent may copy it.',
  action: 'Set its `visibility` to `workspace_template` first, or copy it for its own agent.',
  example:
    'The event type "Viewing" belongs to one agent. Make it a template of the workspace, then copy it.',
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

/** Holds of one event type at a time: nobody can hold all of its slots. */
export const holdsMax = 50

export const tooManyHolds: ProblemType = {
  code: 'TOO_MANY_HOLDS',
  status: 409,
  meaning: 'So many slots of the event type are held that no more can be.',
  action: 'Book without a hold, release holds that are not needed, or wait until some expire.',
  example: `The event type has ${holdsMax} holds, the maximum. Book without a hold, or wait until some expire.`,
}
