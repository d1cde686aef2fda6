/** Every fault of the simulated portal, as a client sees it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from './faults.ts'
import type { Simulator } from './index.ts'
import { startSimulator } from './index.ts'

const searchPath = '/venta/viviendas/cordoba/'
let simulator: Simulator
let portal: string
let detailPath: string

beforeAll(async () => {
  simulator = await startSimulator()
  portal = simulator.portalUrl('portal_a')
  const [listing] = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'cordoba' })
  detailPath = `/inmueble/${listing!.id}/`
})
afterEach(() => simulator.faults.clear())
afterAll(() => simulator.close())

const get = (path: string) => fetch(portal + path, { redirect: 'manual' })
const read = async (path: string) => (await get(path)).text()

describe('kinds', () => {
  test('status: any status, with Retry-After', async () => {
    simulator.faults.add({ kind: 'status', status: 503, retryAfterSeconds: 7 })
    const reply = await get(searchPath)
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '7'])
  })

  test('hang: never answers, blocks no other request, and lets the simulator close', async () => {
    const ownSimulator = await startSimulator({ faults: [{ kind: 'hang', match: '/inmueble/' }] })
    let answered = false
    const hung = fetch(ownSimulator.portalUrl('portal_a') + detailPath).finally(() => {
      answered = true
    })
    hung.catch(() => {})
    while (ownSimulator.requests.portal_a.detail === 0)
      await (await fetch(`${ownSimulator.portalUrl('portal_a')}/robots.txt`)).text()
    expect(answered).toBe(false)
    await ownSimulator.close()
    await expect(hung).rejects.toThrow()
  })

  test('drip: the whole page, a byte at a time', async () => {
    const whole = await read('/robots.txt')
    simulator.faults.add({ kind: 'drip', intervalMs: 1 })
    const reply = await get('/robots.txt')
    let chunks = 0
    let text = ''
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      chunks += 1
      text += chunk
    }
    expect(text).toBe(whole)
    expect(chunks).toBeGreaterThan(20)
  })

  test('close: the connection closes within the body', async () => {
    simulator.faults.add({ kind: 'close' })
    const reply = await get(detailPath)
    expect(reply.status).toBe(200)
    await expect(reply.text()).rejects.toThrow()
  })

  test.each([
    { status: undefined, seen: 403 },
    { status: 200, seen: 200 },
  ])('challenge: a robot check with status $seen', async ({ status, seen }) => {
    simulator.faults.add({ kind: 'challenge', ...(status === undefined ? {} : { status }) })
    const reply = await get(searchPath)
    expect(reply.status).toBe(seen)
    expect(await reply.text()).toContain('No soy un robot')
  })

  test('empty: a search page with a total and without listings', async () => {
    simulator.faults.add({ kind: 'empty' })
    const reply = await get(searchPath)
    const html = await reply.text()
    expect(html).toMatch(/data-total="[1-9]/)
    expect(html).not.toContain('<article')
    expect(html).not.toContain('No hay')
    expect(reply.headers.get('etag')).toBeNull()
  })

  test('redirectToLogin: 302 to a sign-in page', async () => {
    simulator.faults.add({ kind: 'redirectToLogin' })
    const reply = await get(detailPath)
    const location = reply.headers.get('location')!
    expect([reply.status, location]).toEqual([302, `/acceso/?siguiente=${encodeURIComponent(detailPath)}`])
    expect(await read(location)).toContain('Accede a tu cuenta')
  })

  test('layout: the same content with other names and without embedded data', async () => {
    const before = [await read(searchPath), await read(detailPath)] as const
    simulator.faults.add({ kind: 'layout' })
    const after = [await read(searchPath), await read(detailPath)] as const
    const price = /class="item-price">([^<]+)</.exec(before[0])![1]!
    for (const html of after) {
      expect(html).toContain(price)
      const old = /ld\+json|data-listing-id="|data-total="|class="(item|details-property|info-data)[" -]/
      expect(old.exec(html)?.[0]).toBeUndefined()
    }
  })

  test('loop: every page of a search repeats the first and announces one more', async () => {
    const first = await read(searchPath)
    simulator.faults.add({ kind: 'loop' })
    const ids = (html: string) => html.match(/data-listing-id="[^"]+"/g)
    for (const page of [2, 999]) {
      const html = await read(`${searchPath}?page=${page}`)
      expect(ids(html)).toEqual(ids(first))
      expect(html).toContain(`<link rel="next" href="${searchPath}?page=${page + 1}">`)
    }
    expect(await read(detailPath)).toContain('ld+json')
  })

  test('length: announces more than it sends, and closes the connection', async () => {
    const whole = await read(detailPath)
    simulator.faults.add({ kind: 'length' })
    const reply = await get(detailPath)
    expect(Number(reply.headers.get('content-length'))).toBe(Buffer.byteLength(whole) * 2)
    await expect(reply.text()).rejects.toThrow()
  })

  test('huge: a page of 50 MB', async () => {
    simulator.faults.add({ kind: 'huge' })
    let bytes = 0
    for await (const chunk of (await get(searchPath)).body!) bytes += chunk.length
    expect(bytes).toBe(50_000_000)
  })

  test('latency: the normal page, delayed', async () => {
    const before = await read(detailPath)
    simulator.faults.add({ kind: 'latency', latencyMs: 120 })
    const start = performance.now()
    expect(await read(detailPath)).toBe(before)
    expect(performance.now() - start).toBeGreaterThan(115)
  })
})

describe('a fault applies to', () => {
  const fetchStatuses = async (...paths: string[]) => {
    const seen: number[] = []
    for (const path of paths) {
      const reply = await get(path)
      await reply.arrayBuffer()
      seen.push(reply.status)
    }
    return seen
  }

  test('only the given number of requests', async () => {
    simulator.faults.add({ kind: 'status', times: 2 })
    expect(await fetchStatuses(searchPath, detailPath, searchPath)).toEqual([500, 500, 200])
    expect(simulator.faults.list()).toEqual([])
  })

  test.each<[string, Fault['match'], number[]]>([
    ['a path prefix', '/inmueble/', [200, 503]],
    ['a prefix of path and query', `${searchPath}?page=2`, [200, 200]],
    ['a global regular expression', /cordoba/g, [503, 200]],
  ])('requests that match %s', async (_, match, expected) => {
    simulator.faults.add({ kind: 'status', status: 503, ...(match === undefined ? {} : { match }) })
    const [search, page] = expected
    expect(await fetchStatuses(searchPath, searchPath, detailPath, detailPath)).toEqual([
      search,
      search,
      page,
      page,
    ])
  })

  test('requests to its portal', async () => {
    simulator.faults.add({ kind: 'status', portal: 'portal_b' })
    expect(await fetchStatuses(searchPath)).toEqual([200])
  })

  test('requests in the order of the faults, until they are cleared', async () => {
    simulator.faults.add({ kind: 'status', status: 429, match: searchPath, times: 1 })
    simulator.faults.add({ kind: 'status', status: 500 })
    expect(await fetchStatuses(searchPath, searchPath)).toEqual([429, 500])
    simulator.faults.clear()
    expect(await fetchStatuses(searchPath)).toEqual([200])
  })
})

test('latency as an option delays every answer', async () => {
  const slow = await startSimulator({ latencyMs: 80 })
  const start = performance.now()
  await fetch(`${slow.portalUrl('portal_a')}/robots.txt`)
  expect(performance.now() - start).toBeGreaterThan(75)
  await slow.close()
})

describe('over HTTP', () => {
  const control = (method: string, body?: unknown) =>
    fetch(`${simulator.url}/__simulator/faults`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  test('a fault is added with POST, shown with GET, cleared with DELETE', async () => {
    const fault = { kind: 'status', status: 418, portal: 'portal_a', match: '/venta/' }
    expect((await control('POST', fault)).status).toBe(201)
    expect((await get(searchPath)).status).toBe(418)
    const status = (await (await fetch(`${simulator.url}/__simulator`)).json()) as {
      requests: typeof simulator.requests
    }
    expect(status).toMatchObject({ portals: { portal_a: portal }, listings: 26_000, faults: [fault] })
    expect(status.requests.portal_a.search).toBe(simulator.requests.portal_a.search)
    expect((await control('DELETE')).status).toBe(204)
    expect((await get(searchPath)).status).toBe(200)
  })

  test.each([
    [{ kind: 'gremlin' }, "'kind' must be one of"],
    [{ kind: 'status', status: 42 }, "'status' must be from 200 to 599."],
    [{ kind: 'status', times: 'two' }, "'times' must be a whole number from 0."],
    [{ kind: 'hang', portal: 'portal_z' }, "'portal' must be one of portal_a"],
    [{ kind: 'hang', colour: 'red' }, "A fault has no field 'colour'."],
    [[], 'A fault is an object.'],
  ])('%j is refused with a reason', async (fault, message) => {
    const reply = await control('POST', fault)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toEqual({ error: expect.stringContaining(message) })
    expect(simulator.faults.list()).toEqual([])
  })
})
