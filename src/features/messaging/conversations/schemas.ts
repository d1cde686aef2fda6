/** The API schemas of conversations. */
import { pageQuery } from '../../../kit/page.ts'
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
} from '../../../kit/schema.ts'
import { Identity, messageExample, messageStatuses } from '../message-schemas.ts'
import { messageKinds } from '../message-types.ts'
import { labelsMax } from './labels.ts'
import { conversationStatuses, leadAbsences } from './queries.ts'

const statusWords =
  '`pending`: it waits for somebody else. `closed`: it is done. A message of the person makes it `open`.'
const status = oneOf(conversationStatuses, { description: statusWords })
const label = Type.String({ maxLength: 50, pattern: visible })
const labels = Type.Array(label, {
  maxItems: labelsMax,
  uniqueItems: true,
  description: 'Labels of your own.',
})

const LastMessage = strictObject(
  {
    id: id('The message.'),
    direction: oneOf(['in', 'out'], { description: '`in`: from the person.' }),
    kind: oneOf(messageKinds, { description: 'What it is.' }),
    text: nullable(Type.String({ description: 'The first 300 characters; null: it has no text.' })),
    status: oneOf(messageStatuses, { description: 'Its status.' }),
    isWithdrawn: Type.Boolean({
      description: 'true: it is `failed` because it was withdrawn before it was sent; nothing went wrong.',
    }),
    createdAt: time('When it was stored.'),
  },
  { title: 'LastMessage', description: 'The last message, besides notes.' },
)

const conversationFields = {
  id: id('The conversation.'),
  accountId: id('The account.'),
  leadId: nullable(id('The lead; null: see `leadAbsence`.')),
  leadAbsence: nullable(
    oneOf(leadAbsences, {
      description:
        'Why it has no lead; null: it has one. `QUOTA_EXCEEDED` and `LEAD_DELETED` end when the person writes again; `NEVER_WROTE`: only the workspace or a machine of the person wrote.',
    }),
  ),
  contactName: nullable(Type.String({ description: 'The name of the lead; null: not known.' })),
  identities: Type.Array(Identity, { description: 'The identities of the person at the provider.' }),
  status,
  snoozedUntil: nullable(time('It is put off until then; null: it is not.')),
  assignedUserId: nullable(id('The user who takes care of it; null: nobody.')),
  labels,
  subject: nullable(Type.String({ description: 'The subject of an e-mail thread; null: it has none.' })),
  unreadCount: Type.Integer({
    description:
      'Messages of the person, or of a machine of theirs, that no user has read or answered; at least 1 if it was marked as unread.',
  }),
  canReply: Type.Boolean({
    description:
      'A free text is accepted now as far as the account and the reply window go. The person may refuse messages: see `contactability` of the lead.',
  }),
  replyWindowExpiresAt: nullable(
    time(
      'When the reply window closes; null: there is none, or the person has not written with the number or id to which messages go.',
    ),
  ),
  lastMessage: nullable(LastMessage),
  lastMessageAt: time('When the last message was stored. The list is in this order.'),
  lastInboundAt: nullable(time('When the person last wrote; null: never.')),
  createdAt: time('When it was opened.'),
  updatedAt: time('When it last changed.'),
}

export const Conversation = strictObject(conversationFields, {
  title: 'Conversation',
  description: 'What an account and one person write to each other.',
})
export type Conversation = Static<typeof Conversation>

const MatchedMessage = strictObject(
  {
    id: id('The message.'),
    text: nullable(Type.String({ description: 'The first 300 characters; null: it has no text.' })),
  },
  { title: 'MatchedMessage', description: 'The newest message with all words of `q`.' },
)

export const ListedConversation = strictObject(
  {
    ...conversationFields,
    matchedMessage: nullable(MatchedMessage),
  },
  {
    title: 'ListedConversation',
    description:
      'A conversation of a list. `matchedMessage` is null without `q`, and if only the lead or an identity has the words.',
  },
)
export type ListedConversation = Static<typeof ListedConversation>

export const conversationExample: Conversation = {
  id: messageExample.conversationId,
  accountId: messageExample.accountId,
  leadId: messageExample.leadId,
  leadAbsence: null,
  contactName: 'Marta Ruiz',
  identities: [{ kind: 'phone', value: '+34612345678' }],
  status: 'open',
  snoozedUntil: null,
  assignedUserId: null,
  labels: ['viewing'],
  subject: null,
  unreadCount: 0,
  canReply: true,
  replyWindowExpiresAt: '2026-11-03T09:58:00.000Z',
  lastMessage: {
    id: messageExample.id,
    direction: 'out',
    kind: 'text',
    text: messageExample.text,
    status: 'sent',
    isWithdrawn: false,
    createdAt: messageExample.createdAt,
  },
  lastMessageAt: '2026-11-02T10:00:00.000Z',
  lastInboundAt: '2026-11-02T09:58:00.000Z',
  createdAt: '2026-11-02T09:30:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
}

export const NewConversation = strictObject(
  { accountId: id('The account that writes.'), leadId: id('The lead to write to.') },
  { title: 'NewConversation' },
)

export const ConversationChanges = strictObject(
  {
    status: Type.Optional(status),
    snoozedUntil: Type.Optional(
      nullable(time('Put it off until then; it becomes open again by itself. Null: end that.')),
    ),
    assignedUserId: Type.Optional(nullable(id('The user who takes care of it; null: nobody.'))),
    labels: Type.Optional(labels),
    read: Type.Optional(
      Type.Boolean({
        description:
          'true: all messages are read; the person sees it, if the provider shows it. false: the conversation is unread again.',
      }),
    ),
  },
  { title: 'ConversationChanges', description: 'Omitted fields keep their value.' },
)
export type ConversationChanges = Static<typeof ConversationChanges>

export const ConversationFilter = strictObject({
  ...pageQuery,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words of the messages (an e-mail with its subject), or of the lead (name, phone, property), without regard to accents and case; or the beginning of a number, an address or an id of the person. All words of one message or of the lead must match; the last may be incomplete. With common words a page may be short although `nextCursor` is set.',
    }),
  ),
  status: Type.Optional(
    commaSeparated(conversationStatuses, {
      description: `Only those with these statuses, separated by commas: \`open\`, \`pending\`, \`closed\`. ${statusWords}`,
      examples: ['open,pending'],
    }),
  ),
  unread: Type.Optional(Type.Boolean({ description: 'true: with unread messages; false: without.' })),
  leadId: Type.Optional(
    id('Only those with the person of this lead, also if they have another one as `leadId`.'),
  ),
  accountId: Type.Optional(id('Only those of this account.')),
  assignedUserId: Type.Optional(
    Type.String({
      pattern: '^(none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
      description: 'Only those of this user; `none`: only those of nobody.',
      examples: ['none', '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'],
    }),
  ),
  label: Type.Optional(
    Type.String({ minLength: 1, maxLength: 50, description: 'Only those with this label.' }),
  ),
  snoozed: Type.Optional(
    Type.Boolean({
      description:
        'true: only those that are put off; false: without them. Default: a `status` of `open` leaves them out.',
    }),
  ),
})
export type ConversationFilter = Static<typeof ConversationFilter>
