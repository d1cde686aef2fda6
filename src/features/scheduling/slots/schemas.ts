/** The API objects of slots. */
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { timezone } from '../../../kit/schema-fields.ts'
import { rangeDaysMax } from './parse-range.ts'
import { slotWarningCodes } from './read-request.ts'

const bound = (description: string, examples: string[]) =>
  Type.String({ maxLength: 40, description, examples })

export const SlotFilter = strictObject({
  from: Type.Optional(
    bound('From this day in `timezone`, or from this time (ISO 8601); default: now.', ['2026-12-01']),
  ),
  to: Type.Optional(
    bound(
      `To the end of this day, or to this time; default: 7 days after \`from\`. At most ${rangeDaysMax} days, with the first and the last one.`,
      ['2026-12-07'],
    ),
  ),
  timezone: Type.Optional(
    timezone('The time zone of the days, by its IANA name; default: that of the event type.'),
  ),
  leadId: Type.Optional(
    id(
      'The lead whose property is visited: it decides which agents go there, and how long the way is. Without it, the place of the event type counts; if there is none, areas and travel do not count, and a booking of a lead may be refused with `slotReason` `TRAVEL` or `NO_AGENDA`.',
    ),
  ),
})
export type SlotFilter = Static<typeof SlotFilter>

const Slot = strictObject({
  start: time('When it begins.'),
  end: time('When it ends.'),
  seatsLeft: Type.Integer({ description: 'How many visitors can still book it.' }),
})

const SlotWarning = strictObject({
  code: oneOf(slotWarningCodes, {
    description:
      '`CALENDAR_STALE`: an agenda that fails closed has a calendar that is out of date. `AGENT_WITHOUT_ACCESS`: the access of an agent was revoked, so nothing of their agenda is offered; of a `collective` event type, nothing at all. `NO_AGENT_FOR_AREA`: no agent goes to the property. `PLACE_UNKNOWN`: areas or travel depend on the property of the lead, and `leadId` was not sent, or the coordinates of the property are unknown.',
  }),
  message: Type.String({ description: 'What is wrong and what to do, for people.' }),
  agendaId: nullable(id('The agenda; null: it concerns all agendas.')),
})

export const SlotList = strictObject(
  {
    data: Type.Record(Type.String(), Type.Array(Slot), {
      description: 'The free slots by day in `timezone`, in order; a day without slots is missing.',
    }),
    timezone: timezone('The time zone of the days.'),
    warnings: Type.Array(SlotWarning, {
      description: 'Why there may be fewer slots than people expect.',
    }),
  },
  { title: 'SlotList' },
)
export type SlotList = Static<typeof SlotList>

export const slotListExample: SlotList = {
  data: {
    '2026-12-01': [
      { start: '2026-12-01T09:00:00.000Z', end: '2026-12-01T09:30:00.000Z', seatsLeft: 1 },
      { start: '2026-12-01T09:30:00.000Z', end: '2026-12-01T10:00:00.000Z', seatsLeft: 1 },
    ],
  },
  timezone: 'Europe/Madrid',
  warnings: [],
}
