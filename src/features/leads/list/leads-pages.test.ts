/** The pages of GET /leads: in order, each lead once, whatever is added or deleted in between. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { changeLeadRows, makeLeads, makeListing } from '../../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

const sorts = ['-createdAt', '-updatedAt', 'updatedAt', 'price', '-price'] as const
type Sort = (typeof sorts)[number]

// Few values, so that some are equal, and enough for several pages.
const price = fc.constantFrom(null, 0, 0.5, 100, 100.25, 250_000, 9_999_999_999)
const prices = fc.array(price, { minLength: 3, maxLength: 12 })

const makeWithPrices = (tenant: TestTenant, all: (number | null)[]) =>
  makeLeads(
    app.database,
    tenant.tenantId,
    all.map(price => ({ price })),
  )

/** A number that ascends in a list with this order; unknown prices come last in both directions. */
function rank({ createdAt, updatedAt, property: { price } }: Lead, sort: Sort): number {
  if (sort === '-createdAt') return -Date.parse(createdAt)
  if (sort === '-updatedAt') return -Date.parse(updatedAt)
  if (sort === 'updatedAt') return Date.parse(updatedAt)
  if (price === null) return Number.POSITIVE_INFINITY
  return sort === 'price' ? price : -price
}

let counter = 0
/** Values that keep a property from being matched with a withdrawn listing. */
function distinctListing(): Partial<Listing> {
  counter += 1
  const phone = `+346${10_000_000 + counter}`
  return {
    contact: { ...makeListing().contact, phone },
    address: `Carrer ${counter}`,
    latitude: 37 + counter / 1000,
  }
}

/** All pages of the list. `between` runs before each page after the first. */
async function readPages(
  tenant: TestTenant,
  query: { sort: Sort; limit: number; [filter: string]: unknown },
  between: (page: number) => Promise<void> = async () => {},
): Promise<Lead[]> {
  const seen: Lead[] = []
  let cursor: string | null = null
  for (let page = 1; page === 1 || cursor; page++) {
    if (page > 1) await between(page)
    const { data, nextCursor } = await tenant.listLeads({ ...query, ...(cursor ? { cursor } : {}) })
    expect(data.length).toBeLessThanOrEqual(query.limit)
    expect(data.length === query.limit || nextCursor === null).toBe(true)
    seen.push(...data)
    cursor = nextCursor
  }
  return seen
}

describe.each(sorts)('sorted by %s', sort => {
  test('shows every lead once and in order, unknown prices last', async () => {
    await fc.assert(
      fc.asyncProperty(prices, fc.integer({ min: 1, max: 5 }), async (all, limit) => {
        const tenant = await makeTenant(app)
        const ids = await makeWithPrices(tenant, all)
        await tenant.inTenant(tx =>
          sql`update leads set updated_at = '2026-01-01Z' where tenant_id = ${tenant.tenantId} and id = any(${ids.slice(0, 4)})`.execute(
            tx,
          ),
        )
        const seen = await readPages(tenant, { sort, limit })
        expect(seen.map(lead => lead.id).sort()).toEqual(ids.sort())
        const ranks = seen.map(lead => rank(lead, sort))
        expect(ranks).toEqual(ranks.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
      }),
      { numRuns: 6 },
    )
  })

  test('neither misses nor repeats a lead while others are added and deleted between the pages', async () => {
    await fc.assert(
      fc.asyncProperty(prices, fc.integer({ min: 1, max: 4 }), prices, async (all, limit, addedPrices) => {
        const tenant = await makeTenant(app)
        const ids = await makeWithPrices(tenant, all)
        const deletedIds = ids.filter((_id, at) => at % 3 === 2)
        const idsToDelete = [...deletedIds]
        const seen = await readPages(tenant, { sort, limit }, async page => {
          const deletedId = idsToDelete.pop()
          if (deletedId)
            await tenant.inTenant(tx =>
              tx
                .deleteFrom('leads')
                .where('tenant_id', '=', tenant.tenantId)
                .where('id', '=', deletedId)
                .execute(),
            )
          if (page <= addedPrices.length) await makeWithPrices(tenant, [addedPrices[page - 1]!])
        })
        const seenIds = seen.map(lead => lead.id)
        expect(new Set(seenIds).size).toBe(seenIds.length)
        expect(ids.filter(id => !deletedIds.includes(id) && !seenIds.includes(id))).toEqual([])
      }),
      { numRuns: 6 },
    )
  })
})

// Filters that match all leads of the test; each has its own way of paging.
const filters: Record<string, unknown>[] = [
  { q: 'ático' },
  { tag: 'autumn' },
  { tag: 'winter,autumn,a\\,b' },
  { municipality: 'Malaga' },
  { province: 'cadiz' },
  {
    province: 'Cádiz',
    withdrawn: true,
    status: 'won,new',
    platform: 'portal_b,portal_a',
    tag: 'winter,autumn',
  },
  { status: 'new,won' },
  { platform: 'portal_a' },
  { platform: 'portal_b,portal_a' },
  { withdrawn: true },
  { minPrice: 0 },
]
describe.each(filters)('found by %j', filter => {
  test('shows each lead once while others are added, deleted and changed between the pages', async () => {
    const orders = fc.constantFrom(...sorts)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 3, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        orders,
        async (count, limit, sort) => {
          const tenant = await makeTenant(app)
          const one = { title: 'Ático', municipality: 'Málaga', province: 'Cádiz' }
          const makeTagged = async (all: number[]) => {
            const ids = await makeLeads(
              app.database,
              tenant.tenantId,
              all.map(price => ({ ...one, ...distinctListing(), price })),
            )
            await tenant.inTenant(tx => changeLeadRows(tx, ids, { tags: ['autumn'] }))
            await tenant.inTenant(tx =>
              sql`update lead_sources set withdrawn_at = now() where tenant_id = ${tenant.tenantId} and lead_id = any(${ids})`.execute(
                tx,
              ),
            )
            return ids
          }
          const ids = await makeTagged(Array.from({ length: count }, (_, n) => n % 4))
          await makeLeads(app.database, tenant.tenantId, [{ price: null, title: 'Bajo' }])
          const [deletedId, edited] = [ids.at(-1), ids.at(-2)]
          const query = { sort, limit, ...filter }
          const seen = await readPages(tenant, query, async page => {
            if (page === 2 && deletedId) await tenant.call('DELETE', `/leads/${deletedId}`)
            if (page === 3 && edited)
              await tenant.call('PATCH', `/leads/${edited}`, { body: { status: 'won' } })
            if (page < 5) await makeTagged([page])
          })
          const seenIds = seen.map(lead => lead.id)
          // A changed lead moves to the end of the list sorted by updatedAt, and is shown again there.
          const distinct = sort === 'updatedAt' ? seenIds.filter(id => id !== edited) : seenIds
          expect(new Set(distinct).size).toBe(distinct.length)
          // A changed lead moves to the front of the list sorted by -updatedAt, before the current page.
          const expected = ids.filter(id => id !== deletedId && (sort !== '-updatedAt' || id !== edited))
          expect(expected.filter(id => !seenIds.includes(id))).toEqual([])
          if (!['platform', 'minPrice', 'status'].includes(Object.keys(filter).join()))
            expect(seen.every(lead => lead.property.title === 'Ático')).toBe(true)
        },
      ),
      { numRuns: 3 },
    )
  })
})

test('counts the leads of the list on request', async () => {
  const tenant = await makeTenant(app)
  await makeWithPrices(tenant, [100, 200, null])
  const count = async (query: object) =>
    (await tenant.listLeads({ limit: 1, ...query })) as unknown as { count: unknown }
  expect((await count({})).count).toBeNull()
  expect((await count({ count: true })).count).toEqual({ value: 3, isExact: true })
  expect((await count({ count: true, minPrice: 150 })).count).toEqual({ value: 1, isExact: true })
  expect((await count({ count: true, q: 'nobody' })).count).toEqual({ value: 0, isExact: true })
  expect((await count({ count: true, q: '¿?' })).count).toEqual({ value: 0, isExact: true })
})

test('refuses a cursor of another filter, order or tenant', async () => {
  const [tenant, other] = [await makeTenant(app), await makeTenant(app)]
  await makeWithPrices(tenant, [1, 2])
  const { nextCursor: cursor } = await tenant.listLeads({ limit: 1 })
  const request = (owner: TestTenant, query: string) =>
    owner.call<{ code?: string }>('GET', `/leads?limit=1&cursor=${cursor}${query}`)
  const replies = [
    await request(tenant, '&sort=price'),
    await request(tenant, '&hasPhone=true'),
    await request(other, ''),
  ]
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
    Array(3).fill([400, 'INVALID_CURSOR']),
  )
  expect((await tenant.listLeads({ limit: 2, cursor })).data).toHaveLength(1)
})

test('lists the newest lead first', async () => {
  const tenant = await makeTenant(app)
  const batches: string[][] = []
  for (let batch = 0; batch < 4; batch++) batches.unshift(await makeWithPrices(tenant, [1, 2, 3]))
  const { data } = await tenant.listLeads()
  const times = data.map(lead => lead.createdAt)
  expect(times).toEqual(times.toSorted().reverse())
  expect(data.slice(0, 3).map(lead => lead.id)).toEqual(batches[0]!.sort().reverse())
})

test('filters by ids, and refuses an invalid id', async () => {
  const tenant = await makeTenant(app)
  const [first, , third] = await makeWithPrices(tenant, [1, 2, 3])
  const { data } = await tenant.listLeads({ ids: `${first},${third!.toUpperCase()}` })
  expect(data.map(({ id }) => id).sort()).toEqual([first, third].sort())
  expect((await tenant.call('GET', '/leads?ids=nobody')).status).toBe(400)
})
