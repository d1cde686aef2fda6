/** A program with a fake chat provider: before each test, a new tenant has an account, a lead and their conversation. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Feature } from '../src/kit/feature.ts'
import { chatProviders } from '../src/plugins/chat/index.ts'
import type { ChatProvider } from '../src/plugins/chat.ts'
import { createFakeProvider, type FakeProvider } from './chat-provider.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { connectAccount, makeContact, type Outgoing, openConversation, recordSending } from './messaging.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

export interface Chat {
  fake: FakeProvider
  app: TestApp
  tenant: TestTenant
  /** What the account of this test has sent. */
  outgoing: Outgoing
  accountId: string
  leadId: string
  conversationId: string
}

/** Starts the program for the tests of a file. Its fields are those of the running test. */
export function prepareChat({
  role = 'all',
  capabilities = {},
  lead = {},
  features = [],
}: {
  role?: 'all' | 'api'
  /** Of the fake provider, at the beginning of each test. */
  capabilities?: Partial<ChatProvider['capabilities']>
  lead?: Parameters<typeof makeContact>[2]
  /** Additional ones. */
  features?: Feature[]
} = {}): Chat {
  const fake = createFakeProvider()
  const facts = { ...fake.capabilities, ...capabilities }
  const chat = { fake } as Chat
  beforeAll(async () => {
    chat.app = await startTestApp({
      chatProviders: [...chatProviders, fake],
      env: { ROLE: role },
      extraFeatures: features,
    })
  })
  afterAll(() => chat.app.stop())
  beforeEach(async () => {
    fake.capabilities = facts
    delete fake.reconcile
    chat.outgoing = recordSending(fake)
    chat.tenant = await makeTenant(chat.app, 'live')
    chat.accountId = await connectAccount(chat.tenant)
    chat.outgoing.accountId = chat.accountId
    chat.leadId = await makeContact(chat.tenant, '+34612345678', lead)
    chat.conversationId = (await openConversation(chat.tenant, chat.accountId, chat.leadId)).id
  })
  return chat
}
