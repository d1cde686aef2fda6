/** Sheets over HTTP, made from listings of the simulator: generate, read, change, share, delete. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateFicha, toListingUrl } from '../../../test/fichas.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import { toListingPath as toItalianPath } from '../../simulator/portal-f/words.ts'
import type { Ficha } from './schemas.ts'

interface Refusal {
  code: string
  message: string
  errors: { path: string; code: string }[]
}

let app: TestApp
let tenant: TestTenant
let listings: SimulatedListing[]
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
  const simulator = await app.app.getSimulator()
  listings = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'barcelona' })
})
afterAll(() => app.stop())

const generate = (choices?: object) => generateFicha(tenant, listings[0]!, choices)
const get = async (id: string) => (await tenant.call<Ficha>('GET', `/fichas/${id}`)).body
const change = (id: string, body: object) => tenant.call<Ficha & Refusal>('PATCH', `/fichas/${id}`, { body })
const refuse = async (body: object) => (await tenant.call<Refusal>('POST', '/fichas/generate', { body })).body

async function open(url: string) {
  const reply = await fetch(new URL(new URL(url).pathname, app.url))
  return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
}

test('a listing becomes a sheet with its facts and its photos', async () => {
  const [listing] = listings
  const ficha = await generate({ language: 'ca', energy: { rating: 'D' } })
  expect(ficha).toMatchObject({
    status: 'ready',
    version: 1,
    platform: 'portal_a',
    language: 'ca',
    layout: 'classic',
    privacy: { address: 'street', coordinates: 'approximate' },
    energy: { rating: 'D' },
    error: null,
  })
  const { title, price, squareMeters, bedrooms, bathrooms, postcode, latitude, longitude } = listing!
  expect(ficha.property).toMatchObject({
    title,
    operation: 'sale',
    propertyType: 'homes',
    price,
    currency: 'EUR',
    squareMeters,
    bedrooms,
    bathrooms,
    postcode,
    country: 'ES',
    latitude,
    longitude,
  })
  expect(ficha.evidence.price).toEqual({ source: 'json-ld', where: null, confidence: null })
  expect(ficha.photos).toHaveLength(listing!.photoCount)
  expect(ficha.photos[0]).toMatchObject({ number: 1, isIncluded: true, widthPx: 400, heightPx: 300 })
  // The page says `Fachada — foto 1 de 8`.
  expect(ficha.photos[0]!.alt).toMatch(/^\p{L}[\p{L} ]+$/u)
  const { phone, name } = listing!.advertiser
  expect(JSON.stringify(ficha)).not.toContain(phone.slice(-9))
  expect(JSON.stringify(ficha)).not.toContain(name)
  expect(await get(ficha.id)).toEqual(ficha)
})

test('a listing of the Italian portal becomes a sheet', async () => {
  const simulator = await app.app.getSimulator()
  const listing = Iterator.from(simulator.listings).find(
    ({ country, operation }) => country === 'IT' && operation === 'rent',
  )!
  const propertyUrl = `https://portal-f.example${toItalianPath(listing.id)}?utm_source=mail#photos`
  const ficha = await generateFicha(tenant, listing, { propertyUrl, language: 'it' })
  expect(ficha).toMatchObject({ status: 'ready', platform: 'portal_f' })
  expect(ficha.property).toMatchObject({ operation: 'rent', price: listing.price, pricePeriod: 'month' })
  expect(ficha.sourceUrl).toMatch(/\/annunci\/\d+\/$/)
})

test('with waitSeconds 0 the sheet is generating, and is ready later', async () => {
  const started = await generate({ waitSeconds: 0 })
  expect(started).toMatchObject({ status: 'generating', property: null, version: 0, photos: [] })
  expect(started.links).toEqual({ html: null, pdf: null, share: null, qr: null })
  const { body } = await tenant.call<Ficha>('GET', `/fichas/${started.id}?waitSeconds=30`)
  expect(body).toMatchObject({ status: 'ready', version: 1 })
})

describe('400 for', () => {
  test('no URL', async () => {
    const { errors } = await refuse({})
    expect(errors).toEqual([expect.objectContaining({ path: '/propertyUrl', code: 'REQUIRED' })])
  })

  test.each([
    'https://portal-a.example/',
    'https://portal-a.example/venta/viviendas/barcelona/',
    'https://other.example/inmueble/100000001/',
    'ftp://portal-a.example/inmueble/100000001/',
    'not a URL',
  ])('%s; the message names the portals and an example', async propertyUrl => {
    const { message, errors } = await refuse({ propertyUrl })
    expect(errors).toEqual([expect.objectContaining({ path: '/propertyUrl', code: 'NOT_A_LISTING' })])
    expect(message).toContain('Portal A, such as https://portal-a.example/inmueble/')
    expect(message).toContain('Portal F, such as https://portal-f.example/annunci/')
    expect(message).not.toMatch(/Portal [B-EGH]/)
  })

  test('two URLs of different listings, and for a URL of another portal in the second field', async () => {
    const [one, other] = listings.map(toListingUrl)
    expect((await refuse({ propertyUrl: one, portalAUrl: other })).errors[0]!.code).toBe('CONTRADICTION')
    const portalAUrl = 'https://portal-f.example/annunci/100000001/'
    expect((await refuse({ portalAUrl })).errors[0]).toMatchObject({
      path: '/portalAUrl',
      code: 'NOT_A_LISTING',
    })
  })
})

test('the same listing in both fields is accepted', async () => {
  const portalAUrl = `${toListingUrl(listings[0]!)}?origin=mail`
  expect((await generate({ portalAUrl, waitSeconds: 0 })).status).toBe('generating')
})

test('each change makes a version; edited fields say so; nothing else changes', async () => {
  const ficha = await generate()
  const { body } = await change(ficha.id, {
    version: 1,
    property: { title: 'A flat with a view', price: null },
    photos: [{ number: 2, alt: 'The living room' }, { number: 1 }],
    privacy: { address: 'hidden' },
    agent: { name: 'Marta Soler', licence: 'AICAT 1234' },
    layout: 'gallery',
  })
  expect(body).toMatchObject({ version: 2, layout: 'gallery', language: ficha.language })
  expect(body.property).toEqual({ ...ficha.property, title: 'A flat with a view', price: null })
  expect(body.evidence.title).toMatchObject({ source: 'edited' })
  expect(body.privacy).toEqual({ address: 'hidden', coordinates: 'approximate' })
  expect(body.agent).toEqual({
    name: 'Marta Soler',
    phone: null,
    email: null,
    licence: 'AICAT 1234',
    hasPhoto: false,
  })
  expect(body.photos.map(({ number, isIncluded }) => [number, isIncluded]).slice(0, 3)).toEqual([
    [2, true],
    [1, true],
    [3, false],
  ])
  expect(body.photos[0]!.alt).toBe('The living room')
  expect((await change(ficha.id, { layout: 'gallery' })).body.version).toBe(2)
  const { body: versions } = await tenant.call<{ data: { version: number; property: object }[] }>(
    'GET',
    `/fichas/${ficha.id}/versions`,
  )
  expect(versions.data.map(({ version }) => version)).toEqual([2, 1])
  expect(versions.data[1]!.property).toEqual(ficha.property)
})

test('of two edits of one version the second is refused', async () => {
  const { id } = await generate()
  expect((await change(id, { version: 1, layout: 'compact' })).status).toBe(200)
  const refused = await change(id, { version: 1, layout: 'gallery' })
  expect([refused.status, refused.body.code]).toEqual([409, 'VERSION_CONFLICT'])
  expect((await get(id)).layout).toBe('compact')
})

test('unknown and repeated photos are refused', async () => {
  const { id } = await generate()
  const { status, body } = await change(id, { photos: [{ number: 1 }, { number: 40 }, { number: 1 }] })
  expect(status).toBe(400)
  expect(body.errors.map(({ path, code }) => [path, code])).toEqual([
    ['/photos/1/number', 'UNKNOWN_PHOTO'],
    ['/photos/2/number', 'DUPLICATE'],
  ])
})

test('a link opens the page and the PDF without a key, and counts views', async () => {
  const { id } = await generate()
  const { body: share } = await tenant.call<{ url: string }>('POST', `/fichas/${id}/share`, { body: {} })
  const page = await open(share.url)
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'/)
  const pdf = await open(`${share.url}/sheet.pdf`)
  expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-'])
  expect((await get(id)).share).toMatchObject({ views: 1 })
  const [, photo] = /"([^"]*\/photos\/1-400\.jpg)/.exec(page.text)!
  const shown = await open(new URL(photo!, share.url).href)
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
  const qr = await tenant.call('GET', `/fichas/${id}/qr.svg`)
  expect([qr.status, qr.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
  await change(id, { photos: [{ number: 2 }] })
  const own = await tenant.call('GET', `/fichas/${id}/photos/1?width=300`)
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect((await tenant.call('GET', `/fichas/${id}/photos/40`)).status).toBe(404)
  expect((await open(`${share.url}/photos/1-400.jpg`)).status).toBe(404)
  await tenant.call('DELETE', `/fichas/${id}/share`)
  expect((await open(share.url)).status).toBe(404)
})

test('a deleted sheet is gone with its link', async () => {
  const { id } = await generate()
  const { body: share } = await tenant.call<{ url: string }>('POST', `/fichas/${id}/share`, { body: {} })
  expect((await tenant.call('DELETE', `/fichas/${id}`)).status).toBe(204)
  expect((await tenant.call('GET', `/fichas/${id}`)).status).toBe(404)
  expect((await open(share.url)).status).toBe(404)
  const rows = await tenant.inTenant(tx =>
    tx.selectFrom('blob_references').select('blob_id').where('object_id', '=', id).execute(),
  )
  expect(rows).toEqual([])
})
