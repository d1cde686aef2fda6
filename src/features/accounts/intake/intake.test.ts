/** Webhooks of providers: stored first, deduplicated, processed in order, whatever one body contains. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createChatListener } from '../../../../test/chat-listener.ts'
import { createFakeProvider, healthy } from '../../../../test/chat-provider.ts'
import { eventually, startTestApp, type TestApp, testEncryptionKey } from '../../../../test/harness.ts'
import { makeJobsDue, waitUntilIdle } from '../../../../test/jobs.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { createCipher } from '../../../kit/crypto.ts'
import { deriveKeyring } from '../../../kit/keyring.ts'
import type { InboundEvent } from '../../../plugins/chat.ts'
import type { ReceivedChatEvents } from '../hooks.ts'
import type { Account } from '../schemas.ts'
import { createBodyBatches } from './body-batches.ts'

const fake = createFakeProvider()
/** Events that other features receive, by account. */
let received: ReceivedChatEvents[] = []
/** The status of the account when its events were received. */
let statusesSeen: string[] = []
/** The handler accepts what it refused. */
let isMended = false
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    chatProviders: [fake],
    extraFeatures: [
      createChatListener(async (tx, data) => {
        if (!isMended && data.events.some(event => 'what' in event && event.what === 'refused'))
          throw new Error('the handler failed')
        received.push(data)
        const { rows } = await sql<{ status: string }>`
              select status from accounts where tenant_id = ${tenant.tenantId} and id = ${data.accountId}`.execute(
          tx,
        )
        statusesSeen.push(rows[0]!.status)
      }),
    ],
  })
})
afterAll(() => app.stop())

const secret = 'correct horse battery'
let tenant: TestTenant
let account: Account
beforeEach(async () => {
  received = []
  statusesSeen = []
  isMended = false
  Object.assign(fake, { health: healthy, failure: null })
  tenant = await makeTenant(app, 'live')
  account = await connect('600000001')
})

async function connect(number: string): Promise<Account> {
  const body = { provider: 'fake', mode: 'chat', displayName: 'Office', credentials: { number, secret } }
  return (await tenant.call<Account>('POST', '/accounts', { body })).body
}

const toUrl = ({ webhook }: Account) => new URL(new URL(webhook!.url).pathname, app.url)
const send = (
  body: string,
  { to = account, headers = { 'x-secret': secret } as Record<string, string> } = {},
) => fetch(toUrl(to), { method: 'POST', body, headers })
/** An event that changes nothing. */
const makeEvent = (name: string, more: object = {}) => ({
  type: 'marketing_preference',
  externalId: null,
  from: [{ kind: 'phone', value: '+34611111111' }],
  accepts: true,
  name,
  ...more,
})
const makeBody = (...names: string[]) => JSON.stringify(names.map(name => makeEvent(name)))
const listNames = () =>
  received.flatMap(({ events }) => events.map(event => (event as InboundEvent & { name: string }).name))
const waitForEvents = (count: number) =>
  eventually(
    async () => listNames().length,
    length => length === count,
  )
const settle = () => waitUntilIdle(app.database, tenant.tenantId)
const readBodies = async () =>
  (
    await sql<{ processed: boolean; attempts: number; error: string | null; waits: boolean }>`
      select processed_at is not null as processed, attempts, error, next_attempt_at is not null as waits
      from inbound_bodies where tenant_id = ${tenant.tenantId} order by id`.execute(app.database.owner)
  ).rows

test('a signed body is answered with 200, stored encrypted, and its events are passed on', async () => {
  const reply = await send(makeBody('a', 'b'))
  expect([reply.status, await reply.text()]).toEqual([200, ''])
  const { rows } = await sql<{ body: Buffer }>`
    select body from inbound_bodies where tenant_id = ${tenant.tenantId}`.execute(app.database.owner)
  expect(rows[0]!.body.toString('latin1')).not.toContain('611111111')
  await waitForEvents(2)
  expect(received).toMatchObject([{ accountId: account.id, providerId: 'fake', channel: 'chat' }])
  await settle()
  expect(await readBodies()).toEqual([{ processed: true, attempts: 1, error: null, waits: false }])
})

test('a repeated body is stored once; bodies are processed in their order', async () => {
  for (const name of ['1', '2', '3', '4', '5']) {
    await send(makeBody(name))
    await send(makeBody(name))
  }
  await waitForEvents(5)
  await settle()
  expect(listNames()).toEqual(['1', '2', '3', '4', '5'])
})

test.each([
  ['a body that cannot be parsed', 'poison'],
  ['a body that a handler refuses', JSON.stringify([{ ...makeEvent('x'), what: 'refused' }])],
])('%s stops no other one; it is tried again, and then seen in the health', async (_name, poison) => {
  await send(makeBody('before'))
  await send(poison)
  await send(makeBody('after'))
  await waitForEvents(2)
  const bodies = await eventually(readBodies, all => all.every(({ attempts }) => attempts > 0))
  expect(bodies[1]).toMatchObject({ processed: false, attempts: 1, waits: true, error: expect.any(String) })
  for (let attempt = 2; attempt <= 7; attempt++) await retry(attempt)
  expect((await readBodies())[1]).toMatchObject({ processed: false, attempts: 7, waits: true })
  const { body } = await tenant.call<Account>('GET', `/accounts/${account.id}`)
  expect(body.health.unprocessedBodies).toBe(1)
})

/** Makes the body that was tried before due again. */
async function retry(attempt: number): Promise<void> {
  await settle()
  await app.database.withTenant({ tenantId: tenant.tenantId }, tx =>
    sql`update inbound_bodies set next_attempt_at = now() - interval '1 second'
      where tenant_id = ${tenant.tenantId} and next_attempt_at is not null`.execute(tx),
  )
  await makeJobsDue(app.database, tenant.tenantId)
  await eventually(readBodies, bodies => bodies.some(({ attempts }) => attempts === attempt))
}

test('one event that a handler refuses stops no other one of its body; it alone is handled again', async () => {
  const events = ['a', 'b', 'c', 'd', 'e'].map(name => makeEvent(name))
  Object.assign(events[2]!, { what: 'refused' })
  await send(JSON.stringify(events))
  await eventually(readBodies, ([body]) => body?.attempts === 1)
  expect(listNames()).toEqual(['a', 'b', 'd', 'e'])
  isMended = true
  await retry(2)
  expect(listNames()).toEqual(['a', 'b', 'd', 'e', 'c'])
  expect(await readBodies()).toEqual([{ processed: true, attempts: 2, error: null, waits: false }])
})

test('what could not be read of a body is kept as a reason, and counted', async () => {
  await send(JSON.stringify([{ type: 'unreadable', externalId: null, reason: 'no type' }, makeEvent('a')]))
  await waitForEvents(1)
  await settle()
  expect(await readBodies()).toMatchObject([{ processed: true, error: 'no type' }])
  const { body } = await tenant.call<Account>('GET', `/accounts/${account.id}`)
  expect(body.health.unprocessedBodies).toBe(1)
})

describe('events of another account', () => {
  test('of the same environment go there, by its id or its phone; of no account, nowhere', async () => {
    const other = await connect('600000002')
    const events = [
      makeEvent('mine'),
      makeEvent('theirs', { externalId: '600000002' }),
      makeEvent('theirs too', { externalId: '+34600000002' }),
      makeEvent('nobody', { externalId: '600000003' }),
      makeEvent('mine too', { externalId: '600000001' }),
    ]
    await send(JSON.stringify(events))
    await waitForEvents(4)
    expect(received.map(({ accountId, events }) => [accountId, events.length])).toEqual([
      [account.id, 2],
      [other.id, 2],
    ])
  })

  test('of a group go to each of its accounts', async () => {
    fake.groupId = 'business-1'
    const members = [await connect('600000003'), await connect('600000004')]
    delete fake.groupId
    await settle()
    const health = { status: 'RESTRICTED', reason: 'Too many reports.' }
    const group = { externalId: 'business-1' }
    await send(JSON.stringify([{ type: 'account_status', ...group, health }, makeEvent('all', group)]))
    await waitForEvents(2)
    expect(new Set(received.map(({ accountId }) => accountId))).toEqual(new Set(members.map(({ id }) => id)))
    await settle()
    const { body } = await tenant.call<{ data: Account[] }>('GET', '/accounts')
    expect(body.data.map(({ status }) => status)).toEqual(['RESTRICTED', 'RESTRICTED', 'CONNECTED'])
  })
})

test('the state of the account is taken from its events, after the handlers, and not passed on', async () => {
  // The check of a new account says that it is healthy.
  await settle()
  const health = { status: 'BANNED', reason: 'Spam was reported.' }
  await send(JSON.stringify([{ type: 'account_status', externalId: null, health }, makeEvent('a')]))
  await waitForEvents(1)
  await settle()
  const { body } = await tenant.call<Account>('GET', `/accounts/${account.id}`)
  expect(body).toMatchObject({ status: 'BANNED', health: { reason: 'Spam was reported.', quality: 'high' } })
  // They lock people before accounts.
  expect(statusesSeen).toEqual(['CONNECTED'])
})

test('refuses a wrong signature, an unknown token, and a body above 4 MiB, and stores nothing', async () => {
  const wrong = await send(makeBody('a'), { headers: { 'x-secret': 'wrong' } })
  expect([wrong.status, await wrong.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }])
  expect((await fetch(`${app.url}/chat/webhooks/${'x'.repeat(32)}`, { method: 'POST' })).status).toBe(404)
  expect((await send('x'.repeat(4 * 1024 * 1024 + 1))).status).toBe(413)
  expect(await readBodies()).toEqual([])
})

test('answers the challenge of the provider', async () => {
  const ask = (token: string) => fetch(`${toUrl(account)}?token=${token}&challenge=1234`)
  const right = await ask(account.webhook!.verifyToken)
  expect([right.status, await right.text()]).toEqual([200, '1234'])
  expect((await ask('wrong')).status).toBe(401)
})

test('ends with the account: its webhook is unknown a few seconds later', async () => {
  expect((await send(makeBody('a'))).status).toBe(200)
  await tenant.call('DELETE', `/accounts/${account.id}`)
  await eventually(
    () => send(makeBody('b')).then(({ status }) => status),
    status => status === 404,
  )
})

test('a body of 450 events is passed on in parts', async () => {
  await send(makeBody(...Array.from({ length: 450 }, (_, index) => String(index))))
  await waitForEvents(450)
  expect(received).toHaveLength(3)
})

test('webhooks that wait for the database hold up neither their tenant nor another one', async () => {
  const other = await makeTenant(app, 'live')
  const { body: otherAccount } = await other.call<Account>('POST', '/accounts', {
    body: { provider: 'fake', mode: 'chat', displayName: 'Office', credentials: { number: '1', secret } },
  })
  const names = Array.from({ length: 40 }, (_, index) => `f${index}`)
  let codes: Promise<number[]> | undefined
  await tenant.inTenant(async tx => {
    // Bodies refer to their account.
    await sql`select from accounts where tenant_id = ${tenant.tenantId} and id = ${account.id} for update`.execute(
      tx,
    )
    codes = Promise.all(names.map(async name => (await send(makeBody(name))).status))
    expect((await tenant.call('GET', '/accounts')).status).toBe(200)
    expect((await send(makeBody('other'), { to: otherAccount })).status).toBe(200)
    expect(await Promise.race([codes, null])).toBeNull()
  })
  // The provider repeats those that waited for more than 10 s.
  for (const code of (await codes)!) expect([200, 429]).toContain(code)
})

const keyring = deriveKeyring(testEncryptionKey)

test('a body that can’t be stored fails alone, though it arrives together with others', async () => {
  const batches = createBodyBatches(createCipher(keyring, async () => keyring))
  const store = (accountId: string, text: string) =>
    batches.store(app.database, tenant.tenantId, { accountId, body: Buffer.from(text) })
  const stored = await Promise.allSettled([
    store(account.id, '[1]'),
    store(account.id, '[2]'),
    store(randomUUID(), '[3]'),
    store(account.id, '[4]'),
    store(account.id, '[1]'),
  ])
  expect(stored).toMatchObject([
    { value: true },
    { value: true },
    { status: 'rejected' },
    { value: true },
    { value: false },
  ])
  expect(await readBodies()).toHaveLength(3)
})
