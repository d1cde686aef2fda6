/** Public routes that receive data: HTML forms, JSON of other sites, and webhooks signed over their exact bytes. */
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey, makeWorkspace } from '../../../test/make.ts'
import { agencyOrigin, hookSecret, makeHookTable, samples } from '../../../test/public-samples.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { sql } from '../db/index.ts'
import { createLog } from '../log.ts'

let app: TestApp
let server: FastifyInstance
let url: string
const log = createLog('silent')
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  await makeHookTable(app.database)
  const served = await serveRoutes(app, [], { publicRoutes: samples, trustedProxies: ['127.0.0.1/32'], log })
  server = served.server
  url = served.url.replace('/public/v1', '')
})
afterAll(async () => {
  await server.close()
  await app.stop()
})

let token: string
beforeEach(async () => {
  token = await makeKey(app.database, { workspace: app.workspace.slug })
})

async function send(path: string, init: RequestInit = {}) {
  const reply = await fetch(url + path, { redirect: 'manual', method: 'POST', ...init })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

describe('a form', () => {
  const post = (body: string, type = 'application/x-www-form-urlencoded') =>
    send(`/form/${token}`, { body, headers: { 'Content-Type': type, Origin: 'null' } })

  it('has a policy that allows submitting it only to its own origin', async () => {
    const { headers } = await send(`/form/${token}`, { method: 'GET' })
    expect(headers['content-security-policy']).toContain("form-action 'self'")
  })

  it('redirects to another page, so that reloading submits nothing twice', async () => {
    const { status, headers } = await post('name=Marta+Soler')
    expect([status, headers.location]).toEqual([303, '?done'])
  })

  it('is shown again if a field is missing', async () => {
    expect(await post('name=')).toMatchObject({ status: 422, text: '<p>Your name?</p>' })
  })

  it('drops characters that the database would refuse', async () => {
    expect((await post('name=%00')).status).toBe(422)
  })

  it.each([
    ['another type', 'name=Marta', 'text/plain', 415],
    ['no type', 'name=Marta', '', 415],
    ['an invalid type', 'name=Marta', 'form', 415],
    ['too many fields', 'a&'.repeat(201), 'application/x-www-form-urlencoded; charset=UTF-8', 400],
  ])('with %s is refused with a page', async (_what, body, type, status) => {
    const refused = await post(body, type)
    expect(refused.status).toBe(status)
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

describe('a widget', () => {
  const call = (init: RequestInit) => send(`/widget/${token}/leads`, init)
  const post = (body: unknown, origin = agencyOrigin) =>
    call({
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', Origin: origin },
    })

  it('may be called by pages of the origins that its token allows', async () => {
    const preflight = await call({ method: 'OPTIONS', headers: { Origin: agencyOrigin } })
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': agencyOrigin,
        'access-control-allow-methods': 'POST, OPTIONS',
        'access-control-allow-headers': 'Content-Type',
        'access-control-max-age': '600',
        vary: 'Origin',
      },
    })
    const reply = await post({ email: 'marta@example.com' })
    expect(reply).toMatchObject({ status: 201, headers: { 'access-control-allow-origin': agencyOrigin } })
    expect(JSON.parse(reply.text)).toEqual({
      email: 'marta@example.com',
      tenantId: app.workspace.testTenantId,
    })
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('may be called by programs, which send no Origin', async () => {
    const init = { body: '{"email":"a@b.example"}', headers: { 'Content-Type': 'application/json' } }
    expect((await call(init)).status).toBe(201)
  })

  it.each([`${agencyOrigin}.evil.example`, 'http://agency.example', 'null', `${agencyOrigin}:8443`])(
    'may not be called by pages of %s',
    async origin => {
      const refused = await post({ email: 'a@b.example' }, origin)
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
      expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  it.each([
    ['a value that does not fit', { email: 'x' }, 400, 'INVALID_INPUT'],
    ['an unknown field', { email: 'a@b.example', __proto: 1 }, 400, 'INVALID_INPUT'],
    ['invalid JSON', '{', 400, 'MALFORMED_JSON'],
    ['JSON that is too deep', '['.repeat(100), 400, 'INVALID_INPUT'],
    ['an empty body', '', 400, 'MALFORMED_JSON'],
  ])('gets a problem, which its page may read, for %s', async (_what, body, status, code) => {
    const refused = await post(body)
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([status, code])
    expect(refused.headers).toMatchObject({ 'access-control-allow-origin': agencyOrigin })
  })
})

describe('an inbound webhook', () => {
  const sign = (body: Buffer) => `sha256=${createHmac('sha256', hookSecret).update(body).digest('hex')}`
  const post = (body: Buffer, headers: Record<string, string> = {}) =>
    send(`/hooks/${token}`, {
      body: new Uint8Array(body),
      headers: { 'X-Hub-Signature-256': sign(body), ...headers },
    })
  const listStored = (tenantId: string) =>
    app.database.readTenant({ tenantId }, async tx => {
      const { rows } = await sql<{ body: Buffer }>`select body from hook_bodies order by id`.execute(tx)
      return rows.map(({ body }) => body)
    })

  it('answers a challenge', async () => {
    const reply = await send(`/hooks/${token}?hub.mode=subscribe&hub.challenge=%3Cb%3E42`, { method: 'GET' })
    expect(reply).toMatchObject({ status: 200, text: '<b>42' })
    expect(reply.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })

  it.each(['application/json', 'text/plain; charset=utf-16', 'nonsense', ''])(
    'of type %j is stored byte for byte in the tenant of its token',
    async type => {
      const { slug, testTenantId } = await makeWorkspace(app.database)
      token = await makeKey(app.database, { workspace: slug })
      // Invalid UTF-8, and JSON that would change if it were parsed and written again.
      const body = Buffer.from([0, 0xff, 0xfe, ...Buffer.from('{ "a" : 1.0 }\r\n')])
      expect(await post(body, type ? { 'Content-Type': type } : {})).toMatchObject({
        status: 202,
        text: 'ok',
      })
      expect(await listStored(testTenantId)).toEqual([body])
    },
  )

  it('with another signature is refused and not stored', async () => {
    const { slug, testTenantId } = await makeWorkspace(app.database)
    token = await makeKey(app.database, { workspace: slug })
    const refused = await post(Buffer.from('a'), { 'X-Hub-Signature-256': sign(Buffer.from('b')) })
    expect(refused.status).toBe(401)
    expect(await listStored(testTenantId)).toEqual([])
  })

  it('is not lost among many concurrent ones', async () => {
    const { slug, testTenantId } = await makeWorkspace(app.database)
    token = await makeKey(app.database, { workspace: slug })
    const bodies = Array.from({ length: 36 }, (_, nth) => Buffer.from(`message ${nth}`))
    const replies = await Promise.all(bodies.map(body => post(body)))
    const accepted = bodies.filter((_, nth) => replies[nth]!.status === 202)
    expect(accepted.length).toBeGreaterThan(30)
    expect((await listStored(testTenantId)).map(String).sort()).toEqual(accepted.map(String).sort())
  })
})

describe('limits', () => {
  const visit = (visitor: string, path = `/form/${token}`) =>
    send(path, { method: 'GET', headers: { 'X-Forwarded-For': visitor } })

  it('apply per client address, which a trusted proxy forwards, and per /64 of IPv6', async () => {
    const statuses: number[] = []
    for (let nth = 0; nth < 1000 && !statuses.includes(429); nth++) {
      if (nth % 50 === 0) token = await makeKey(app.database, { workspace: app.workspace.slug })
      statuses.push((await visit(`2001:db8::${nth.toString(16)}`)).status)
    }
    expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(300)
    expect((await visit('2001:db8:0:1::1')).status).toBe(200)
  })

  it('use the address that the proxy saw, not a forged one before it', async () => {
    const statuses = new Set<number>()
    for (let nth = 0; nth < 40; nth++)
      statuses.add((await visit(`10.9.8.${nth}, 203.0.113.99`, '/form/unknown')).status)
    expect([...statuses]).toEqual([404, 429])
  })

  it('disconnect a client that holds a slot without sending', async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.write(`POST /hooks/${token} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc`)
    let reply = ''
    for await (const piece of socket) reply += piece
    expect(reply).toMatch(/^HTTP\/1\.1 408 /)
  })
})

it('logs once that a proxy is not configured', async () => {
  const warn = vi.spyOn(log, 'warn')
  const { server, url } = await serveRoutes(app, [], { publicRoutes: samples, log })
  for (const visitor of ['203.0.113.1', '203.0.113.2'])
    await fetch(url.replace('/public/v1', '/form/unknown'), { headers: { 'X-Forwarded-For': visitor } })
  await server.close()
  expect(warn.mock.calls).toEqual([[expect.stringContaining('TRUSTED_PROXIES')]])
})
