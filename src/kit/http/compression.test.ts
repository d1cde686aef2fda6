/** Replies are compressed for clients that accept gzip, and are the same for all others. */
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  tenant = await makeTenant(app)
  await seedListings(
    tenant,
    Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`l${n}`, { address: `Calle ${n}` }])),
  )
})
afterAll(() => app.stop())

/** Reads a reply as raw bytes. */
const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    request(app.url + path, { headers: { 'x-api-key': tenant.key, ...headers } }, async reply =>
      resolve({ status: reply.statusCode!, headers: reply.headers, bytes: await buffer(reply) }),
    )
      .on('error', reject)
      .end()
  })
const gzip = { 'accept-encoding': 'gzip, deflate, br' }

describe('gzip', () => {
  test.each(['/public/v1/leads', '/public/v1/leads/export?format=csv', '/openapi.json', '/docs'])(
    '%s is compressed for clients that accept gzip',
    async path => {
      const [plain, compressed] = await Promise.all([get(path), get(path, gzip)])
      expect(plain.headers).not.toHaveProperty('content-encoding')
      expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
      expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true)
      expect(compressed.bytes.length).toBeLessThan(0.7 * plain.bytes.length)
    },
  )

  test.each(['/openapi.json', '/docs'])('%s has Vary: accept-encoding', async path => {
    expect((await get(path)).headers).toMatchObject({ vary: 'accept-encoding' })
  })

  test('does not compress short or already compressed replies', async () => {
    for (const path of ['/livez', '/public/v1/nothing'])
      expect((await get(path, gzip)).headers).not.toHaveProperty('content-encoding')
  })

  test('pages without a key are not compressed for clients that refuse gzip', async () => {
    for (const refusal of ['gzip;q=0', 'gzip; q=0.0, br', 'deflate', 'identity'])
      expect((await get('/openapi.json', { 'accept-encoding': refusal })).headers).not.toHaveProperty(
        'content-encoding',
      )
    expect((await get('/openapi.json', { 'accept-encoding': 'br, gzip;q=0.5' })).headers).toHaveProperty(
      'content-encoding',
    )
  })

  test('a long error is compressed too, and keeps its status', async () => {
    const query = Array.from({ length: 600 }, (_, n) => `unknown${n}=1`).join('&')
    const refused = await get(`/public/v1/leads?${query}`, gzip)
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, 'gzip'])
    expect(JSON.parse(gunzipSync(refused.bytes).toString())).toMatchObject({ code: 'INVALID_INPUT' })
  })
})

test('/ redirects to the reference', async () => {
  const reply = await get('/')
  expect([reply.status, reply.headers.location]).toEqual([302, '/docs'])
})
