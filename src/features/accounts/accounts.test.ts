/** Accounts over HTTP: connect, list, change, test, disconnect, and connect again. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFakeProvider, healthy, makeFailure } from '../../../test/chat-provider.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey } from '../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { chatProviders } from '../../plugins/chat/index.ts'
import type { Account } from './schemas.ts'
import { recordSendFailure } from './status.ts'

const fake = createFakeProvider()
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    chatProviders: [...chatProviders, fake],
    env: { ROLE: 'api', CHAT_URLS: 'fake=http://proxy.example/fake' },
  })
})
afterAll(() => app.stop())

let tenant: TestTenant
beforeEach(async () => {
  tenant = await makeTenant(app, 'live')
  Object.assign(fake, { health: healthy, failure: null, contexts: [], connections: [] })
})

const secret = 'correct horse battery'
const makeBody = (number = '600000001', more = {}) => ({
  provider: 'fake',
  mode: 'chat',
  displayName: 'Office',
  credentials: { number, secret },
  ...more,
})
const connect = (body: object = makeBody()) => tenant.call<Account>('POST', '/accounts', { body })
const listEvents = async () =>
  (
    await sql<{ data: object }>`
      select data from events where tenant_id = ${tenant.tenantId} and type = 'account.status_changed' order by position`.execute(
      app.database.owner,
    )
  ).rows.map(({ data }) => data)

describe('connecting', () => {
  test('verifies the credentials, stores them encrypted, and shows all but them', async () => {
    const { status, body, text } = await connect()
    expect(status).toBe(201)
    expect(body).toMatchObject({
      provider: 'fake',
      mode: 'chat',
      channel: 'chat',
      displayName: 'Office',
      phone: '+34600000001',
      externalId: '600000001',
      status: 'CONNECTED',
      isPaused: false,
      dailyBudget: 250,
      usedToday: 0,
      messagesPerSecond: 10,
      health: { status: 'CONNECTED', quality: 'high', tier: 'TIER_250', unprocessedBodies: 0 },
      webhook: { url: expect.stringMatching(/\/chat\/webhooks\/[\w-]{32}$/) },
    })
    expect(text).not.toContain(secret)
    expect((await tenant.call('GET', `/accounts/${body.id}`)).body).toEqual(body)
    expect((await tenant.call<{ data: Account[] }>('GET', '/accounts')).body.data).toEqual([body])
    const { rows } = await sql<{ stored: string }>`
      select a::text as stored from accounts a where id = ${body.id}`.execute(app.database.owner)
    expect(
      Buffer.from(/\\\\x([0-9a-f]+)/.exec(rows[0]!.stored)![1]!, 'hex').toString('latin1'),
    ).not.toContain(secret)
    expect(await listEvents()).toEqual([{ accountId: body.id, status: 'CONNECTED', previousStatus: null }])
  })

  test('calls the provider at the address of the operator, and names the webhook in the second call', async () => {
    const { body } = await connect()
    expect(fake.contexts.map(({ baseUrl }) => baseUrl)).toEqual(Array(2).fill('http://proxy.example/fake'))
    expect(fake.contexts.map(({ webhook }) => webhook)).toEqual([null, body.webhook])
  })

  test.each([
    ['INVALID_CREDENTIALS', 'INVALID_CREDENTIALS'],
    ['PERMISSION_MISSING', 'PERMISSION_MISSING'],
    ['ACCOUNT_BANNED', 'ACCOUNT_BANNED'],
    ['RATE_LIMITED', 'PROVIDER_UNAVAILABLE'],
    ['UNSUPPORTED', 'PROVIDER_REFUSED'],
  ] as const)(
    'a failure %s is 422 %s with the reason of the provider, and stores nothing',
    async (failure, code) => {
      fake.failure = makeFailure(failure)
      const { status, body, text } = await connect()
      expect([status, body]).toMatchObject([422, { code, message: fake.failure.message }])
      expect(text).not.toContain(secret)
      expect((await tenant.call<{ data: [] }>('GET', '/accounts')).body.data).toEqual([])
    },
  )

  test('refuses an unknown provider, another mode, and wrong credentials, each by its path', async () => {
    const unknown = await connect(makeBody('1', { provider: 'fax', mode: 'chat-no-api' }))
    expect(unknown.body).toMatchObject({
      errors: [{ path: '/provider', message: expect.stringMatching(/^must be one of .*, fake$/) }],
    })
    const wrong = await connect(
      makeBody('1', {
        mode: 'chat-no-api',
        credentials: { number: '1', secret: 'short7c', pin: 'topsecret9' },
      }),
    )
    expect(wrong.status).toBe(400)
    expect(wrong.body).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ path: '/mode' }),
        expect.objectContaining({ path: '/credentials/secret' }),
        expect.objectContaining({ path: '/credentials/pin' }),
      ]),
    })
    expect(wrong.text).not.toMatch(/short7c|topsecret9/)
    expect(fake.contexts).toEqual([])
  })

  test('the same number twice is 409 and leaves its webhook alone; at the same time only one succeeds', async () => {
    const { body } = await connect()
    fake.contexts = []
    const second = await connect()
    expect([second.status, second.body]).toMatchObject([409, { code: 'ACCOUNT_EXISTS', accountId: body.id }])
    expect(fake.contexts.map(({ webhook }) => webhook)).toEqual([null])
    const replies = await Promise.all([1, 2, 3].map(() => connect(makeBody('600000002'))))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test('another environment may connect the same number; it sees no other account', async () => {
    const { body } = await connect()
    const other = await makeTenant(app, 'live')
    expect((await other.call('POST', '/accounts', { body: makeBody() })).status).toBe(201)
    expect((await other.call('GET', `/accounts/${body.id}`)).status).toBe(404)
  })
})

describe('a connected account', () => {
  test('is renamed, limited, warmed up, paused and resumed', async () => {
    const { body } = await connect(makeBody('600000001', { warmUp: true, dailyLimit: 100 }))
    expect(body).toMatchObject({ dailyBudget: 20, dailyLimit: 100, warmUp: { budgetToday: 20 } })
    const change = (changes: object) =>
      tenant.call<Account>('PATCH', `/accounts/${body.id}`, { body: changes })
    expect((await change({ warmUp: false, displayName: 'Sales' })).body).toMatchObject({
      displayName: 'Sales',
      dailyBudget: 100,
      warmUp: null,
    })
    expect((await change({ dailyLimit: null, messagesPerSecond: 2, isPaused: true })).body).toMatchObject({
      dailyBudget: 250,
      messagesPerSecond: 2,
      isPaused: true,
    })
    expect((await change({ messagesPerSecond: null, isPaused: false })).body).toMatchObject({
      messagesPerSecond: 10,
      isPaused: false,
    })
    expect((await change({ colour: 'red' })).status).toBe(400)
    expect((await change({ displayName: ' ' })).status).toBe(400)
  })

  test('takes new credentials of the same number alone', async () => {
    const { body } = await connect()
    const change = (number: string) =>
      tenant.call('PATCH', `/accounts/${body.id}`, {
        body: { credentials: { number, secret: 'another secret' } },
      })
    const other = await change('600000009')
    expect([other.status, other.body]).toMatchObject([422, { code: 'ACCOUNT_MISMATCH' }])
    expect((await change('600000001')).status).toBe(200)
    await tenant.call('POST', `/accounts/${body.id}/test`)
    expect(fake.connections.at(-1)!.credentials).toEqual({ number: '600000001', secret: 'another secret' })
  })

  test('is tested: the status follows the provider, with its reason, and each change is an event', async () => {
    const { body } = await connect()
    const check = () => tenant.call<Account>('POST', `/accounts/${body.id}/test`)
    fake.health = {
      ...healthy,
      status: 'RESTRICTED',
      reason: 'Too many people blocked this number.',
      quality: 'low',
    }
    expect((await check()).body).toMatchObject({
      status: 'RESTRICTED',
      health: { reason: 'Too many people blocked this number.', quality: 'low' },
    })
    await check()
    fake.failure = makeFailure('INVALID_CREDENTIALS')
    expect((await check()).body).toMatchObject({
      status: 'LOGGED_OUT',
      health: { reason: fake.failure.message },
    })
    fake.failure = makeFailure('PROVIDER_UNAVAILABLE')
    const unreachable = await check()
    expect([unreachable.status, unreachable.body]).toMatchObject([422, { code: 'PROVIDER_UNAVAILABLE' }])
    Object.assign(fake, { failure: null, health: healthy })
    expect((await check()).body).toMatchObject({ status: 'CONNECTED', health: { reason: null } })
    expect(await listEvents()).toMatchObject([
      { status: 'CONNECTED' },
      { status: 'RESTRICTED', previousStatus: 'CONNECTED' },
      { status: 'LOGGED_OUT', previousStatus: 'RESTRICTED' },
      { status: 'CONNECTED', previousStatus: 'LOGGED_OUT' },
    ])
  })

  test('is disconnected without its credentials, and connected again under its id', async () => {
    const { body } = await connect()
    expect((await tenant.call('DELETE', `/accounts/${body.id}`)).status).toBe(204)
    expect((await tenant.call('DELETE', `/accounts/${body.id}`)).status).toBe(204)
    const ended = await tenant.call<Account>('GET', `/accounts/${body.id}`)
    expect(ended.body).toMatchObject({ status: 'DISCONNECTED', webhook: null })
    const { rows } = await sql`select from accounts where id = ${body.id} and credentials is null`.execute(
      app.database.owner,
    )
    expect(rows).toHaveLength(1)
    for (const [method, path, sent] of [
      ['POST', '/test', undefined],
      ['PATCH', '', { credentials: makeBody().credentials }],
    ] as const) {
      const reply = await tenant.call(method, `/accounts/${body.id}${path}`, { body: sent })
      expect([reply.status, reply.body]).toMatchObject([409, { code: 'ACCOUNT_DISCONNECTED' }])
    }
    const again = await connect(makeBody('600000001', { displayName: 'Again' }))
    expect([again.status, again.body]).toMatchObject([
      201,
      { id: body.id, status: 'CONNECTED', displayName: 'Again', createdAt: body.createdAt },
    ])
    expect(again.body.webhook!.url).not.toBe(body.webhook!.url)
    expect(await listEvents()).toHaveLength(3)
  })
})

test('an account whose credentials can no longer be read is disconnected', async () => {
  const { body } = await connect()
  await sql`update accounts set credentials = '\\x00' where id = ${body.id}`.execute(app.database.owner)
  expect((await tenant.call('DELETE', `/accounts/${body.id}`)).status).toBe(204)
})

test('lists page by page and filter by provider and status', async () => {
  for (const number of ['1', '2', '3']) await connect(makeBody(number))
  const manual = await connect({
    provider: 'manual_email',
    displayName: 'Ana',
    credentials: { address: 'ana@agency.example' },
  })
  expect(manual.body.mode).toBe('chat-no-api')
  await tenant.call('DELETE', `/accounts/${manual.body.id}`)
  const list = async (query: string) =>
    (await tenant.call<{ data: Account[]; nextCursor: string | null }>('GET', `/accounts?${query}`)).body
  const first = await list('limit=2&provider=fake')
  expect(first.data.map(({ externalId }) => externalId)).toEqual(['3', '2'])
  const second = await list(`limit=2&provider=fake&cursor=${first.nextCursor}`)
  expect(second).toMatchObject({ data: [{ externalId: '1' }], nextCursor: null })
  expect((await list('status=DISCONNECTED')).data.map(({ id }) => id)).toEqual([manual.body.id])
  expect((await list('status=CONNECTED,DEGRADED')).data).toHaveLength(3)
  expect((await list('status=DISCONNECTED,CONNECTED')).data).toHaveLength(4)
})

test('a failure that is reported late says nothing about an account that has been connected since', async () => {
  const { body } = await connect()
  const failure = makeFailure('PAYMENT_REQUIRED')
  const get = async () => (await tenant.call<Account>('GET', `/accounts/${body.id}`)).body
  const report = async (at?: Date) => {
    await tenant.inTenant(tx => recordSendFailure(tx, body.id, failure, { at }))
    return (await get()).status
  }
  const outage = makeFailure('PROVIDER_UNAVAILABLE', { retryable: true })
  await tenant.inTenant(tx => recordSendFailure(tx, body.id, outage, { at: new Date() }))
  expect((await get()).pausedUntil).toBeNull()
  expect(await report(new Date(Date.parse(body.createdAt) - 1000))).toBe('CONNECTED')
  expect(await report()).toBe('RESTRICTED')
})

test('a key that only reads sees no webhook, with which it could write as any person', async () => {
  const { body } = await connect()
  expect(body.webhook).not.toBeNull()
  const me = await tenant.call<{ workspace: { slug: string } }>('GET', '/me')
  const workspace = me.body.workspace.slug
  const key = await makeKey(app.database, { workspace, environment: 'live', scopes: ['accounts:read'] })
  const one = await app.call<Account>('GET', `/accounts/${body.id}`, { key })
  const all = await app.call<{ data: Account[] }>('GET', '/accounts', { key })
  expect([one.body, all.body.data[0]]).toEqual(Array(2).fill({ ...body, webhook: null }))
})

test('providers are listed with the schema of their credentials', async () => {
  const { body } = await tenant.call<{ data: { id: string }[] }>('GET', '/chat-providers')
  expect(body.data.find(({ id }) => id === 'fake')).toMatchObject({
    mode: 'chat',
    hasWebhook: true,
    credentials: { required: ['number', 'secret'] },
  })
})

test('the sandbox, which sends to nobody, is refused in live, and is not listed there', async () => {
  const body = { provider: 'sandbox', displayName: 'Sandbox' }
  expect(await tenant.call('POST', '/accounts', { body })).toMatchObject({
    status: 403,
    body: { code: 'TEST_ONLY' },
  })
  const listed = await Promise.all(
    [tenant, await makeTenant(app)].map(async each => {
      const { body } = await each.call<{ data: { id: string }[] }>('GET', '/chat-providers')
      return body.data.some(({ id }) => id === 'sandbox')
    }),
  )
  expect(listed).toEqual([false, true])
})

test('a sandbox account is connected at once in test, without credentials', async () => {
  const test = await makeTenant(app)
  const { status, body } = await test.call<Account>('POST', '/accounts', {
    body: { provider: 'sandbox', mode: 'chat', displayName: 'Sandbox' },
  })
  expect([status, body]).toMatchObject([201, { status: 'CONNECTED', dailyBudget: null }])
})
