/** Conversations for tests: an account of a fake provider whose sending the test decides. */

import type { Conversation } from '../src/features/messaging/conversations/schemas.ts'
import type { Message } from '../src/features/messaging/message-schemas.ts'
import type { OutgoingMessage, SendResult } from '../src/plugins/chat.ts'
import type { FakeProvider } from './chat-provider.ts'
import { eventually } from './harness.ts'
import type { TestTenant } from './tenant.ts'

type Send = (message: OutgoingMessage) => SendResult | Promise<SendResult>

export interface Outgoing {
  /** What the provider was handed, in this order. */
  sent: OutgoingMessage[]
  /** Replace it to let messages fail. */
  answer: Send
  /** Messages of other accounts, which other tests left, are sent and not recorded; undefined: all are recorded. */
  accountId?: string
}

export const succeed: Send = message => ({ status: 'sent', providerMessageId: `p-${message.id}` })

/** Records what the provider is handed. */
export function recordSending(provider: FakeProvider): Outgoing {
  const outgoing: Outgoing = { sent: [], answer: succeed }
  provider.send = async (connection, message) => {
    const { accountId = connection.accountId } = outgoing
    if (connection.accountId !== accountId) return succeed(message)
    outgoing.sent.push(message)
    return outgoing.answer(message)
  }
  return outgoing
}

let number = 0

/** Connects an account of the fake provider. */
export async function connectAccount(tenant: TestTenant, provider = 'fake'): Promise<string> {
  const body = {
    provider,
    mode: 'chat',
    displayName: 'Office',
    credentials: provider === 'sandbox' ? {} : { number: `60${++number}`, secret: 'correct horse' },
  }
  const reply = await tenant.call<{ id: string }>('POST', '/accounts', { body })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.id
}

/** Creates a lead whom the agency may write to, and who has received the privacy notice. */
export async function makeContact(
  tenant: TestTenant,
  phone: string,
  {
    noticeSentAt = new Date().toISOString(),
    ...more
  }: { noticeSentAt?: string | null; [field: string]: unknown } = {},
): Promise<string> {
  const lead = await tenant.call<{ id: string }>('POST', '/leads', {
    body: { contact: { name: 'Marta Ruiz', phone }, ...more },
  })
  if (lead.status !== 201) throw new Error(lead.text)
  const basis = await tenant.call('PUT', `/leads/${lead.body.id}/lawful-basis`, {
    body: { kind: 'contract', proof: 'asked for a viewing', noticeSentAt },
  })
  if (basis.status >= 300) throw new Error(basis.text)
  return lead.body.id
}

export async function openConversation(
  tenant: TestTenant,
  accountId: string,
  leadId: string,
): Promise<Conversation> {
  const reply = await tenant.call<Conversation>('POST', '/conversations', { body: { accountId, leadId } })
  if (reply.status >= 300) throw new Error(reply.text)
  return reply.body
}

export async function send(tenant: TestTenant, conversationId: string, body: object): Promise<Message> {
  const reply = await tenant.call<Message>('POST', `/conversations/${conversationId}/messages`, { body })
  if (reply.status !== 202) throw new Error(reply.text)
  return reply.body
}

export const readMessage = async (tenant: TestTenant, id: string): Promise<Message> =>
  (await tenant.call<Message>('GET', `/messages/${id}`)).body

/** Waits until the message has this status. */
export const waitForStatus = (tenant: TestTenant, id: string, status: Message['status']): Promise<Message> =>
  eventually(
    () => readMessage(tenant, id),
    message => message.status === status,
  )
