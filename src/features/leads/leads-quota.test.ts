/** The quota of leads in a month: exact, whoever stores. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { listing, trace } from '../../../test/make.ts'
import { makeTenant, seedListings as store } from '../../../test/tenant.ts'
import { newId } from '../../kit/id.ts'
import { storeListings } from './service.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

const results = (stored: { result: string }[]) => stored.map(({ result }) => result)

test('the quota of leads cuts exactly: what is left of it is stored, known adverts cost nothing', async () => {
  const tenant = await makeTenant(app)
  await tenant.limitQuota('maxLeadsPerMonth', 3)
  await store(tenant, { a1: {}, a2: {} })
  const stored = await store(tenant, { a1: { price: 1 }, a3: {}, a4: {}, a2: {} })
  expect(results(stored)).toEqual(['updated', 'created', 'overQuota', 'unchanged'])
  expect(results(await store(tenant, { a1: { price: 2 }, a5: {} }))).toEqual(['updated', 'overQuota'])
  expect([(await tenant.allLeads()).length, await tenant.quotaUsed('maxLeadsPerMonth')]).toEqual([3, 3])
})

test('the quota of leads is never passed by several who store at once', async () => {
  const tenant = await makeTenant(app)
  await tenant.limitQuota('maxLeadsPerMonth', 10)
  const batches = Array.from({ length: 5 }, (_, batch) =>
    store(
      tenant,
      Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`${batch}-${at}`, {}])),
      // Portals of their own, so that they do not take turns for another reason.
      { platform: `portal_${batch}` },
    ),
  )
  const stored = (await Promise.all(batches)).flatMap(results)
  expect(stored.filter(result => result === 'created')).toHaveLength(10)
  expect(stored.filter(result => result === 'overQuota')).toHaveLength(10)
  expect([(await tenant.allLeads()).length, await tenant.quotaUsed('maxLeadsPerMonth')]).toEqual([10, 10])
})

test('the quota of leads is given back with a transaction that fails', async () => {
  const tenant = await makeTenant(app)
  await tenant.limitQuota('maxLeadsPerMonth', 1)
  const batch = { platform: 'portal_a', extractionId: newId(), campaignId: null, updateExisting: true }
  const failing = tenant.inTenant(async tx => {
    await storeListings(tx, {
      ...batch,
      tags: [],
      listings: [{ listingId: '1', listing: listing(), trace: trace() }],
    })
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await tenant.quotaUsed('maxLeadsPerMonth')).toBe(0)
  expect(results(await store(tenant, { 1: {} }))).toEqual(['created'])
})
