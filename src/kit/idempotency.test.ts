/** Idempotency-Key over HTTP: work runs once, replies are replayed, isolated and deleted after a day. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventually, type Reply, startTestApp, type TestApp } from '../../test/harness.ts'
import { makeKey, makeWorkspace } from '../../test/make.ts'
import { deleteExpiredReplies } from './idempotency.ts'

interface Made {
  id: string
  code: string
  errors?: { path: string }[]
}

let app: TestApp
let key: string
let tenantId: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

async function makeNewWorkspace() {
  const workspace = await makeWorkspace(app.database)
  key = await makeKey(app.database, { workspace: workspace.slug })
  tenantId = workspace.testTenantId
  return workspace
}

const body = { url: 'https://crm.example/hooks' }

function post(idempotencyKey: string, options: { body?: object; key?: string } = {}): Promise<Reply<Made>> {
  const headers = { 'idempotency-key': idempotencyKey }
  return app.call<Made>('POST', '/webhooks', { body, key, ...options, headers })
}

async function countWebhooks(): Promise<number> {
  return (await app.call<{ data: unknown[] }>('GET', '/webhooks', { key })).body.data.length
}

describe('a repeated request', () => {
  beforeAll(makeNewWorkspace)

  it('gets the first reply again, byte for byte, with a header that says so', async () => {
    const [first, again] = [await post('a'), await post('a')]
    expect(first.status).toBe(201)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    expect(again.status).toBe(first.status)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await countWebhooks()).toBe(1)
  })

  it('gets the ETag of the first reply', async () => {
    const send = () =>
      app.call<Made>('POST', '/leads', {
        key,
        body: { contact: { phone: '+34612345670' } },
        headers: { 'idempotency-key': 'a lead' },
      })
    const first = await send()
    expect(first.headers.get('etag')).toMatch(/^".+"$/)
    await app.call('PATCH', `/leads/${first.body.id}`, { key, body: { tags: ['changed'] } })
    const again = await send()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  })

  it('counts as the same if only its whitespace differs', async () => {
    const headers = { 'idempotency-key': 'a' }
    const rawBody = JSON.stringify(body, null, 4)
    const again = await app.call('POST', '/webhooks', { key, rawBody, headers })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('is rejected with 422 if its body differs', async () => {
    const { status, body } = await post('a', { body: { url: 'https://crm.example/other' } })
    expect(`${status} ${body.code}`).toBe('422 IDEMPOTENCY_MISMATCH')
  })

  it('runs its work again under another key', async () => {
    expect((await post('b')).headers.has('idempotent-replayed')).toBe(false)
    expect(await countWebhooks()).toBe(2)
  })

  it('is replayed by every process', async () => {
    const second = await startTestApp({ env: { ROLE: 'api' }, databaseUrl: app.config.databaseUrl! })
    const headers = { 'idempotency-key': 'a' }
    const again = await second.call('POST', '/webhooks', { key, body, headers })
    expect(again.text).toBe((await post('a')).text)
    await second.stop()
  })
})

it('runs the work of concurrent requests once', async () => {
  await makeNewWorkspace()
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(Array.from({ length: 15 }, () => post(`at once ${round}`)))
    const made = replies.filter(reply => reply.status === 201)
    expect(made.filter(reply => !reply.headers.has('idempotent-replayed'))).toHaveLength(1)
    expect(new Set(made.map(reply => reply.text)).size).toBe(1)
    for (const reply of replies.filter(reply => reply.status !== 201)) {
      expect(`${reply.status} ${reply.body.code}`).toBe('409 IDEMPOTENCY_IN_FLIGHT')
      expect(reply.headers.get('retry-after')).toBe('1')
    }
    expect(await countWebhooks()).toBe(round + 1)
  }
})

it('replies 409 while the first request still runs, and replays its reply once it has ended', async () => {
  await makeNewWorkspace()
  const lock = await app.database.ownerPool.connect()
  onTestFinished(() => lock.release(true))
  await lock.query('begin; lock table aldaba.webhook_subscriptions in access exclusive mode')
  const first = post('slow')
  // Once its lock is visible, the first request waits for the table.
  await eventually(
    async () =>
      (
        await lock.query(
          `select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
             and pid in (select pid from pg_locks where not granted and relation = 'aldaba.webhook_subscriptions'::regclass)`,
        )
      ).rows,
    rows => rows.length > 0,
  )
  const second = await post('slow')
  expect(`${second.status} ${second.body.code}`).toBe('409 IDEMPOTENCY_IN_FLIGHT')
  await lock.query('rollback')
  const { text } = await first
  expect((await post('slow')).text).toBe(text)
  expect(await countWebhooks()).toBe(1)
})

describe('keys are separate', () => {
  it('per workspace and environment', async () => {
    const { slug } = await makeNewWorkspace()
    const live = await makeKey(app.database, { workspace: slug, environment: 'live' })
    const other = await makeWorkspace(app.database)
    const foreign = await makeKey(app.database, { workspace: other.slug })
    const made = [await post('a'), await post('a', { key: live }), await post('a', { key: foreign })]
    expect(made.map(reply => reply.status)).toEqual([201, 201, 201])
    expect(new Set(made.map(reply => reply.body.id)).size).toBe(3)
  })

  it('but shared between the API keys of one environment', async () => {
    const { slug } = await makeNewWorkspace()
    const sibling = await makeKey(app.database, { workspace: slug })
    expect((await post('a', { key: sibling })).text).toBe((await post('a')).text)
  })

  it('per route', async () => {
    await makeNewWorkspace()
    await post('a')
    const started = await app.call('POST', '/extractions', {
      key,
      headers: { 'idempotency-key': 'a' },
      body: {
        platform: 'portal_a',
        filters: {
          operation: 'sale',
          propertyType: 'homes',
          location: { id: 'barcelona', label: 'Barcelona' },
        },
      },
    })
    expect(started.status).toBe(202)
    expect(started.headers.has('idempotent-replayed')).toBe(false)
  })
})

describe('a rejected request is not stored', () => {
  beforeAll(makeNewWorkspace)

  it.each([
    ['if its schema rejects it', { url: 5 }],
    ['if a rule rejects it', { url: 'http://10.0.0.1/' }],
  ])('%s', async (idempotencyKey, refused) => {
    expect((await post(idempotencyKey, { body: refused })).status).toBe(400)
    const corrected = await post(idempotencyKey)
    expect(corrected.status).toBe(201)
    expect(corrected.headers.has('idempotent-replayed')).toBe(false)
  })

  it('if its work fails', async () => {
    const lead = { contact: { phone: '+34612345678' } }
    const write = (idempotencyKey: string) =>
      app.call<Made>('POST', '/leads', { key, body: lead, headers: { 'idempotency-key': idempotencyKey } })
    const first = await write('first')
    expect((await write('second')).body.code).toBe('LEAD_EXISTS')
    await app.call('DELETE', `/leads/${first.body.id}`, { key })
    const { status, headers } = await write('second')
    expect([status, headers.has('idempotent-replayed')]).toEqual([201, false])
  })
})

describe('the header', () => {
  beforeAll(makeNewWorkspace)

  it('may have 255 characters, all of which are significant', async () => {
    const long = 'x'.repeat(254)
    const [first, other] = [await post(`${long}a`), await post(`${long}b`)]
    expect([first.status, other.status]).toEqual([201, 201])
    expect(other.body.id).not.toBe(first.body.id)
  })

  it.each([256, 0])('is rejected with %i characters', async length => {
    const { status, body } = await post('x'.repeat(length))
    expect(status).toBe(400)
    expect(body.errors).toEqual([expect.objectContaining({ path: '/Idempotency-Key', code: 'WRONG_LENGTH' })])
  })

  it('is ignored on a DELETE', async () => {
    const { body } = await post('to delete')
    const headers = { 'idempotency-key': 'deletion' }
    expect((await app.call('DELETE', `/webhooks/${body.id}`, { key, headers })).status).toBe(204)
    expect((await app.call('DELETE', `/webhooks/${body.id}`, { key, headers })).status).toBe(404)
  })
})

describe('after 24 hours', () => {
  const backdate = (hours: number) =>
    app.database.withTenant({ tenantId }, async tx => {
      await tx
        .updateTable('idempotency_keys')
        .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
        .execute()
    })

  it('a key may be used for a new request, and is kept for a day again', async () => {
    await makeNewWorkspace()
    const first = await post('a')
    await backdate(23.99)
    expect((await post('a')).text).toBe(first.text)
    await backdate(24.01)
    const renewed = await post('a', { body: { url: 'https://crm.example/other' } })
    expect(renewed.status).toBe(201)
    expect(renewed.body.id).not.toBe(first.body.id)
    expect((await post('a', { body: { url: 'https://crm.example/other' } })).text).toBe(renewed.text)
  })

  it('the stored reply is deleted, and newer ones are kept', async () => {
    await makeNewWorkspace()
    await post('old')
    await backdate(24.01)
    await post('young')
    await app.database.withTenant({ tenantId }, deleteExpiredReplies)
    const remaining = await app.database.withTenant({ tenantId }, tx =>
      tx.selectFrom('idempotency_keys').select('key').execute(),
    )
    expect(remaining).toEqual([{ key: app.deployment.cipher.digest('young') }])
  })
})
