/**
 * The program on a Citus cluster: two tenants on different workers use it as an agency does. Decision 40 lists what
 * is not supported.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { listKeys, revokeKey, revokeUser } from '../src/features/identity/service.ts'
import type { Lead } from '../src/features/leads/schemas.ts'
import type { LeadOperation } from '../src/features/leads/writing/bulk-schemas.ts'
import type { Share } from '../src/features/shares/schemas.ts'
import type { Valuation } from '../src/features/valuations/schemas.ts'
import { openDatabase, sql } from '../src/kit/db/index.ts'
import { hashKeyValue } from '../src/kit/key.ts'
import { createLog } from '../src/kit/log.ts'
import { testCampaigns } from './citus-campaigns.ts'
import { type Cluster, startCluster } from './citus-cluster.ts'
import { testMessages } from './citus-messages.ts'
import { testPrivacy } from './citus-privacy.ts'
import { makeTenants, type PlacedTenant, queryServer, readSlug, send } from './citus-tenants.ts'
import { extract, waitUntilEnded } from './extraction.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { importFile, waitUntilImported } from './imports.ts'
import { waitUntilIdle } from './jobs.ts'
import { makeKey } from './make.ts'
import { fillMarket, makeListingsAround } from './market.ts'
import { startReceiverForTest, subscribe, waitForDeliveries } from './receiver.ts'
import { hasShared } from './shared.ts'
import { testShared } from './shared-tests.ts'
import type { TestTenant } from './tenant.ts'
import { browse, makeSignedInUser } from './users.ts'

const place = { latitude: 41.3917, longitude: 2.1611 }
/** Starting three servers and distributing 40 tables takes 7 s on an idle machine. */
const startMs = 120_000

let cluster: Cluster
let app: TestApp
let tenants: PlacedTenant[]
beforeAll(async () => {
  if (!hasShared) return
  cluster = await startCluster()
  app = await startTestApp({ databaseUrl: cluster.databaseUrl })
  await fillMarket(app.database, 'test', makeListingsAround(place))
  tenants = await makeTenants(cluster, app)
}, startMs)
afterAll(async () => {
  try {
    await app?.app.stop()
    await app?.database.close()
  } finally {
    await cluster?.stop()
  }
}, startMs)

async function forEachTenant(work: (tenant: TestTenant) => Promise<void>): Promise<void> {
  for (const { tenant } of tenants) await work(tenant)
}

testShared('a lead is created, changed, found by full-text search and deleted', () =>
  forEachTenant(async tenant => {
    const lead = { contact: { name: 'Marta', phone: '612345678' }, property: { title: 'Ático' } }
    const { id } = await send<Lead>(tenant, 201, 'POST', '/leads', lead)
    await send(tenant, 200, 'PATCH', `/leads/${id}`, { status: 'contacted' })
    expect((await tenant.listLeads({ q: 'atico' })).data).toMatchObject([{ id, status: 'contacted' }])
    expect((await tenant.listLeads()).data).toHaveLength(1)
    await send(tenant, 204, 'DELETE', `/leads/${id}`)
    expect((await tenant.listLeads()).data).toEqual([])
  }),
)

testShared('a key identifies its tenant', () =>
  forEachTenant(async tenant => {
    const { environment } = (await send<{ key: { environment: string } }>(tenant, 200, 'GET', '/me')).key
    expect(environment).toBe('test')
  }),
)

testShared('a key opens its tenant through a pooler, for reading and writing', async () => {
  const directUrl = `${cluster.databaseUrl}?application_name=direct`
  const pooled = openDatabase(cluster.databaseUrl, { directUrl, onError: () => {} })
  try {
    await forEachTenant(async ({ key, tenantId }) => {
      const { id, workspaceId } = (await pooled.findApiKey(hashKeyValue(key)))!
      for (const method of ['withTenant', 'readTenant'] as const) {
        const rows = await pooled[method]({ tenantId, workspaceId, keyId: id }, tx =>
          tx.selectFrom('api_keys').select('id').where('tenant_id', '=', tenantId).execute(),
        )
        expect(rows).toEqual([{ id }])
      }
    })
  } finally {
    await pooled.close()
  }
})

testShared('two leads are merged', () =>
  forEachTenant(async tenant => {
    const [first, second] = (await Promise.all(
      ['612345671', '612345672'].map(phone =>
        send<Lead>(tenant, 201, 'POST', '/leads', { contact: { phone } }),
      ),
    )) as [Lead, Lead]
    await send(tenant, 200, 'POST', `/leads/${first.id}/merge`, { leadId: second.id })
    expect((await tenant.listLeads()).data.map(({ id }) => id)).toEqual([first.id])
    await send(tenant, 204, 'DELETE', `/leads/${first.id}`)
  }),
)

testShared('an extraction creates leads', () =>
  forEachTenant(async tenant => {
    const search = { operation: 'sale', propertyType: 'homes', city: 'barcelona' } as const
    const { status, progress, error } = await extract(tenant, search, { maxResults: 20 })
    expect({ status, error }).toEqual({ status: 'COMPLETED', error: null })
    expect(progress.leadsCreated).toBe(20)
  }),
)

testShared('a file is imported, and the import is undone', () =>
  forEachTenant(async tenant => {
    const file = 'nombre,telefono,referencia\nMarta,612000001,A-1\nLuis,612000002,A-2\n'
    const imported = await importFile(tenant, file)
    expect(imported).toMatchObject({ status: 'COMPLETED', progress: { created: 2 } })
    await send(tenant, 202, 'POST', `/leads/imports/${imported.id}/undo`)
    expect(await waitUntilImported(tenant, imported)).toMatchObject({ status: 'UNDONE' })
  }),
)

testShared('a property is valued, and its link shows the report', () =>
  forEachTenant(async tenant => {
    const facts = { ...place, squareMeters: 80, bedrooms: 3, bathrooms: 2 }
    const subject = { ...facts, propertyType: 'homes', operation: 'sale' }
    const { id } = await send<Valuation>(tenant, 201, 'POST', '/valuations', subject)
    const { url } = await send<Share>(tenant, 201, 'POST', `/valuations/${id}/share`, {})
    const page = await fetch(app.url + new URL(url).pathname)
    expect(page.status).toBe(200)
    await send(tenant, 204, 'DELETE', `/valuations/${id}/share`)
    expect((await fetch(app.url + new URL(url).pathname)).status).toBe(404)
  }),
)

testShared('events arrive at a receiver', () =>
  forEachTenant(async tenant => {
    const receiver = await startReceiverForTest()
    await subscribe(tenant, receiver, ['lead.created'])
    await send(tenant, 201, 'POST', '/leads', { contact: { name: 'Luis', phone: '612345679' } })
    const [delivery] = await waitForDeliveries(receiver)
    expect(delivery!.event.type).toBe('lead.created')
    await waitUntilIdle(app.database, tenant.tenantId)
  }),
)

testShared('leads of a full-text search are changed, exported and deleted', () =>
  forEachTenant(async tenant => {
    for (const name of ['Núria', 'Lluís'])
      await send(tenant, 201, 'POST', '/leads', { contact: { name }, property: { title: 'Loft' } })
    const change = { filter: { q: 'loft nuria' }, changes: { status: 'qualified', addTags: ['lofts'] } }
    const changed = await send<LeadOperation>(tenant, 200, 'PATCH', '/leads', change)
    expect(changed).toMatchObject({ status: 'COMPLETED', progress: { changed: 1 } })
    expect((await tenant.listLeads({ tag: 'lofts' })).data).toMatchObject([{ contact: { name: 'Núria' } }])
    for (const [query, lines] of [
      ['q=loft&format=ndjson', 2],
      ['q=loft&format=csv&separator=tab', 3],
    ] as const) {
      const file = await fetch(`${app.url}/public/v1/leads/export?${query}`, {
        headers: { 'x-api-key': tenant.key },
      })
      expect((await file.text()).trim().split('\n')).toHaveLength(lines)
    }
    await send(tenant, 200, 'DELETE', '/leads', { filter: { q: 'loft' } })
    expect((await tenant.listLeads({ q: 'loft' })).data).toEqual([])
  }),
)

testShared('a user changes a setting until they are revoked; a key is revoked too', () =>
  forEachTenant(async tenant => {
    const { owner } = app.database
    const workspace = await readSlug(app, tenant)
    const { email, cookie } = await makeSignedInUser(app, workspace, 'owner')
    const body = { retention: { months: 24 } }
    expect(await browse(app, 'PATCH', '/dashboard/v1/settings', { cookie, body })).toMatchObject({
      status: 200,
      body: { data: [{ value: { months: 24 } }] },
    })
    await revokeUser(owner, { workspace, email })
    expect((await browse(app, 'GET', '/dashboard/v1/session', { cookie })).status).toBe(401)

    const key = await makeKey(app.database, { workspace, environment: 'test' })
    const { id } = (await listKeys(owner, workspace)).find(({ last4 }) => key.endsWith(last4))!
    expect((await app.call('GET', '/me', { key })).status).toBe(200)
    await revokeKey(owner, id)
    expect((await app.call('GET', '/me', { key })).status).toBe(401)
  }),
)

testShared('quotas count, listings of the sandbox change, and its clock moves', () =>
  forEachTenant(async tenant => {
    const [lead] = (await tenant.listLeads({ platform: 'portal_a' })).data
    const path = `/sandbox/listings/${lead!.sources[0]!.listingId}`
    expect((await send<{ price: number }>(tenant, 200, 'POST', path, { price: 1234 })).price).toBe(1234)
    expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBeGreaterThanOrEqual(20)
    const now = new Date(Date.now() + 3_600_000).toISOString()
    await send(tenant, 200, 'POST', '/sandbox/clock', { now })
  }),
)

testShared('jobs of the deployment find the tenants on all servers', async () => {
  const { database } = app
  const context = {
    database,
    log: createLog('silent'),
    attempt: 1,
    isLastAttempt: false,
    hasWaitingJobs: async () => false,
    signal: new AbortController().signal,
  }
  const stalled = sql`update extractions set status = 'RUNNING', finished_at = null, progressed_at = now() - interval '1 hour'`
  const ids = await Promise.all(
    tenants.map(async ({ tenant }) => {
      const { rows } = await tenant.inTenant(tx =>
        sql<{ id: string }>`${stalled} where tenant_id = ${tenant.tenantId} returning id`.execute(tx),
      )
      return rows.map(({ id }) => id)
    }),
  )
  expect(ids.flat()).toHaveLength(2)
  for (const job of describeFeatures().flatMap(feature => feature.deploymentJobs ?? []))
    await job.run(context)
  for (const [at, { tenant }] of tenants.entries())
    expect(await waitUntilEnded(tenant, ids[at]![0]!)).toMatchObject({ status: 'COMPLETED' })
})

testShared('each worker only has the rows of its tenant, and shows them to no other tenant', async () => {
  for (const { tenant, worker } of tenants) {
    const url = new URL(cluster.superuserUrls[worker]!)
    const shards = await queryServer<{ name: string }>(
      cluster.superuserUrls[0],
      `select shard_name as name from citus_shards where table_name = 'aldaba.leads'::regclass and nodeport = $1`,
      [url.port],
    )
    const all = shards.map(({ name }) => `select tenant_id from ${name}`).join(' union all ')
    const held = await queryServer<{ tenant_id: string }>(
      url.href,
      `select distinct tenant_id from (${all}) leads`,
    )
    expect(held).toEqual([{ tenant_id: tenant.tenantId }])
    url.username = 'aldaba_service'
    expect(await queryServer(url.href, all)).toEqual([])
    const searchWords = (entering: string) =>
      queryServer(
        url.href,
        `select from ${entering} as entered, aldaba.search_documents($1::uuid, 'lead_search', 'barcelona')`,
        [tenant.tenantId],
      )
    expect(
      await searchWords(`set_config('aldaba.tenant_id', '${tenants[0]!.tenant.tenantId}', true)`),
    ).toHaveLength(worker === tenants[0]!.worker ? 20 : 0)
    expect(await searchWords(`current_setting('aldaba.tenant_id', true)`)).toEqual([])
  }
})

testPrivacy(forEachTenant)
testMessages(forEachTenant)
testCampaigns(forEachTenant)
