/** Conversations over HTTP. */
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { type ChatAccounts, connectionProblems } from '../../accounts/service.ts'
import { accountNotSending, unsupportedMessage } from '../problems.ts'
import { changeConversation } from './change-conversation.ts'
import { listLabels } from './labels.ts'
import { listConversations } from './list-conversations.ts'
import { readConversation, toConversations } from './reply.ts'
import {
  Conversation,
  ConversationChanges,
  ConversationFilter,
  conversationExample,
  ListedConversation,
} from './schemas.ts'
import { showTyping } from './typing.ts'

const tag = 'Messaging'
const params = strictObject({ id: id('The conversation.') })

type Accounts = Pick<ChatAccounts, 'getProvider' | 'openConnection' | 'createContext'>

export const conversationRoutes = (accounts: Accounts): Route[] => [
  route({
    method: 'GET',
    path: '/conversations',
    operation: 'listConversations',
    tag,
    summary: 'List conversations, those with the newest messages first',
    scope: 'messaging:read',
    query: ConversationFilter,
    status: 200,
    reply: pageSchema(ListedConversation),
    replyExample: { data: [{ ...conversationExample, matchedMessage: null }], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const list = createPager('conversations', caller.tenantId, query)
      const { rows, last } = await listConversations(tx, query, list.after)
      const listed = toConversations(tx, rows, accounts).map(
        (conversation, index): ListedConversation => ({
          ...conversation,
          matchedMessage: rows[index]!.matchedMessage,
        }),
      )
      return list.reply({ json: JSON.stringify(listed), last })
    },
  }),
  route({
    method: 'GET',
    path: '/conversations/labels',
    operation: 'listConversationLabels',
    tag,
    summary: 'List the labels that conversations have, in alphabetical order',
    scope: 'messaging:read',
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(Type.String({ description: 'A label.' })),
    replyExample: { data: ['precio', 'visita'], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const list = createPager('conversations/labels', caller.tenantId, query)
      return list.reply(await listLabels(tx, query.limit, list.after))
    },
  }),
  route({
    method: 'GET',
    path: '/conversations/{id}',
    operation: 'getConversation',
    tag,
    summary: 'Retrieve a conversation',
    scope: 'messaging:read',
    params,
    status: 200,
    reply: Conversation,
    replyExample: conversationExample,
    handle: ({ params, tx }) => readConversation(tx, params.id, accounts),
  }),
  route({
    method: 'PATCH',
    path: '/conversations/{id}',
    operation: 'updateConversation',
    tag,
    summary: 'Change a conversation',
    description: 'Sets the status, puts it off, assigns it, labels it, or marks it as read.',
    scope: 'messaging:write',
    params,
    body: ConversationChanges,
    example: { labels: ['viewing'], read: true },
    status: 200,
    reply: Conversation,
    replyExample: conversationExample,
    async handle({ params, body, tx }) {
      await changeConversation(tx, params.id, body)
      return readConversation(tx, params.id, accounts)
    },
  }),
  route({
    method: 'POST',
    path: '/conversations/{id}/typing',
    operation: 'showTyping',
    tag,
    summary: 'Show the person that somebody is typing',
    description:
      'The person sees it for some seconds, or until the next message: call it again while somebody types. `capabilities.typing` of the account says whether the provider can show it. Some providers also mark the last message of the person as read.',
    scope: 'messaging:write',
    params,
    status: 204,
    reply: Type.Null(),
    errors: [accountNotSending, unsupportedMessage, ...connectionProblems],
    isOutgoing: true,
    prepare: ({ params, caller, database, signal }) =>
      showTyping(params.id, { accounts, caller, database, signal }),
    handle: async () => null,
  }),
]
