/** Public links to reports: they open the page and the PDF until they expire or are revoked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Share } from '../shares/schemas.ts'
import type { NewValuation, Valuation } from './schemas.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
const flat: NewValuation = {
  ...place,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  propertyType: 'homes',
  operation: 'sale',
  name: 'Mallorca 214',
}
const publicUrl = 'https://aldaba.example'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', PUBLIC_URL: publicUrl, BASE_PATH: '/v1,' } })
  await fillMarket(app.database, 'test', makeListingsAround(place))
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const create = async () => (await tenant.call<Valuation>('POST', '/valuations', { body: flat })).body
const get = async (id: string) => (await tenant.call<Valuation>('GET', `/valuations/${id}`)).body
const share = (id: string, body: object = {}) =>
  tenant.call<Share & { errors: object[] }>('POST', `/valuations/${id}/share`, { body })

async function open(url: string, method = 'GET') {
  const reply = await fetch(url.replace(publicUrl, app.url), { method })
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

test('a link opens the page and its PDF without a key, and sends no referrer', async () => {
  const { id } = await create()
  const { status, body } = await share(id)
  expect(status).toBe(201)
  expect(body.url).toMatch(new RegExp(`^${publicUrl}/v1/share/valuations/[\\w-]{32}$`))
  const page = await open(body.url)
  expect(page).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
    },
  })
  expect(page.text).toContain('<h1>Mallorca 214</h1>')
  const [, href] = /<a href="([^"]+)">PDF</.exec(page.text)!
  const pdf = await open(new URL(href!, body.url).href)
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(pdf.headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
  })
  expect(pdf.text.slice(0, 5)).toBe('%PDF-')
  // Served under each base path, like all routes.
  expect((await open(body.url.replace('/v1/', '/'))).status).toBe(200)
})

test('page views are counted, and the valuation shows the link', async () => {
  const { id } = await create()
  const { body } = await share(id)
  expect(body).toMatchObject({ expiresAt: null, views: 0, lastViewedAt: null })
  expect((await open(body.url, 'HEAD')).status).toBe(200)
  for (let nth = 0; nth < 3; nth++) await open(body.url)
  const shown = await get(id)
  expect(shown.share).toEqual({ ...body, views: 3, lastViewedAt: expect.any(String) })
  expect(shown.links.share).toBe(body.url)
  const list = await tenant.call<{ data: Valuation[] }>('GET', '/valuations')
  expect(list.body.data.find(one => one.id === id)!.links.share).toBe(body.url)
})

test('the page shows the current state of the valuation', async () => {
  const { id } = await create()
  const { url } = (await share(id)).body
  await tenant.call('PATCH', `/valuations/${id}`, { body: { name: 'Another name' } })
  expect((await open(url)).text).toContain('<h1>Another name</h1>')
})

test('sharing again keeps the URL and changes the expiry', async () => {
  const { id } = await create()
  const first = (await share(id)).body
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  expect((await share(id, { expiresAt })).body).toEqual({ ...first, expiresAt })
  expect((await open(first.url)).status).toBe(200)
})

test('concurrent requests to share get the same link', async () => {
  const { id } = await create()
  for (let round = 0; round < 3; round++) {
    const replies = await Promise.all(Array.from({ length: 8 }, () => share(id)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    const urls = [...new Set(replies.map(({ body }) => body.url))]
    expect(urls).toEqual([(await get(id)).links.share])
    expect((await open(urls[0]!)).status).toBe(200)
    await tenant.call('DELETE', `/valuations/${id}/share`)
  }
})

describe('404 for', () => {
  const nothing = { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } }
  const expectGone = async (url: string) => {
    for (const tail of ['', '/report.pdf']) {
      const reply = await open(url + tail)
      expect(reply).toMatchObject(nothing)
      expect(reply.text).not.toContain('Mallorca')
    }
  }

  test('a revoked link; the next link has another URL', async () => {
    const { id } = await create()
    const { url } = (await share(id)).body
    expect((await tenant.call('DELETE', `/valuations/${id}/share`)).status).toBe(204)
    await expectGone(url)
    expect(await get(id)).toMatchObject({ share: null, links: { share: null } })
    expect((await tenant.call('DELETE', `/valuations/${id}/share`)).status).toBe(204)
    const { body } = await share(id)
    expect(body.url).not.toBe(url)
    await expectGone(url)
    expect((await open(body.url)).status).toBe(200)
  })

  test('an expired link, which the valuation no longer shows', async () => {
    const { id } = await create()
    const { url } = (await share(id, { expiresAt: new Date(Date.now() + 1500).toISOString() })).body
    expect((await open(url)).status).toBe(200)
    await eventually(
      async () => (await open(url)).status,
      status => status === 404,
    )
    await expectGone(url)
    expect((await get(id)).share).toBeNull()
    const { body } = await share(id)
    expect(body.url).not.toBe(url)
    expect(body.views).toBe(0)
  })

  test('the link of a deleted valuation', async () => {
    const { id } = await create()
    const { url } = (await share(id)).body
    await tenant.call('DELETE', `/valuations/${id}`)
    await expectGone(url)
  })

  test('an unknown token', async () => {
    for (const token of ['x', 'a'.repeat(32), '%00', "'; drop table valuations; --", 'A'.repeat(90)])
      await expectGone(`${publicUrl}/v1/share/valuations/${encodeURIComponent(token)}`)
  })
})

test('an expiry in the past is refused', async () => {
  const { id } = await create()
  const { status, body } = await share(id, { expiresAt: '2020-01-01T00:00:00Z' })
  expect([status, body.errors]).toMatchObject([400, [{ path: '/expiresAt', code: 'NOT_ALLOWED' }]])
  expect((await get(id)).share).toBeNull()
})

test('opening one page too often is rate limited for that page only', async () => {
  const [one, other] = [await create(), await create()]
  const [url, otherUrl] = [(await share(one.id)).body.url, (await share(other.id)).body.url]
  const statuses: number[] = []
  for (let nth = 0; nth < 70; nth++) statuses.push((await open(url, 'HEAD')).status)
  expect(statuses.filter(status => status === 200).length).toBeGreaterThanOrEqual(60)
  const refused = await open(url)
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
  expect((await open(otherUrl)).status).toBe(200)
})

test('the token is not stored in plain text', async () => {
  const { id } = await create()
  const token = (await share(id)).body.url.split('/').at(-1)!
  const rows = await tenant.inTenant(tx =>
    tx.selectFrom('shares').selectAll().where('tenant_id', '=', tenant.tenantId).execute(),
  )
  for (const { token: stored, token_hash: hash } of rows) {
    expect(stored.includes(token)).toBe(false)
    expect(hash.includes(token)).toBe(false)
  }
})

test('a link expires by the clock of its environment', async () => {
  const own = await makeTenant(app)
  const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const { body: valuation } = await own.call<Valuation>('POST', '/valuations', { body: flat })
  const path = `/valuations/${valuation.id}/share`
  const { body: link } = await own.call<Share>('POST', path, { body: { expiresAt: daysAhead(3) } })
  const move = (days: number) => own.call('POST', '/sandbox/clock', { body: { now: daysAhead(days) } })
  expect((await move(2)).status).toBe(200)
  expect((await open(link.url)).status).toBe(200)
  expect((await move(4)).status).toBe(200)
  expect((await open(link.url)).status).toBe(404)
})
