/** The API objects of calendars. */
import { pageQuery } from '../../kit/page.ts'
import {
  commaSeparated,
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  time,
  visible,
} from '../../kit/schema.ts'

export const calendarStatuses = ['AUTHORIZING', 'CONNECTED', 'FAILING', 'EXPIRED'] as const
export type CalendarStatus = (typeof calendarStatuses)[number]

export const status = oneOf(calendarStatuses, {
  description:
    '`AUTHORIZING`: the agent has not agreed yet. `FAILING`: it cannot be read at present, and is tried again. `EXPIRED`: the provider no longer gives access; connect it again.',
})

const provider = Type.String({
  maxLength: 50,
  description: 'The provider, see `GET /scheduling/calendar-providers`.',
})
const name = Type.String({ maxLength: 200, pattern: visible, description: 'The name for people; not blank.' })
const externalId = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: "The provider's id of the calendar, see `GET /scheduling/calendars/{id}/external`.",
})
const credentials = Type.Record(Type.String({ pattern: '^[^]{0,100}$' }), Type.Unknown(), {
  maxProperties: 50,
  description:
    'What the provider requires, see `credentials` of `GET /scheduling/calendar-providers`. Stored encrypted, never returned.',
})
const blocks = Type.Boolean({ description: 'Its busy times block slots of the agenda. Default: true.' })
const receives = Type.Boolean({
  description:
    'Appointments of the agenda are written to it. Default: false. Only if the provider can write.',
})

const warning = strictObject({
  code: Type.String({ description: 'A stable code, such as `UNKNOWN_TIME_ZONE`.' }),
  message: Type.String({ description: 'What it means, for people.' }),
  count: Type.Integer({ description: 'How often.' }),
})
export type CalendarWarning = Static<typeof warning>

const fields = {
  id: id('The calendar.'),
  agendaId: id('The agenda whose time it is.'),
  provider: Type.String({ description: 'The provider, see `GET /scheduling/calendar-providers`.' }),
  name: Type.String({ description: 'The name for people.' }),
  externalId: nullable(
    Type.String({ description: "The provider's id of the calendar; null: it is not chosen yet." }),
  ),
  blocks: Type.Boolean({ description: 'Its busy times block slots of the agenda.' }),
  receives: Type.Boolean({ description: 'Appointments of the agenda are written to it.' }),
  status,
  statusReason: nullable(Type.String({ description: 'What is wrong, for people; null: nothing is.' })),
  statusChangedAt: time('When the status last changed.'),
  fresh: Type.Boolean({
    description:
      'Its busy times were read within the last 6 hours, and access has not expired. An agenda with `failsClosed` offers no slots while one of its calendars is not fresh.',
  }),
  coveredFrom: nullable(time('Its busy times are known from here; null: they never were read.')),
  coveredTo: nullable(time('Its busy times are known until here; null: they never were read.')),
  readAt: nullable(time('When it was last read; null: never.')),
  nextReadAt: nullable(time('When it is read next; null: it is not.')),
  failures: Type.Integer({ description: 'Failed reads since the last one that succeeded.' }),
  eventCount: Type.Integer({ description: 'Events that block, within the covered time.' }),
  warnings: Type.Array(warning, { description: 'What could not be read of it.' }),
  createdAt: time('When it was connected.'),
  updatedAt: time('When it last changed.'),
}

/** The calendar in messages, which third parties receive. */
export const CalendarWithoutLink = strictObject(fields, { title: 'CalendarWithoutLink' })
export type CalendarWithoutLink = Static<typeof CalendarWithoutLink>

export const Calendar = strictObject(
  {
    ...fields,
    authorizationUrl: nullable(
      Type.String({
        description:
          'The page of the provider on which the agent agrees, valid for an hour; null: none is needed. Only in replies of `POST /scheduling/calendars` and `POST /scheduling/calendars/{id}/authorize`.',
      }),
    ),
  },
  { title: 'Calendar' },
)
export type Calendar = Static<typeof Calendar>

export const NewCalendar = strictObject(
  {
    agendaId: id('The agenda whose time it is.'),
    provider,
    name: Type.Optional(name),
    externalId: Type.Optional(externalId),
    credentials: Type.Optional(credentials),
    blocks: Type.Optional(blocks),
    receives: Type.Optional(receives),
  },
  { title: 'NewCalendar' },
)
export type NewCalendar = Static<typeof NewCalendar>

export const CalendarChanges = strictObject(
  {
    name: Type.Optional(name),
    externalId: Type.Optional(externalId),
    credentials: Type.Optional(credentials),
    blocks: Type.Optional(blocks),
    receives: Type.Optional(receives),
  },
  { title: 'CalendarChanges' },
)
export type CalendarChanges = Static<typeof CalendarChanges>

export const CalendarFilter = strictObject({
  ...pageQuery,
  agendaId: Type.Optional(id('Only calendars of this agenda.')),
  status: Type.Optional(
    commaSeparated(calendarStatuses, {
      description: `Only calendars with these statuses, separated by commas: ${calendarStatuses.map(each => `\`${each}\``).join(', ')}.`,
      examples: ['FAILING,EXPIRED'],
    }),
  ),
})
export type CalendarFilter = Static<typeof CalendarFilter>

export const CalendarProviderInfo = strictObject(
  {
    id: Type.String({ description: 'As `provider` of a calendar.' }),
    label: Type.String({ description: 'The name for people.' }),
    credentials: Type.Unsafe<object>({
      type: 'object',
      description: 'The JSON Schema of `credentials` for a new calendar.',
    }),
    authorizes: Type.Boolean({
      description:
        'The agent agrees on a page of the provider, see `authorizationUrl`. No credentials are sent then.',
    }),
    writes: Type.Boolean({ description: 'Appointments can be written to its calendars.' }),
    readIntervalMin: Type.Integer({ description: 'How often its calendars are read, in minutes.' }),
    isConfigured: Type.Boolean({
      description: 'false: the operator has not registered the deployment with the provider.',
    }),
  },
  { title: 'CalendarProvider' },
)
export type CalendarProviderInfo = Static<typeof CalendarProviderInfo>

export const ExternalCalendarInfo = strictObject(
  {
    id: Type.String({ description: 'As `externalId` of the calendar.' }),
    name: Type.String({ description: 'Its name at the provider.' }),
    isPrimary: Type.Boolean({ description: 'It is the main one of the account.' }),
    isWritable: Type.Boolean({ description: 'Appointments can be written to it.' }),
    timezone: nullable(Type.String({ description: 'Its IANA time zone; null: unknown.' })),
  },
  { title: 'ExternalCalendar' },
)
