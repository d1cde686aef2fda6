/** Examples of the API objects of calendars. */
import type { Calendar, CalendarProviderInfo } from './schemas.ts'

const fields = {
  id: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
  agendaId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  provider: 'ical_feed',
  name: 'Ana, private',
  externalId: 'feed',
  blocks: true,
  receives: false,
  status: 'CONNECTED' as const,
  statusReason: null,
  statusChangedAt: '2026-11-20T09:00:00.000Z',
  fresh: true,
  coveredFrom: '2026-11-25T09:15:00.000Z',
  coveredTo: '2027-12-31T09:15:00.000Z',
  readAt: '2026-11-26T09:15:00.000Z',
  nextReadAt: '2026-11-26T09:30:00.000Z',
  failures: 0,
  eventCount: 42,
  warnings: [
    {
      code: 'UNKNOWN_TIME_ZONE',
      message: 'Times in a time zone that nobody knows count as times of the agenda.',
      count: 1,
    },
  ],
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-26T09:15:00.000Z',
}

export const calendarPayloadExample = fields
export const calendarExample: Calendar = { ...fields, authorizationUrl: null }

export const providerExample: CalendarProviderInfo = {
  id: 'ical_feed',
  label: 'iCalendar feed',
  credentials: {
    type: 'object',
    properties: { url: { type: 'string', title: 'Address of the feed' } },
    required: ['url'],
  },
  authorizes: false,
  writes: false,
  readIntervalMin: 15,
  isConfigured: true,
}
