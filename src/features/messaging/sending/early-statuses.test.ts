/** Status reports that arrive before the program has recorded the provider's id of their message. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeJobsDue } from '../../../../test/jobs.ts'
import {
  connectAccount,
  makeContact,
  openConversation,
  readMessage,
  send,
  waitForStatus,
} from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import type { Account } from '../../accounts/schemas.ts'

const fake = createFakeProvider()
let app: TestApp
let tenant: TestTenant
let account: Account
let conversationId: string

beforeAll(async () => {
  app = await startTestApp({ chatProviders: [...chatProviders, fake] })
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app, 'live')
  const accountId = await connectAccount(tenant)
  account = (await tenant.call<Account>('GET', `/accounts/${accountId}`)).body
  conversationId = (await openConversation(tenant, accountId, await makeContact(tenant, '+34612345678'))).id
})

/** Posts events as the provider does, and waits until they were processed. */
async function post(...events: object[]): Promise<void> {
  const body = JSON.stringify(events.map(event => ({ externalId: null, ...event })))
  const url = new URL(new URL(account.webhook!.url).pathname, app.url)
  const headers = { 'x-secret': 'correct horse' }
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200)
  await eventually(
    () => count(sql`inbound_bodies where next_attempt_at is not null and tenant_id = ${tenant.tenantId}`),
    waiting => waiting === 0,
  )
}
async function count(from: ReturnType<typeof sql>): Promise<number> {
  const found = await tenant.inTenant(tx =>
    sql<{ n: number }>`select count(*)::int as n from ${from}`.execute(tx),
  )
  return found.rows[0]!.n
}
const countKept = () => count(sql`early_statuses where tenant_id = ${tenant.tenantId}`)
const makeStatus = (providerMessageId: string, status: string, more: object = {}) => ({
  type: 'status',
  providerMessageId,
  messageId: null,
  to: [],
  status,
  failure: null,
  ...more,
})

test('are applied when the message is recorded, the last one too', async () => {
  fake.send = async (_connection, { id }) => {
    await post(makeStatus(`p-${id}`, 'sent'))
    await post(makeStatus(`p-${id}`, 'read'), makeStatus(`p-${id}`, 'delivered'))
    return { status: 'sent', providerMessageId: `p-${id}` }
  }
  const { id } = await send(tenant, conversationId, { text: '1' })
  const message = await waitForStatus(tenant, id, 'read')
  expect([message.sentAt, message.deliveredAt]).not.toContain(null)
  expect(await countKept()).toBe(0)
})

test('of a failure, too; other bodies of the account are not delayed by them', async () => {
  const failure = { code: 'RECIPIENT_BLOCKED', providerCode: '7', message: 'Blocked.', retryable: false }
  let isFirst = true
  fake.send = async (_connection, { id }) => {
    if (isFirst) {
      isFirst = false
      await post(makeStatus(`p-${id}`, 'failed', { failure }))
      await post({
        type: 'message',
        from: [{ kind: 'phone', value: '+34612345678' }],
        providerMessageId: 'in-1',
        profileName: null,
        content: { kind: 'text', text: 'Hola' },
        replyTo: null,
        email: null,
        referral: null,
        nature: 'person',
        isEcho: false,
      })
    }
    return { status: 'sent', providerMessageId: `p-${id}` }
  }
  const { id } = await send(tenant, conversationId, { text: '1' })
  expect((await waitForStatus(tenant, id, 'failed')).failure).toMatchObject(failure)
  const { body } = await tenant.call<Account>('GET', `/accounts/${account.id}`)
  expect(body.health.unprocessedBodies).toBe(0)
})

test('of messages that other programs send are applied when their copy arrives, or forgotten', async () => {
  await post(makeStatus('echo-1', 'delivered'), makeStatus('nobody', 'delivered'))
  expect(await countKept()).toBe(2)
  await post({
    type: 'message',
    from: [{ kind: 'phone', value: '+34612345678' }],
    providerMessageId: 'echo-1',
    profileName: null,
    content: { kind: 'text', text: 'From the phone' },
    replyTo: null,
    email: null,
    referral: null,
    nature: 'person',
    isEcho: true,
  })
  const { body } = await tenant.call<{ data: { id: string }[] }>(
    'GET',
    `/conversations/${conversationId}/messages`,
  )
  expect(await readMessage(tenant, body.data[0]!.id)).toMatchObject({ status: 'delivered', direction: 'out' })
  expect(await countKept()).toBe(1)
  await tenant.inTenant(tx =>
    sql`update early_statuses set received_at = received_at - interval '2 hours' where tenant_id = ${tenant.tenantId}`.execute(
      tx,
    ),
  )
  await makeJobsDue(app.database, tenant.tenantId)
  await eventually(countKept, kept => kept === 0)
})
