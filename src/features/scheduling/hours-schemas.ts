/** The schemas of hours: those of agents and those of event types. */
import { type Static, strictObject, Type } from '../../kit/schema.ts'
import { clockTime, integer } from '../../kit/schema-fields.ts'

const hours = {
  from: clockTime('When it begins.'),
  to: clockTime('When it ends; `24:00`: at the end of the day.'),
}

export const weekly = Type.Array(
  strictObject({ day: integer(1, 7, 'The day of the week: 1 Monday … 7 Sunday.'), ...hours }),
  { maxItems: 100, description: 'The hours of every week. They may not overlap; empty: only the overrides.' },
)
export const overrides = Type.Array(
  strictObject({
    date: Type.String({ format: 'date', description: 'The day, ISO 8601.' }),
    intervals: Type.Array(strictObject(hours), {
      maxItems: 24,
      description: 'The hours of this day, instead of the weekly ones; empty: closed.',
    }),
  }),
  { maxItems: 366, description: 'Days with other hours; at most 1,000 intervals together.' },
)

/** The hours of an agent limit every event type of the agenda. */
export const WorkingHours = strictObject(
  { weekly, overrides },
  { title: 'WorkingHours', description: 'When the agent works, in the time zone of the agenda.' },
)
export type WorkingHours = Static<typeof WorkingHours>

export const WorkingHoursInput = strictObject(
  { weekly, overrides: Type.Optional(overrides) },
  { title: 'WorkingHoursInput', description: 'When the agent works, in the time zone of the agenda.' },
)
export type WorkingHoursInput = Static<typeof WorkingHoursInput>
