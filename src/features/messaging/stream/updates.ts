/** The events of the live updates: the changed objects as they are now. */
import type { Tx } from '../../../kit/db/index.ts'
import type { StreamedEvent } from '../../../kit/route.ts'
import { id, nullable, type Static, strictObject, Type } from '../../../kit/schema.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { findConversations } from '../conversations/queries.ts'
import { toConversations } from '../conversations/reply.ts'
import { Conversation, conversationExample } from '../conversations/schemas.ts'
import type { InboxChange } from '../inbox-changes.ts'
import { Message, messageExample } from '../message-schemas.ts'
import { findMessages } from '../messages/read-messages.ts'

/** A larger message, such as a long e-mail, is not sent with its event. */
const messageBytesMax = 64 * 1024

const Ready = strictObject(
  {
    isResumed: Type.Boolean({
      description:
        'True: the events since the last one follow. False: load the inbox now, then apply events.',
    }),
  },
  { description: 'The start of the stream.' },
)

const ChangedMessage = strictObject(
  {
    messageId: id('The message.'),
    conversationId: id('Its conversation.'),
    message: nullable(Message),
  },
  {
    description: '`message` is null if it is too large for a stream: retrieve it.',
  },
)

const ChangedConversation = strictObject(
  { conversation: Conversation },
  { description: 'The conversation as it is now.' },
)

export const inboxEvents = {
  ready: {
    description:
      'The first event, and sent again if too much has changed at once. It says if the inbox is to be loaded.',
    data: Ready,
    example: { isResumed: false },
  },
  message: {
    description:
      'A message is new or has changed: its status, its text, its files, its reactions. It may be sent more than once.',
    data: ChangedMessage,
    example: {
      messageId: messageExample.id,
      conversationId: messageExample.conversationId,
      message: messageExample,
    },
  },
  conversation: {
    description:
      'A conversation is new or has changed: its last message, its status, its assignment, its labels, what is unread. A joined conversation is gone: only the one that remains is sent.',
    data: ChangedConversation,
    example: { conversation: conversationExample },
  },
}

export type InboxEvents = {
  ready: typeof Ready
  message: typeof ChangedMessage
  conversation: typeof ChangedConversation
}

export type Update = Exclude<StreamedEvent<InboxEvents>, { event: 'ready' }>

export interface UpdateDependencies {
  accounts: Pick<ChatAccounts, 'getProvider'>
  /** The public URL with the base path. */
  baseUrl: string
}

/**
 * The events of changes: messages in the order of their changes, then their conversations. What was deleted meanwhile
 * is missing.
 */
export async function readUpdates(
  tx: Tx,
  changes: InboxChange[],
  { accounts, baseUrl }: UpdateDependencies,
): Promise<Update[]> {
  const messageIds = changes.flatMap(({ messageId }) => messageId ?? [])
  const messages = await findMessages(tx, messageIds, { baseUrl, maxBytes: messageBytesMax })
  const conversationIds = [...new Set(changes.map(({ conversationId }) => conversationId))]
  const conversations = toConversations(tx, await findConversations(tx, conversationIds), accounts)
  const messageUpdates = changes.flatMap(({ conversationId, messageId }): Update[] => {
    const json = messageId === null ? undefined : messages.get(messageId)
    if (messageId === null || json === undefined) return []
    const message = json === null ? null : (JSON.parse(json) as Static<typeof Message>)
    return [{ event: 'message', data: { messageId, conversationId, message } }]
  })
  const conversationUpdates = conversations.map(
    (conversation): Update => ({ event: 'conversation', data: { conversation } }),
  )
  return [...messageUpdates, ...conversationUpdates]
}
