/** The HTTP server: the order of its checks, the form of its errors, request ids and base paths. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, startTestAppForTest, type TestApp } from '../../../test/harness.ts'
import { makeKey, makeWorkspace } from '../../../test/make.ts'
import { getTenantId } from '../db/context.ts'

interface ProblemBody {
  statusCode: number
  code: string
  message: string
  requestId: string
  errors?: { path: string; code: string }[]
  moreErrors?: number
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', BASE_PATH: ',/v1,/v2' } })
})
afterAll(() => app.stop())

describe('checks come in this order', () => {
  const valid = {
    platform: 'portal_a',
    filters: { operation: 'sale', propertyType: 'homes', location: { id: 'barcelona', label: 'Barcelona' } },
  }
  const invalid = { platform: 'portal_a', maxResults: 0 }

  /** A live key of a workspace that has used up its extractions; the portal is not configured in live. */
  async function makeExhaustedKey(scopes: string[] = []): Promise<string> {
    const { slug, liveTenantId, testTenantId } = await makeWorkspace(app.database)
    for (const tenantId of [liveTenantId, testTenantId]) {
      await app.database.withTenant({ tenantId }, tx =>
        tx
          .insertInto('quota_limits')
          .values({ tenant_id: getTenantId(tx), name: 'maxExtractionsPerMonth', monthly_limit: 0 })
          .execute(),
      )
    }
    await app.database.owner
      .updateTable('workspaces')
      .set({ requests_per_minute: 2 })
      .where('slug', '=', slug)
      .execute()
    return makeKey(app.database, { workspace: slug, environment: 'live', scopes })
  }

  const start = (key: string, body: object) => app.call<ProblemBody>('POST', '/extractions', { key, body })

  async function exhaust(key: string): Promise<void> {
    for (let i = 0; i < 2; i++) await app.call('GET', '/me', { key })
  }

  it('authentication before scope, rate limit and input', async () => {
    const key = await makeExhaustedKey(['leads:read'])
    await exhaust(key)
    await app.database.owner
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('last4', '=', key.slice(-4))
      .execute()
    expect(await start(key, invalid)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  })

  it('scope before rate limit and input', async () => {
    const key = await makeExhaustedKey(['leads:read'])
    await exhaust(key)
    expect(await start(key, invalid)).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } })
  })

  it('rate limit before input', async () => {
    const key = await makeExhaustedKey()
    await exhaust(key)
    expect(await start(key, invalid)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  })

  it('input before state and quota', async () => {
    const key = await makeExhaustedKey()
    expect(await start(key, invalid)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await start(key, { ...valid, filters: { colour: 1 } })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    })
  })

  it('state before quota', async () => {
    expect(await start(await makeExhaustedKey(), valid)).toMatchObject({
      status: 422,
      body: { code: 'PORTAL_UNCONFIGURED' },
    })
  })

  it('quota last', async () => {
    const { slug, testTenantId } = await makeWorkspace(app.database)
    await app.database.withTenant({ tenantId: testTenantId }, tx =>
      tx
        .insertInto('quota_limits')
        .values({ tenant_id: getTenantId(tx), name: 'maxExtractionsPerMonth', monthly_limit: 0 })
        .execute(),
    )
    expect(await start(await makeKey(app.database, { workspace: slug }), valid)).toMatchObject({
      status: 429,
      body: { code: 'QUOTA_EXCEEDED' },
    })
  })
})

describe('an error', () => {
  it('lists all errors at once: path, query and body', async () => {
    const { status, body } = await app.call<ProblemBody>('POST', '/webhooks?a=1&b=2', {
      body: { url: 5, events: ['nonsense'], colour: 'red' },
    })
    expect(status).toBe(400)
    expect(body.errors?.map(error => error.path).sort()).toEqual(['/a', '/b', '/colour', '/events/0', '/url'])
  })

  it('lists a hundred errors, and counts the others', async () => {
    const rawBody = JSON.stringify(Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`f${at}`, 0])))
    const { status, body } = await app.call<ProblemBody>('POST', '/leads', { rawBody })
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(100)
    expect(body.moreErrors).toBe(30)
    const { body: few } = await app.call<ProblemBody>('POST', '/leads', { body: { f1: 0 } })
    expect(few).not.toHaveProperty('moreErrors')
  })

  it.each([
    ['lists', '['.repeat(400_000)],
    ['objects', '{"a":'.repeat(200_000)],
    ['whole objects', `{"customFields":${'{"a":'.repeat(100)}0${'}'.repeat(101)}`],
  ])('is a 400 for deeply nested %s', async (_what, rawBody) => {
    const { status, body } = await app.call<ProblemBody>('POST', '/leads', { rawBody })
    expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ code: 'TOO_DEEP' }] })
  })

  it('has the same form for unknown URLs, with or without a key', async () => {
    for (const key of [null, app.workspace.testKey]) {
      const { status, body } = await app.call<ProblemBody>('GET', '/nothing?key=secret', { key })
      expect(status).toBe(404)
      expect(body).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' })
      expect(body.message).not.toContain('secret')
    }
  })

  it.each(['/leads/%', '/extractions/%zz', '/leads?q=%00', '/me?a=%00'])('is a 400 for %s', async path => {
    expect((await app.call('GET', path)).status).toBe(400)
  })

  it('does not occur for characters that the database cannot store: they are removed', async () => {
    const { status, body } = await app.call<{ description: string }>('POST', '/webhooks', {
      body: { url: 'https://crm.example/', description: 'a\u0000b' },
    })
    expect([status, body.description]).toEqual([201, 'ab'])
  })

  it('is a 404 or 400 for a long or odd path, and the server keeps running', async () => {
    const long = 'x'.repeat(10_000)
    for (const path of [`/leads/${long}`, `/webhooks/${long}`, '/../../etc/passwd', '//leads', '/leads;a=1'])
      expect([400, 404, 414]).toContain((await app.call('GET', path)).status)
    expect((await app.call('GET', '/me')).status).toBe(200)
  })
})

describe('a request id', () => {
  it('is created anew for every reply', async () => {
    const replies = [
      await app.call('GET', '/me'),
      await app.call('GET', '/me'),
      await app.call('GET', '/me', { key: null }),
      await app.call('GET', '/nothing'),
      await app.call('PUT', '/me'),
    ]
    const ids = replies.map(reply => reply.headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("is the caller's own if that can safely be written to a log", async () => {
    const send = async (id: string) =>
      (await app.call('GET', '/nothing', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await send('trace.1:2-3_4')).toBe('trace.1:2-3_4')
    for (const id of ['x'.repeat(129), 'a b', '"quoted"', 'a,b'])
      expect(await send(id)).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('with BASE_PATH=,/v1,/v2', () => {
  const get = async (path: string) => {
    const reply = await fetch(app.url + path, { headers: { 'x-api-key': app.workspace.testKey } })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
  }

  it.each(['', '/v1', '/v2'])('serves everything under %j', async basePath => {
    expect((await get(`${basePath}/public/v1/me`)).status).toBe(200)
    expect((await get(`${basePath}/public/v1/nothing`)).status).toBe(404)
    expect((await get(`${basePath}/public/v1/leads/?limit=1`)).status).toBe(200)
    expect((await get(`${basePath}/openapi.json`)).body).toMatchObject({ openapi: '3.1.0' })
    const wrongMethod = await fetch(`${app.url}${basePath}/public/v1/me`, { method: 'DELETE' })
    expect(wrongMethod.status).toBe(405)
  })

  it('names all three as servers', async () => {
    const { publicUrl } = app.config
    expect((await get('/openapi.json')).body.servers).toEqual([
      { url: publicUrl },
      { url: `${publicUrl}/v1` },
      { url: `${publicUrl}/v2` },
    ])
  })

  it('serves nothing under another base path', async () => {
    expect((await get('/v3/public/v1/me')).status).toBe(404)
  })
})

it('accepts a request that has a Content-Type but no body', async () => {
  const made = await app.call<{ id: string }>('POST', '/webhooks', { body: { url: 'https://crm.example/' } })
  const headers = { 'content-type': 'application/json' }
  expect((await app.call('DELETE', `/webhooks/${made.body.id}`, { headers })).status).toBe(204)
})

it('reports liveness, readiness and metrics without a key', async () => {
  const alive = await startTestAppForTest({ env: { ROLE: 'api' } })
  expect((await fetch(`${alive.url}/livez`)).status).toBe(200)
  expect(await (await fetch(`${alive.url}/readyz`)).json()).toMatchObject({ status: 'ready' })
  await alive.call('GET', '/me')
  const measured = await (await fetch(`${alive.url}/metrics`)).text()
  expect(measured).toContain(
    'aldaba_http_request_seconds_count{method="GET",route="/public/v1/me",status="200"} 1',
  )
  expect(measured).toMatch(/^aldaba_jobs_waiting \d+$/m)
})

it('is alive but not ready while the database is unreachable', async () => {
  const { url, database, app: standalone } = await startTestApp({ env: { ROLE: 'api' } })
  await database.close()
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  await standalone.stop()
})
