/** Reports retrieved with an API key: page and PDF show the valuation under the agency's branding. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeKey } from '../../../test/make.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import { extractPdfText } from '../../../test/pdf-text.ts'
import { setSetting } from '../../../test/settings.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { branding, documentLanguage, logo as logoSetting, toLogo } from '../identity/settings.ts'
import { getReportWords } from './report/languages.ts'
import { roundEstimate } from './report/rounding.ts'
import type { NewValuation, Valuation } from './schemas.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
const flat: NewValuation = {
  ...place,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  propertyType: 'homes',
  operation: 'sale',
  name: 'Mallorca <214>',
  address: 'Carrer de Mallorca, 214',
  amenities: ['ascensor', 'piscina'],
}
const logo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  await fillMarket(app.database, 'test', makeListingsAround(place))
})
afterAll(() => app.stop())

async function create(body: Partial<NewValuation> = {}): Promise<Valuation> {
  const reply = await app.call<Valuation>('POST', '/valuations', { body: { ...flat, ...body } })
  if (reply.status !== 201) throw new Error(`POST /valuations answered ${reply.status}: ${reply.text}`)
  return reply.body
}

async function fetchReport(id: string, tail: string, key = app.workspace.testKey) {
  const reply = await fetch(`${app.url}/public/v1/valuations/${id}/${tail}`, {
    headers: { 'x-api-key': key },
  })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

const spanish = (value: number) => new Intl.NumberFormat('es').format(value)
const stripBlanks = (text: string) => text.replace(/\s/g, '')

test('the page is shown inline, with a content security policy that loads nothing', async () => {
  const { id, estimate } = await create()
  const { status, headers, bytes } = await fetchReport(id, 'report')
  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition': `inline; filename="valuation-${id}.html"`,
    'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
  })
  const page = bytes.toString()
  expect(page).toMatch(/^<!doctype html>\n<html lang="es/)
  expect(page).toContain('<h1>Mallorca &lt;214&gt;</h1>')
  expect(page).toContain(spanish(roundEstimate(estimate).value))
  expect(page).toContain('piscina')
  expect(page).not.toContain('>PDF<')
})

test('the PDF shows the same, in the configured language and sections', async () => {
  const reportConfig = { language: 'de' as const, sections: ['summary' as const], showAddress: false }
  const { id, estimate } = await create({ reportConfig })
  const { status, headers, bytes } = await fetchReport(id, 'report.pdf')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toBe(`inline; filename="valuation-${id}.pdf"`)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const text = extractPdfText(bytes)
  expect(text).toContain(stripBlanks(new Intl.NumberFormat('de').format(roundEstimate(estimate).value)))
  const { section } = getReportWords('de')
  expect(text).toContain(stripBlanks(section.summary))
  expect(text).not.toContain(stripBlanks(section.method))
  expect(text).not.toContain(stripBlanks(flat.address!))
})

test('the page shows the prices of all considered comparables, even after the market data are deleted', async () => {
  const { id } = await create()
  const before = await fetchReport(id, 'report')
  await app.database.ownerPool.query('truncate market_properties cascade')
  expect((await fetchReport(id, 'report')).bytes.equals(before.bytes)).toBe(true)
  await fillMarket(app.database, 'test', makeListingsAround(place))
  expect(before.bytes.toString()).toMatch(/40 inmuebles/)
})

test('the page has the last change of the valuation as date of issue', async () => {
  const { id } = await create({ reportConfig: { language: 'en' } })
  const [made, changed] = [new Date('2026-10-05T12:00:00Z'), new Date('2026-10-09T12:00:00Z')]
  await app.database.withTenant({ tenantId: app.workspace.testTenantId }, tx =>
    tx
      .updateTable('valuations')
      .set({ as_of: made, created_at: made, updated_at: changed })
      .where('id', '=', id)
      .execute(),
  )
  const page = (await fetchReport(id, 'report')).bytes.toString()
  const { valuedOn, issuedOn } = getReportWords('en')
  const shown = [valuedOn, issuedOn].map(label => page.match(`<dt>${label}</dt><dd>([^<]*)`)?.[1])
  expect(shown).toEqual(['5 October 2026', '9 October 2026'])
})

test('both say that a user chose the comparables, and how many were left out', async () => {
  const { id, comparables } = await create()
  expect((await fetchReport(id, 'report')).bytes.toString()).not.toContain('eligió')
  const includedComparableIds = comparables.slice(0, 3).map(comparable => comparable.id)
  const reply = await app.call('PATCH', `/valuations/${id}`, { body: { includedComparableIds } })
  expect(reply.status).toBe(200)
  const { method } = getReportWords('es')
  const page = (await fetchReport(id, 'report')).bytes.toString()
  expect(page).toContain(method.chosen)
  expect(page).toContain(`<dt>${method.exclusion.not_chosen}</dt><dd>37</dd>`)
  expect(page).not.toContain(method.exclusion.less_similar)
  expect(extractPdfText((await fetchReport(id, 'report.pdf')).bytes)).toContain(stripBlanks(method.chosen))
})

test('both have the name, colours and time zone of the agency', async () => {
  const { slug } = app.workspace
  const { id } = await create()
  await app.database.owner
    .updateTable('workspaces')
    .set({ timezone: 'Pacific/Kiritimati', name: 'Finques Aldaba' })
    .where('slug', '=', slug)
    .execute()
  const website = 'finques.example'
  const look = { color: '#aa0044', phone: '93 400 00 00', website }
  const tenantId = app.workspace.liveTenantId
  await setSetting(app.database, tenantId, branding, look)
  await setSetting(app.database, tenantId, logoSetting, toLogo(logo))
  const page = (await fetchReport(id, 'report')).bytes.toString()
  expect(page).toContain('--brand: #aa0044')
  expect(page).toContain(`src="data:image/svg+xml;base64,${logo.toString('base64')}" alt="Finques Aldaba"`)
  for (const text of ['93 400 00 00', website]) expect(page).toContain(`<span>${text}</span>`)
  const nowThere = Temporal.Now.instant().toZonedDateTimeISO('Pacific/Kiritimati')
  const format = new Intl.DateTimeFormat('es-ES', { dateStyle: 'long', timeZone: 'Pacific/Kiritimati' })
  expect(page).toContain(format.format(nowThere.epochMilliseconds))
  expect(extractPdfText((await fetchReport(id, 'report.pdf')).bytes)).toContain('934000000')
  await setSetting(app.database, tenantId, branding, { ...look, phone: null })
  await setSetting(app.database, tenantId, logoSetting, null)
  const plain = (await fetchReport(id, 'report')).bytes.toString()
  expect(plain).toContain('<p class="agency">Finques Aldaba</p>')
  expect(plain).not.toContain('93 400 00 00')
  expect(plain).toContain('--brand: #aa0044')
})

test('both default to the language of the workspace at creation, and keep it', async () => {
  const { id } = await create({ reportConfig: { showAddress: false } })
  const own = await makeTenant(app)
  await setSetting(app.database, own.tenantId, documentLanguage, 'ca')
  const catalan = await own.call<Valuation>('POST', '/valuations', { body: flat })
  expect(catalan.body.reportConfig).toMatchObject({ language: 'ca', showAddress: true })
  expect((await fetchReport(catalan.body.id, 'report', own.key)).bytes.toString()).toContain('lang="ca')
  await setSetting(app.database, own.tenantId, documentLanguage, 'pl')
  expect((await fetchReport(catalan.body.id, 'report', own.key)).bytes.toString()).toContain('lang="ca')
  const change = (reportConfig: object | null) =>
    own.call<Valuation>('PATCH', `/valuations/${catalan.body.id}`, { body: { reportConfig } })
  expect((await change({ language: 'en' })).body.reportConfig.language).toBe('en')
  expect((await change(null)).body.reportConfig.language).toBe('pl')
  expect((await fetchReport(id, 'report')).bytes.toString()).toContain('lang="es')
})

test('both require a key with the scope', async () => {
  const { id } = await create()
  const leads = await makeKey(app.database, { workspace: app.workspace.slug, scopes: ['leads:read'] })
  for (const tail of ['report', 'report.pdf'])
    for (const [key, status] of [
      ['nonsense', 401],
      [leads, 403],
      [app.workspace.liveKey, 404],
    ] as const)
      expect((await fetchReport(id, tail, key)).status).toBe(status)
})

test('many PDF requests of one tenant do not delay others, and abandoned ones are dropped', async () => {
  const { id } = await create({ reportConfig: { sections: ['summary'] } })
  const other = await makeTenant(app)
  const others = await other.call<Valuation>('POST', '/valuations', { body: flat })
  const gone = new AbortController()
  const ended: unknown[] = []
  const flood = Array.from({ length: 40 }, async () => {
    for (let status = 200; status === 200; ) {
      const reply = await fetch(`${app.url}/public/v1/valuations/${id}/report.pdf`, {
        headers: { 'x-api-key': app.workspace.testKey },
        signal: gone.signal,
      })
      await reply.arrayBuffer()
      status = reply.status
      ended.push([status, reply.headers.get('retry-after')])
    }
  })
  const all = Promise.allSettled(flood)
  await expect.poll(() => ended).toContainEqual([429, '5'])
  expect((await fetchReport(others.body.id, 'report.pdf', other.key)).status).toBe(200)
  gone.abort()
  await all
  expect((await fetchReport(id, 'report.pdf')).status).toBe(200)
})
