/** The API objects of event types. */
import { pageQuery } from '../../../kit/page.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { integer, nullableText, text, toOptional } from '../../../kit/schema-fields.ts'
import { AvailabilityInput, EventTypeAvailability } from './availability-schemas.ts'
import { ConfigInput, EventTypeConfig } from './config-schemas.ts'
import { LocationDetails, locationModes } from './location-schemas.ts'

const bufferMaxMin = 1440
const visibilities = ['agent_private', 'workspace_template'] as const

const required = {
  ownerAgentUserId: id('The agent: a user of the workspace.'),
  name: text(200, 'The name for people; not blank.'),
  slug: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[a-z0-9-]+$',
    description: 'Its name in addresses: lower-case letters, digits and hyphens. Unique for each agent.',
    examples: ['viewing-30-min'],
  }),
  durationMin: integer(5, 1440, 'The length of an appointment, in minutes.'),
  locationMode: oneOf(locationModes, { description: 'How agent and visitor meet.' }),
}
const agendaId = id('The agenda that appointments occupy.')
const details = {
  description: nullableText(5000, 'What visitors read on the booking page; null: nothing.'),
  bufferBeforeMin: integer(0, bufferMaxMin, 'Minutes that are kept free before an appointment.'),
  bufferAfterMin: integer(0, bufferMaxMin, 'Minutes that are kept free after an appointment.'),
  color: nullable(
    Type.String({
      pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
      description: 'The color in calendars, hexadecimal; null: none.',
      examples: ['#1a73e8'],
    }),
  ),
  visibility: oneOf(visibilities, {
    description:
      '`agent_private`: of one agent. `workspace_template`: every agent may copy it. Default: agent_private.',
  }),
}
/** Checked by the mode, see `locationInputs`. */
const locationDetails = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'Where it takes place. `onsite`: address, latitude, longitude, instructions, useLeadProperty. `call`: phone, whoCalls. `video`: url, instructions. A field of another mode is refused.',
})
const inputs = {
  locationDetails: Type.Optional(locationDetails),
  config: Type.Optional(ConfigInput),
  availability: Type.Optional(AvailabilityInput),
}

export const NewEventType = strictObject(
  {
    ...required,
    agendaId: Type.Optional(
      nullable(id('The agenda that appointments occupy; omitted: a new one is created for the agent.')),
    ),
    ...toOptional(details),
    ...inputs,
  },
  { title: 'NewSchedulingEventType' },
)
export type NewEventType = Static<typeof NewEventType>

export const EventTypeChanges = strictObject(
  { ...toOptional(required), agendaId: Type.Optional(agendaId), ...toOptional(details), ...inputs },
  { title: 'SchedulingEventTypeChanges' },
)
export type EventTypeChanges = Static<typeof EventTypeChanges>

export const EventType = strictObject(
  {
    id: id('The event type.'),
    ...required,
    agendaId,
    ...details,
    locationDetails: LocationDetails,
    config: EventTypeConfig,
    availability: EventTypeAvailability,
    links: strictObject(
      { page: nullable(Type.String({ description: 'The booking page; null: it is not published.' })) },
      { description: 'For visitors: they need no key.' },
    ),
    templateId: nullable(id('The event type that it was copied from; null: none.')),
    createdAt: time('When it was created.'),
    updatedAt: time('When it was last changed.'),
  },
  { title: 'SchedulingEventType', description: 'What can be booked.' },
)
export type EventType = Static<typeof EventType>

export const EventTypeFilter = strictObject({
  ...pageQuery,
  visibility: Type.Optional(details.visibility),
  ownerAgentUserId: Type.Optional(id('Only those of this agent.')),
  agendaId: Type.Optional(id('Only those of this agenda.')),
  slug: Type.Optional(required.slug),
})
export type EventTypeFilter = Static<typeof EventTypeFilter>

export const EventTypeCopy = strictObject(
  {
    ownerAgentUserId: required.ownerAgentUserId,
    agendaId: Type.Optional(
      nullable(id('The agenda of the copy; omitted: a new one is created for the agent.')),
    ),
    name: Type.Optional(required.name),
    slug: Type.Optional(required.slug),
  },
  { title: 'SchedulingEventTypeCopy' },
)
export type EventTypeCopy = Static<typeof EventTypeCopy>
