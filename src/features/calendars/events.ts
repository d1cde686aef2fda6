/** The event of calendars. */
import { type EventDefinition, event } from '../../kit/events/event.ts'
import { id, nullable, oneOf, strictObject } from '../../kit/schema.ts'
import { calendarPayloadExample } from './examples.ts'
import { findCalendars } from './queries.ts'
import { toCalendar } from './reply.ts'
import { CalendarWithoutLink, calendarStatuses } from './schemas.ts'

export const calendarStatusChanged = event({
  type: 'calendar.status_changed',
  object: ['calendarId'],
  summary: 'A calendar was connected, cannot be read any more, or can be read again',
  data: strictObject({
    calendarId: id('The calendar.'),
    agendaId: id('Its agenda.'),
    status: oneOf(calendarStatuses, { description: 'The new status.' }),
    previousStatus: nullable(
      oneOf(calendarStatuses, {
        description: 'The status before; null: it was connected for the first time.',
      }),
    ),
  }),
  example: {
    calendarId: calendarPayloadExample.id,
    agendaId: calendarPayloadExample.agendaId,
    status: 'EXPIRED',
    previousStatus: 'CONNECTED',
  },
  embeds: {
    name: 'calendar',
    schema: CalendarWithoutLink,
    example: calendarPayloadExample,
    async read(tx, ids, maxBytes) {
      const texts = (await findCalendars(tx, ids)).map(
        row => [row.id, JSON.stringify(toCalendar(tx, row))] as const,
      )
      return new Map(texts.map(([id, json]) => [id, Buffer.byteLength(json) <= maxBytes ? json : null]))
    },
  },
})

export const calendarEvents: EventDefinition[] = [calendarStatusChanged]
