/** Leads deleted over HTTP: what goes with them, what stays, and who hears of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extract, type Search } from '../../../../test/extraction.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeLeads } from '../../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const countIn = (table: 'lead_sources' | 'notes', leadId: string) =>
  tenant.inTenant(async tx => {
    const rows = await tx.selectFrom(table).select('lead_id').where('lead_id', '=', leadId).execute()
    return rows.length
  })

test('a deleted lead is gone with its sources and notes; others stay, and subscribers are told', async () => {
  const [leadId, other] = (await makeLeads(app.database, tenant.tenantId, [{}, {}])) as [string, string]
  for (const id of [leadId, other])
    await tenant.call('POST', `/leads/${id}/notes`, { body: { body: 'a note' } })
  expect((await tenant.call('DELETE', `/leads/${leadId}`)).status).toBe(204)
  expect((await tenant.call('GET', `/leads/${leadId}`)).status).toBe(404)
  expect((await tenant.call('DELETE', `/leads/${leadId}`)).status).toBe(404)
  expect([await countIn('lead_sources', leadId), await countIn('notes', leadId)]).toEqual([0, 0])
  expect([await countIn('lead_sources', other), await countIn('notes', other)]).toEqual([1, 1])
  expect((await tenant.allLeads()).map(({ id }) => id)).toEqual([other])
  const events = await tenant.inTenant(tx =>
    tx.selectFrom('events').select('data').where('type', '=', 'lead.deleted').execute(),
  )
  expect(events.map(({ data }) => data)).toEqual([{ leadId, mergedIntoLeadId: null }])
})

test('the extraction that brought it still tells its others, and one that finds it again makes it anew', async () => {
  const own = await makeTenant(app)
  const search: Search = { operation: 'rent', propertyType: 'garages', city: 'barcelona' }
  const first = await extract(own, search, { maxResults: 5 })
  const [deleted] = await own.allLeads()
  expect((await own.call('DELETE', `/leads/${deleted!.id}`)).status).toBe(204)
  expect((await own.listLeads({ extractionId: first.extractionId })).data).toHaveLength(4)
  const again = await extract(own, search, { maxResults: 5 })
  expect(again.progress).toMatchObject({ leadsCreated: 1 })
  const sources = (await own.allLeads()).map(lead => lead.sources[0]!.listingId)
  expect(sources).toContain(deleted!.sources[0]!.listingId)
  expect(new Set(sources).size).toBe(5)
})

test('leads deleted while an extraction runs harm it in nothing', async () => {
  const own = await makeTenant(app)
  const search: Search = { operation: 'sale', propertyType: 'garages', city: 'barcelona' }
  let isRunning = true
  const running = extract(own, search, { maxResults: 500 }).finally(() => {
    isRunning = false
  })
  let deleted = 0
  while (isRunning) {
    const { data } = await own.listLeads({ limit: 5 })
    for (const { id } of data) if ((await own.call('DELETE', `/leads/${id}`)).status === 204) deleted++
  }
  const { status, outcome, progress } = await running
  expect([status, outcome]).toEqual(['COMPLETED', 'full'])
  expect((await own.allLeads()).length).toBe(progress.leadsCreated - deleted)
})
