/** AI replies over HTTP: the log, drafts, and who answers a conversation. */
import { toJsonText } from '../../../kit/json-text.ts'
import { createPager, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { readAuthor } from '../../../kit/writer.ts'
import { textProblems } from '../../messaging/service.ts'
import { notContactable } from '../../privacy/service.ts'
import { changeConversationAi, discardDraft, readConversationAi, sendDraft } from './drafts.ts'
import { getReply, listReplies } from './replies.ts'
import {
  AiReply,
  AiReplyFilter,
  aiReplyExample,
  ConversationAi,
  ConversationAiChange,
  conversationAiExample,
  LoggedAiReply,
  SentDraft,
} from './schemas.ts'
import type { OutcomeDependencies } from './store-outcome.ts'

const tag = 'Messaging'
const params = strictObject({ id: id('The AI reply.') })
const conversationParams = strictObject({ id: id('The conversation.') })
const loggedExample = {
  ...aiReplyExample,
  prompt: [{ role: 'system', content: 'You write for the real estate agency "Aldaba".' }],
  promptHash: '0f343b0931126a20f133d67c2b018a3b5d1d0d4e1c2c1f7a4f7f0a1f5d6f1c2e',
  steps: [{ text: null, calls: [{ name: 'reply', arguments: '{}' }], results: [] }],
}
const sentExample = {
  ...loggedExample,
  status: 'sent' as const,
  sentMessageId: '01980a4e-5556-7c3e-9d7a-2f6b1c0d9e8f',
  decidedAt: '2026-11-02T10:03:00.000Z',
}

export const aiRoutes = (dependencies: OutcomeDependencies): Route[] => [
  route({
    method: 'GET',
    path: '/ai-replies',
    operation: 'listAiReplies',
    tag,
    summary: 'List AI replies, the newest first',
    description: 'With `status=draft`: what waits for somebody to send it.',
    scope: 'messaging:read',
    query: AiReplyFilter,
    status: 200,
    reply: pageSchema(AiReply),
    replyExample: { data: [aiReplyExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ query, caller, tx }) {
      const pager = createPager('ai-replies', caller.tenantId, query)
      return pager.reply(await listReplies(tx, query, pager.after))
    },
  }),
  route({
    method: 'GET',
    path: '/ai-replies/{id}',
    operation: 'getAiReply',
    tag,
    summary: 'Retrieve an AI reply with the input of the model',
    scope: 'messaging:read',
    params,
    status: 200,
    reply: LoggedAiReply,
    replyExample: loggedExample,
    handle: async ({ params, tx }) => toJsonText(await getReply(tx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/ai-replies/{id}/send',
    operation: 'sendAiReply',
    tag,
    summary: 'Send a draft of the AI',
    description:
      'The message has the nature `ai` and you as its author. What the person has answered to the questions of the campaign is recorded on the lead.',
    scope: 'messaging:write',
    params,
    body: SentDraft,
    example: { text: 'El precio del anuncio es de 374.000 €. ¿Le va bien el jueves?' },
    status: 202,
    reply: LoggedAiReply,
    replyExample: sentExample,
    errors: ['INVALID_TRANSITION', 'QUOTA_EXCEEDED', notContactable, ...textProblems],
    errorExamples: {
      QUOTA_EXCEEDED:
        'The quota maxMessagesPerMonth of this month is used up. It is renewed at 2026-12-01T00:00:00Z.',
      INVALID_TRANSITION: 'The AI reply is sent: only a draft can be sent or discarded.',
    },
    async handle({ params, body, caller, tx }) {
      const author = await readAuthor(tx, caller)
      await sendDraft(tx, dependencies, params.id, { text: body.text ?? null, author })
      return toJsonText(await getReply(tx, params.id))
    },
  }),
  route({
    method: 'DELETE',
    path: '/ai-replies/{id}',
    operation: 'discardAiReply',
    tag,
    summary: 'Discard a draft of the AI',
    description: 'It stays in the log.',
    scope: 'messaging:write',
    params,
    status: 204,
    reply: Type.Null(),
    errors: ['INVALID_TRANSITION'],
    errorExamples: { INVALID_TRANSITION: 'The AI reply is sent: only a draft can be sent or discarded.' },
    async handle({ params, caller, tx }) {
      await discardDraft(tx, params.id, await readAuthor(tx, caller))
      return null
    },
  }),
  route({
    method: 'GET',
    path: '/conversations/{id}/ai',
    operation: 'getConversationAi',
    tag,
    summary: 'Retrieve who answers a conversation: AI or people',
    description: '404 if no campaign with AI has written to the person, or they have not answered yet.',
    scope: 'messaging:read',
    params: conversationParams,
    status: 200,
    reply: ConversationAi,
    replyExample: conversationAiExample,
    handle: ({ params, tx }) => readConversationAi(tx, dependencies, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/conversations/{id}/ai',
    operation: 'updateConversationAi',
    tag,
    summary: 'Take a conversation over from the AI, or let it answer again',
    scope: 'messaging:write',
    params: conversationParams,
    body: ConversationAiChange,
    example: { status: 'active' },
    status: 200,
    reply: ConversationAi,
    replyExample: conversationAiExample,
    async handle({ params, body, tx }) {
      await changeConversationAi(tx, params.id, body.status)
      return readConversationAi(tx, dependencies, params.id)
    },
  }),
]
