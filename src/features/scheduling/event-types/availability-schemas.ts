/** The schemas of availability: when an event type can be booked. */
import { nullable, type Static, strictObject } from '../../../kit/schema.ts'
import { integer, timezone, toOptional } from '../../../kit/schema-fields.ts'
import { overrides, weekly } from '../hours-schemas.ts'

const fields = {
  timezone: timezone('The time zone of the hours and days, by its IANA name.'),
  weekly,
  overrides,
  minimumNoticeMin: integer(
    0,
    525_600,
    'How many minutes before its beginning a slot can be booked at the latest.',
  ),
  horizonDays: integer(1, 730, 'How many days ahead slots can be booked.'),
  slotIntervalMin: integer(
    5,
    1440,
    'The minutes from one slot to the next, from the beginning of the hours; default: `durationMin`. While it equals `durationMin`, it changes with it, so that slots follow each other: send both to keep it.',
  ),
  dailyLimit: nullable(
    integer(
      1,
      1000,
      'The most slots of this event type that an agenda takes on one day; the visitors of a group viewing share one. Null: no limit.',
    ),
  ),
}

export const EventTypeAvailability = strictObject(fields, {
  title: 'EventTypeAvailability',
  description: 'When it can be booked.',
})
export type EventTypeAvailability = Static<typeof EventTypeAvailability>
export const AvailabilityInput = strictObject(toOptional(fields), {
  title: 'EventTypeAvailabilityInput',
  description:
    'When it can be booked. Default: Monday to Friday 09:00–18:00 in the time zone of the workspace, 60 minutes of notice, 60 days ahead, a slot after the other, no daily limit.',
})
export type AvailabilityInput = Static<typeof AvailabilityInput>
