/** The simulated portal_g: the OData options that it supports, and its refusals. */
import { describe, expect, test } from 'vitest'
import type { Reply } from '../portal.ts'
import { createWorld } from '../world.ts'
import { createPortalG } from './index.ts'

const origin = 'http://127.0.0.1:1'
const world = await createWorld({ seed: 1, asOf: Date.parse('2026-11-01T00:00:00Z') })
const portal = createPortalG(world, origin, { now: () => Date.parse('2026-11-02T00:00:00Z') })
const token = portal.credentials!.slice(1)

type Entity = Record<string, unknown>
interface Collection {
  '@odata.count'?: number
  '@odata.nextLink'?: string
  value: Entity[]
}

function request(url: URL, authorization: string | undefined = `Bearer ${token}`): Reply {
  return portal.answer({ url, method: 'GET', headers: { authorization }, body: '', variant: 'normal' })
}

function query(options: Record<string, string>): { status: number; body: Collection & { error?: Entity } } {
  const url = new URL(`/odata/Property?${new URLSearchParams(options)}`, origin)
  const reply = request(url)
  return { status: reply.status, body: JSON.parse(reply.render().toString()) }
}

function findEntities($filter: string, options: Record<string, string> = {}): Entity[] {
  const { status, body } = query({ $filter, ...options })
  if (status !== 200) throw new Error(JSON.stringify(body.error))
  return body.value
}

function countEntities($filter: string): number {
  return query({ $filter, $count: 'true', $top: '1' }).body['@odata.count']!
}

describe('$filter', () => {
  const vigoFilter = "City eq 'Vigo'"
  test('and binds closer than or, and parentheses closer than both', () => {
    const [cheap, small] = ['ListPrice lt 500', 'LivingArea lt 40']
    const both = countEntities(`${vigoFilter} and ${cheap} and ${small}`)
    expect(both).toBeGreaterThan(0)
    expect(countEntities(`${vigoFilter} and ${cheap} or ${vigoFilter} and ${small}`)).toBe(
      countEntities(`${vigoFilter} and (${cheap} or ${small})`),
    )
    expect(countEntities(`${vigoFilter} and (${cheap} or ${small})`)).toBe(
      countEntities(`${vigoFilter} and ${cheap}`) + countEntities(`${vigoFilter} and ${small}`) - both,
    )
    expect(countEntities(`${cheap} or ${vigoFilter} and ${small}`)).toBeGreaterThan(
      countEntities(`(${cheap} or ${vigoFilter}) and ${small}`),
    )
  })

  test.each([
    ['eq', (a: number, b: number) => a === b],
    ['ne', (a: number, b: number) => a !== b],
    ['ge', (a: number, b: number) => a >= b],
    ['gt', (a: number, b: number) => a > b],
    ['le', (a: number, b: number) => a <= b],
    ['lt', (a: number, b: number) => a < b],
  ] as const)('%s compares numbers, and dates', (operator, holds) => {
    const rows = findEntities(`${vigoFilter} and BedroomsTotal ${operator} 3`)
    expect(rows.length).toBeGreaterThan(0)
    for (const { BedroomsTotal } of rows) expect(holds(BedroomsTotal as number, 3)).toBe(true)
    const day = '2026-10-01T00:00:00+02:00'
    for (const row of findEntities(`${vigoFilter} and OriginalEntryTimestamp ${operator} ${day}`))
      expect(holds(Date.parse(row.OriginalEntryTimestamp as string), Date.parse(day))).toBe(true)
  })

  test('null is neither greater nor less than a number, and can be compared with eq', () => {
    const garages = `${vigoFilter} and PropertySubType eq 'Deeded Parking'`
    expect(countEntities(`${garages} and BedroomsTotal eq null`)).toBe(countEntities(garages))
    expect(countEntities(`${garages} and BedroomsTotal ge 0`)).toBe(0)
    expect(countEntities(`${garages} and BedroomsTotal ne null`)).toBe(0)
  })

  test('any searches collections, and a quote in text is doubled', () => {
    const rows = findEntities(
      `${vigoFilter} and InteriorFeatures/any(f: f eq 'Storage' or f eq 'Fitted Wardrobes')`,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { InteriorFeatures } of rows)
      expect(InteriorFeatures).toEqual(expect.arrayContaining([expect.stringMatching(/Storage|Wardrobes/)]))
    expect(findEntities("SubdivisionName eq 'Dreta de l''Eixample'", { $top: '1' })).toMatchObject([
      { City: 'Barcelona' },
    ])
  })

  test.each([
    ['Price ge 1', /no property 'Price'/],
    ['ListPrice', /needs a comparison operator/],
    ['ListPrice like 1', /not 'like'/],
    ["ListPrice ge '1'", /cannot be compared/],
    ['ListPrice ge', /ends unexpectedly/],
    ['ListPrice ge 1 and', /ends unexpectedly/],
    ['(ListPrice ge 1', /ends unexpectedly/],
    ['ListPrice ge 1)', /not expected/],
    ['not ListPrice ge 1', /no property 'not'/],
    ["startswith(City,'V')", /cannot be parsed/],
    ["Cooling eq 'Central Air'", /compare it with any/],
    ["Cooling/all(c: c eq 'x')", /'any' is expected/],
    ["City eq 'Vigo", /cannot be parsed/],
    ['OriginalEntryTimestamp ge 2026-13-01', /not a date/],
    ['ListPrice ge 1 xor ListPrice le 2', /not expected/],
  ])('%s is refused with 400', (filter, message) => {
    const { status, body } = query({ $filter: filter })
    expect(status).toBe(400)
    expect(body.error).toEqual({ code: 'BadRequest', message: expect.stringMatching(message) })
  })
})

describe('the other options', () => {
  test('$select returns the requested fields and the key, $expand the photos', () => {
    const [row] = findEntities("City eq 'Vigo'", {
      $select: 'ListPrice,City',
      $expand: 'Media($select=MediaURL)',
      $top: '1',
    })
    expect(Object.keys(row!)).toEqual(['ListingKey', 'ListPrice', 'City', 'Media'])
  })

  test('$orderby sorts by several, in both directions', () => {
    const rows = findEntities("City eq 'Vigo'", { $orderby: 'PropertyType desc,ListPrice' })
    const keys = rows.map(
      ({ PropertyType, ListPrice }) => [PropertyType as string, ListPrice as number] as const,
    )
    expect(keys.length).toBe(200)
    for (const [at, [type, price]] of keys.entries()) {
      const [typeBefore, priceBefore] = keys[at - 1] ?? [type, 0]
      expect(typeBefore > type || (typeBefore === type && priceBefore <= price)).toBe(true)
    }
  })

  test('$top is the page size, @odata.nextLink leads through all pages, $count returns the total', () => {
    const vigoOffices = "City eq 'Vigo' and PropertySubType eq 'Office'"
    const keys: unknown[] = []
    let next: string | undefined =
      `${origin}/odata/Property?${new URLSearchParams({ $filter: vigoOffices, $top: '7' })}`
    while (next) {
      const page = JSON.parse(request(new URL(next)).render().toString()) as Collection
      expect(page).not.toHaveProperty('@odata.count')
      keys.push(...page.value.map(({ ListingKey }) => ListingKey))
      next = page['@odata.nextLink']
    }
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toHaveLength(countEntities(vigoOffices))
  })

  test.each([
    { $skip: '3' },
    { $select: 'Price' },
    { $orderby: 'Price' },
    { $top: '0' },
    { $skiptoken: 'x' },
  ])('%j is refused with 400', options => {
    expect(query(options)).toMatchObject({ status: 400, body: { error: { code: 'BadRequest' } } })
  })
})

test('a request needs the token and an existing path', () => {
  const url = new URL('/odata/Property', origin)
  expect(request(url, 'Bearer wrong')).toMatchObject({ status: 401 })
  expect(request(url, '').status).toBe(401)
  expect(request(new URL('/odata/Member', origin)).status).toBe(404)
})

test('a listing is found by its key', () => {
  const [row] = findEntities("City eq 'Vigo'", { $top: '1' })
  const reply = request(new URL(`/odata/Property('${row!.ListingKey}')`, origin))
  expect(JSON.parse(reply.render().toString())).toEqual({ ...row, Media: expect.any(Array) })
  expect(request(new URL("/odata/Property('ESG-1')", origin)).status).toBe(404)
})

test('the portal has no listing of another country', () => {
  expect(countEntities("ListingKey ne ''")).toBe([...world.published('ES')].length)
})

test('a change has the time at which it was noticed', async () => {
  const changing = await createWorld({ seed: 2, asOf: Date.parse('2026-11-01T00:00:00Z') })
  let nowMs = Date.parse('2026-12-01T00:00:00Z')
  const changingPortal = createPortalG(changing, origin, { now: () => nowMs })
  const findChangedSince = (since: string): Entity[] => {
    const query = new URLSearchParams({ $filter: `ModificationTimestamp ge ${since}` })
    const url = new URL(`/odata/Property?${query}`, origin)
    const headers = { authorization: `Bearer ${token}` }
    const reply = changingPortal.answer({ url, method: 'GET', headers, body: '', variant: 'normal' })
    return JSON.parse(reply.render().toString()).value
  }
  const [first = -1, second = -1] = changing.published()
  expect(findChangedSince('2026-12-01')).toEqual([])
  changing.change(changing.attributes(first).id, { price: 77 })
  expect(findChangedSince('2026-12-01')).toMatchObject([{ ListPrice: 77, StandardStatus: 'Active' }])
  nowMs += 60_000
  changing.withdraw(changing.attributes(second).id)
  expect(findChangedSince('2026-12-01T00:01:00Z')).toMatchObject([{ StandardStatus: 'Withdrawn' }])
  expect(findChangedSince('2026-12-01')).toHaveLength(2)
})
