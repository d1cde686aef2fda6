/** Valuations over HTTP: reproducible results, stored replies, tenants kept apart. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import { makePriceRows, toPriceCsv } from '../../../test/synthetic-price-sets.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { metersBetween } from '../../domain/geo.ts'
import { importMarketFile } from '../market/service.ts'
import type { NewValuation, Valuation, ValuationSummary } from './schemas.ts'

/** A place in the Eixample, Barcelona. */
const flat: NewValuation = {
  latitude: 41.3917,
  longitude: 2.1611,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  propertyType: 'homes',
  operation: 'sale',
}
const madrid = { latitude: 40.42, longitude: -3.7 }

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api', PUBLIC_URL: 'https://aldaba.example' } })
  tenant = await makeTenant(app)
  const path = join(inject('runDir'), 'barcelona.csv')
  await writeFile(path, toPriceCsv(makePriceRows('es-barcelona-sale', 3000)))
  const file = { path, source: 'files', currency: 'EUR', priceBasis: 'asking', operation: null } as const
  await importMarketFile(app.database, { ...file, environment: 'test', propertyType: null })
})
afterAll(() => app.stop())

async function create(body: Partial<NewValuation> = {}, by = tenant): Promise<Valuation> {
  const reply = await by.call<Valuation>('POST', '/valuations', { body: { ...flat, ...body } })
  if (reply.status !== 201) throw new Error(`POST /valuations answered ${reply.status}: ${reply.text}`)
  return reply.body
}

const listAdjustments = ({ comparables }: Valuation) => comparables.flatMap(({ adjustments }) => adjustments)
const listFactors = (valuation: Valuation) => new Set(listAdjustments(valuation).map(({ factor }) => factor))
const listAmenities = (valuation: Valuation) =>
  listAdjustments(valuation).filter(({ factor }) => factor === 'amenities')

describe('a valuation', () => {
  test('can be recalculated from its comparables: each adjusted price, and the value', async () => {
    const { comparables, comparablesUsed, comparablesConsidered, estimate, subject } = await create()
    const used = comparables.filter(({ included }) => included)
    expect(used).toHaveLength(comparablesUsed)
    expect(comparablesUsed).toBeGreaterThanOrEqual(10)
    expect(comparablesConsidered).toBe(200)
    for (const { price, adjustments, adjustedPrice } of used)
      expect(adjustedPrice).toBe(adjustments.reduce((sum, { amount }) => sum + amount, price))
    const sum = used.reduce((sum, { adjustedPrice, weight }) => sum + adjustedPrice! * weight, 0)
    expect(estimate.value).toBe(Math.round(sum))
    expect(used.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 8)
    expect(estimate.low).toBeLessThan(estimate.value)
    expect(estimate.high).toBeGreaterThan(estimate.value)
    expect(estimate.pricePerSquareMeter).toBeCloseTo(estimate.value / 80, 1)
    for (const { adjustedPrice, weight, exclusionReason } of comparables.slice(used.length))
      expect([adjustedPrice, weight, exclusionReason]).toEqual([null, 0, expect.any(String)])
    for (const { distanceMeters, ...place } of comparables)
      expect(distanceMeters).toBe(Math.round(metersBetween(subject, place)))
    // Asking prices in this market range from 2,000 to about 8,000 per m².
    expect(estimate.pricePerSquareMeter).toBeGreaterThan(2000)
    expect(estimate.pricePerSquareMeter).toBeLessThan(8000)
  })

  test('can be retrieved, listed without comparables, and deleted', async () => {
    const own = await makeTenant(app)
    const given = { name: 'Home', address: 'Carrer de Mallorca, 214', portalLocationId: '0-EU-ES-08' }
    const made = await create(given, own)
    expect(made).toMatchObject({
      ...given,
      priceBasis: 'asking',
      estimate: { currency: 'EUR', coverage: 0.8 },
      area: { radiusKm: 5, polygon: null },
      share: null,
      links: {
        report: `https://aldaba.example/public/v1/valuations/${made.id}/report`,
        pdf: `https://aldaba.example/public/v1/valuations/${made.id}/report.pdf`,
        share: null,
      },
      method: expect.stringContaining('the most similar of 200 within 5 km'),
      subject: { condition: null, floor: null, amenities: null, hasLift: null, squareMeters: 80 },
      reportConfig: { language: 'es', showAddress: true },
    })
    const read = await own.call<Valuation>('GET', `/valuations/${made.id}`)
    expect(read.body).toEqual(made)
    expect(read.headers.get('etag')).toBe('"1"')
    const { comparables: _comparables, exclusionCounts: _counts, ...summary } = made
    const list = await own.call<{ data: ValuationSummary[] }>('GET', '/valuations')
    expect(list.body.data).toEqual([summary])
    expect((await own.call('DELETE', `/valuations/${made.id}`)).status).toBe(204)
    expect((await own.call('GET', `/valuations/${made.id}`)).status).toBe(404)
    expect((await own.call('DELETE', `/valuations/${made.id}`)).status).toBe(404)
  })

  test('emits an event', async () => {
    const own = await makeTenant(app)
    const { id, estimate, comparablesUsed } = await create({}, own)
    const { value, low, high } = estimate
    const events = await own.inTenant(tx => tx.selectFrom('events').select(['type', 'data']).execute())
    expect(events).toEqual([
      {
        type: 'valuation.created',
        data: {
          valuationId: id,
          operation: 'sale',
          propertyType: 'homes',
          priceBasis: 'asking',
          currency: 'EUR',
          value,
          low,
          high,
          comparablesUsed,
        },
      },
    ])
  })

  test('is calculated once per Idempotency-Key', async () => {
    const own = await makeTenant(app)
    const send = () =>
      own.call<Valuation>('POST', '/valuations', { body: flat, headers: { 'idempotency-key': 'one' } })
    const [first, again] = [await send(), await send()]
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await own.readQuotaUsage('maxValuationsPerMonth')).toBe(1)
  })

  test('uses the comparables in the polygon and ignores the radius', async () => {
    const [south, north, west, east] = [41.4, 41.41, 2.17, 2.19]
    const polygon = [
      { latitude: south, longitude: west },
      { latitude: south, longitude: east },
      { latitude: north, longitude: east },
      { latitude: north, longitude: west },
    ]
    const { comparables, area, method } = await create({ polygon, radiusKm: 0.1 })
    expect(area).toEqual({ radiusKm: null, polygon })
    expect(method).toContain('in the area')
    expect(comparables.length).toBeGreaterThan(5)
    for (const { latitude, longitude } of comparables) {
      expect([latitude >= south, latitude <= north]).toEqual([true, true])
      expect([longitude >= west, longitude <= east]).toEqual([true, true])
    }
    const wide = await create({ radiusKm: 1 })
    expect(Math.max(...wide.comparables.map(({ distanceMeters }) => distanceMeters))).toBeLessThanOrEqual(
      1000,
    )
  })
})

describe('amenities', () => {
  test('are recognized by their names in another language and from boolean fields', async () => {
    const byTags = await create({ amenities: ['Aire acondicionado', 'swimming_pool'] })
    const byFields = await create({ amenities: [], hasAirConditioning: true, hasPool: true })
    expect(byTags.estimate).toEqual(byFields.estimate)
    expect(byTags.subject).toMatchObject({ amenities: ['air_conditioning', 'pool'], hasPool: null })
    expect((await create({ amenities: ['pool', 'airConditioning'] })).estimate).toEqual(byTags.estimate)
    expect(byFields.subject).toMatchObject({ amenities: [], hasPool: true, hasAirConditioning: true })
    const gained = listAmenities(byTags)
    expect(gained.length).toBeGreaterThan(0)
    for (const { to } of gained) expect(to).toBe('pool, air_conditioning')
  })

  test('are unknown if omitted, which differs from absent', async () => {
    const [unknown, none] = [await create(), await create({ hasLift: false })]
    expect(listFactors(unknown)).not.toContain('lift')
    expect(listFactors(none)).toContain('lift')
    expect(none.estimate.value).toBeLessThan((await create({ hasLift: true })).estimate.value)
  })

  test('are stated one by one by a field, or all by the list', async () => {
    const [lift, pool] = [await create({ hasLift: true }), await create({ hasPool: true })]
    expect(listFactors(lift)).not.toContain('amenities')
    expect(listFactors(pool)).not.toContain('lift')
    expect(new Set(listAmenities(pool).map(({ from, to }) => `${from ?? ''} to ${to}`))).toEqual(
      new Set([' to pool']),
    )
    expect(listFactors(await create({ amenities: [], hasLift: true }))).toContain('amenities')
  })
})

const fill = (...listings: Parameters<typeof makeListingsAround>) =>
  fillMarket(app.database, 'test', makeListingsAround(...listings))

describe('prices', () => {
  const place = { latitude: 43.3, longitude: -3 }
  const near = { ...place, radiusKm: 3 }

  test('are sale prices if ten of them are near, never mixed with asking prices', async () => {
    const closed = { priceBasis: 'closed' as const, source: 'registry' }
    await fill(place)
    await fill(place, closed, 9)
    expect(await create(near)).toMatchObject({ priceBasis: 'asking', comparablesConsidered: 40 })
    await fill(place, closed, 12)
    expect(await create(near)).toMatchObject({ priceBasis: 'closed', comparablesConsidered: 12 })
  })

  test('are sale prices if there are fewer asking prices', async () => {
    const there = { latitude: 43.5, longitude: -5 }
    await fill(there, { priceBasis: 'closed', source: 'sold' }, 7)
    expect(await create({ ...there, radiusKm: 3 })).toMatchObject({ priceBasis: 'closed' })
  })

  test('are in the most frequent currency', async () => {
    const there = { latitude: 42.5, longitude: 1.5 }
    await fill(there, { currency: 'CHF', source: 'francs' }, 15)
    await fill(there, { source: 'euros' }, 12)
    expect(await create({ ...there, radiusKm: 3 })).toMatchObject({
      estimate: { currency: 'CHF' },
      comparablesConsidered: 15,
    })
  })
})

describe('tenants', () => {
  test('see only their own valuations of one environment', async () => {
    const { id } = await create()
    const others = [await makeTenant(app), await makeTenant(app, 'live')]
    for (const other of others) {
      for (const path of ['GET ', 'DELETE ', 'GET /report', 'GET /report.pdf', 'PATCH ', 'POST /share']) {
        const [method, tail] = path.split(' ')
        const body = method === 'PATCH' || method === 'POST' ? { body: {} } : {}
        expect((await other.call(method!, `/valuations/${id}${tail}`, body)).status, path).toBe(404)
      }
      expect((await other.call<{ data: [] }>('GET', '/valuations')).body.data).toEqual([])
    }
    expect((await tenant.call('GET', `/valuations/${id}`)).status).toBe(200)
  })

  test('use the market of their environment', async () => {
    const live = await makeTenant(app, 'live')
    const refused = await live.call<{ code: string }>('POST', '/valuations', { body: flat })
    expect([refused.status, refused.body.code]).toEqual([422, 'NOT_ENOUGH_COMPARABLES'])
    await fillMarket(app.database, 'live', makeListingsAround(madrid))
    expect(await create({ ...madrid, radiusKm: 3 }, live)).toMatchObject({ comparablesConsidered: 40 })
  })
})

test('the list is filtered by operation, type, name and address, and paged', async () => {
  const own = await makeTenant(app)
  const names = ['Mallorca 1', 'València 2', 'Mallorca 3']
  for (const name of names) await create({ name, address: `At ${name}` }, own)
  const list = async (query: string) =>
    (await own.call<{ data: ValuationSummary[]; nextCursor: string | null }>('GET', `/valuations?${query}`))
      .body
  const listNames = async (query: string) => (await list(query)).data.map(({ name }) => name)
  expect(await listNames('')).toEqual(names.toReversed())
  expect(await listNames('q=mallorca')).toEqual(['Mallorca 3', 'Mallorca 1'])
  expect(await listNames('q=at%20val')).toEqual(['València 2'])
  expect(await listNames('q=valencia')).toEqual(['València 2'])
  expect(await listNames('q=M%C3%80LL%C3%B3')).toEqual(['Mallorca 3', 'Mallorca 1'])
  expect(await listNames('operation=rent')).toEqual([])
  expect(await listNames('propertyType=homes&operation=sale')).toHaveLength(3)
  const first = await list('limit=2')
  expect(await listNames(`limit=2&cursor=${first.nextCursor}`)).toEqual(['Mallorca 1'])
})

describe('the quota', () => {
  test('is used by a created valuation, not by a refused one', async () => {
    const own = await makeTenant(app)
    await own.limitQuota('maxValuationsPerMonth', 2)
    const send = async (body: object) =>
      (await own.call('POST', '/valuations', { body: { ...flat, ...body } })).status
    const unknown = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
    const refused = [
      { squareMeters: 0 },
      { includedComparableIds: [unknown] },
      { latitude: 45, longitude: -30 },
    ]
    for (const body of refused) expect(await send(body)).toBe(400)
    expect(await send({ radiusKm: 0.001 })).toBe(422)
    expect(await own.readQuotaUsage('maxValuationsPerMonth')).toBe(0)
    expect([await send({}), await send({})]).toEqual([201, 201])
    expect(await own.readQuotaUsage('maxValuationsPerMonth')).toBe(2)
    const over = await own.call<{ code: string }>('POST', '/valuations', { body: flat })
    expect([over.status, over.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
    // An invalid request gets its errors even if the quota is used up.
    expect(await send({ squareMeters: 0 })).toBe(400)
    const list = await own.call<{ data: object[] }>('GET', '/valuations')
    expect(list.body.data).toHaveLength(2)
  })

  test('is never exceeded by concurrent requests', async () => {
    const own = await makeTenant(app)
    await own.limitQuota('maxValuationsPerMonth', 3)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => own.call('POST', '/valuations', { body: flat })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429, 429, 429])
    expect(await own.readQuotaUsage('maxValuationsPerMonth')).toBe(3)
  })
})
