/** Messages over HTTP. */
import type { Caller } from '../../../kit/auth.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { toJsonText } from '../../../kit/json-text.ts'
import { createPager, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { readAuthor } from '../../../kit/writer.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { notContactable } from '../../privacy/service.ts'
import {
  languageMissing,
  missingVariable,
  templateArchived,
  templateErased,
  templateFailed,
} from '../../templates/service.ts'
import { getConversation } from '../conversations/queries.ts'
import { mediaNotAccepted, mediaTooLarge } from '../media/problems.ts'
import { Message, messageExample } from '../message-schemas.ts'
import {
  accountNotSending,
  leadAmbiguous,
  noIdentity,
  noticeMissing,
  textTooLong,
  unsupportedMessage,
  windowClosed,
} from '../problems.ts'
import { insertMessage } from './insert-message.ts'
import { checkBody, type MessageBody, toMessageInput } from './message-input.ts'
import { queueMessage } from './queue-message.ts'
import { getMessage, listMessages, listUnsent } from './read-messages.ts'
import { MessageQuery, NewMessage, UnsentQuery } from './request-schemas.ts'
import { retryMessage } from './retry-message.ts'
import { toUnknown, withdrawn } from './to-failure.ts'
import { withdrawMessage } from './withdraw-message.ts'

const tag = 'Messaging'
const params = strictObject({ id: id('The conversation.') })
const messageParams = strictObject({ id: id('The message.') })
const queuedExample = { ...messageExample, status: 'queued' as const, sentAt: null }
const unknownExample = {
  ...queuedExample,
  status: 'unknown' as const,
  failure: toUnknown('WhatsApp did not answer within 20 s'),
}
const withdrawnExample = {
  ...queuedExample,
  status: 'failed' as const,
  failure: withdrawn,
  failedAt: '2026-11-02T10:05:00.000Z',
}
const quotaExample =
  'The quota maxMessagesPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.'
const sendErrors = [
  'QUOTA_EXCEEDED' as const,
  accountNotSending,
  notContactable,
  leadAmbiguous,
  noIdentity,
  windowClosed,
  unsupportedMessage,
  textTooLong,
  languageMissing,
  missingVariable,
  templateArchived,
  templateErased,
  templateFailed,
  noticeMissing,
  mediaNotAccepted,
  mediaTooLarge,
]

interface Dependencies {
  accounts: Pick<ChatAccounts, 'getProvider'>
  /** The public URL with the base path. */
  baseUrl: string
}

export const messageRoutes = ({ accounts, baseUrl }: Dependencies): Route[] => [
  route({
    method: 'GET',
    path: '/conversations/{id}/messages',
    operation: 'listMessages',
    tag,
    summary: 'List the messages of a conversation',
    scope: 'messaging:read',
    params,
    query: MessageQuery,
    status: 200,
    reply: pageSchema(Message),
    replyExample: { data: [messageExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await getConversation(tx, params.id)
      const list = createPager(`conversations/${params.id}/messages`, caller.tenantId, query)
      const newestFirst = query.order === 'newest'
      return list.reply(
        await listMessages(
          tx,
          params.id,
          { baseUrl, newestFirst, limit: query.limit, q: query.q },
          list.after?.[0] ?? null,
        ),
      )
    },
  }),
  route({
    method: 'POST',
    path: '/conversations/{id}/messages',
    operation: 'sendMessage',
    tag,
    summary: 'Send a message',
    description:
      'The message is queued, and sent after the earlier ones of the conversation. Its `status` and the events `message.sent`, `message.delivered`, `message.read` and `message.failed` report what becomes of it. If the person may not be contacted any more when it is sent, it fails. A `note` is stored for people of the agency, and never sent.',
    scope: 'messaging:write',
    params,
    body: NewMessage,
    example: { text: messageExample.text! },
    check: ({ body }) => checkBody(body as MessageBody),
    status: 202,
    reply: Message,
    replyExample: queuedExample,
    errors: sendErrors,
    errorExamples: { QUOTA_EXCEEDED: quotaExample },
    async handle({ params, body, caller, tx }) {
      const messageId = await addMessage(tx, accounts, { conversationId: params.id, body, caller })
      return toJsonText(await getMessage(tx, messageId, baseUrl))
    },
  }),
  route({
    method: 'GET',
    path: '/messages',
    operation: 'listUnsentMessages',
    tag,
    summary: 'List the messages that wait, failed, or may not have been sent, the newest first',
    description:
      'A person decides about failed and unknown ones: `POST /messages/{id}/retry` sends one again. Messages that were sent again or withdrawn are left out. A queued one waits: `waiting` says why, and `DELETE /messages/{id}` withdraws it.',
    scope: 'messaging:read',
    query: UnsentQuery,
    status: 200,
    reply: pageSchema(Message),
    replyExample: { data: [unknownExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const list = createPager('messages', caller.tenantId, query)
      return list.reply(await listUnsent(tx, { ...query, baseUrl }, list.after?.[0] ?? null))
    },
  }),
  route({
    method: 'GET',
    path: '/messages/{id}',
    operation: 'getMessage',
    tag,
    summary: 'Retrieve a message',
    scope: 'messaging:read',
    params: messageParams,
    status: 200,
    reply: Message,
    replyExample: messageExample,
    handle: async ({ params, tx }) => toJsonText(await getMessage(tx, params.id, baseUrl)),
  }),
  route({
    method: 'DELETE',
    path: '/messages/{id}',
    operation: 'withdrawMessage',
    tag,
    summary: 'Withdraw a queued message',
    description:
      'It is not sent: it fails with the code `WITHDRAWN`, and its quota and budget are given back. A message that is being sent, or was sent, can no longer be withdrawn.',
    scope: 'messaging:write',
    params: messageParams,
    status: 200,
    reply: Message,
    replyExample: withdrawnExample,
    errors: ['INVALID_TRANSITION'],
    errorExamples: { INVALID_TRANSITION: 'Only a queued message can be withdrawn.' },
    async handle({ params, tx }) {
      await withdrawMessage(tx, params.id)
      return toJsonText(await getMessage(tx, params.id, baseUrl))
    },
  }),
  route({
    method: 'POST',
    path: '/messages/{id}/retry',
    operation: 'retryMessage',
    tag,
    summary: 'Send a failed or unknown message again',
    description:
      'A new message with the same content is queued; `retryOfId` names this one. An `unknown` message may have been sent: the person may receive it twice. A message can be sent again once.',
    scope: 'messaging:write',
    params: messageParams,
    status: 202,
    reply: Message,
    replyExample: { ...queuedExample, retryOfId: messageExample.id },
    errors: ['INVALID_TRANSITION', ...sendErrors],
    errorExamples: {
      QUOTA_EXCEEDED: quotaExample,
      INVALID_TRANSITION: 'Only a failed or unknown message can be sent again.',
    },
    async handle({ params, caller, tx }) {
      const messageId = await retryMessage(tx, accounts, params.id, await readAuthor(tx, caller))
      return toJsonText(await getMessage(tx, messageId, baseUrl))
    },
  }),
]

async function addMessage(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  { conversationId, body, caller }: { conversationId: string; body: NewMessage; caller: Caller },
): Promise<string> {
  const author = await readAuthor(tx, caller)
  const { note = '', subject = null, replyToId = null, leadId = null } = body
  const input = toMessageInput(body as MessageBody)
  const { id } = input
    ? await queueMessage(tx, accounts, { conversationId, input, subject, author, replyToId, leadId })
    : await insertMessage(tx, {
        conversationId,
        direction: 'note',
        kind: 'text',
        text: note,
        status: 'noted',
        author,
      })
  return id
}
