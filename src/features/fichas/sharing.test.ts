/** Public links to sheets: what browsers may keep, and how little work visitors can cause. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { storeFicha } from '../../../test/fichas.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { typstPool } from '../../documents/typst-pool.ts'
import type { Share } from '../shares/schemas.ts'
import type { Ficha } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())
afterEach(() => vi.restoreAllMocks())

async function shareSheet() {
  const id = await storeFicha(app, tenant.tenantId)
  const { body } = await tenant.call<Share>('POST', `/fichas/${id}/share`, { body: {} })
  return { id, url: new URL(new URL(body.url).pathname, app.url).href }
}

async function open(url: string, etag?: string | null) {
  const headers = etag ? { 'if-none-match': etag } : {}
  const reply = await fetch(url, { headers })
  return {
    status: reply.status,
    etag: reply.headers.get('etag'),
    bytes: Buffer.from(await reply.arrayBuffer()),
  }
}

test('a PDF is rendered once for many visitors, and again for a new version and for another language', async () => {
  const render = vi.spyOn(typstPool, 'render')
  const { id, url } = await shareSheet()
  const pdf = `${url}/sheet.pdf`
  const first = await Promise.all(Array.from({ length: 8 }, () => open(pdf)))
  expect(first.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(new Set(first.map(({ etag }) => etag)).size).toBe(1)
  expect((await open(`${pdf}?utm_source=mail&language=xx`)).bytes.equals(first[0]!.bytes)).toBe(true)
  expect(render).toHaveBeenCalledTimes(1)
  expect((await open(`${pdf}?language=de`)).etag).not.toBe(first[0]!.etag)
  expect(render).toHaveBeenCalledTimes(2)
  await tenant.call('PATCH', `/fichas/${id}`, { body: { property: { title: 'Another title' } } })
  expect((await open(pdf)).etag).not.toBe(first[0]!.etag)
  expect(render).toHaveBeenCalledTimes(3)
})

test('two sheets with the same content do not share a PDF: each shows its own link', async () => {
  const render = vi.spyOn(typstPool, 'render')
  for (const { url } of [await shareSheet(), await shareSheet()]) await open(`${url}/sheet.pdf`)
  expect(render).toHaveBeenCalledTimes(2)
})

test.each(['', '/sheet.pdf'])(
  'what a visitor has kept is valid while nothing changes, never after the link is revoked: %s',
  async path => {
    const { id, url } = await shareSheet()
    const { etag } = await open(url + path)
    expect(await open(url + path, etag)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    await tenant.call('PATCH', `/fichas/${id}`, { body: { property: { price: 1234 } } })
    const changed = await open(url + path, etag)
    expect(changed.status).toBe(200)
    await tenant.call('DELETE', `/fichas/${id}/share`)
    expect((await open(url + path, changed.etag)).status).toBe(404)
  },
)

test('an expired link is 404 for what a visitor has kept, by the clock of the environment', async () => {
  const own = await makeTenant(app)
  const id = await storeFicha(app, own.tenantId)
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const { body } = await own.call<Share>('POST', `/fichas/${id}/share`, { body: { expiresAt: inDays(2) } })
  const pdf = `${app.url}${new URL(body.url).pathname}/sheet.pdf`
  const { etag } = await open(pdf)
  expect((await open(pdf, etag)).status).toBe(304)
  await own.call('POST', '/sandbox/clock', { body: { now: inDays(3) } })
  expect((await open(pdf, etag)).status).toBe(404)
  expect((await own.call<Ficha>('GET', `/fichas/${id}`)).body.share).toBeNull()
})

test('a visit that finds its page unchanged is counted too', async () => {
  const { id, url } = await shareSheet()
  const { etag } = await open(url)
  await open(url, etag)
  expect((await tenant.call<Ficha>('GET', `/fichas/${id}`)).body.share).toMatchObject({ views: 2 })
})

test('a PDF that a visitor has kept is not rendered to say that it is unchanged', async () => {
  // Its rate limits see another time too.
  const own = await startTestApp({ databaseUrl: app.config.databaseUrl!, env: { ROLE: 'api' } })
  const render = vi.spyOn(typstPool, 'render')
  const { url } = await shareSheet()
  const pdf = `${url.replace(app.url, own.url)}/sheet.pdf`
  const { etag } = await open(pdf)
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 301_000)
  expect((await open(pdf, etag)).status).toBe(304)
  expect(render).toHaveBeenCalledTimes(1)
  const again = await open(pdf)
  expect([again.status, again.etag]).toEqual([200, etag])
  expect(render).toHaveBeenCalledTimes(2)
  await own.stop()
})
