/** The clock of the test environment and messages: one move does everything that is due until then. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { connectAccount, makeContact, openConversation, readMessage, send } from '../../../test/messaging.ts'
import { setSetting } from '../../../test/settings.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { messageRetention } from '../messaging/settings.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const dayMs = 86_400_000

test('a provider that refuses the rate for a minute keeps the clock and other messages waiting no longer', async () => {
  const tenant = await makeTenant(app)
  const accountId = await connectAccount(tenant, 'sandbox')
  const ids: string[] = []
  for (const phone of ['+34600000004', '+34612000021']) {
    const { id } = await openConversation(tenant, accountId, await makeContact(tenant, phone))
    ids.push((await send(tenant, id, { text: 'Hola' })).id)
    // The account is paused when the second one is written.
    await eventually(
      () => tenant.call<{ pausedUntil: string | null }>('GET', `/accounts/${accountId}`),
      ({ body }) => body.pausedUntil !== null,
    )
  }
  const { body } = await tenant.call<{ now: string }>('GET', '/sandbox/clock')
  const now = new Date(Date.parse(body.now) + 3_600_000).toISOString()
  expect((await tenant.call('POST', '/sandbox/clock', { body: { now } })).status).toBe(200)
  for (const id of ids) expect((await readMessage(tenant, id)).status).toMatch(/sent|delivered|read/)
})

test('a week settles queued messages, snoozes, tasks and the retention of messages', async () => {
  const tenant = await makeTenant(app)
  await setSetting(app.database, tenant.tenantId, messageRetention, 1)
  const moveDays = async (days: number) => {
    const { body } = await tenant.call<{ now: string }>('GET', '/sandbox/clock')
    const now = new Date(Date.parse(body.now) + days * dayMs).toISOString()
    const moved = await tenant.call('POST', '/sandbox/clock', { body: { now } })
    expect(moved.status, moved.text).toBe(200)
  }
  const accountId = await connectAccount(tenant, 'sandbox')
  const say = async (from: string) => {
    const body = { accountId, from, text: 'Hola' }
    return (await tenant.call<{ id: string; conversationId: string }>('POST', '/sandbox/messages', { body }))
      .body
  }
  const old = await say('+34612000001')
  await moveDays(26)
  const snoozed = await say('+34612000003')
  const { body: clock } = await tenant.call<{ now: string }>('GET', '/sandbox/clock')
  const snoozedUntil = new Date(Date.parse(clock.now) + 2 * dayMs).toISOString()
  const path = `/conversations/${snoozed.conversationId}`
  const snooze = await tenant.call('PATCH', path, { body: { status: 'pending', snoozedUntil } })
  expect(snooze.status, snooze.text).toBe(200)
  const manual = await tenant.call<{ id: string }>('POST', '/accounts', {
    body: {
      provider: 'manual',
      mode: 'chat-no-api',
      displayName: 'Mobile',
      credentials: { phone: '+34611222333' },
    },
  })
  expect(manual.status, manual.text).toBe(201)
  const leadId = await makeContact(tenant, '+34612000004')
  const byHand = await openConversation(tenant, manual.body.id, leadId)
  const task = await send(tenant, byHand.id, { text: 'By hand' })
  // The people have not written: each day has the budget for one of them.
  const limited = await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: 1 } })
  expect(limited.status, limited.text).toBe(200)
  const queued: string[] = []
  for (const phone of ['+34612000011', '+34612000012', '+34612000013']) {
    const { id } = await openConversation(tenant, accountId, await makeContact(tenant, phone))
    queued.push((await send(tenant, id, { text: 'Hola' })).id)
  }
  const readStatuses = async () =>
    (await Promise.all(queued.map(id => readMessage(tenant, id)))).map(({ status }) => status)
  const isWaiting = (status: string) => status === 'queued'
  await eventually(readStatuses, statuses => !statuses.every(isWaiting))
  expect((await readStatuses()).filter(isWaiting)).toHaveLength(2)
  await moveDays(7)
  expect((await readStatuses()).filter(isWaiting)).toEqual([])
  for (const status of await readStatuses()) expect(status).toMatch(/sent|delivered|read/)
  expect((await tenant.call<{ status: string }>('GET', path)).body).toMatchObject({
    status: 'open',
    snoozedUntil: null,
  })
  expect(await readMessage(tenant, task.id)).toMatchObject({ status: 'failed' })
  expect((await tenant.call('GET', `/messages/${old.id}`)).status).toBe(404)
})
