/** The simulated portal as an HTTP server: robots.txt, caching, photos, counts, and changes of listings. */
import { crc32, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Simulator } from './index.ts'
import { startSimulator } from './index.ts'
import type { SimulatedListing } from './listing.ts'

const searchPath = '/venta/viviendas/vigo/'
let simulator: Simulator
let portal: string
let listings: SimulatedListing[]

beforeAll(async () => {
  simulator = await startSimulator({ seed: 3 })
  portal = simulator.portalUrl('portal_a')
  listings = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'vigo' })
})
afterAll(() => simulator.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(portal + path, { headers, redirect: 'manual' })

test('robots.txt disallows three folders, allows the rest, and names an existing sitemap', async () => {
  const text = await (await get('/robots.txt')).text()
  expect(text.split('\n')).toEqual(expect.arrayContaining(['User-agent: *', 'Disallow: /private/']))
  expect(text).toContain('Disallow: /admin/\nDisallow: /api/\n')
  expect(text).not.toMatch(/crawl-delay/i)
  const sitemap = await (await fetch(/^Sitemap: (.*)$/m.exec(text)![1]!)).text()
  expect(sitemap).toContain(`<loc>${portal}${searchPath}</loc>`)
})

describe('caching', () => {
  test.each([
    () => searchPath,
    () => `/inmueble/${listings[0]!.id}/`,
    () => `/fotos/${listings[0]!.id}/1.png`,
  ])('a matching entity tag is answered with 304 and no body', async toPath => {
    const etag = (await get(toPath())).headers.get('etag')!
    const again = await get(toPath(), { 'if-none-match': `"other", W/${etag}` })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await get(toPath(), { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('If-Modified-Since is applied if no entity tag is sent', async () => {
    const path = `/inmueble/${listings[0]!.id}/`
    const modified = (await get(path)).headers.get('last-modified')!
    expect(Date.parse(modified)).toBe(listings[0]!.publishedAt.getTime())
    expect((await get(path, { 'if-modified-since': modified })).status).toBe(304)
    const before = new Date(Date.parse(modified) - 60_000).toUTCString()
    expect((await get(path, { 'if-modified-since': before })).status).toBe(200)
  })
})

describe('methods and addresses', () => {
  test('HEAD answers as GET does, without the body', async () => {
    const head = await fetch(portal + searchPath, { method: 'HEAD' })
    const whole = await get(searchPath)
    expect(await head.text()).toBe('')
    for (const name of ['content-length', 'content-type', 'etag']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    }
    expect(whole.headers.get('content-length')).toBe(String((await whole.arrayBuffer()).byteLength))
  })

  test.each([
    ['POST', 'GET, HEAD'],
    ['PUT', 'GET, HEAD, POST'],
    ['DELETE', 'GET, HEAD, POST'],
  ])('%s is 405', async (method, allowed) => {
    const reply = await fetch(portal + searchPath, { method })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allowed])
  })

  test('an address without its last slash redirects to the one with it, and keeps the query', async () => {
    const reply = await get('/venta/viviendas/vigo?minRooms=2')
    expect([reply.status, reply.headers.get('location')]).toEqual([301, '/venta/viviendas/vigo/?minRooms=2'])
  })
})

describe('photos', () => {
  const splitPngChunks = (png: Buffer) => {
    const chunks = new Map<string, Buffer>()
    for (let index = 8; index < png.length; index += 12 + png.readUInt32BE(index)) {
      const framed = png.subarray(index + 4, index + 8 + png.readUInt32BE(index))
      expect(png.readUInt32BE(index + 8 + png.readUInt32BE(index))).toBe(crc32(framed))
      chunks.set(framed.toString('latin1', 0, 4), framed.subarray(4))
    }
    return chunks
  }
  const fetchPhoto = async (id: string, number: number) => {
    const reply = await get(`/fotos/${id}/${number}.png`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
    return Buffer.from(await reply.arrayBuffer())
  }

  test('are PNG pictures of 400 by 300, every pixel a colour of the palette', async () => {
    const png = await fetchPhoto(listings[1]!.id, 2)
    expect(png.toString('latin1', 0, 8)).toBe('\x89PNG\r\n\x1a\n')
    const chunks = splitPngChunks(png)
    expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
    expect([chunks.get('IHDR')!.readUInt32BE(0), chunks.get('IHDR')!.readUInt32BE(4)]).toEqual([400, 300])
    const lines = inflateSync(chunks.get('IDAT')!)
    expect(lines).toHaveLength(401 * 300)
    expect(Math.max(...new Set(lines))).toBeLessThan(chunks.get('PLTE')!.length / 3)
  })

  test('differ, are as many as the listing states, and may be cached', async () => {
    const listing = listings[1]!
    expect((await fetchPhoto(listing.id, 1)).equals(await fetchPhoto(listing.id, 2))).toBe(false)
    expect((await fetchPhoto(listing.id, listing.photoCount)).length).toBeGreaterThan(500)
    expect((await get(`/fotos/${listing.id}/${listing.photoCount + 1}.png`)).status).toBe(404)
    expect((await get(`/fotos/${listing.id}/1.png`)).headers.get('cache-control')).toContain('immutable')
  })
})

describe('changes of listings', () => {
  test('a changed price is shown on card and page, with a new entity tag, and other pages stay unchanged', async () => {
    const changed = listings[2]!
    const paths = [searchPath, ...listings.slice(0, 20).map(listing => `/inmueble/${listing.id}/`)]
    const snapshot = async (path: string) => {
      const reply = await get(path)
      return { etag: reply.headers.get('etag'), body: await reply.text() }
    }
    const before = await Promise.all(paths.map(snapshot))
    simulator.change(changed.id, { price: 123_456 })
    const after = await Promise.all(paths.map(snapshot))
    for (const [position, path] of paths.entries()) {
      const concerned = path === searchPath || path === `/inmueble/${changed.id}/`
      expect(after[position]!.body.includes('123.456 €'), path).toBe(concerned)
      expect(after[position]!.etag === before[position]!.etag, path).toBe(!concerned)
      if (!concerned) expect(after[position]!.body).toBe(before[position]!.body)
    }
    expect(simulator.findListing(changed.id)?.price).toBe(123_456)
    expect(simulator.findListing(changed.id)!.updatedAt.getTime()).toBeGreaterThan(
      changed.updatedAt.getTime(),
    )
    const cheaper = simulator.findListings({
      operation: 'sale',
      propertyType: 'homes',
      city: 'vigo',
      maxPrice: 123_456,
    })
    expect(cheaper.map(listing => listing.id)).toContain(changed.id)
  })

  test('a withdrawn listing is missing from searches, and its page is 410 with a message', async () => {
    const { id } = listings[5]!
    simulator.withdraw(id)
    const page = await get(`/inmueble/${id}/`)
    expect(page.status).toBe(410)
    expect(await page.text()).toContain('este anuncio ya no está publicado')
    const search = await (await get(searchPath)).text()
    expect(search).not.toContain(`data-listing-id="${id}"`)
    expect(search).toContain(`data-total="${listings.length - 1}"`)
    expect([...simulator.listings]).toHaveLength(25_999)
  })

  test('an unknown id is refused', () => {
    expect(() => simulator.withdraw('1')).toThrow('no listing has the id 1')
    expect(() => simulator.change('1', { price: 1 })).toThrow('no listing has the id 1')
  })
})

test('counts requests by kind and by address, and those against robots.txt separately', async () => {
  const { id } = listings[30]!
  const before = { ...simulator.requests.portal_a }
  for (const path of [
    '/robots.txt',
    `${searchPath}?page=2`,
    `/inmueble/${id}/`,
    `/inmueble/${id}/`,
    '/api/x',
  ]) {
    await (await get(path)).text()
  }
  const { byPath, ...after } = simulator.requests.portal_a
  const grown = Object.entries(after).map(([kind, count]) => [
    kind,
    count - before[kind as keyof typeof after],
  ])
  const expected = {
    search: 1,
    detail: 2,
    contact: 0,
    photo: 0,
    token: 0,
    robots: 1,
    disallowed: 1,
    other: 0,
  }
  expect(Object.fromEntries(grown)).toEqual(expected)
  expect(byPath.get(`/inmueble/${id}/`)).toBe(2)
})

test('a port in use is replaced by a free one', async () => {
  const takenPort = Number(new URL(portal).port)
  const other = await startSimulator({ ports: { portal_a: takenPort } })
  expect(other.portalUrl('portal_a')).not.toBe(portal)
  expect((await fetch(`${other.portalUrl('portal_a')}/robots.txt`)).status).toBe(200)
  await other.close()
})
