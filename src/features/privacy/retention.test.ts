/** Retention: leads are erased at night after the period of their workspace. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { makeListing } from '../../../test/make.ts'
import { setSetting } from '../../../test/settings.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import { enqueue } from '../../kit/jobs/enqueue.ts'
import type { Lead } from '../leads/schemas.ts'
import { eraseExpiredLeads } from './jobs.ts'
import { retention } from './settings.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

interface Past {
  created: number
  seen: number
  contacted?: number
  replied?: number
  /** The newest note. */
  noted?: number
  /** The change to `status`; if omitted, long before everything else. */
  statusChanged?: number
  status?: Lead['status']
}

/** Creates leads by name. The numbers are days ago. */
async function makeLeads(past: Record<string, Past>): Promise<void> {
  const listings = Object.keys(past).map((name, at) => [
    name,
    {
      contact: { ...makeListing().contact, phone: `+3461200000${at}`, phoneRaw: null },
      address: `Carrer ${at}`,
      price: 100_000 * (at + 1),
    },
  ])
  for (const { listingId, leadId } of await seedListings(tenant, Object.fromEntries(listings))) {
    const {
      created,
      seen,
      contacted,
      replied,
      noted,
      statusChanged = 1000,
      status = 'new',
    } = past[listingId]!
    for (const body of noted === undefined ? [] : ['called', 'called again'])
      await tenant.call('POST', `/leads/${leadId}/notes`, { body: { body } })
    await tenant.call('PATCH', `/leads/${leadId}`, { body: { status } })
    const at = (days: number | undefined) => (days === undefined ? null : daysAgo(days))
    await tenant.inTenant(async tx => {
      await tx
        .updateTable('leads')
        .set({
          created_at: daysAgo(created),
          last_contacted_at: at(contacted),
          last_reply_at: at(replied),
          status_changed_at: daysAgo(statusChanged),
        })
        .where('tenant_id', '=', tenant.tenantId)
        .where('id', '=', leadId)
        .execute()
      await tx
        .updateTable('notes')
        .set({ created_at: daysAgo(noted ?? 0) })
        .where('tenant_id', '=', tenant.tenantId)
        .where('lead_id', '=', leadId)
        .execute()
      await tx
        .updateTable('lead_sources')
        .set({ last_seen_at: daysAgo(seen) })
        .where('tenant_id', '=', tenant.tenantId)
        .where('lead_id', '=', leadId)
        .execute()
    })
  }
}

async function setRetention(months: number | null): Promise<void> {
  await setSetting(app.database, tenant.tenantId, retention, { months })
}

async function runNightlyJob(): Promise<void> {
  await tenant.inTenant(tx => enqueue(tx, eraseExpiredLeads.name, {}))
  await waitUntilIdle(app.database, tenant.tenantId)
}

const listNames = async () => (await tenant.listAllLeads()).map(({ sources }) => sources[0]!.listingId).sort()

test('erases old leads, except those that were recently contacted or seen, or that were won', async () => {
  tenant = await makeTenant(app)
  await makeLeads({
    old: { created: 200, seen: 200 },
    contacted: { created: 200, seen: 200, contacted: 20 },
    replied: { created: 200, seen: 200, contacted: 190, replied: 30 },
    listed: { created: 200, seen: 1 },
    won: { created: 200, seen: 200, status: 'won' },
    young: { created: 80, seen: 80 },
    lost: { created: 200, seen: 100, status: 'lost' },
    noted: { created: 200, seen: 200, noted: 40 },
    forgotten: { created: 200, seen: 200, noted: 150 },
    qualified: { created: 200, seen: 200, statusChanged: 40, status: 'qualified' },
  })
  await runNightlyJob()
  expect(await listNames()).toHaveLength(10)
  await setRetention(3)
  const shown = Object.fromEntries(
    (await tenant.listAllLeads()).map(({ sources, contactability }) => [
      sources[0]!.listingId,
      contactability.reason,
    ]),
  )
  expect(shown).toMatchObject({
    old: 'RETENTION_EXPIRED',
    lost: 'RETENTION_EXPIRED',
    forgotten: 'RETENTION_EXPIRED',
    noted: 'NO_LAWFUL_BASIS',
    qualified: 'NO_LAWFUL_BASIS',
    won: 'NO_LAWFUL_BASIS',
    young: 'NO_LAWFUL_BASIS',
    replied: 'NO_LAWFUL_BASIS',
  })
  await runNightlyJob()
  expect(await listNames()).toEqual(['contacted', 'listed', 'noted', 'qualified', 'replied', 'won', 'young'])
})

test('an expired person may be stored again, because they have not objected', async () => {
  tenant = await makeTenant(app)
  await setRetention(1)
  await makeLeads({ old: { created: 200, seen: 200 } })
  await runNightlyJob()
  expect(await listNames()).toEqual([])
  await makeLeads({ old: { created: 0, seen: 0 } })
  expect(await listNames()).toEqual(['old'])
  expect((await tenant.call<{ data: object[] }>('GET', '/suppressions')).body.data).toEqual([])
})
