/** The rows of an exported campaign. */
import { id, nullable, type Static, strictObject, Type, time } from '../../../kit/schema.ts'

const text = (description: string) => nullable(Type.String({ description }))

export const ExportedSend = strictObject(
  {
    recipientId: id('The recipient.'),
    leadId: nullable(id('The lead; null: it was deleted.')),
    name: text('The name of the person.'),
    phone: text('Their phone number.'),
    email: text('Their e-mail address.'),
    status: Type.String({ description: 'The status of the recipient.' }),
    reason: text('The code of the reason why the recipient ended or was skipped, such as `REPLIED`.'),
    reasonMessage: text('The same in words.'),
    endedAt: nullable(time('When the recipient ended; null: it has not.')),
    joinedAt: time('When the lead joined.'),
    round: Type.Integer({ description: 'How often the lead has joined.' }),
    step: nullable(Type.Integer({ description: 'The step, from 0; null: the recipient got none.' })),
    templateId: nullable(id('The template; null: the step was left out.')),
    templateName: text('Its name; null: it was deleted.'),
    variant: text('Which of the templates that are compared.'),
    plannedAt: nullable(time('When it was planned to be sent.')),
    sentAt: nullable(time('When it was sent; null: it was not.')),
    sentTo: text(
      'The phone number, address or id to which it went; null: it was not sent, or by another program.',
    ),
    messageId: nullable(id('The message.')),
    result: text(
      'The status of the message, such as `read`, or the code of the reason why it failed, or why the step or the recipient was left out.',
    ),
    explanation: text('The reason in words.'),
    lawfulBasis: text('The lawful basis when the message was queued.'),
    lawfulBasisRecordedAt: nullable(time('When it was recorded.')),
    lawfulBasisProof: text('Its proof.'),
    sourcePlatform: text('Where the lead was found first.'),
    sourceUrl: text('The listing there.'),
    sourceFirstSeenAt: nullable(time('When it was found there.')),
  },
  {
    description: 'A step of a recipient, with why and by which message the person was contacted.',
  },
)

export type ExportedSend = Static<typeof ExportedSend>

export const exportExample: ExportedSend = {
  recipientId: '01980a4e-c111-7c3e-9d7a-2f6b1c0d9e8f',
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  name: 'Marta Soler',
  phone: '+34612345678',
  email: null,
  status: 'waiting',
  reason: null,
  reasonMessage: null,
  endedAt: null,
  joinedAt: '2026-11-30T18:00:00.000Z',
  round: 1,
  step: 0,
  templateId: '01980a4e-d111-7c3e-9d7a-2f6b1c0d9e8f',
  templateName: 'First contact',
  variant: null,
  plannedAt: '2026-12-01T09:12:31.000Z',
  sentAt: '2026-12-01T09:12:32.000Z',
  sentTo: '+34612345678',
  messageId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
  result: 'read',
  explanation: null,
  lawfulBasis: 'consent',
  lawfulBasisRecordedAt: '2026-11-30T17:58:12.000Z',
  lawfulBasisProof: 'Form of the fair of 2026-11-30',
  sourcePlatform: 'portal_a',
  sourceUrl: 'https://portal.example/90210',
  sourceFirstSeenAt: '2026-11-29T08:00:00.000Z',
}
