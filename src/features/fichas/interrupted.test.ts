/** Sheets whose making is disturbed: slow portals, deletion, erasure, failing storage, repeated requests. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serve } from '../../../test/faulty-server.ts'
import { generateFicha, storeFicha, toListingUrl } from '../../../test/fichas.ts'
import { eventually, startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeJobsDue, waitUntilIdle } from '../../../test/jobs.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { cleanUpBlobs } from '../../kit/blobs/removal.ts'
import { sql } from '../../kit/db/index.ts'
import type { JobContext } from '../../kit/jobs/job.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import { drawPhoto } from '../../simulator/photo.ts'
import { requeueStalledFichas } from './make-ficha.ts'
import { fichasPerMonth } from './quotas.ts'
import type { Ficha } from './schemas.ts'

interface Refusal {
  code: string
  message: string
}

let app: TestApp
let simulator: Simulator
let listings: SimulatedListing[]
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'aldaba-fichas-'))
  app = await startTestApp({ env: { DATA_DIR: dataDir } })
  simulator = await app.app.getSimulator()
  listings = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'valencia' })
})
afterAll(async () => {
  await app.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const quota = fichasPerMonth.name
const get = async (tenant: TestTenant, id: string, waitSeconds = 0) =>
  tenant.call<Ficha>('GET', `/fichas/${id}?waitSeconds=${waitSeconds}`)

/** What a tenant stores for its sheets, by table. */
async function readRows(
  tenant: TestTenant,
  ...tables: ('fichas' | 'ficha_versions' | 'ficha_photos' | 'blobs')[]
) {
  const count = (table: string) =>
    tenant.inTenant(async tx => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where tenant_id = ${tenant.tenantId}`.execute(
        tx,
      )
      return rows[0]!.count
    })
  return Object.fromEntries(
    await Promise.all(tables.map(async table => [table, await count(table)] as const)),
  )
}

async function expectNothingStored(tenant: TestTenant): Promise<void> {
  expect(await readRows(tenant, 'fichas', 'ficha_versions', 'ficha_photos', 'blobs')).toEqual({
    fichas: 0,
    ficha_versions: 0,
    ficha_photos: 0,
    blobs: 0,
  })
}

const listEvents = (tenant: TestTenant) =>
  tenant.inTenant(tx =>
    tx.selectFrom('events').select('type').where('tenant_id', '=', tenant.tenantId).execute(),
  )

/** Ends the holds of received files, as time does, and removes what nothing refers to. */
async function cleanUp(tenant: TestTenant): Promise<void> {
  await tenant.inTenant(tx =>
    sql`
      update blob_references set expires_at = ${new Date(0)}
      where tenant_id = ${tenant.tenantId} and expires_at is not null`.execute(tx),
  )
  await cleanUpBlobs.run({
    database: app.database,
    signal: AbortSignal.timeout(30_000),
  } as unknown as JobContext)
}

test('a portal that is slower than the wait: 201 generating, then ready', async () => {
  const tenant = await makeTenant(app)
  const listing = listings.pop()!
  const { promise: until, resolve: release } = Promise.withResolvers<void>()
  simulator.faults.add({ kind: 'latency', until, match: `/inmueble/${listing.id}/` })
  const started = await generateFicha(tenant, listing, { waitSeconds: 1 })
  expect(started).toMatchObject({ status: 'generating', version: 0, property: null })
  release()
  expect((await get(tenant, started.id, 30)).body).toMatchObject({ status: 'ready', version: 1 })
  expect(await listEvents(tenant)).toEqual([{ type: 'ficha.created' }])
  expect(await tenant.readQuotaUsage(quota)).toBe(1)
})

test('a page that is no whole listing: 422 says what was understood', async () => {
  const portal = await serve(({ url }, reply) => {
    if (url === '/robots.txt') return reply.writeHead(404).end()
    reply.setHeader('Content-Type', 'text/html; charset=utf-8')
    reply.end(
      '<!doctype html><title>Piso en venta en Calle Mayor</title><h1>Piso en venta en Calle Mayor</h1>',
    )
  })
  const live = await startTestApp({ env: { PORTAL_URLS: `portal_a=http://127.0.0.1:${portal.port}` } })
  onTestFinished(() => live.stop())
  const tenant = await makeTenant(live, 'live')
  const body = { propertyUrl: `http://127.0.0.1:${portal.port}/inmueble/100000001/`, waitSeconds: 30 }
  const reply = await tenant.call<Refusal>('POST', '/fichas/generate', { body })
  expect([reply.status, reply.body.code]).toEqual([422, 'LISTING_UNREADABLE'])
  expect(reply.body.message).toContain('Understood: title Piso en venta en Calle Mayor')
  expect(await readRows(tenant, 'fichas', 'ficha_versions')).toEqual({ fichas: 0, ficha_versions: 0 })
  expect(await tenant.readQuotaUsage(quota)).toBe(0)
})

test('a sheet that is deleted while its photos are copied leaves nothing, and its quota is refunded', async () => {
  const tenant = await makeTenant(app)
  const listing = listings.pop()!
  const [, second, ...others] = Array.from({ length: listing.photoCount }, (_, index) => index + 1)
  for (const number of [second, ...others])
    simulator.faults.add({ kind: 'hang', match: `/fotos/${listing.id}/${number}.png` })
  const { id } = await generateFicha(tenant, listing, { waitSeconds: 0 })
  await eventually(
    () => readRows(tenant, 'blobs'),
    ({ blobs }) => blobs! > 0,
  )
  expect((await tenant.call('DELETE', `/fichas/${id}`)).status).toBe(204)
  await waitUntilIdle(app.database, tenant.tenantId)
  expect((await get(tenant, id)).status).toBe(404)
  await cleanUp(tenant)
  await expectNothingStored(tenant)
  expect(await listEvents(tenant)).toEqual([])
  expect(await tenant.readQuotaUsage(quota)).toBe(0)
})

describe('a sheet that cannot be made for a reason on our side', () => {
  const internal = { status: 'failed', error: { code: 'INTERNAL' }, version: 0 }

  test('is tried six times, then has failed with one refund', async () => {
    const tenant = await makeTenant(app)
    // A file in the place of the tenant's directory, so that no photo can be stored.
    await mkdir(join(dataDir, 'blobs'), { recursive: true })
    await writeFile(join(dataDir, 'blobs', tenant.tenantId), '')
    const { id } = await generateFicha(tenant, listings.pop()!, { waitSeconds: 0 })
    expect(await tenant.readQuotaUsage(quota)).toBe(1)
    let attemptsSeen = 0
    const { body } = await eventually(
      async () => {
        const { rows } = await app.database.ownerPool.query<{ attempts: number }>(
          `select attempts from graphile_worker._private_jobs where payload::text like '%' || $1 || '%'`,
          [id],
        )
        attemptsSeen = Math.max(attemptsSeen, ...rows.map(({ attempts }) => attempts))
        await makeJobsDue(app.database, tenant.tenantId)
        return get(tenant, id)
      },
      ({ body }) => body.status === 'failed',
    )
    expect(body).toMatchObject(internal)
    expect(attemptsSeen).toBeGreaterThanOrEqual(5)
    expect(await tenant.readQuotaUsage(quota)).toBe(0)
    expect(await listEvents(tenant)).toEqual([])
    expect(await readRows(tenant, 'ficha_versions', 'ficha_photos')).toEqual({
      ficha_versions: 0,
      ficha_photos: 0,
    })
  })

  test('and whose job is lost again and again, has failed with one refund', async () => {
    const tenant = await makeTenant(app)
    const listing = listings.pop()!
    simulator.faults.add({ kind: 'hang', match: `/inmueble/${listing.id}/` })
    const { id } = await generateFicha(tenant, listing, { waitSeconds: 0 })
    const log = { warn() {} }
    const context = { database: app.database, log, signal: AbortSignal.timeout(30_000) }
    const requeue = () => requeueStalledFichas.run(context as unknown as JobContext)
    // Again if the job has begun in between: it records progress.
    const { body } = await eventually(
      async () => {
        await tenant.inTenant(tx =>
          sql`update fichas set requeues = 3, progressed_at = ${new Date(0)} where tenant_id = ${tenant.tenantId} and id = ${id}`.execute(
            tx,
          ),
        )
        await app.database.ownerPool.query(
          `delete from graphile_worker._private_jobs where payload->>'tenantId' = $1`,
          [tenant.tenantId],
        )
        await requeue()
        return get(tenant, id)
      },
      ({ body }) => body.status === 'failed',
    )
    expect(body).toMatchObject(internal)
    await requeue()
    expect(await tenant.readQuotaUsage(quota)).toBe(0)
  })
})

describe('an edit while a person is erased', () => {
  const makeLead = async (tenant: TestTenant, email: string) => {
    const contact = { name: 'Eva Mas', email }
    return (await tenant.call<{ id: string }>('POST', '/leads', { body: { contact } })).body.id
  }

  test('does not bring the erased texts back', async () => {
    const tenant = await makeTenant(app)
    for (let round = 0; round < 4; round++) {
      const email = `eva.mas${round}@example.com`
      const id = await storeFicha(app, tenant.tenantId)
      const patch = (property: object) => tenant.call('PATCH', `/fichas/${id}`, { body: { property } })
      await patch({ description: `Write to ${email}.` })
      const leadId = await makeLead(tenant, email)
      const [erased, ...edited] = await Promise.all([
        tenant.call('DELETE', `/leads/${leadId}?erase=true`),
        ...[1, 2, 3].map(price => patch({ price })),
      ])
      expect([erased.status, ...edited.map(({ status }) => status)]).toEqual([204, 200, 200, 200])
      expect((await tenant.call('GET', `/fichas/${id}/versions`)).text).not.toContain('eva.mas')
    }
  })

  test('leaves nothing of a sheet that goes with its lead', async () => {
    const tenant = await makeTenant(app)
    const photo = `data:image/png;base64,${drawPhoto(1).toString('base64')}`
    for (let round = 0; round < 4; round++) {
      const email = `eva.mas${round}@example.com`
      const id = await storeFicha(app, tenant.tenantId)
      const leadId = await makeLead(tenant, email)
      await tenant.inTenant(tx =>
        tx
          .updateTable('fichas')
          .set({ lead_id: leadId })
          .where('tenant_id', '=', tenant.tenantId)
          .where('id', '=', id)
          .execute(),
      )
      const [erased, ...edited] = await Promise.all([
        tenant.call('DELETE', `/leads/${leadId}?erase=true`),
        ...['Marta', 'Joan'].map(name =>
          tenant.call('PATCH', `/fichas/${id}`, { body: { agent: { name, photo } } }),
        ),
      ])
      expect(erased.status).toBe(204)
      for (const { status } of edited) expect([200, 404]).toContain(status)
      expect((await get(tenant, id)).status).toBe(404)
    }
    await cleanUp(tenant)
    await expectNothingStored(tenant)
  })
})

describe('an Idempotency-Key', () => {
  const send = (tenant: TestTenant, body: object) =>
    tenant.call<Ficha & Refusal>('POST', '/fichas/generate', { body, headers: { 'idempotency-key': 'once' } })

  test('makes one sheet of concurrent requests, and a replay waits for it too', async () => {
    const tenant = await makeTenant(app)
    const body = { propertyUrl: toListingUrl(listings.pop()!), waitSeconds: 30 }
    const replies = await Promise.all(Array.from({ length: 5 }, () => send(tenant, body)))
    const refused = replies.filter(({ status }) => status !== 201)
    for (const { status, body } of refused)
      expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT'])
    const made = [...replies.filter(({ status }) => status === 201), await send(tenant, body)]
    expect(new Set(made.map(({ body: { id } }) => id)).size).toBe(1)
    for (const { body } of made) expect(body.status).toBe('ready')
    expect(await readRows(tenant, 'fichas')).toEqual({ fichas: 1 })
    expect(await tenant.readQuotaUsage(quota)).toBe(1)
  })

  test('of another body is refused', async () => {
    const tenant = await makeTenant(app)
    const [one, other] = [listings.pop()!, listings.pop()!].map(toListingUrl)
    expect((await send(tenant, { propertyUrl: one })).status).toBe(201)
    expect((await send(tenant, { propertyUrl: other })).body.code).toMatch(/IDEMPOTENCY/)
    expect(await readRows(tenant, 'fichas')).toEqual({ fichas: 1 })
  })

  test('of a sheet that was deleted since is answered with the sheet as it was requested', async () => {
    const tenant = await makeTenant(app)
    const body = { propertyUrl: toListingUrl(listings.pop()!), waitSeconds: 30 }
    const { body: made } = await send(tenant, body)
    await tenant.call('DELETE', `/fichas/${made.id}`)
    const replayed = await send(tenant, body)
    expect([replayed.status, replayed.body.id]).toEqual([201, made.id])
    expect(await readRows(tenant, 'fichas')).toEqual({ fichas: 0 })
  })
})
