/** Sheets that cannot be made: the reply says why, nothing is stored, and the quota is refunded. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateFicha, toListingUrl } from '../../../test/fichas.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { eraseReplies } from '../../kit/idempotency.ts'
import type { Fault } from '../../simulator/faults.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import { deleteFichas } from './queries.ts'
import { fichasPerMonth } from './quotas.ts'
import type { Ficha } from './schemas.ts'

interface Refusal {
  code: string
  message: string
}

let app: TestApp
let simulator: Simulator
let listings: SimulatedListing[]
beforeAll(async () => {
  app = await startTestApp()
  simulator = await app.app.getSimulator()
  listings = simulator.findListings({ operation: 'rent', propertyType: 'homes', city: 'madrid' })
})
afterAll(() => app.stop())

/** Each test takes a listing of its own, and puts its faults on the pages of that listing. */
const takeListing = (fault?: Fault) => {
  const listing = listings.pop()!
  if (fault) simulator.faults.add({ match: `/inmueble/${listing.id}/`, ...fault })
  return listing
}
const quota = fichasPerMonth.name

describe('within the wait, the reply is 422', () => {
  test.each<[string, Fault, string]>([
    ['LISTING_GONE', { kind: 'status', status: 410 }, 'no longer shows'],
    ['LISTING_BLOCKED', { kind: 'challenge' }, 'refuses requests'],
    ['LISTING_BLOCKED', { kind: 'redirectToLogin' }, 'redirected'],
    ['LISTING_UNREADABLE', { kind: 'huge', bytes: 100_000 }, 'Understood: nothing'],
    ['LISTING_UNAVAILABLE', { kind: 'status', status: 503 }, '503'],
  ])('%s for the fault %j', async (code, fault, message) => {
    const tenant = await makeTenant(app)
    const body = { propertyUrl: toListingUrl(takeListing(fault)), waitSeconds: 30 }
    const reply = await tenant.call<Refusal>('POST', '/fichas/generate', { body })
    expect([reply.status, reply.body.code]).toEqual([422, code])
    expect(reply.body.message).toContain(message)
    expect((await tenant.call<{ data: Ficha[] }>('GET', '/fichas')).body.data).toEqual([])
    expect(await tenant.readQuotaUsage(quota)).toBe(0)
  })

  test('a failed request is not remembered for its Idempotency-Key; a successful one is', async () => {
    const tenant = await makeTenant(app)
    const body = { propertyUrl: toListingUrl(takeListing({ kind: 'challenge', times: 1 })) }
    const headers = { 'idempotency-key': 'once' }
    const send = () => tenant.call<Ficha>('POST', '/fichas/generate', { body, headers })
    expect((await send()).status).toBe(422)
    const made = await send()
    expect([made.status, made.body.status]).toEqual([201, 'ready'])
    const replayed = await send()
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    expect(replayed.body).toEqual(made.body)
    expect(await tenant.readQuotaUsage(quota)).toBe(1)
  })
})

test('a replay that still waits when the first request deletes the failed sheet is an error', async () => {
  const api = await startTestApp({ env: { ROLE: 'api' } })
  const tenant = await makeTenant(api)
  const body = { propertyUrl: toListingUrl(takeListing()), waitSeconds: 30 }
  const headers = { 'idempotency-key': 'once' }
  const waiting = tenant.call<Refusal>('POST', '/fichas/generate', { body, headers })
  const id = await eventually(
    async () => (await tenant.call<{ data: Ficha[] }>('GET', '/fichas')).body.data[0]?.id,
    found => found !== undefined,
  )
  await tenant.inTenant(async tx => {
    await deleteFichas(tx, [id!])
    await eraseReplies(tx, [id!])
  })
  const reply = await waiting
  expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
  await api.stop()
})

test('after the wait, the sheet has failed: it says why, cannot be changed, and its quota is refunded', async () => {
  const tenant = await makeTenant(app)
  const listing = takeListing({ kind: 'status', status: 410 })
  const { id } = await generateFicha(tenant, listing, { waitSeconds: 0 })
  const { body } = await tenant.call<Ficha>('GET', `/fichas/${id}?waitSeconds=30`)
  expect(body).toMatchObject({
    status: 'failed',
    error: { code: 'LISTING_GONE' },
    property: null,
    version: 0,
  })
  expect(await tenant.readQuotaUsage(quota)).toBe(0)
  for (const [method, path] of [
    ['PATCH', `/fichas/${id}`],
    ['POST', `/fichas/${id}/share`],
    ['GET', `/fichas/${id}/sheet`],
  ] as const) {
    const refused = await tenant.call<Refusal>(method, path, method === 'GET' ? {} : { body: {} })
    expect([path, refused.status, refused.body.code]).toEqual([path, 409, 'FICHA_NOT_READY'])
  }
})

test('a page whose layout has changed is read by the general reader', async () => {
  const tenant = await makeTenant(app)
  const listing = takeListing({ kind: 'layout' })
  const { status, property } = await generateFicha(tenant, listing)
  expect(status).toBe('ready')
  expect(property).toMatchObject({
    operation: 'rent',
    price: listing.price,
    squareMeters: listing.squareMeters,
  })
})

test('photos that cannot be copied are left out and counted', async () => {
  const tenant = await makeTenant(app)
  const listing = takeListing()
  simulator.faults.add({ kind: 'status', status: 404, match: `/fotos/${listing.id}/2.png` })
  const { photos, warnings } = await generateFicha(tenant, listing)
  expect(photos).toHaveLength(listing.photoCount - 1)
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'PHOTOS_FAILED' }))
})

test('a used-up quota is refused, and a deleted unfinished sheet is refunded', async () => {
  const tenant = await makeTenant(app)
  await tenant.limitQuota(quota, 1)
  const { promise: until, resolve: release } = Promise.withResolvers<void>()
  const slow = takeListing({ kind: 'latency', until })
  const { id } = await generateFicha(tenant, slow, { waitSeconds: 0 })
  const body = { propertyUrl: toListingUrl(takeListing()) }
  const refused = await tenant.call<Refusal>('POST', '/fichas/generate', { body })
  expect([refused.status, refused.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
  expect((await tenant.call('DELETE', `/fichas/${id}`)).status).toBe(204)
  expect(await tenant.readQuotaUsage(quota)).toBe(0)
  release()
})

test('a job that was killed runs again, and makes one version', async () => {
  const api = await startTestApp({ env: { ROLE: 'api' } })
  const tenant = await makeTenant(api)
  const { id } = await generateFicha(tenant, takeListing(), { waitSeconds: 0 })
  const { claimFicha, finishFicha } = await import('./run-queries.ts')
  const killed = await tenant.inTenant(tx => claimFicha(tx, id))
  const worker = await startTestApp({ databaseUrl: api.config.databaseUrl!, env: { ROLE: 'worker' } })
  const { body } = await tenant.call<Ficha>('GET', `/fichas/${id}?waitSeconds=30`)
  expect(body).toMatchObject({ status: 'ready', version: 1 })
  expect(await tenant.inTenant(tx => finishFicha(tx, killed!, null))).toBe(false)
  const versions = await tenant.inTenant(tx => tx.selectFrom('ficha_versions').select('version').execute())
  expect(versions).toEqual([{ version: 1 }])
  await worker.stop()
  await api.stop()
})
