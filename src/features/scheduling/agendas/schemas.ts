/** The API objects of agendas. */
import { pageQuery } from '../../../kit/page.ts'
import { id, nullable, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { text, timezone } from '../../../kit/schema-fields.ts'
import { WorkingHours, WorkingHoursInput } from '../hours-schemas.ts'

const agentUserId = id('The agent: a user of the workspace.')
const failsClosed = Type.Boolean({
  description:
    'No slot is offered while the busy times of a connected calendar are out of date. Default: false.',
})
const optional = {
  name: Type.Optional(text(200, 'The name for people; not blank. Default: that of the agent.')),
  timezone: Type.Optional(
    timezone('The time zone of the working hours, by its IANA name. Default: that of the workspace.'),
  ),
  workingHours: Type.Optional(
    nullable({
      ...WorkingHoursInput,
      description:
        'When the agent works, in any event type; null: whenever the event type is available. Replaced as a whole. Default: null.',
    }),
  ),
  failsClosed: Type.Optional(failsClosed),
}

export const NewAgenda = strictObject({ agentUserId, ...optional }, { title: 'NewAgenda' })
export type NewAgenda = Static<typeof NewAgenda>
export const AgendaChanges = strictObject(
  { agentUserId: Type.Optional(agentUserId), ...optional },
  { title: 'AgendaChanges' },
)
export type AgendaChanges = Static<typeof AgendaChanges>

export const Agenda = strictObject(
  {
    id: id('The agenda.'),
    agentUserId,
    name: text(200, 'The name for people.'),
    timezone: timezone('The time zone of the working hours, by its IANA name.'),
    workingHours: nullable({
      ...WorkingHours,
      description: 'When the agent works, in any event type; null: whenever the event type is available.',
    }),
    failsClosed,
    createdAt: time('When it was created.'),
    updatedAt: time('When it was last changed.'),
  },
  { title: 'Agenda', description: 'The time of an agent, which appointments occupy.' },
)

export const AgendaFilter = strictObject({
  ...pageQuery,
  agentUserId: Type.Optional(id('Only those of this agent.')),
})

export const agendaExample: Static<typeof Agenda> = {
  id: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e91',
  agentUserId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  name: 'Marta Vidal',
  timezone: 'Europe/Madrid',
  workingHours: { weekly: [{ day: 1, from: '10:00', to: '14:00' }], overrides: [] },
  failsClosed: false,
  createdAt: '2026-11-02T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
}
