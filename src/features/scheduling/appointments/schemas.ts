/** The API schemas of appointments. */

import { invitationAnswers } from '../../../domain/icalendar/read-reply.ts'
import { appointmentStatuses } from '../../../domain/scheduling/appointment-status.ts'
import { pageQuery } from '../../../kit/page.ts'
import {
  byName,
  commaSeparated,
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  time,
  visible,
} from '../../../kit/schema.ts'

export const cancellers = ['agent', 'visitor', 'calendar', 'expiry'] as const
export const outcomeResults = ['interested', 'not_interested', 'offer', 'undecided', 'other'] as const
export const locationModes = ['onsite', 'call', 'video'] as const

const timezone = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: ['Europe/Madrid'] })
const language = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$',
  description: 'The language of the visitor, BCP 47.',
  examples: ['es'],
})
const email = Type.String({
  minLength: 1,
  maxLength: 254,
  description: 'The e-mail address.',
  examples: ['marta@example.com'],
})
const phone = Type.String({
  minLength: 1,
  maxLength: 50,
  description: "The phone number; without a prefix, of the workspace's country.",
  examples: ['+34612345678'],
})
const name = Type.String({ maxLength: 200, pattern: visible, description: 'The name.' })
const notes = Type.String({
  maxLength: 5000,
  description:
    'What the visitor wrote on the booking page, or notes of the agency, which replace it. Visitors do not see them.',
})
const status = oneOf(appointmentStatuses, {
  description:
    '`pending`: the agent has to confirm it; `confirmed`; `completed`: it has ended; `no_show`: the visitor did not come; `cancelled`.',
})
const start = time('When it begins.')

const answers = byName(Type.Union([Type.String({ maxLength: 5000 }), Type.Boolean()]), 50, {
  maxProperties: 100,
  description: 'The answers to the questions of the event type, by the id of the question.',
})
const newAnswers = byName(Type.Union([Type.String({ maxLength: 5000 }), Type.Boolean(), Type.Null()]), 50, {
  maxProperties: 100,
  description:
    'The answers to the questions of the event type, by the id of the question: true or false for a `checkbox`, a text for others.',
})

export const Visitor = strictObject(
  {
    name: nullable(name),
    email: nullable(email),
    phone: nullable(phone),
    language: nullable(language),
  },
  { title: 'Visitor', description: 'Who comes. All values are null after the erasure of the person.' },
)
export type Visitor = Static<typeof Visitor>

const optionalContact = {
  email: Type.Optional(nullable(email)),
  phone: Type.Optional(nullable(phone)),
  language: Type.Optional(nullable(language)),
}
export const NewVisitor = strictObject(
  { name, ...optionalContact },
  { title: 'NewVisitor', description: 'Who comes.' },
)
export type NewVisitor = Static<typeof NewVisitor>

export const AppointmentLocation = strictObject(
  {
    mode: oneOf(locationModes, { description: 'How they meet.' }),
    address: nullable(Type.String({ description: 'The address.' })),
    latitude: nullable(Type.Number({ description: 'The latitude, in degrees.' })),
    longitude: nullable(Type.Number({ description: 'The longitude, in degrees.' })),
    url: nullable(Type.String({ description: 'The address of the video meeting.' })),
    phone: nullable(Type.String({ description: 'The number that is called.' })),
    instructions: nullable(Type.String({ description: 'What the visitor should know.' })),
  },
  { title: 'AppointmentLocation', description: 'Where it takes place. null: not known, or another mode.' },
)
export type AppointmentLocation = Static<typeof AppointmentLocation>

const feedback = {
  rating: Type.Integer({ minimum: 1, maximum: 5, description: 'From 1 to 5.' }),
  text: Type.String({ maxLength: 5000, description: 'What the visitor said.' }),
}
const result = oneOf(outcomeResults, { description: 'What the visitor thinks of it.' })

export const Outcome = strictObject(
  {
    result,
    recordedBy: oneOf(['agent', 'visitor'], {
      description: 'Whose `result` it is: that of the agent, as soon as an agent has recorded one.',
    }),
    feedback: strictObject(
      {
        result: nullable(oneOf(outcomeResults, { description: 'What the visitor chose on the page.' })),
        rating: nullable(feedback.rating),
        text: nullable(feedback.text),
        givenAt: nullable(
          time('When the visitor gave it on the page of the appointment; null: an agent wrote it down.'),
        ),
      },
      {
        description:
          'The feedback of the visitor. What they gave on the page stays, unless a no-show is recorded.',
      },
    ),
    recordedAt: time('When it was recorded.'),
    byUserId: nullable(id('The user who recorded it; null: unknown, or the visitor did.')),
  },
  { title: 'AppointmentOutcome', description: 'What came of it; null: unknown.' },
)
export type Outcome = Static<typeof Outcome>

export const NewOutcome = strictObject(
  {
    result,
    feedback: Type.Optional(
      strictObject(
        {
          rating: Type.Optional(nullable(feedback.rating)),
          text: Type.Optional(nullable(feedback.text)),
        },
        {
          description:
            'The feedback that the visitor gave to the agent. Omit it if they gave it on the page of the appointment.',
        },
      ),
    ),
  },
  {
    title: 'NewAppointmentOutcome',
    description: 'It replaces an earlier one, except the feedback that the visitor gave on the page.',
  },
)
export type NewOutcome = Static<typeof NewOutcome>

export const VisitorAnswer = strictObject(
  {
    answer: oneOf(invitationAnswers, { description: 'What the visitor answered.' }),
    answeredAt: time('When the answer arrived.'),
  },
  {
    title: 'VisitorAnswer',
    description:
      'The answer of the visitor to the invitation, sent by their calendar. A declined appointment stands until somebody cancels it. null: there is none since the last reschedule.',
  },
)
export type VisitorAnswer = Static<typeof VisitorAnswer>

const fields = {
  id: id('The appointment. It keeps it when it is rescheduled.'),
  status,
  eventTypeId: id('The event type.'),
  agendaId: id('The agenda of the agent who receives the visitor.'),
  agentUserId: id('The agent who receives the visitor.'),
  start,
  end: time('When it ends.'),
  timezone: timezone('The time zone of the visitor, by its IANA name.'),
  visitor: Visitor,
  leadId: nullable(id('The lead of the visitor; null: there is none.')),
  location: AppointmentLocation,
  answers,
  notes: nullable(notes),
  icalUid: Type.String({ description: 'The UID of the event in calendars. It never changes.' }),
  sequence: Type.Integer({
    description: 'The SEQUENCE of iCalendar: grows with every new time, new agent and cancellation.',
  }),
  source: oneOf(['api', 'page'], { description: 'Where it was booked.' }),
  expiresAt: nullable(time('When it is cancelled if nobody confirms it; null: it is not pending.')),
  cancelledBy: nullable(oneOf(cancellers, { description: 'Who cancelled it; null: it is not cancelled.' })),
  cancelReason: nullable(Type.String({ description: 'Why it was cancelled; null: nobody said.' })),
  visitorAnswer: nullable(VisitorAnswer),
  outcome: nullable(Outcome),
  createdAt: time('When it was booked.'),
  updatedAt: time('When it was last changed.'),
}

export const AppointmentWithoutLinks = strictObject(fields, {
  title: 'AppointmentWithoutLinks',
  description: 'An appointment, without the links of the visitor.',
})
export type AppointmentWithoutLinks = Static<typeof AppointmentWithoutLinks>

const link = (description: string) => Type.String({ description })
export const Appointment = strictObject(
  {
    ...fields,
    links: nullable(
      strictObject(
        {
          page: link('The page of the appointment.'),
          reschedule: link('The page on which the visitor chooses another time.'),
          cancel: link('The page on which the visitor cancels it.'),
          ics: link('The appointment as an iCalendar file.'),
        },
        { description: 'For the visitor: they need no key. null: the person was erased.' },
      ),
    ),
  },
  { title: 'Appointment' },
)
export type Appointment = Static<typeof Appointment>

export const NewAppointment = strictObject(
  {
    eventTypeId: id('The event type.'),
    start: time('When it begins: the start of a slot.'),
    timezone: Type.Optional(
      nullable(timezone('The time zone of the visitor. Default: that of the event type.')),
    ),
    visitor: NewVisitor,
    answers: Type.Optional(newAnswers),
    leadId: Type.Optional(
      nullable(
        id('The lead of the visitor. If omitted, it is found by phone or e-mail address, or created.'),
      ),
    ),
    holdId: Type.Optional(nullable(id('The hold of this slot, which becomes the appointment.'))),
    notes: Type.Optional(nullable(notes)),
  },
  { title: 'NewAppointment' },
)
export type NewAppointment = Static<typeof NewAppointment>

export const AppointmentChanges = strictObject(
  {
    notes: Type.Optional(nullable(notes)),
    answers: Type.Optional(newAnswers),
    visitor: Type.Optional(
      strictObject(
        { name: Type.Optional(name), ...optionalContact },
        { title: 'VisitorChanges', description: 'Omitted fields keep their value.' },
      ),
    ),
  },
  {
    title: 'AppointmentChanges',
    description: 'Omitted fields keep their value. `answers` replaces all answers.',
  },
)
export type AppointmentChanges = Static<typeof AppointmentChanges>

export const Reschedule = strictObject(
  {
    start: time('When it begins now: the start of a slot.'),
    timezone: Type.Optional(nullable(timezone('The time zone of the visitor. Default: unchanged.'))),
  },
  { title: 'AppointmentReschedule' },
)
export const Cancel = strictObject(
  {
    reason: Type.Optional(
      nullable(Type.String({ maxLength: 1000, description: 'Why. The visitor reads it.' })),
    ),
  },
  { title: 'AppointmentCancel' },
)
export const Assign = strictObject(
  { agendaId: id('The agenda of the agent who receives the visitor from now on.') },
  { title: 'AppointmentAssign' },
)

export const AppointmentFilter = strictObject({
  ...pageQuery,
  status: Type.Optional(
    commaSeparated(appointmentStatuses, {
      description: `Only these statuses, separated by commas: ${appointmentStatuses.join(', ')}.`,
    }),
  ),
  eventTypeId: Type.Optional(id('Only of this event type.')),
  agendaId: Type.Optional(id('Only of this agenda.')),
  agentUserId: Type.Optional(id('Only of this agent.')),
  leadId: Type.Optional(id('Only of this lead.')),
  from: Type.Optional(time('Only those that begin then or later.')),
  to: Type.Optional(time('Only those that begin before.')),
  sort: oneOf(['start', '-start'], {
    default: 'start',
    description: 'By their beginning; `-start`: the latest first.',
  }),
})
export type AppointmentFilter = Static<typeof AppointmentFilter>
