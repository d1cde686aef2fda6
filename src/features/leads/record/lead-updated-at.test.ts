/** `updatedAt` changes with the sources of a lead, but not if a listing is merely seen again. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAdvisoryLockWaiters, eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeListing } from '../../../../test/make.ts'
import { makeTenant, seedListings as store, type TestTenant } from '../../../../test/tenant.ts'
import { markListingsSeen, withdrawListings } from '../service.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

const toResults = (stored: { result: string }[]) => stored.map(({ result }) => result)

const past = '2020-01-01T00:00:00.000Z'
const withPhone = (phone: string) => ({ contact: { ...makeListing().contact, phone } })
const listings = { here: {}, there: withPhone('+34600000002'), gone: withPhone('+34600000003') }
const markSeen = (tenant: TestTenant, ...listingIds: string[]) =>
  tenant.inTenant(tx =>
    markListingsSeen(
      tx,
      'portal_a',
      listingIds.map(listingId => ({ listingId, sourceState: null })),
    ),
  )
const withdraw = (tenant: TestTenant, ...listingIds: string[]) =>
  tenant.inTenant(tx => withdrawListings(tx, 'portal_a', listingIds))
const setAge = (tenant: TestTenant) =>
  tenant.inTenant(tx =>
    sql`update leads set updated_at = ${past} where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
const listUpdatedSince = async (tenant: TestTenant) =>
  (await tenant.listLeads({ updatedAfter: past })).data.map(({ sources }) => sources[0]!.listingId)

const onPortalB = { platform: 'portal_b' }
test.each<[string, (tenant: TestTenant) => Promise<unknown>, string[]]>([
  ['a listing of another portal joins it', tenant => store(tenant, { b1: {} }, onPortalB), ['here']],
  [
    'a listing of another portal joins it, without updating it',
    tenant => store(tenant, { b1: {} }, { ...onPortalB, updateExisting: false }),
    ['here'],
  ],
  ['a withdrawn listing is read again', tenant => store(tenant, listings), ['gone']],
  [
    'a withdrawn listing is read again, without updating it',
    tenant => store(tenant, listings, { updateExisting: false }),
    ['gone'],
  ],
  [
    'a withdrawn listing is seen again',
    tenant => markSeen(tenant, 'here', 'there', 'gone', 'unknown'),
    ['gone'],
  ],
  ['its listing is withdrawn', tenant => withdraw(tenant, 'here', 'gone', 'unknown'), ['here']],
])('changes if %s, for this lead only', async (_what, change, expected) => {
  const tenant = await makeTenant(app)
  await store(tenant, listings)
  await withdraw(tenant, 'gone')
  await setAge(tenant)
  await change(tenant)
  expect(await listUpdatedSince(tenant)).toEqual(expected)
})

test('changes if one of two listings is withdrawn, and if it is listed again', async () => {
  const tenant = await makeTenant(app)
  await store(tenant, { here: {} })
  await store(tenant, { b1: {} }, onPortalB)
  for (const change of [withdraw, markSeen]) {
    await setAge(tenant)
    await change(tenant, 'here')
    expect(await listUpdatedSince(tenant)).toEqual(['here'])
  }
})

test('a withdrawn listing that is read again without changes leaves its lead unchanged', async () => {
  const tenant = await makeTenant(app)
  await store(tenant, { here: {} })
  await withdraw(tenant, 'here')
  expect(toResults(await store(tenant, { here: {} }))).toEqual(['unchanged'])
})

test('changes if the listing is seen again during its withdrawal', async () => {
  const tenant = await makeTenant(app)
  await store(tenant, { here: {} })
  const [withdrawn, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const withdrawal = tenant.inTenant(async tx => {
    await withdrawListings(tx, 'portal_a', ['here'])
    await sql`update leads set updated_at = ${past} where tenant_id = ${tenant.tenantId}`.execute(tx)
    withdrawn.resolve()
    await release.promise
  })
  await withdrawn.promise
  const waiting = markSeen(tenant, 'here')
  await eventually(
    () => countAdvisoryLockWaiters(app.database),
    count => count === 1,
  )
  release.resolve()
  await Promise.all([withdrawal, waiting])
  expect(await listUpdatedSince(tenant)).toEqual(['here'])
  expect((await tenant.listAllLeads())[0]!.sources[0]!.withdrawnAt).toBeNull()
})
