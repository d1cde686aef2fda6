/** The simulated portal B as an HTTP server: its addresses, caching, photos and refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../index.ts'
import type { SimulatedListing } from '../listing.ts'
import { toDetailPath, toPhotoPath } from './words.ts'

const searchPath = '/es/comprar/viviendas/espana/tu-zona-de-busqueda/l'
const vigoPath = `${searchPath}?combinedLocationIds=724_PO_36057`
let simulator: Simulator
let portal: string
let listings: SimulatedListing[]

beforeAll(async () => {
  simulator = await startSimulator({ seed: 5 })
  portal = simulator.portalUrl('portal_b')
  listings = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'vigo' })
})
afterAll(() => simulator.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(portal + path, { headers, redirect: 'manual' })

test('a search by the name of a city equals the search by its number', async () => {
  const totals = await Promise.all(
    [vigoPath, '/es/comprar/viviendas/vigo/todas-las-zonas/l'].map(async path => {
      const html = await (await get(path)).text()
      return /<h1[^>]*>([\d.]+) /.exec(html)?.[1]
    }),
  )
  expect(totals).toEqual([String(listings.length), String(listings.length)])
})

test('a search page is as large as real pages, with most bytes in scripts', async () => {
  const html = await (await get(vigoPath)).text()
  const state = html.slice(html.indexOf('id="sui-scripts"'))
  expect(html.length).toBeGreaterThan(200_000)
  expect(state.length / html.length).toBeGreaterThan(0.7)
})

describe('caching', () => {
  test.each([
    ['a search', () => vigoPath],
    ['a listing', () => toDetailPath(listings[0]!)],
    ['a photo', () => toPhotoPath(listings[0]!.id, 1)],
  ])('%s with a matching entity tag is answered with 304 and no body', async (_what, toPath) => {
    const etag = (await get(toPath())).headers.get('etag')!
    const again = await get(toPath(), { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('a changed price is shown on card and page, with a new entity tag', async () => {
    const path = toDetailPath(listings[1]!)
    const before = await get(path)
    simulator.change(listings[1]!.id, { price: 123_456 })
    const after = await get(path)
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(await after.text()).toContain('"price":123456')
    expect(await (await get(vigoPath)).text()).toContain('\\"rawPrice\\":123456')
  })
})

describe('addresses', () => {
  test('of a listing with outdated words redirect to the current address', async () => {
    const path = toDetailPath(listings[2]!)
    const reply = await get(path.replace(/\/vigo\/[^/]+/, '/vigo/sin-amueblar'))
    expect([reply.status, reply.headers.get('location')]).toEqual([301, path])
  })

  test.each([
    ['/es/comprar/castillos/vigo/todas-las-zonas/l', 404],
    ['/es/comprar/vivienda/vigo/terraza/2999999999/d', 404],
    ['/images/ads/2999999999-1', 404],
    [`${searchPath}?combinedLocationIds=36057`, 400],
    [`${vigoPath}&minPrice=mucho`, 400],
    [`${vigoPath}&extras=13,99`, 400],
    [`${vigoPath}&conservationStatusIds=9`, 400],
    [`${vigoPath}&publishedWithin=3`, 400],
    ['/es/comprar/viviendas/vigo/todas-las-zonas/l/0', 400],
    ['/acceso/', 200],
    ['/', 200],
  ])('%s is %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })

  test('POST is refused', async () => {
    const reply = await fetch(portal + vigoPath, { method: 'POST' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('a listing of another country is not on this portal', async () => {
    const [abroad] = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'lisboa' })
    expect(abroad).toBeDefined()
    expect((await get(toDetailPath(abroad!))).status).toBe(404)
  })
})

test('there are as many photos as the listing states', async () => {
  const { id, photoCount } = listings[3]!
  const photo = await get(toPhotoPath(id, photoCount))
  expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await get(toPhotoPath(id, photoCount + 1))).status).toBe(404)
})

test('robots.txt disallows two folders, and requests to them are counted separately', async () => {
  expect(await (await get('/robots.txt')).text()).toContain('Disallow: /api/\nDisallow: /perfil/\n')
  const before = simulator.requests.portal_b.disallowed
  await (await get('/api/x')).text()
  expect(simulator.requests.portal_b.disallowed).toBe(before + 1)
})
