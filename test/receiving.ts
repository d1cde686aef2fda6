/** Chat accounts for tests, and what people write to them. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { chatEventsReceived, type ReceivedChatEvents } from '../src/features/accounts/service.ts'
import { createId, getNow } from '../src/kit/clock/clock.ts'
import { callHook } from '../src/kit/hook.ts'
import type { ChatIdentity, InboundContent, InboundEvent } from '../src/plugins/chat.ts'
import { shareTestApp, type TestApp } from './harness.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

/** Inserts a connected account of the sandbox. Returns its id. */
export function makeChatAccount({ inTenant, tenantId }: TestTenant, provider = 'sandbox'): Promise<string> {
  return inTenant(async tx => {
    const id = createId(tx)
    const now = getNow(tx)
    await tx
      .insertInto('accounts')
      .values({
        tenant_id: tenantId,
        id,
        provider,
        mode: 'chat',
        display_name: 'Office',
        external_id: id,
        status: 'CONNECTED',
        status_changed_at: now,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return id
  })
}

type MessageEvent = InboundEvent & { type: 'message' }

let written = 0

/** A message of a person, now. */
export function makeMessage(
  from: string | ChatIdentity[],
  content: string | InboundContent,
  more: Partial<MessageEvent> = {},
): MessageEvent {
  return {
    type: 'message',
    externalId: null,
    at: Temporal.Now.instant(),
    from: typeof from === 'string' ? [{ kind: 'phone', value: from }] : from,
    providerMessageId: `wamid.${++written}`,
    profileName: null,
    content: typeof content === 'string' ? { kind: 'text', text: content } : content,
    replyTo: null,
    email: null,
    referral: null,
    nature: 'person',
    isEcho: false,
    ...more,
  }
}

/** Passes events on as the job that processes a stored body does. */
export async function receive(
  { inTenant }: TestTenant,
  accountId: string,
  events: InboundEvent[],
  more: Partial<ReceivedChatEvents> = {},
): Promise<void> {
  const data = { accountId, providerId: 'sandbox', channel: 'chat' as const, events, ...more }
  await inTenant(tx => callHook(tx, chatEventsReceived, data))
}

export interface StoredMessage {
  id: string
  conversation_id: string
  sequence: number
  direction: string
  kind: string
  text: string | null
  content: Record<string, unknown>
  nature: string
  status: string
  deleted_at: Date | null
  edited_at: Date | null
  provider_message_id: string | null
  lead_id: string | null
}

/** All messages of the tenant, by conversation and number. */
export function listMessages({ inTenant, tenantId }: TestTenant): Promise<StoredMessage[]> {
  return inTenant(tx =>
    tx
      .selectFrom('messages')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .orderBy('conversation_id')
      .orderBy('sequence')
      .execute(),
  ) as Promise<StoredMessage[]>
}

/** All conversations of the tenant, the oldest first. */
export function listConversations({ inTenant, tenantId }: TestTenant) {
  return inTenant(tx =>
    tx.selectFrom('conversations').selectAll().where('tenant_id', '=', tenantId).orderBy('id').execute(),
  )
}

/** An account that people write to. Each test has its own, in its own tenant. */
export interface Inbox {
  app: TestApp
  tenant: TestTenant
  accountId: string
  /** Continues with another tenant. */
  restart(): Promise<void>
  receive(events: InboundEvent[], more?: Partial<ReceivedChatEvents>): Promise<void>
  listMessages(): ReturnType<typeof listMessages>
  listConversations(): ReturnType<typeof listConversations>
  /** The data of the emitted events of a type. */
  listEvents(type: string): Promise<Record<string, unknown>[]>
}

/** Makes the inbox of a test file, in a program that runs no jobs by default. */
export function makeInboxForTests(start: () => Promise<TestApp> = () => shareTestApp('api')): Inbox {
  const inbox = {
    async restart() {
      inbox.tenant = await makeTenant(inbox.app)
      inbox.accountId = await makeChatAccount(inbox.tenant)
    },
    receive: (events, more) => receive(inbox.tenant, inbox.accountId, events, more),
    listMessages: () => listMessages(inbox.tenant),
    listConversations: () => listConversations(inbox.tenant),
    async listEvents(type) {
      const path = `/events?types=${type}`
      const { body } = await inbox.tenant.call<{ data: { data: Record<string, unknown> }[] }>('GET', path)
      return body.data.map(({ data }) => data)
    },
  } as Inbox
  beforeAll(async () => {
    inbox.app = await start()
  })
  beforeEach(inbox.restart)
  afterAll(() => inbox.app.stop())
  return inbox
}
