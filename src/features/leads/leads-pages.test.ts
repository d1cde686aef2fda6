/** The pages of GET /leads: in order, each lead once, whatever comes and goes between them. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeLeads } from '../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Lead } from './schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
})
afterAll(() => app.stop())

const sorts = ['-createdAt', '-updatedAt', 'price', '-price'] as const
type Sort = (typeof sorts)[number]

// Few values, so that there are ties.
const prices = fc.array(fc.constantFrom(null, 0, 0.5, 100, 100.25, 250_000, 9_999_999_999), { maxLength: 12 })

const make = (tenant: TestTenant, all: (number | null)[]) =>
  makeLeads(
    app.database,
    tenant.tenantId,
    all.map(price => ({ price })),
  )

/** What a list sorted like this ascends by; unknown prices last either way. */
function rank({ createdAt, updatedAt, property: { price } }: Lead, sort: Sort): number {
  if (sort === '-createdAt') return -Date.parse(createdAt)
  if (sort === '-updatedAt') return -Date.parse(updatedAt)
  if (price === null) return Number.POSITIVE_INFINITY
  return sort === 'price' ? price : -price
}

/** Every page of the list; `between` runs before each further one. */
async function walk(
  tenant: TestTenant,
  query: { sort: Sort; limit: number },
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
  test('the pages show every lead once and in order, unknown prices last', async () => {
    await fc.assert(
      fc.asyncProperty(prices, fc.integer({ min: 1, max: 5 }), async (all, limit) => {
        const tenant = await makeTenant(app)
        const ids = await make(tenant, all)
        await tenant.inTenant(tx =>
          sql`update leads set updated_at = '2026-01-01Z' where id = any(${ids.slice(0, 4)})`.execute(tx),
        )
        const seen = await walk(tenant, { sort, limit })
        expect(seen.map(lead => lead.id).sort()).toEqual(ids.sort())
        const ranks = seen.map(lead => rank(lead, sort))
        expect(ranks).toEqual(ranks.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
      }),
      { numRuns: 12 },
    )
  })

  test('no lead is missed or shown twice while others come and go between the pages', async () => {
    await fc.assert(
      fc.asyncProperty(prices, fc.integer({ min: 1, max: 4 }), prices, async (all, limit, coming) => {
        const tenant = await makeTenant(app)
        const ids = await make(tenant, all)
        const doomed = ids.filter((_id, at) => at % 3 === 2)
        const left = [...doomed]
        const seen = await walk(tenant, { sort, limit }, async page => {
          const gone = left.pop()
          if (gone) await tenant.inTenant(tx => tx.deleteFrom('leads').where('id', '=', gone).execute())
          if (page <= coming.length) await make(tenant, [coming[page - 1]!])
        })
        const seenIds = seen.map(lead => lead.id)
        expect(new Set(seenIds).size).toBe(seenIds.length)
        expect(ids.filter(id => !doomed.includes(id) && !seenIds.includes(id))).toEqual([])
      }),
      { numRuns: 10 },
    )
  })
})

test('a cursor of another filter, another sort or another tenant is refused', async () => {
  const [tenant, other] = [await makeTenant(app), await makeTenant(app)]
  await make(tenant, [1, 2])
  const { nextCursor: cursor } = await tenant.listLeads({ limit: 1 })
  const ask = (of: TestTenant, query: string) =>
    of.call<{ code?: string }>('GET', `/leads?limit=1&cursor=${cursor}${query}`)
  const replies = [
    await ask(tenant, '&sort=price'),
    await ask(tenant, '&hasPhone=true'),
    await ask(other, ''),
  ]
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
    Array(3).fill([400, 'INVALID_CURSOR']),
  )
  expect((await tenant.listLeads({ limit: 2, cursor })).data).toHaveLength(1)
})

test('the newest lead comes first', async () => {
  const tenant = await makeTenant(app)
  const batches: string[][] = []
  for (let batch = 0; batch < 4; batch++) batches.unshift(await make(tenant, [1, 2, 3]))
  const { data } = await tenant.listLeads()
  const times = data.map(lead => lead.createdAt)
  expect(times).toEqual(times.toSorted().reverse())
  expect(data.slice(0, 3).map(lead => lead.id)).toEqual(batches[0]!.sort().reverse())
})
