/** Opens conversations over HTTP. */
import { type Route, route } from '../../../kit/route.ts'
import type { ChatAccounts } from '../../accounts/service.ts'
import { readConversation } from '../conversations/reply.ts'
import { Conversation, conversationExample, NewConversation } from '../conversations/schemas.ts'
import { accountNotSending, noIdentity } from '../problems.ts'
import { openConversation } from './open-conversation.ts'

export const openingRoute = (accounts: Pick<ChatAccounts, 'getProvider'>): Route =>
  route({
    method: 'POST',
    path: '/conversations',
    operation: 'openConversation',
    tag: 'Messaging',
    summary: 'Open a conversation with a lead',
    description:
      'A person has one conversation per account: if there is one, it is returned with 200, and opened again if it was closed. If the person has several leads, `leadId` of the conversation may be another one than that of the request: send the `leadId` that you mean with each message. A template needs it then.',
    scope: 'messaging:write',
    body: NewConversation,
    example: { accountId: conversationExample.accountId, leadId: conversationExample.leadId! },
    status: 200,
    createdStatus: 201,
    reply: Conversation,
    replyExample: conversationExample,
    errors: [accountNotSending, noIdentity],
    async handle({ body, tx }) {
      const { id, isNew } = await openConversation(tx, accounts, body)
      const json = JSON.stringify(await readConversation(tx, id, accounts))
      return isNew ? { json, status: 201 } : { json }
    },
  })
