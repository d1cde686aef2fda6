/** The schemas of the configuration of event types. */
import { messageLanguages } from '../../../domain/messaging/opt-out-words.ts'
import { id, nullable, oneOf, type Static, strictObject, Type } from '../../../kit/schema.ts'
import { httpsPattern, integer, text, toOptional } from '../../../kit/schema-fields.ts'

const seatsMax = 1000
const membersMax = 50

const questionFields = {
  id: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$',
    description: 'The name of its answer in `answers`: letters, digits, `-` and `_`. Unique.',
    examples: ['budget'],
  }),
  label: text(200, 'The question, for people.'),
  type: oneOf(['text', 'textarea', 'select', 'checkbox', 'phone'], { description: 'How it is answered.' }),
}
const questionDetails = {
  required: Type.Boolean({ description: 'It must be answered. Default: false.' }),
  options: Type.Array(text(200, 'An answer.'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'The possible answers of a `select`; empty for every other type.',
  }),
}

const reminderFields = {
  minutesBefore: integer(5, 43_200, 'How many minutes before the appointment.'),
  channel: oneOf(['email', 'chat'], { description: 'How it is sent.' }),
}
const templateId = nullable(id('The message template; null: the default text.'))

const confirmationFields = {
  required: Type.Boolean({
    description: 'The agent confirms each appointment; until then it is `pending`. Default: false.',
  }),
  expiresAfterMin: nullable(
    integer(
      5,
      43_200,
      'After how many minutes without a confirmation it is cancelled; null: when it begins. Default: 1440.',
    ),
  ),
}

const noticeFields = {
  emailAccountId: nullable(
    id('The account that sends e-mails; null: the only connected e-mail account. Default: null.'),
  ),
  chatAccountId: nullable(
    id('The account that sends chat messages; null: the only connected chat account. Default: null.'),
  ),
  toAgent: Type.Boolean({ description: 'The agent gets e-mails too. Default: true.' }),
}

const assignmentKind = oneOf(['single', 'round_robin', 'collective'], {
  description:
    'Who receives the visitor. `single`: the agent of `agendaId`. `round_robin`: one of the members. `collective`: all members together. Default: single.',
})
const memberAgenda = { agendaId: id('The agenda.') }
const memberDetails = {
  weight: integer(1, 100, 'The share of the bookings, relative to the other members. Default: 1.'),
  areas: Type.Array(
    Type.String({
      pattern: '^[0-9A-Za-z][0-9A-Za-z -]{0,9}$',
      description: 'The beginning of postcodes.',
      examples: ['080'],
    }),
    {
      maxItems: 100,
      description: 'The postcodes of the properties that the agent shows, by their beginning; empty: all.',
    },
  ),
}

const travelFields = {
  enabled: Type.Boolean({
    description: 'The way between appointments on site is kept free. Default: false.',
  }),
  speedKmh: integer(
    5,
    150,
    'The average speed, in km/h, by which ways are estimated that no router knows. Default: 30.',
  ),
}

const holidays = strictObject({
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1.', examples: ['ES'] }),
  region: Type.Optional(
    nullable(
      Type.String({
        pattern: '^[A-Za-z0-9-]{1,10}$',
        description: 'ISO 3166-2 without the country; null: only the holidays of the whole country.',
        examples: ['CT'],
      }),
    ),
  ),
})

const pageFields = {
  isPublished: Type.Boolean({ description: 'Visitors can book on its page. Default: true.' }),
  language: nullable(
    oneOf(messageLanguages, { description: "The language of the page; null: the visitor's. Default: null." }),
  ),
  requireCode: Type.Boolean({
    description: 'Visitors prove their e-mail address with a code. Default: false.',
  }),
  stopsSequence: Type.Boolean({
    description:
      'A booking ends the messages of a campaign to the lead: it counts as a reply of a lead that was known, unless anybody could have written its phone or address into the page. Default: true.',
  }),
  cancelBeforeMin: integer(
    0,
    43_200,
    'How many minutes before its beginning a visitor can cancel or reschedule at the latest. Default: 0.',
  ),
  allowedOrigins: Type.Array(
    Type.String({
      pattern: '^https?://[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[0-9]{1,5})?$',
      description: 'An origin.',
      examples: ['https://agency.example'],
    }),
    {
      maxItems: 20,
      uniqueItems: true,
      description: 'The sites whose pages may show the page in a frame. Default: none.',
    },
  ),
  redirectUrl: nullable(
    Type.String({
      format: 'uri',
      maxLength: 2000,
      pattern: httpsPattern,
      description: 'Where visitors go after a booking; null: nowhere. Default: null.',
      examples: ['https://example.com/thanks'],
    }),
  ),
}

const lists = { questions: { maxItems: 30 }, reminders: { maxItems: 10 }, members: { maxItems: membersMax } }
const seats = integer(1, seatsMax, 'How many visitors can share a slot. Default: 1.')

export const EventTypeConfig = strictObject(
  {
    questions: Type.Array(strictObject({ ...questionFields, ...questionDetails }), {
      description: 'What visitors are asked.',
    }),
    reminders: Type.Array(strictObject({ ...reminderFields, templateId }), {
      description: 'Reminders to the visitor.',
    }),
    confirmation: strictObject(confirmationFields, { description: 'The confirmation by the agent.' }),
    notices: strictObject(noticeFields, { description: 'Who sends notices, and to whom.' }),
    assignment: strictObject(
      {
        kind: assignmentKind,
        members: Type.Array(strictObject({ ...memberAgenda, ...memberDetails }), {
          description: 'The agendas of several agents, by id; empty for `single`.',
        }),
      },
      { description: 'Who receives the visitor.' },
    ),
    seats,
    travel: strictObject(travelFields, { description: 'The way between appointments on site.' }),
    holidays: nullable(
      strictObject(
        {
          country: holidays.properties.country,
          region: nullable(Type.String({ description: 'ISO 3166-2 without the country.' })),
        },
        { description: 'Public holidays are closed; null: they are days like others.' },
      ),
    ),
    bookingPage: strictObject(pageFields, { description: 'The page on which visitors book.' }),
  },
  { title: 'EventTypeConfig', description: 'Questions, reminders, confirmation and assignment.' },
)
export type EventTypeConfig = Static<typeof EventTypeConfig>

export const ConfigInput = strictObject(
  {
    questions: Type.Optional(
      Type.Array(strictObject({ ...questionFields, ...toOptional(questionDetails) }), {
        ...lists.questions,
        description: 'What visitors are asked. Replaces all questions.',
      }),
    ),
    reminders: Type.Optional(
      Type.Array(strictObject({ ...reminderFields, templateId: Type.Optional(templateId) }), {
        ...lists.reminders,
        description: 'Reminders to the visitor. Replaces all reminders.',
      }),
    ),
    confirmation: Type.Optional(
      strictObject(toOptional(confirmationFields), { description: 'The confirmation by the agent.' }),
    ),
    notices: Type.Optional(
      strictObject(toOptional(noticeFields), { description: 'Who sends notices, and to whom.' }),
    ),
    assignment: Type.Optional(
      strictObject(
        {
          kind: Type.Optional(assignmentKind),
          members: Type.Optional(
            Type.Array(strictObject({ ...memberAgenda, ...toOptional(memberDetails) }), {
              ...lists.members,
              description: 'The agendas of several agents; empty for `single`. Replaces all members.',
            }),
          ),
        },
        { description: 'Who receives the visitor.' },
      ),
    ),
    seats: Type.Optional(seats),
    travel: Type.Optional(
      strictObject(toOptional(travelFields), { description: 'The way between appointments on site.' }),
    ),
    holidays: Type.Optional(
      nullable({
        ...holidays,
        description: 'Public holidays are closed; null: they are days like others. Default: null.',
      }),
    ),
    bookingPage: Type.Optional(
      strictObject(toOptional(pageFields), { description: 'The page on which visitors book.' }),
    ),
  },
  {
    title: 'EventTypeConfigInput',
    description: 'Questions, reminders, confirmation and assignment. Omitted fields have their default.',
  },
)
export type ConfigInput = Static<typeof ConfigInput>

export const defaultConfig: EventTypeConfig = {
  questions: [],
  reminders: [],
  confirmation: { required: false, expiresAfterMin: 1440 },
  notices: { emailAccountId: null, chatAccountId: null, toAgent: true },
  assignment: { kind: 'single', members: [] },
  seats: 1,
  travel: { enabled: false, speedKmh: 30 },
  holidays: null,
  bookingPage: {
    isPublished: true,
    language: null,
    requireCode: false,
    stopsSequence: true,
    cancelBeforeMin: 0,
    allowedOrigins: [],
    redirectUrl: null,
  },
}
