/** Tests generated from the list of public routes: the refusals that hold for every one of them. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { defaultLimits } from '../src/kit/public-route.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { makeHookTable, samples } from './public-samples.ts'
import { phoneFile, tokenMakers } from './public-tokens.ts'
import { serveRoutes } from './serve-routes.ts'

const declared = describeFeatures().flatMap(({ publicRoutes = [] }) => publicRoutes)
const routes = [...declared, ...samples]

let app: TestApp
let samplesServer: FastifyInstance
let samplesUrl: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', TRUSTED_PROXIES: '127.0.0.1/32' } })
  await makeHookTable(app.database)
  const served = await serveRoutes(app, [], { publicRoutes: samples, trustedProxies: ['127.0.0.1/32'] })
  samplesServer = served.server
  samplesUrl = served.url.replace('/public/v1', '')
})
afterAll(async () => {
  await samplesServer.close()
  await app.stop()
})

/** Each test has its own client address, by the header of a proxy. */
let visitors = 0
const newVisitor = () => `198.18.${++visitors >> 8}.${visitors & 255}`

async function send(
  { path }: { path: string },
  token: string,
  { method = 'GET', visitor = newVisitor(), ...init }: RequestInit & { visitor?: string } = {},
) {
  const url = samples.some(route => route.path === path) ? samplesUrl : app.url
  const headers = { 'X-Forwarded-For': visitor, ...(init.headers as object) }
  const reply = await fetch(url + fillPath(path, token), {
    redirect: 'manual',
    ...init,
    method,
    headers,
  })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

const fillPath = (path: string, token: string) =>
  path.replace('{token}', token).replace('{photo}', '1-400.jpg').replace('{file}', phoneFile)

const _sampleLogo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"/>').toString('base64')}`
const unknownToken = 'A'.repeat(32)

describe.each(routes.map(route => [route.path, route] as const))('%s', (path, route) => {
  const methods = [...(route.get ? ['GET'] : []), ...(route.post ? ['POST'] : [])]
  const method = methods.at(-1)!

  const expectProblem = ({ status, headers, text }: Awaited<ReturnType<typeof send>>, code: string) => {
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    if (route.kind === 'page') {
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    } else expect(JSON.parse(text)).toMatchObject({ statusCode: status, code, message: expect.any(String) })
    expect(text).not.toContain(unknownToken)
  }

  it('opens with its token, and answers an unknown token with 404', async () => {
    const opened = await send(route, await tokenMakers[path]!(app), { method })
    expect([404, 405, 429, 500]).not.toContain(opened.status)
    for (const token of [unknownToken, 'x', '%00', "'--"]) {
      const refused = await send(route, token, { method })
      expect(refused.status).toBe(404)
      expectProblem(refused, 'NOT_FOUND')
    }
  })

  it('answers other methods with 405 and lists the allowed ones', async () => {
    const allowedMethods = [...methods, ...(route.get ? ['HEAD'] : []), ...(route.origins ? ['OPTIONS'] : [])]
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowedMethods.includes(other)) continue
      const refused = await send(route, unknownToken, { method: other })
      expect([other, refused.status]).toEqual([other, 405])
      expect(refused.headers.allow?.split(', ').sort()).toEqual(allowedMethods.sort())
      expectProblem(refused, 'METHOD_NOT_ALLOWED')
    }
  })

  it('refuses a body larger than its limit', async () => {
    if (!route.post) return
    const token = await tokenMakers[path]!(app)
    const body = 'x'.repeat(route.post.body.maxBytes + 1)
    const refused = await send(route, token, { method: 'POST', body })
    expect(refused.status).toBe(413)
    expectProblem(refused, 'PAYLOAD_TOO_LARGE')
    const chunks = new Blob([body]).stream()
    const streamed = await send(route, token, { method: 'POST', body: chunks, duplex: 'half' } as RequestInit)
    expect(streamed.status).toBe(413)
  })

  it('lets no page of another origin read a reply', async () => {
    const token = await tokenMakers[path]!(app)
    const headers = { Origin: 'https://foreign.example' }
    for (const method of [...methods, 'OPTIONS']) {
      const reply = await send(route, token, { method, headers })
      expect(Object.keys(reply.headers).filter(name => name.startsWith('access-control'))).toEqual([])
      if (route.origins) expectProblem(reply, 'ORIGIN_NOT_ALLOWED')
      if (route.origins) expect(reply.status).toBe(403)
    }
  })

  it('answers 429 to a client that tries many tokens, but not to other clients', async () => {
    const { unknown } = { ...defaultLimits, ...route.limits }
    const visitor = newVisitor()
    const statuses: number[] = []
    for (let nth = 0; nth < unknown + 5; nth++)
      statuses.push((await send(route, `${unknownToken}${nth}`, { method, visitor })).status)
    expect(statuses.slice(0, unknown)).toEqual(Array(unknown).fill(404))
    const refused = await send(route, unknownToken, { method, visitor })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expectProblem(refused, 'RATE_LIMITED')
    expect((await send(route, unknownToken, { method })).status).toBe(404)
  })
})

it('every public route has a line in this test', () => {
  expect(Object.keys(tokenMakers).sort()).toEqual(routes.map(({ path }) => path).sort())
})
