/** The API objects of holds. */
import { id, nullable, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { timezone } from '../../../kit/schema-fields.ts'

export const NewHold = strictObject(
  {
    start: time('When the slot begins, as it was listed.'),
    timezone: Type.Optional(
      timezone('The time zone of the visitor, by its IANA name. It is only checked: times are UTC.'),
    ),
    leadId: Type.Optional(nullable(id('The lead whose property is visited, as in the listing; null: none.'))),
  },
  { title: 'NewHold' },
)
export type NewHold = Static<typeof NewHold>

export const Hold = strictObject(
  {
    id: id('The hold: send it as `holdId` of the appointment.'),
    eventTypeId: id('The event type.'),
    start: time('When the slot begins.'),
    end: time('When the slot ends.'),
    expiresAt: time('Until when the slot is kept.'),
  },
  { title: 'Hold', description: 'A slot that is kept for somebody who is about to book it.' },
)
export type Hold = Static<typeof Hold>

export const holdExample: Hold = {
  id: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e92',
  eventTypeId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e90',
  start: '2026-12-01T10:00:00.000Z',
  end: '2026-12-01T10:30:00.000Z',
  expiresAt: '2026-11-30T09:05:00.000Z',
}
