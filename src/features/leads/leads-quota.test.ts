/** The monthly quota of leads is exact, even with concurrent writers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { makeListing, makeSourceState } from '../../../test/make.ts'
import { makeTenant, seedListings as store } from '../../../test/tenant.ts'
import { newId } from '../../kit/id.ts'
import { storeListings } from './service.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

const results = (stored: { result: string }[]) => stored.map(({ result }) => result)

test('the rest of the quota is used up exactly, and known listings do not count', async () => {
  const tenant = await makeTenant(app)
  await tenant.limitQuota('maxLeadsPerMonth', 3)
  await store(tenant, { a1: {}, a2: {} })
  const stored = await store(tenant, { a1: { price: 1 }, a3: {}, a4: {}, a2: {} })
  expect(results(stored)).toEqual(['updated', 'created', 'overQuota', 'unchanged'])
  expect(results(await store(tenant, { a1: { price: 2 }, a5: {} }))).toEqual(['updated', 'overQuota'])
  expect([(await tenant.listAllLeads()).length, await tenant.readQuotaUsage('maxLeadsPerMonth')]).toEqual([
    3, 3,
  ])
})

test('concurrent batches do not exceed the quota', async () => {
  const tenant = await makeTenant(app)
  await tenant.limitQuota('maxLeadsPerMonth', 10)
  const batches = Array.from({ length: 5 }, (_, batch) =>
    store(
      tenant,
      Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`${batch}-${at}`, {}])),
      // Different portals, so that the batches do not wait for each other for another reason.
      { platform: `portal_${batch}` },
    ),
  )
  const stored = (await Promise.all(batches)).flatMap(results)
  expect(stored.filter(result => result === 'created')).toHaveLength(10)
  expect(stored.filter(result => result === 'overQuota')).toHaveLength(10)
  expect([(await tenant.listAllLeads()).length, await tenant.readQuotaUsage('maxLeadsPerMonth')]).toEqual([
    10, 10,
  ])
})

test('a failing transaction refunds the quota', async () => {
  const tenant = await makeTenant(app)
  await tenant.limitQuota('maxLeadsPerMonth', 1)
  const batch = { platform: 'portal_a', extractionId: newId(), campaignId: null, updateExisting: true }
  const failing = tenant.inTenant(async tx => {
    await storeListings(tx, {
      ...batch,
      tags: [],
      listings: [{ listingId: '1', listing: makeListing(), sourceState: makeSourceState() }],
    })
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(0)
  expect(results(await store(tenant, { 1: {} }))).toEqual(['created'])
})
