/** A whole program that real providers can reach, for tests that follow a conversation from end to end. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { Account } from '../src/features/accounts/schemas.ts'
import type { Conversation } from '../src/features/messaging/conversations/schemas.ts'
import type { Message } from '../src/features/messaging/message-schemas.ts'
import { sql } from '../src/kit/db/index.ts'
import { eventually, startTestApp, type TestApp } from './harness.ts'
import type { TestTenant } from './tenant.ts'

export interface FlowApp extends TestApp {
  publicUrl: string
}

/** Starts the program behind a forwarded port, because its public URL must be known before its own port is. */
export async function startFlowApp(env: Record<string, string>): Promise<FlowApp> {
  let port = 0
  const forwarder = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await once(forwarder.listen(0, '127.0.0.1'), 'listening')
  const publicUrl = `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`
  const app = await startTestApp({ env: { PUBLIC_URL: publicUrl, ...env } })
  port = Number(new URL(app.url).port)
  return {
    ...app,
    publicUrl,
    async stop() {
      forwarder.close()
      await app.stop()
    },
  }
}

export async function connectAccount(
  tenant: TestTenant,
  provider: string,
  credentials: object,
  mode = 'chat',
): Promise<Account> {
  const body = { provider, mode, displayName: 'Office', credentials }
  const reply = await tenant.call<Account>('POST', '/accounts', { body })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

export const readAccount = async (tenant: TestTenant, id: string): Promise<Account> =>
  (await tenant.call<Account>('GET', `/accounts/${id}`)).body

export const listConversations = async (tenant: TestTenant, query = ''): Promise<Conversation[]> =>
  (await tenant.call<{ data: Conversation[] }>('GET', `/conversations?${query}`)).body.data

/** The messages of a conversation, the oldest first. */
export const listMessages = async (tenant: TestTenant, conversationId: string): Promise<Message[]> =>
  (
    await tenant.call<{ data: Message[] }>(
      'GET',
      `/conversations/${conversationId}/messages?order=oldest&limit=200`,
    )
  ).body.data

/** Waits until the conversation has a message that satisfies the condition. */
export async function waitForMessage(
  tenant: TestTenant,
  conversationId: string,
  satisfies: (message: Message) => boolean,
): Promise<Message> {
  const messages = await eventually(
    () => listMessages(tenant, conversationId),
    all => all.some(satisfies),
  )
  return messages.find(satisfies)!
}

/** Waits for the only conversation. */
export const waitForConversation = async (
  tenant: TestTenant,
  satisfies: (conversation: Conversation) => boolean = () => true,
): Promise<Conversation> =>
  (
    await eventually(
      () => listConversations(tenant),
      ([first]) => first !== undefined && satisfies(first),
    )
  )[0]!

/** The types of the emitted events, the oldest first. */
export const listEventTypes = (tenant: TestTenant): Promise<string[]> =>
  tenant.inTenant(async tx => {
    const { rows } = await sql<{ type: string }>`
      select type from events where tenant_id = ${tenant.tenantId} order by created_at, id`.execute(tx)
    return rows.map(({ type }) => type)
  })

/** Moves the last message of the person into the past, so that the reply window is closed. */
export const closeWindow = (tenant: TestTenant, conversationId: string): Promise<unknown> =>
  tenant.inTenant(async tx => {
    await sql`
      update conversations set last_inbound_at = last_inbound_at - interval '25 hours'
      where tenant_id = ${tenant.tenantId} and id = ${conversationId}`.execute(tx)
    await sql`
      update conversation_identities set last_inbound_at = last_inbound_at - interval '25 hours'
      where tenant_id = ${tenant.tenantId} and conversation_id = ${conversationId}`.execute(tx)
  })
