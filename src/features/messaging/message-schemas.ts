/** The API schema of messages. */
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import { identityKinds } from '../../plugins/chat.ts'
import { Media } from './media/schemas.ts'
import { emptyContents, MessageBody, MessageContent } from './message-content-schemas.ts'
import { directions, messageKinds, natures } from './message-types.ts'

export const messageStatuses = [
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'received',
  'noted',
] as const

export const Identity = strictObject(
  {
    kind: oneOf(identityKinds, {
      description: 'The kind of identity; `bsuid`: the business-scoped user id of WhatsApp.',
    }),
    value: Type.String({ description: 'The name: a phone in E.164, an address, an id of the provider.' }),
  },
  { title: 'ChatIdentity', description: 'An identity of the person at the provider.' },
)

export const Failure = strictObject(
  {
    code: Type.String({ description: 'The kind of failure. Stable, for programs.' }),
    providerCode: nullable(Type.String({ description: 'The code of the provider; null: it gave none.' })),
    message: Type.String({ description: 'What happened and what to do, for people.' }),
    retryable: Type.Boolean({ description: 'The same message may be sent again later.' }),
    isWithdrawn: Type.Boolean({
      description:
        'It was withdrawn before it was sent, by a person or its campaign: nothing went wrong, and nobody has to decide about it.',
    }),
  },
  {
    title: 'MessageFailure',
    description:
      'Why a message failed, or with the code `RESULT_UNKNOWN` why it is not known whether it was sent.',
  },
)

export const Waiting = strictObject(
  {
    code: Type.String({
      description:
        'The kind of reason. Stable, for programs. After a refusal of the provider it is the code that `failure` would have.',
    }),
    message: Type.String({ description: 'What the message waits for and what to do, for people.' }),
    until: nullable(
      time('When it is tried next; null: when the reason ends, such as the pause of the account.'),
    ),
  },
  {
    title: 'MessageWaiting',
    description: 'Why a queued message is not sent now; null: it is about to be sent, or is not queued.',
  },
)

const messageFields = {
  id: id('The message.'),
  conversationId: id('Its conversation.'),
  accountId: id('The account of the conversation.'),
  leadId: nullable(
    id(
      'The lead that it is about; null: the conversation has none, see its `leadAbsence`. A person has one conversation, even if they have several leads; what they write is about the lead of the message that they quote, else of the last message.',
    ),
  ),
  sequence: Type.Integer({ description: 'Its number in the conversation, from 1.' }),
  direction: oneOf(directions, { description: '`in`: from the person; `note`: an internal note.' }),
  kind: oneOf(messageKinds, { description: 'What it is.' }),
  text: nullable(
    Type.String({
      description: 'What people read: the text, the rendered template, the caption, the place; null: none.',
    }),
  ),
  content: MessageContent,
  media: Type.Array(Media, { description: 'Its files.' }),
  templateId: nullable(id('The template it was sent with; null: none, or deleted.')),
  templateVersionId: nullable(id('The version of the template it was sent with; null: none.')),
  campaignId: nullable(id('The campaign that sent it; null: none.')),
  campaignStep: nullable(
    Type.Integer({
      description: 'Its step in `settings.steps` of the campaign, from 0; null: no campaign sent it.',
    }),
  ),
  replyToId: nullable(id('The message that it answers; null: none.')),
  retryOfId: nullable(id('The message that somebody sent again as this one; null: none.')),
  nature: oneOf(natures, {
    description:
      '`auto_reply`: written by a machine of the person. `opt_out_confirmation`: the last message after an opt-out. `appointment`: a notice about an appointment that the person booked. `ai`: written by AI; with an `authorUserId` it was a draft that the user sent.',
  }),
  authorUserId: nullable(id('The user who wrote it; null: the person, a program, or a campaign.')),
  status: oneOf(messageStatuses, {
    description:
      'Outgoing messages move forward: `queued`, `sent`, `delivered`, `read`; or `failed`. `unknown`: it may have been sent; it is never sent again by itself. `received`: it came in. `noted`: it is a note.',
  }),
  failure: nullable(Failure),
  waiting: nullable(Waiting),
  createdAt: time('When it was stored.'),
  sentAt: nullable(time('When it was sent; null: it was not.')),
  deliveredAt: nullable(time('When the person received it; null: not known.')),
  readAt: nullable(time('When the person read it; null: not known.')),
  failedAt: nullable(time('When it failed; null: it has not.')),
  editedAt: nullable(time('When the person changed it; null: never.')),
  deletedAt: nullable(time('When the person deleted it; null: never.')),
}

export const Message = Type.Intersect([strictObject(messageFields), MessageBody], {
  type: 'object',
  title: 'Message',
  description:
    'A message of a conversation, in or out, or an internal note. Its `kind` says which parts its `content` has.',
})
export type Message = Static<typeof Message>

export const messageExample: Message = {
  id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  conversationId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  accountId: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
  leadId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
  sequence: 4,
  direction: 'out',
  kind: 'text',
  text: 'Buenos días, Marta. ¿Le va bien el jueves a las 18:00?',
  content: emptyContents.text,
  media: [],
  templateId: null,
  templateVersionId: null,
  campaignId: null,
  campaignStep: null,
  replyToId: null,
  retryOfId: null,
  nature: 'person',
  authorUserId: null,
  status: 'sent',
  failure: null,
  waiting: null,
  createdAt: '2026-11-02T10:00:00.000Z',
  sentAt: '2026-11-02T10:00:01.000Z',
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  editedAt: null,
  deletedAt: null,
}
