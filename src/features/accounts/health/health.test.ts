/** The hourly checks: planned for every connected account, and what they make of the provider's answers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeProvider, healthy, makeFailure } from '../../../../test/chat-provider.ts'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeJobsDue, waitUntilIdle } from '../../../../test/jobs.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import type { AccountStatus } from '../../../plugins/chat.ts'
import type { Account } from '../schemas.ts'
import { listAccountsOfSlot, slots } from './queries.ts'

const fake = createFakeProvider()
let app: TestApp
let tenant: TestTenant
let account: Account
beforeAll(async () => {
  app = await startTestApp({ chatProviders: [fake] })
})
afterAll(() => app.stop())
beforeEach(async () => {
  Object.assign(fake, { health: healthy, failure: null })
  tenant = await makeTenant(app, 'live')
  account = await connect('1')
})

const connect = async (number: string) =>
  (
    await tenant.call<Account>('POST', '/accounts', {
      body: {
        provider: 'fake',
        mode: 'chat',
        displayName: 'Office',
        credentials: { number, secret: 'correct horse' },
      },
    })
  ).body

/** Runs the check of the account, with all its attempts. */
async function check(): Promise<Account> {
  await tenant.inTenant(tx =>
    enqueue(tx, 'check-chat-account', { accountId: account.id }, { maxAttempts: 3 }),
  )
  for (let attempt = 1; attempt <= 3; attempt++) {
    await waitUntilIdle(app.database, tenant.tenantId)
    await makeJobsDue(app.database, tenant.tenantId)
  }
  await waitUntilIdle(app.database, tenant.tenantId)
  return (await tenant.call<Account>('GET', `/accounts/${account.id}`)).body
}

test('each connected account has one slot of the hour; a disconnected one has none', async () => {
  for (const number of ['2', '3', '4', '5']) await connect(number)
  const last = await connect('6')
  await tenant.call('DELETE', `/accounts/${last.id}`)
  const all = await Promise.all(
    Array.from({ length: slots }, (_, slot) => listAccountsOfSlot(app.database, slot)),
  )
  const own = all.flat().filter(({ tenantId }) => tenantId === tenant.tenantId)
  expect(own).toHaveLength(5)
  expect(new Set(own.map(({ accountId }) => accountId)).size).toBe(5)
})

test('a check takes over what the provider says, and sees the recovery', async () => {
  fake.health = { ...healthy, status: 'RESTRICTED', reason: 'Too many reports.', dailyLimit: 50 }
  expect(await check()).toMatchObject({
    status: 'RESTRICTED',
    dailyBudget: 50,
    health: { reason: 'Too many reports.' },
  })
  fake.health = healthy
  expect(await check()).toMatchObject({ status: 'CONNECTED', dailyBudget: 250, health: { reason: null } })
})

test('new credentials are followed by a check, with the webhook', async () => {
  await waitUntilIdle(app.database, tenant.tenantId)
  fake.connections = []
  const credentials = { number: '1', secret: 'another secret' }
  await tenant.call('PATCH', `/accounts/${account.id}`, { body: { credentials } })
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(fake.connections).toMatchObject([{ credentials }])
  expect(fake.contexts.at(-1)!.webhook).toEqual(account.webhook)
})

test('the others of a group are checked when one is disconnected', async () => {
  fake.groupId = 'business-1'
  const first = await connect('2')
  await connect('3')
  delete fake.groupId
  await waitUntilIdle(app.database, tenant.tenantId)
  fake.connections = []
  await tenant.call('DELETE', `/accounts/${first.id}`)
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(fake.connections).toMatchObject([{ externalId: '3' }])
})

test('revoked credentials log the account out', async () => {
  fake.failure = makeFailure('INVALID_CREDENTIALS')
  expect(await check()).toMatchObject({ status: 'LOGGED_OUT', health: { reason: fake.failure.message } })
})

test('a provider that cannot be reached degrades the account, after three attempts, and it still sends', async () => {
  fake.failure = makeFailure('PROVIDER_UNAVAILABLE', { message: 'No answer.' })
  expect(await check()).toMatchObject({
    status: 'DEGRADED',
    health: { reason: 'The state of the account could not be read: No answer.' },
  })
  fake.failure = null
  expect(await check()).toMatchObject({ status: 'CONNECTED' })
})

/** The provider reports another status by itself. Returns the status afterwards. */
async function report(status: AccountStatus, more: object = {}): Promise<AccountStatus> {
  const url = new URL(new URL(account.webhook!.url).pathname, app.url)
  const events = [{ type: 'account_status', externalId: null, health: { status, reason: null }, ...more }]
  await fetch(url, {
    method: 'POST',
    headers: { 'x-secret': 'correct horse' },
    body: JSON.stringify(events),
  })
  await eventually(countWaitingBodies, count => count === 0)
  await waitUntilIdle(app.database, tenant.tenantId)
  return (await tenant.call<Account>('GET', `/accounts/${account.id}`)).body.status
}

async function countWaitingBodies(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from inbound_bodies
    where tenant_id = ${tenant.tenantId} and processed_at is null`.execute(app.database.owner)
  return rows[0]!.count
}

test('a better status that the provider reports is checked, because another trouble may last', async () => {
  await waitUntilIdle(app.database, tenant.tenantId)
  fake.failure = makeFailure('INVALID_CREDENTIALS')
  expect(await report('LOGGED_OUT')).toBe('LOGGED_OUT')
  expect(await report('CONNECTED')).toBe('LOGGED_OUT')
  fake.failure = null
  expect(await report('CONNECTED', { name: 'again' })).toBe('CONNECTED')
})

test('a report that is older than the last check is checked', async () => {
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(await report('BANNED', { at: '2020-01-01T00:00:00Z' })).toBe('CONNECTED')
  expect(await report('BANNED')).toBe('BANNED')
})
