/** The errors of appointments, and the fields that errors have for them. */
import { unavailableReasons } from '../../../domain/slots/types.ts'
import type { ProblemType } from '../../../kit/problem.ts'
import type { ProblemFields } from '../../../kit/problem-schema.ts'
import { oneOf, strictObject, Type, time } from '../../../kit/schema.ts'

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

export const holdNotValid: ProblemType = {
  code: 'HOLD_NOT_VALID',
  status: 409,
  meaning: 'The hold has expired, or holds another slot.',
  action: 'Hold the slot again, or book it without `holdId`.',
  example: 'There is no such hold, or it has expired. Hold the slot again, or book it without holdId.',
}

export const slotProblemFields: ProblemFields = {
  nearestSlots: Type.Array(strictObject({ start: time('When it begins.'), end: time('When it ends.') }), {
    description:
      'Free slots near the requested time, at most 5, the nearest first. On `SLOT_TAKEN` and `SLOT_UNAVAILABLE`.',
  }),
  slotReason: oneOf(unavailableReasons, {
    description:
      'Why the time is not offered. `NOTICE`: too soon; `HORIZON`: too far ahead; `CLOSED`: a holiday or a day without hours; `NOT_A_SLOT_START`: slots begin at other times; `NO_AGENDA`: no agent goes there; `TRAVEL`: the way is too long. On `SLOT_TAKEN` and `SLOT_UNAVAILABLE`.',
  }),
}
