/** Users include and exclude comparables; the rest of the valuation does not change. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { fillMarket, makeListingsAround } from '../../../test/market.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import type { NewValuation, Valuation, ValuationChanges } from './schemas.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
const flat: NewValuation = {
  ...place,
  squareMeters: 80,
  bedrooms: 3,
  bathrooms: 2,
  propertyType: 'homes',
  operation: 'sale',
}
/** Places 82 km and 500 km from the property. */
const farAway = { latitude: 41.12, longitude: 1.25 }
const tooFarAway = { latitude: 40.4, longitude: -3.7 }

let app: TestApp
let tenant: TestTenant
let farIds: string[]
let closedId: string
let tooFarId: string
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  tenant = await makeTenant(app)
  await fill(place)
  await fill(farAway, { source: 'far' }, 5)
  await fill(farAway, { source: 'sold', priceBasis: 'closed' }, 1)
  await fill(tooFarAway, { source: 'too-far' }, 1)
  const rows = await app.database.owner
    .selectFrom('market_properties')
    .select(['id', 'price_basis', 'longitude'])
    .where('longitude', '<', 2)
    .execute()
  const far = rows.filter(({ longitude }) => longitude > 0)
  farIds = far.filter(row => row.price_basis === 'asking').map(({ id }) => id)
  closedId = far.find(row => row.price_basis === 'closed')!.id
  tooFarId = rows.find(({ longitude }) => longitude < 0)!.id
})
afterAll(() => app.stop())

const fill = (...listings: Parameters<typeof makeListingsAround>) =>
  fillMarket(app.database, 'test', makeListingsAround(...listings))

async function create(body: Partial<NewValuation> = {}): Promise<Valuation> {
  const reply = await tenant.call<Valuation>('POST', '/valuations', { body: { ...flat, ...body } })
  if (reply.status !== 201) throw new Error(`POST /valuations answered ${reply.status}: ${reply.text}`)
  return reply.body
}
const change = (id: string, body: ValuationChanges, headers: Record<string, string> = {}) =>
  tenant.call<Valuation & { code: string; message: string; errors: { path: string; code: string }[] }>(
    'PATCH',
    `/valuations/${id}`,
    { body, headers },
  )
const getReason = ({ comparables }: Valuation, id: string) =>
  comparables.find(comparable => comparable.id === id)!.exclusionReason
const usedIds = ({ comparables }: Valuation) =>
  comparables.filter(({ included }) => included).map(({ id }) => id)

test('excluding a used comparable changes the value, and undoing it restores the value', async () => {
  const made = await create()
  const [heaviest] = usedIds(made)
  const without = (await change(made.id, { excludedComparableIds: [heaviest!] })).body
  expect(usedIds(without)).not.toContain(heaviest)
  expect(without.comparables.find(({ id }) => id === heaviest)).toMatchObject({
    included: false,
    exclusionReason: 'excluded_by_request',
    weight: 0,
  })
  expect(without.estimate.value).not.toBe(made.estimate.value)
  expect(without).toMatchObject({ excludedComparableIds: [heaviest], asOf: made.asOf })
  const again = (await change(made.id, { excludedComparableIds: [] })).body
  const { updatedAt: _, ...rest } = again
  expect({ ...rest, updatedAt: made.updatedAt }).toEqual(made)
})

test('only included comparables are used, with the same result as when included at creation', async () => {
  const made = await create()
  const chosen = usedIds(made).slice(2, 6)
  const { body } = await change(made.id, { includedComparableIds: chosen })
  expect(usedIds(body).sort()).toEqual(chosen.toSorted())
  expect(body.method).toContain('of 4 comparables, chosen by hand')
  const fromTheBeginning = await create({ includedComparableIds: chosen.map(id => id.toUpperCase()) })
  expect(fromTheBeginning.estimate.value).toBe(body.estimate.value)
  expect(fromTheBeginning.includedComparableIds).toEqual(chosen)
})

test('not chosen and excluded are distinct reasons, and both kinds can be chosen again', async () => {
  const made = await create()
  const [first, second, ...others] = usedIds(made)
  const { body } = await change(made.id, {
    includedComparableIds: others.slice(0, 3),
    excludedComparableIds: [first!],
  })
  expect([getReason(body, first!), getReason(body, second!)]).toEqual(['excluded_by_request', 'not_chosen'])
  expect(body.exclusionCounts).toEqual({ excluded_by_request: 1, not_chosen: 36 })
  expect(body.comparables.map(({ id }) => id)).toEqual(expect.arrayContaining(usedIds(made)))
})

test('exclusionCounts counts every comparable left out, listed or not', async () => {
  const made = await create()
  expect(made).toMatchObject({ comparablesUsed: 20, comparablesConsidered: 40 })
  expect(made.exclusionCounts).toEqual({ less_similar: 20 })
  // The first valuations stored no counts.
  await sql`update valuations set estimate = (estimate::jsonb - 'exclusionCounts')::json where id = ${made.id}`.execute(
    app.database.owner,
  )
  expect((await tenant.call<Valuation>('GET', `/valuations/${made.id}`)).body).toEqual(made)
})

test('comparables outside the area can be included, and disappear when no longer included', async () => {
  const chosen = farIds.slice(0, 3)
  const made = await create({ includedComparableIds: chosen })
  expect(usedIds(made).sort()).toEqual(chosen.toSorted())
  expect(made.comparablesConsidered).toBe(43)
  const later = await create()
  const changed = (await change(later.id, { includedComparableIds: chosen })).body
  expect(usedIds(changed).sort()).toEqual(chosen.toSorted())
  expect(changed.comparables[0]).not.toHaveProperty('isForeign')
  for (const { id } of [made, later]) {
    const fewer = await change(id, { includedComparableIds: [farIds[0]!, ...usedIds(later).slice(0, 3)] })
    expect(fewer.body.comparablesConsidered).toBe(41)
    const { body } = await change(id, { includedComparableIds: [] })
    expect(body.comparablesConsidered).toBe(40)
    expect(body.comparables).toEqual(later.comparables)
  }
})

test.each([
  ['more than 100 km away', () => tooFarId, 'TOO_FAR'],
  ['with another price basis', () => closedId, 'OTHER_MARKET'],
])('a comparable %s cannot be included', async (_what, getId, code) => {
  const { id } = await create()
  const body = { includedComparableIds: [...farIds.slice(0, 3), getId()] }
  for (const reply of [
    await change(id, body),
    await tenant.call('POST', '/valuations', { body: { ...flat, ...body } }),
  ])
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/includedComparableIds/3', code }] },
    })
})

test('fewer than three included comparables are refused', async () => {
  const made = await create()
  const { status, body } = await change(made.id, { includedComparableIds: usedIds(made).slice(0, 2) })
  expect([status, body.code]).toEqual([422, 'NOT_ENOUGH_COMPARABLES'])
  expect(body.message).toContain('At least 3 comparables must be included; 2 are.')
  const all = made.comparablesConsidered
  const { rows } = await sql<{ id: string }>`select id from market_properties where longitude > 2`.execute(
    app.database.owner,
  )
  const excluded = await change(made.id, {
    excludedComparableIds: rows.slice(0, all - 4).map(({ id }) => id),
  })
  expect(excluded.status).toBe(422)
  expect(excluded.body.message).toBe(
    '40 comparables are known within 5 km, 4 without the excluded ones; at least 5 are needed. Exclude fewer.',
  )
})

test('a count at the search limit is reported as that many or more', async () => {
  const there = { latitude: 43.1, longitude: -7.5 }
  await fill(there, { source: 'many' }, 203)
  const { rows } = await sql<{ id: string }>`select id from market_properties where longitude < -7`.execute(
    app.database.owner,
  )
  const excludedComparableIds = rows.slice(0, 200).map(({ id }) => id)
  const body = { ...flat, ...there, excludedComparableIds }
  const { status, body: refusal } = await tenant.call<{ message: string }>('POST', '/valuations', { body })
  expect(status).toBe(422)
  expect(refusal.message).toMatch(
    /^200 or more comparables are known within 5 km, [0-3] without the excluded ones; at least 5 are needed\. Exclude fewer\.$/,
  )
})

test('a refused change changes nothing', async () => {
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

test('sending one list keeps the other, without the ids that the sent list names', async () => {
  const made = await create()
  const [first, ...others] = usedIds(made)
  await change(made.id, { includedComparableIds: others.slice(0, 4) })
  const { body } = await change(made.id, { excludedComparableIds: [first!, others[0]!.toUpperCase()] })
  expect(usedIds(body).sort()).toEqual(others.slice(1, 4).sort())
  expect(body).toMatchObject({
    includedComparableIds: others.slice(1, 4),
    excludedComparableIds: [first, others[0]],
  })
  const again = await change(made.id, {
    includedComparableIds: [...others.slice(1, 4), first!.toUpperCase()],
  })
  expect(again.body).toMatchObject({
    includedComparableIds: [...others.slice(1, 4), first],
    excludedComparableIds: [others[0]],
  })
  // With no comparable included, all others would be used.
  const { status, errors } = await change(made.id, {
    excludedComparableIds: [first!, ...others.slice(1, 4)],
  }).then(({ status, body }) => ({ status, ...(body as unknown as { errors: object[] }) }))
  expect([status, errors]).toEqual([
    400,
    [expect.objectContaining({ path: '/excludedComparableIds', code: 'CONTRADICTION' })],
  ])
})

test('an update with the stored values changes nothing', async () => {
  const address = 'Somewhere'
  const { id, comparables } = await create({ name: 'One', address, reportConfig: { language: 'ca' } })
  const [first, ...others] = comparables.map(({ id }) => id)
  const chosen = { includedComparableIds: others.slice(0, 3), excludedComparableIds: [first!] }
  const made = await change(id, chosen)
  const upperCase = others.slice(0, 3).map(id => id.toUpperCase())
  const bodies: ValuationChanges[] = [
    {},
    { name: 'One' },
    { address },
    { reportConfig: made.body.reportConfig },
    chosen,
    { reportConfig: { language: 'ca' as const } },
    { includedComparableIds: upperCase.toReversed() },
  ]
  for (const body of bodies) {
    const reply = await change(id, body)
    expect([body, reply.headers.get('etag')]).toEqual([body, made.headers.get('etag')])
    expect(reply.text).toBe(made.text)
  }
  const { headers } = await change(id, { name: 'Another' })
  expect(headers.get('etag')).not.toBe(made.headers.get('etag'))
})

test('null sets the default', async () => {
  const reportConfig = { language: 'ca' as const }
  const made = await create()
  const nothing = { includedComparableIds: null, excludedComparableIds: null, reportConfig: null }
  const asDefault = await create({ ...nothing, radiusKm: null })
  expect(asDefault).toMatchObject({ area: made.area, reportConfig: made.reportConfig })
  expect(asDefault.comparables).toEqual(made.comparables)
  const [first, ...others] = usedIds(made)
  const chosen = { includedComparableIds: others.slice(0, 4), excludedComparableIds: [first!] }
  await change(made.id, { ...chosen, reportConfig })
  const { updatedAt: _, ...rest } = (await change(made.id, nothing)).body
  expect({ ...rest, updatedAt: made.updatedAt }).toEqual(made)
})

test('an update uses no quota and ignores properties added to the market since', async () => {
  const made = await create()
  const before = await tenant.readQuotaUsage('maxValuationsPerMonth')
  await fill(place, { source: 'later', price: 900_000 }, 10)
  const [heaviest] = usedIds(made)
  await change(made.id, { excludedComparableIds: [heaviest!] })
  const { body } = await change(made.id, { excludedComparableIds: [] })
  expect(body.estimate).toEqual(made.estimate)
  expect(await tenant.readQuotaUsage('maxValuationsPerMonth')).toBe(before)
})

test('a new name or reportConfig keeps the value, even if the market has changed', async () => {
  const made = await create({ name: 'First', address: 'Somewhere' })
  const reportConfig = { language: 'ca' as const, sections: ['summary' as const], showAddress: false }
  const { body } = await change(made.id, { name: 'Second', address: null, reportConfig })
  const { updatedAt: _, ...rest } = body
  expect(rest).toEqual({
    ...Object.fromEntries(Object.entries(made).filter(([name]) => name !== 'updatedAt')),
    name: 'Second',
    address: null,
    reportConfig,
  })
})

test('an update with an outdated ETag is refused', async () => {
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
