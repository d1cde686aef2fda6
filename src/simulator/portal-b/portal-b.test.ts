// The simulated portal B as an HTTP server: its addresses, caching, photos, and what it refuses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Advert } from '../advert.ts'
import { type Simulator, startSimulator } from '../index.ts'
import { detailPath, photoPath } from './words.ts'

const SEARCH = '/es/comprar/viviendas/espana/tu-zona-de-busqueda/l'
const VIGO = `${SEARCH}?combinedLocationIds=724_PO_36057`
let simulator: Simulator
let portal: string
let adverts: Advert[]

beforeAll(async () => {
  simulator = await startSimulator({ seed: 5 })
  portal = simulator.portalUrl('portal_b')
  adverts = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'vigo' })
})
afterAll(() => simulator.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(portal + path, { headers, redirect: 'manual' })

test('a search by the name of a city finds what the search by its number finds', async () => {
  const totals = await Promise.all(
    [VIGO, '/es/comprar/viviendas/vigo/todas-las-zonas/l'].map(async path => {
      const html = await (await get(path)).text()
      return /<h1[^>]*>([\d.]+) /.exec(html)?.[1]
    }),
  )
  expect(totals).toEqual([String(adverts.length), String(adverts.length)])
})

test('weighs what such pages weigh, with most of it in the scripts', async () => {
  const html = await (await get(VIGO)).text()
  const state = html.slice(html.indexOf('id="sui-scripts"'))
  expect(html.length).toBeGreaterThan(200_000)
  expect(state.length / html.length).toBeGreaterThan(0.7)
})

describe('caching', () => {
  test.each([() => VIGO, () => detailPath(adverts[0]!), () => photoPath(adverts[0]!.id, 1)])(
    'an entity tag that is still true is answered with 304 and no body',
    async pathOf => {
      const etag = (await get(pathOf())).headers.get('etag')!
      const again = await get(pathOf(), { 'if-none-match': etag })
      expect([again.status, await again.text()]).toEqual([304, ''])
    },
  )

  test('a changed price shows on card and page under a new tag', async () => {
    const path = detailPath(adverts[1]!)
    const before = await get(path)
    simulator.change(adverts[1]!.id, { price: 123_456 })
    const after = await get(path)
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(await after.text()).toContain('"price":123456')
    expect(await (await get(VIGO)).text()).toContain('\\"rawPrice\\":123456')
  })
})

describe('addresses', () => {
  test('of an advert with words that are out of date lead to the one that is true', async () => {
    const path = detailPath(adverts[2]!)
    const reply = await get(path.replace(/\/vigo\/[^/]+/, '/vigo/sin-amueblar'))
    expect([reply.status, reply.headers.get('location')]).toEqual([301, path])
  })

  test.each([
    ['/es/comprar/castillos/vigo/todas-las-zonas/l', 404],
    ['/es/comprar/vivienda/vigo/terraza/2999999999/d', 404],
    ['/images/ads/2999999999-1', 404],
    [`${SEARCH}?combinedLocationIds=36057`, 400],
    [`${VIGO}&minPrice=mucho`, 400],
    [`${VIGO}&extras=13,99`, 400],
    [`${VIGO}&conservationStatusIds=9`, 400],
    [`${VIGO}&publishedWithin=3`, 400],
    ['/es/comprar/viviendas/vigo/todas-las-zonas/l/0', 400],
    ['/acceso/', 200],
    ['/', 200],
  ])('%s is %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })

  test('POST is refused', async () => {
    const reply = await fetch(portal + VIGO, { method: 'POST' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('an advert in another country is none of this portal', async () => {
    const [abroad] = simulator.advertsOf({ operation: 'sale', propertyType: 'homes', city: 'lisboa' })
    expect(abroad).toBeDefined()
    expect((await get(detailPath(abroad!))).status).toBe(404)
  })
})

test('photos are there, as many as the advert says', async () => {
  const { id, photoCount } = adverts[3]!
  const photo = await get(photoPath(id, photoCount))
  expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await get(photoPath(id, photoCount + 1))).status).toBe(404)
})

test('robots.txt keeps robots out of two trees, and requests there are counted apart', async () => {
  expect(await (await get('/robots.txt')).text()).toContain('Disallow: /api/\nDisallow: /perfil/\n')
  const before = simulator.requests.portal_b.disallowed
  await (await get('/api/x')).text()
  expect(simulator.requests.portal_b.disallowed).toBe(before + 1)
})
