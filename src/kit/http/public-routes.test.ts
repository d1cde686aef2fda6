/** Public pages: tokens, headers, limits and errors. */
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { serveRoutes } from '../../../test/serve-routes.ts'
import { Problem } from '../problem.ts'
import { type PublicPage, publicRoute } from '../public-route.ts'
import { clientDisconnected } from './request-signal.ts'

/** The page of the route in the current test. */
let page: (isVisit: boolean, signal: AbortSignal) => Promise<PublicPage | null>
const route = publicRoute({
  path: '/pages/{token}',
  kind: 'page',
  async findResource(_database, token) {
    if (token === 'broken') throw new Error('the disk is full')
    return token.startsWith('good') ? { tenantId: app.workspace.testTenantId, name: token } : null
  },
  get: ({ isVisit, signal }) => page(isVisit, signal),
})

let app: TestApp
let server: FastifyInstance
let url: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  page = async () => ({ type: 'text/html', body: '<p>Hello</p>' })
  const served = await serveRoutes(app, [], { publicRoutes: [route] })
  server = served.server
  url = served.url.replace('/public/v1', '/pages')
})
afterEach(() => server.close())

async function open(token: string, method = 'GET', headers: Record<string, string> = {}) {
  const reply = await fetch(`${url}/${token}`, { method, headers })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}
const guarded = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': expect.stringMatching(/^default-src 'none'/),
}

it('is shown with its token and without a key, and its headers keep the token from leaking', async () => {
  const reply = await open('good')
  expect(reply).toMatchObject({ status: 200, text: '<p>Hello</p>', headers: guarded })
  expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(reply.headers).not.toHaveProperty('set-cookie')
})

it('may have its own policy, and be binary', async () => {
  const bytes = Uint8Array.of(0, 0x25, 0x50, 0x44).subarray(1)
  page = async () => ({
    type: 'application/pdf',
    body: bytes,
    headers: { 'Content-Security-Policy': 'mine' },
  })
  expect(await open('good')).toMatchObject({
    text: '%PD',
    headers: { ...guarded, 'content-type': 'application/pdf', 'content-security-policy': 'mine' },
  })
})

it.each(['"other", W/"7"', '"7"', '*'])(
  'with an ETag, is kept but validated each time; If-None-Match %s gets 304 without a body',
  async tags => {
    page = async () => ({
      type: 'text/html',
      body: '<p>Hello</p>',
      etag: 'W/"7"',
      headers: { 'Content-Security-Policy': 'mine' },
    })
    const shown = { etag: 'W/"7"', 'cache-control': 'private, no-cache', 'content-security-policy': 'mine' }
    const headers = { ...guarded, ...shown }
    expect(await open('good')).toMatchObject({ status: 200, text: '<p>Hello</p>', headers })
    expect(await open('good', 'GET', { 'if-none-match': tags })).toMatchObject({
      status: 304,
      text: '',
      headers,
    })
    expect(await open('good', 'GET', { 'if-none-match': '"8"' })).toMatchObject({ status: 200, headers })
  },
)

it('is 404 for an unknown token, and for one whose page has just been deleted', async () => {
  const unknown = await open('unknown')
  expect(unknown).toMatchObject({
    status: 404,
    headers: guarded,
    text: expect.stringContaining('nothing here'),
  })
  page = async () => null
  expect((await open('good')).text).toBe(unknown.text)
})

it.each([
  ['good', 'ca-ES,es;q=0.9', 'ca', 'Aquí no hi ha res, o ja no.'],
  ['good?lang=de', 'ca', 'de', 'Hier gibt es nichts, oder nichts mehr.'],
  ['good?lang=xx', 'nl,tlh', 'en', 'There is nothing here, or nothing any more.'],
  ['good', 'constructor', 'en', 'There is nothing here, or nothing any more.'],
])('says at %s that it is gone, for a browser of %s', async (path, languages, language, sentence) => {
  page = async () => null
  const { text } = await open(path, 'GET', { 'accept-language': languages })
  expect(text).toContain(`<html lang="${language}">`)
  expect(text).toContain(`<title>${sentence}</title>`)
  expect(text).toContain(`<main><h1>${sentence}</h1></main>`)
})

it('distinguishes visits from HEAD requests', async () => {
  const visits: boolean[] = []
  page = async isVisit => {
    visits.push(isVisit)
    return { type: 'text/html', body: 'x' }
  }
  expect(await open('good', 'HEAD')).toMatchObject({ status: 200, text: '' })
  await open('good')
  expect(visits).toEqual([false, true])
})

it('is shown sixty times a minute over all clients, while other pages are still shown', async () => {
  const statuses = []
  for (let nth = 0; nth < 65; nth++) statuses.push((await open('good one')).status)
  expect(statuses.slice(0, 60)).toEqual(Array(60).fill(200))
  expect(statuses).toContain(429)
  expect((await open('good other')).status).toBe(200)
})

it.each([429, 503])(
  'shows people a page to retry later when its handler is refused with %i',
  async status => {
    page = async () => {
      const code = status === 429 ? 'TOO_MANY_CONCURRENT_REQUESTS' : 'UNAVAILABLE'
      throw new Problem(code, 'Too many PDFs.', { headers: { 'Retry-After': '5' } })
    }
    expect(await open('good')).toMatchObject({
      status,
      headers: { ...guarded, 'retry-after': '5', 'content-type': 'text/html; charset=utf-8' },
      text: expect.stringContaining('Too many at once'),
    })
  },
)

it('gets an aborted signal when its visitor disconnects', async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>()
  const { promise: disconnected, resolve: setReason } = Promise.withResolvers<unknown>()
  page = async (_isVisit, signal) => {
    signal.addEventListener('abort', () => setReason(signal.reason))
    resolve(signal)
    throw await disconnected
  }
  const visitor = new AbortController()
  const visit = fetch(`${url}/good`, { signal: visitor.signal }).catch(() => {})
  expect((await promise).aborted).toBe(false)
  visitor.abort()
  await visit
  expect(await disconnected).toBe(clientDisconnected)
})

it('reveals nothing about internal errors', async () => {
  const { status, text } = await open('broken')
  expect(status).toBe(500)
  expect(text).not.toContain('disk')
})
