/** The budget of a day counts people: each once, and not if nothing was sent to them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeProvider, makeFailure } from '../../../../test/chat-provider.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  connectAccount,
  makeContact,
  type Outgoing,
  openConversation,
  recordSending,
  send,
  succeed,
  waitForStatus,
} from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import type { Account } from '../../accounts/schemas.ts'

const fake = createFakeProvider()
let app: TestApp
let tenant: TestTenant
let outgoing: Outgoing
let accountId: string
beforeAll(async () => {
  app = await startTestApp({ chatProviders: [...chatProviders, fake] })
})
afterAll(() => app.stop())
beforeEach(async () => {
  outgoing = recordSending(fake)
  tenant = await makeTenant(app, 'live')
  accountId = await connectAccount(tenant)
  outgoing.accountId = accountId
})

const open = async (phone: string) =>
  (await openConversation(tenant, accountId, await makeContact(tenant, phone))).id
const write = async (conversationId: string, status: 'sent' | 'failed' = 'sent') => {
  outgoing.answer =
    status === 'sent'
      ? succeed
      : () => ({ status: 'failed', failure: makeFailure('MESSAGE_REJECTED', { scope: 'message' }) })
  const { id } = await send(tenant, conversationId, { text: 'Hola' })
  await waitForStatus(tenant, id, status)
}
const readUsed = async () => (await tenant.call<Account>('GET', `/accounts/${accountId}`)).body.usedToday

test('a person counts once a day, however many messages they get', async () => {
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: 2 } })
  const [first, second] = [await open('+34612345678'), await open('+34612345679')]
  for (const id of [first, first, second, first, second]) await write(id)
  expect(await readUsed()).toBe(2)
})

test('a person to whom nothing was sent does not count; one who got a message still does', async () => {
  const id = await open('+34612345678')
  await write(id, 'failed')
  expect(await readUsed()).toBe(0)
  await write(id)
  await write(id, 'failed')
  expect(await readUsed()).toBe(1)
})
