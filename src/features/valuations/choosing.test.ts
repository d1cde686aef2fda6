/** People choose comparables: those they tick count, those they untick do not, and the rest stays as it was. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { advertsAround, fillMarket } from '../../../test/market.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import type { NewValuation, Valuation, ValuationChanges } from './schemas.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
const flat: NewValuation = {
  ...{ ...place, squareMeters: 80, bedrooms: 3, bathrooms: 2, propertyType: 'homes', operation: 'sale' },
}
const farAway = { latitude: 40.4, longitude: -3.7 }

let app: TestApp
let tenant: TestTenant
let farIds: string[]
let closedId: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  tenant = await makeTenant(app)
  await fillMarket(app.database, 'test', advertsAround(place))
  await fillMarket(app.database, 'test', advertsAround(farAway, { source: 'far' }, 5))
  await fillMarket(app.database, 'test', advertsAround(farAway, { source: 'sold', priceBasis: 'closed' }, 1))
  const rows = await app.database.owner
    .selectFrom('market_properties')
    .select(['id', 'price_basis'])
    .where('latitude', '<', 41)
    .execute()
  farIds = rows.filter(row => row.price_basis === 'asking').map(({ id }) => id)
  closedId = rows.find(row => row.price_basis === 'closed')!.id
})
afterAll(() => app.stop())

async function create(body: Partial<NewValuation> = {}): Promise<Valuation> {
  const reply = await tenant.call<Valuation>('POST', '/valuations', { body: { ...flat, ...body } })
  if (reply.status !== 201) throw new Error(`POST /valuations answered ${reply.status}: ${reply.text}`)
  return reply.body
}
const change = (id: string, body: ValuationChanges, headers: Record<string, string> = {}) =>
  tenant.call<Valuation & { code: string; message: string; errors: { path: string; code: string }[] }>(
    ...(['PATCH', `/valuations/${id}`, { body, headers }] as const),
  )
const usedIds = ({ comparables }: Valuation) =>
  comparables.filter(({ included }) => included).map(({ id }) => id)

test('without one that counted the value is another, and with it again it is what it was', async () => {
  const made = await create()
  const [heaviest] = usedIds(made)
  const without = (await change(made.id, { excludedComparableIds: [heaviest!] })).body
  expect(usedIds(without)).not.toContain(heaviest)
  expect(without.comparables.find(({ id }) => id === heaviest)).toMatchObject({
    ...{ included: false, exclusionReason: 'excluded_by_request', weight: 0 },
  })
  expect(without.estimate.value).not.toBe(made.estimate.value)
  expect(without).toMatchObject({ excludedComparableIds: [heaviest], asOf: made.asOf })
  const again = (await change(made.id, { excludedComparableIds: [] })).body
  const { updatedAt: _, ...rest } = again
  expect({ ...rest, updatedAt: made.updatedAt }).toEqual(made)
})

test('what is chosen counts alone, as it does when it is chosen from the beginning', async () => {
  const made = await create()
  const chosen = usedIds(made).slice(2, 6)
  const { body } = await change(made.id, { includedComparableIds: chosen })
  expect(usedIds(body).sort()).toEqual(chosen.toSorted())
  expect(body.method).toContain('4 comparables by their weights, chosen by hand')
  const fromTheBeginning = await create({ includedComparableIds: chosen.map(id => id.toUpperCase()) })
  expect(fromTheBeginning.estimate.value).toBe(body.estimate.value)
  expect(fromTheBeginning.includedComparableIds).toEqual(chosen)
})

test('comparables are chosen from anywhere in the same market', async () => {
  const chosen = farIds.slice(0, 3)
  const made = await create({ includedComparableIds: chosen })
  expect(usedIds(made).sort()).toEqual(chosen.toSorted())
  const later = await create()
  expect(usedIds((await change(later.id, { includedComparableIds: chosen })).body).sort()).toEqual(
    chosen.toSorted(),
  )
})

test('prices of another kind are not to be mixed in', async () => {
  const { id } = await create()
  for (const reply of [
    await change(id, { includedComparableIds: [...farIds.slice(0, 3), closedId] }),
    await tenant.call<{ errors: object[] }>('POST', '/valuations', {
      body: { ...flat, includedComparableIds: [...farIds.slice(0, 3), closedId] },
    }),
  ])
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/includedComparableIds/3', code: 'OTHER_MARKET' }] },
    })
})

test('fewer than three are too few to choose', async () => {
  const made = await create()
  const { status, body } = await change(made.id, { includedComparableIds: usedIds(made).slice(0, 2) })
  expect([status, body.code]).toEqual([422, 'NOT_ENOUGH_COMPARABLES'])
  expect(body.message).toContain('At least 3 comparables must be included; 2 are.')
  const all = made.comparablesConsidered
  const { rows } = await sql<{ id: string }>`select id from market_properties where latitude > 41`.execute(
    app.database.owner,
  )
  const excluded = await change(made.id, {
    excludedComparableIds: rows.slice(0, all - 4).map(({ id }) => id),
  })
  expect(excluded.status).toBe(422)
  expect(excluded.body.message).toContain('40 comparables are known within 5 km, 4 without the excluded ones')
})

test('what is refused changes nothing', async () => {
  const made = await create()
  const unknown = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
  const [id] = usedIds(made)
  const bodies: ValuationChanges[] = [
    { name: 'x', includedComparableIds: [unknown] },
    { name: 'x', excludedComparableIds: [unknown] },
    { name: 'x', includedComparableIds: [id!], excludedComparableIds: [id!] },
  ]
  for (const body of bodies) expect((await change(made.id, body)).status).toBe(400)
  expect((await tenant.call<Valuation>('GET', `/valuations/${made.id}`)).body).toEqual(made)
})

test('of a choice half is sent: it goes with the half that is stored', async () => {
  const made = await create()
  const [first, ...others] = usedIds(made)
  await change(made.id, { includedComparableIds: others.slice(0, 4) })
  expect(await change(made.id, { excludedComparableIds: [others[0]!] })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/excludedComparableIds/0', code: 'CONTRADICTION' }] },
  })
  const { body } = await change(made.id, { excludedComparableIds: [first!] })
  expect(usedIds(body).sort()).toEqual(others.slice(0, 4).sort())
})

test('no quota is used, and the market of today changes nothing', async () => {
  const made = await create()
  const before = await tenant.quotaUsed('maxValuationsPerMonth')
  await fillMarket(app.database, 'test', advertsAround(place, { source: 'later', price: 900_000 }, 10))
  const [heaviest] = usedIds(made)
  await change(made.id, { excludedComparableIds: [heaviest!] })
  const { body } = await change(made.id, { excludedComparableIds: [] })
  expect(body.estimate).toEqual(made.estimate)
  expect(await tenant.quotaUsed('maxValuationsPerMonth')).toBe(before)
})

test('a new name or look leaves the value alone, whatever became of the market', async () => {
  const made = await create({ name: 'First', address: 'Somewhere' })
  const reportConfig = { language: 'ca' as const, sections: ['summary' as const], showAddress: false }
  const { body } = await change(made.id, { name: 'Second', address: null, reportConfig })
  const { updatedAt: _, ...rest } = body
  expect(rest).toEqual({
    ...Object.fromEntries(Object.entries(made).filter(([name]) => name !== 'updatedAt')),
    ...{ name: 'Second', address: null, reportConfig },
  })
})

test('a change of what somebody else has changed since is refused', async () => {
  const { id } = await create()
  const etag = (await tenant.call('GET', `/valuations/${id}`)).headers.get('etag')!
  const first = await change(id, { name: 'One' }, { 'if-match': etag })
  expect(first.status).toBe(200)
  expect((await change(id, { name: 'Two' }, { 'if-match': etag })).body.code).toBe('PRECONDITION_FAILED')
  const stale = await tenant.call('DELETE', `/valuations/${id}`, { headers: { 'if-match': etag } })
  expect(stale.status).toBe(412)
  const fresh = { 'if-match': `"x", ${first.headers.get('etag')}` }
  expect((await change(id, { name: 'Two' }, fresh)).status).toBe(200)
  expect((await tenant.call('DELETE', `/valuations/${id}`, { headers: { 'if-match': '*' } })).status).toBe(
    204,
  )
})
