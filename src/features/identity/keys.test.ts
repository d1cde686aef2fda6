/** API keys in use: revocation, expiry, caching and last use. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually, type Reply, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey, makeLeads, makeWorkspace } from '../../../test/make.ts'
import { listKeys, revokeKey } from './service.ts'

let first: TestApp
let second: TestApp
beforeAll(async () => {
  first = await startTestApp({ env: { ROLE: 'api' } })
  second = await startTestApp({ env: { ROLE: 'api' }, databaseUrl: first.config.databaseUrl! })
})
afterAll(() => Promise.all([first.stop(), second.stop()]))
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function findKey(value: string) {
  const keys = await listKeys(first.database.owner)
  return keys.find(key => key.last4 === value.slice(-4))!
}

describe('a revoked key', () => {
  type Send = (app: TestApp, key: string) => Promise<Reply<{ code: string }>>
  const requests: [what: string, send: Send, scopes: string[]][] = [
    ['a read', (app, key) => app.call('GET', '/leads', { key }), []],
    ['a read of one row', (app, key) => app.call('GET', `/webhooks/${crypto.randomUUID()}`, { key }), []],
    ['a write', (app, key) => app.call('POST', '/webhooks', { key, body: webhook }), []],
    ['invalid input', (app, key) => app.call('GET', '/leads?limit=0', { key }), []],
    ['an invalid cursor', (app, key) => app.call('GET', '/leads?cursor=nonsense', { key }), []],
    ['malformed JSON', (app, key) => app.call('POST', '/webhooks', { key, rawBody: '{' }), []],
    [
      'an unsupported content type',
      (app, key) =>
        app.call('POST', '/webhooks', { key, rawBody: 'a', headers: { 'content-type': 'text/plain' } }),
      [],
    ],
    [
      'a body that is too large',
      (app, key) => app.call('POST', '/webhooks', { key, rawBody: `"${'x'.repeat(2 ** 20)}"` }),
      [],
    ],
    ['a scope that the key lacks', (app, key) => app.call('GET', '/webhooks', { key }), ['leads:read']],
    [
      'a repeated idempotent request',
      (app, key) =>
        app.call('POST', '/webhooks', { key, body: webhook, headers: { 'idempotency-key': 'again' } }),
      [],
    ],
  ]
  const webhook = { url: 'https://crm.example/' }

  it.each(requests)('gets 401 on the next request of every process: %s', async (_what, send, scopes) => {
    const key = await makeKey(first.database, { workspace: first.workspace.slug, scopes })
    for (const app of [first, second]) expect((await send(app, key)).status).not.toBe(401)
    const { id } = await findKey(key)
    await revokeKey(first.database.owner, id)
    for (const app of [first, second]) {
      for (let i = 0; i < 2; i++) {
        const { status, body, headers } = await send(app, key)
        expect(status).toBe(401)
        expect(body.code).toBe('UNAUTHENTICATED')
        expect(headers.get('www-authenticate')).toBe('Bearer')
      }
    }
  })

  it('gets 401 even if its rate limit is reached', async () => {
    const { slug } = await makeWorkspace(first.database)
    await first.database.owner
      .updateTable('workspaces')
      .set({ requests_per_minute: 1 })
      .where('slug', '=', slug)
      .execute()
    const key = await makeKey(first.database, { workspace: slug })
    const statuses = [await first.call('GET', '/me', { key }), await first.call('GET', '/me', { key })]
    expect(statuses.map(reply => reply.status)).toEqual([200, 429])
    await revokeKey(first.database.owner, (await findKey(key)).id)
    expect((await first.call('GET', '/me', { key })).status).toBe(401)
  })

  it('writes nothing with a refused request', async () => {
    const { slug, testTenantId } = await makeWorkspace(first.database)
    const key = await makeKey(first.database, { workspace: slug })
    await first.call('GET', '/me', { key })
    await revokeKey(first.database.owner, (await findKey(key)).id)
    expect((await first.call('POST', '/webhooks', { key, body: webhook })).status).toBe(401)
    const rows = await first.database.withTenant({ tenantId: testTenantId }, tx =>
      tx.selectFrom('webhook_subscriptions').select('id').execute(),
    )
    expect(rows).toEqual([])
  })

  it('can no longer read anything', async () => {
    const key = await makeKey(first.database, { workspace: first.workspace.slug })
    await makeLeads(first.database, first.workspace.testTenantId, [{}])
    expect((await first.call('GET', '/leads', { key })).text).toContain('Mallorca')
    await revokeKey(first.database.owner, (await findKey(key)).id)
    const { text } = await first.call('GET', '/leads', { key })
    expect(text).not.toContain('Mallorca')
  })

  it('does not affect other keys of its workspace', async () => {
    const [gone, kept] = [
      await makeKey(first.database, { workspace: first.workspace.slug }),
      await makeKey(first.database, { workspace: first.workspace.slug }),
    ]
    await revokeKey(first.database.owner, (await findKey(gone)).id)
    expect((await first.call('GET', '/me', { key: gone })).status).toBe(401)
    expect((await first.call('GET', '/me', { key: kept })).status).toBe(200)
  })

  it('keeps the time of its first revocation', async () => {
    const key = await makeKey(first.database, { workspace: first.workspace.slug })
    const { id } = await findKey(key)
    await revokeKey(first.database.owner, id)
    const { revokedAt } = await findKey(key)
    await revokeKey(first.database.owner, id)
    expect((await findKey(key)).revokedAt).toBe(revokedAt)
    expect(revokedAt).toMatch(/Z$/)
  })
})

describe('a key that expires', () => {
  it('is refused from its expiry on, even if it was cached a second before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const key = await makeKey(first.database, {
      workspace: first.workspace.slug,
      expiresAt: new Date(Date.now() + 5000),
    })
    expect((await first.call('GET', '/me', { key })).status).toBe(200)
    vi.setSystemTime(Date.now() + 4999)
    expect((await first.call('GET', '/me', { key })).status).toBe(200)
    vi.setSystemTime(Date.now() + 1)
    expect((await first.call('GET', '/me', { key })).status).toBe(401)
  })

  it("is refused by the database's clock even if the process's clock differs", async () => {
    const key = await makeKey(first.database, {
      workspace: first.workspace.slug,
      expiresAt: new Date(Date.now() + 60_000),
    })
    expect((await first.call('GET', '/me', { key })).status).toBe(200)
    await first.database.owner
      .updateTable('api_keys')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', (await findKey(key)).id)
      .execute()
    expect((await first.call('GET', '/me', { key })).status).toBe(401)
  })
})

describe('the lookup of a key', () => {
  it('is cached, not done for every request', async () => {
    const key = await makeKey(first.database, { workspace: first.workspace.slug })
    const findApiKey = vi.spyOn(first.database, 'findApiKey')
    for (let i = 0; i < 5; i++) await first.call('GET', '/me', { key })
    expect(findApiKey).toHaveBeenCalledTimes(1)
  })

  it('is repeated after ten seconds, so that a new rate limit takes effect', async () => {
    const { slug } = await makeWorkspace(first.database)
    const key = await makeKey(first.database, { workspace: slug })
    const readLimit = async () => (await first.call('GET', '/me', { key })).headers.get('x-ratelimit-limit')
    expect(await readLimit()).toBe('600')
    await first.database.owner
      .updateTable('workspaces')
      .set({ requests_per_minute: 1200 })
      .where('slug', '=', slug)
      .execute()
    expect(await readLimit()).toBe('600')
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 10_000)
    expect(await readLimit()).toBe('1200')
  })

  it('finds no key by its id, a part of its value or its value in upper case', async () => {
    const key = await makeKey(first.database, { workspace: first.workspace.slug })
    const { id } = await findKey(key)
    for (const wrong of [id, key.slice(0, -1), key.slice(9), key.toUpperCase()])
      expect((await first.call('GET', '/me', { key: wrong })).status).toBe(401)
  })
})

it('uses X-Api-Key if both headers have a key', async () => {
  const headers = { 'x-api-key': first.workspace.testKey, authorization: `Bearer ${first.workspace.liveKey}` }
  const { body } = await first.call<{ key: { environment: string } }>('GET', '/me', { key: null, headers })
  expect(body.key.environment).toBe('test')
})

it.each(['Bearer', 'Bearer  ', 'Basic abc', 'bearer: x'])(
  'finds no key in the header Authorization: %s',
  async authorization => {
    expect((await first.call('GET', '/me', { key: null, headers: { authorization } })).status).toBe(401)
  },
)

it('records when a key was last used, but not at every request', async () => {
  const key = await makeKey(first.database, { workspace: first.workspace.slug })
  expect((await findKey(key)).lastUsedAt).toBeNull()
  const beforeMs = Date.now()
  await first.call('GET', '/me', { key })
  const { lastUsedAt } = await eventually(
    () => findKey(key),
    found => found.lastUsedAt !== null,
  )
  expect(Date.parse(lastUsedAt!)).toBeGreaterThanOrEqual(beforeMs)
  const withTenant = vi.spyOn(first.database, 'withTenant')
  await first.call('GET', '/me', { key })
  expect(withTenant).not.toHaveBeenCalled()

  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 60_000)
  await first.call('GET', '/me', { key })
  await eventually(
    () => findKey(key),
    found => found.lastUsedAt !== lastUsedAt,
  )
})

it('stores only the hash of a key', async () => {
  const key = await makeKey(first.database, { workspace: first.workspace.slug })
  const { rows } = await first.database.ownerPool.query('select k::text as row from aldaba.api_keys k')
  const dump = rows.map(({ row }: { row: string }) => row).join('\n')
  expect(dump).toContain(key.slice(-4))
  expect(dump).not.toContain(key.slice(9, -4))
})
