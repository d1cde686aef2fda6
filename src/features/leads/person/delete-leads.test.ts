/** Deletions over HTTP: what is deleted with a lead, what is kept, and the event. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extract, type Search } from '../../../../test/extraction.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { importFile, listRows } from '../../../../test/imports.ts'
import { waitUntilIdle } from '../../../../test/jobs.ts'
import { makeLeads } from '../../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { maxIdAt, newId } from '../../../kit/id.ts'
import { enqueue } from '../../../kit/jobs/enqueue.ts'
import { clearDeletedExternalIds } from '../jobs.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const countIn = (table: 'lead_sources' | 'notes', leadId: string) =>
  tenant.inTenant(async tx => {
    const rows = await tx
      .selectFrom(table)
      .select('lead_id')
      .where('tenant_id', '=', tenant.tenantId)
      .where('lead_id', '=', leadId)
      .execute()
    return rows.length
  })

test('deletes a lead with its sources and notes, keeps other leads, and emits an event', async () => {
  const [leadId, other] = (await makeLeads(app.database, tenant.tenantId, [{}, {}])) as [string, string]
  for (const id of [leadId, other])
    await tenant.call('POST', `/leads/${id}/notes`, { body: { body: 'a note' } })
  expect((await tenant.call('DELETE', `/leads/${leadId}`)).status).toBe(204)
  expect((await tenant.call('GET', `/leads/${leadId}`)).status).toBe(404)
  expect((await tenant.call('DELETE', `/leads/${leadId}`)).status).toBe(404)
  expect([await countIn('lead_sources', leadId), await countIn('notes', leadId)]).toEqual([0, 0])
  expect([await countIn('lead_sources', other), await countIn('notes', other)]).toEqual([1, 1])
  expect((await tenant.listAllLeads()).map(({ id }) => id)).toEqual([other])
  const events = await tenant.inTenant(tx =>
    tx
      .selectFrom('events')
      .select('data')
      .where('tenant_id', '=', tenant.tenantId)
      .where('type', '=', 'lead.deleted')
      .execute(),
  )
  expect(events.map(({ data }) => data)).toEqual([{ leadId, externalId: null, mergedIntoLeadId: null }])
})

test('the results of imports and extractions are kept without the id of a deleted lead', async () => {
  const own = await makeTenant(app)
  const file = 'nombre,telefono,referencia\nMarta,612000001,A-1\nLuis,612000002,A-2\n'
  const imported = await importFile(own, file)
  const [marta, luis] = await listRows(own, imported)
  await own.inTenant(async tx => {
    const extractionId = newId()
    await sql`
      insert into extractions (tenant_id, id, platform, filters, max_results, options, created_at)
      values (${own.tenantId}, ${extractionId}, 'portal_a', '{}', 10, '{}', now())`.execute(tx)
    await sql`
      insert into extraction_listings (tenant_id, extraction_id, listing_id, result, lead_id)
      values (${own.tenantId}, ${extractionId}, '1', 'created', ${marta!.leadId}),
        (${own.tenantId}, ${extractionId}, '2', 'created', ${luis!.leadId})`.execute(tx)
  })
  expect((await own.call('DELETE', `/leads/${marta!.leadId}`)).status).toBe(204)
  expect((await listRows(own, imported)).map(({ leadId }) => leadId)).toEqual([null, luis!.leadId])
  const { rows } = await own.inTenant(tx =>
    sql`select result, lead_id as "leadId" from extraction_listings order by listing_id`.execute(tx),
  )
  expect(rows).toEqual([
    { result: 'created', leadId: null },
    { result: 'created', leadId: luis!.leadId },
  ])
})

/** The data of the `lead.deleted` events, by lead id. */
async function readDeletions(
  own: TestTenant,
): Promise<Record<string, { externalId: unknown; mergedIntoLeadId: unknown }>> {
  const rows = await own.inTenant(tx =>
    tx
      .selectFrom('events')
      .select('data')
      .where('tenant_id', '=', own.tenantId)
      .where('type', '=', 'lead.deleted')
      .execute(),
  )
  return Object.fromEntries(
    rows.map(({ data }) => {
      const { leadId, ...details } = data as {
        leadId: string
        externalId: unknown
        mergedIntoLeadId: unknown
      }
      return [leadId, details]
    }),
  )
}

const putLead = async (own: TestTenant, externalId: string, contact: object): Promise<string> => {
  const path = `/leads/by-external-id/${encodeURIComponent(externalId)}`
  return (await own.call<{ id: string }>('PUT', path, { body: { contact } })).body.id
}

test('lead.deleted has the external id, for as long as the event is delivered', async () => {
  const own = await makeTenant(app)
  const one = await putLead(own, 'crm-1', { name: 'Ana' })
  const two = await putLead(own, 'crm-2', { name: 'Eva' })
  expect((await own.call('DELETE', '/leads/by-external-id/crm-1')).status).toBe(204)
  expect((await own.call('DELETE', `/leads/${two}`)).status).toBe(204)
  const notMerged = { mergedIntoLeadId: null }
  expect(await readDeletions(own)).toEqual({
    [one]: { externalId: 'crm-1', ...notMerged },
    [two]: { externalId: 'crm-2', ...notMerged },
  })
  const runNightlyJob = async () => {
    await own.inTenant(tx => enqueue(tx, clearDeletedExternalIds.name, {}))
    await waitUntilIdle(app.database, own.tenantId)
  }
  const setAge = (days: number) =>
    own.inTenant(tx =>
      sql`
        update events set id = overlay(id::text placing left(${maxIdAt(new Date(Date.now() - days * 86_400_000))}, 13) from 1 for 13)::uuid
        where tenant_id = ${own.tenantId} and type = 'lead.deleted' and lead_id = ${one}`.execute(tx),
    )
  await setAge(30.9)
  await runNightlyJob()
  expect((await readDeletions(own))[one]).toMatchObject({ externalId: 'crm-1' })
  await setAge(31.1)
  await runNightlyJob()
  expect(await readDeletions(own)).toMatchObject({
    [one]: { externalId: null },
    [two]: { externalId: 'crm-2' },
  })
})

test('lead.deleted of a merged lead has the external id, unless the surviving lead has taken it over', async () => {
  const own = await makeTenant(app)
  const middle = await putLead(own, 'crm-1', { name: 'Ana' })
  const other = await putLead(own, 'crm-2', { name: 'Eva' })
  const bare = (await own.call<{ id: string }>('POST', '/leads', { body: { contact: { name: 'Eva' } } })).body
    .id
  await own.call('POST', `/leads/${middle}/merge`, { body: { leadId: other } })
  await own.call('POST', `/leads/${bare}/merge`, { body: { leadId: middle } })
  expect((await own.call<{ id: string }>('GET', '/leads/by-external-id/crm-1')).body.id).toBe(bare)
  expect(await readDeletions(own)).toEqual({
    [other]: { externalId: 'crm-2', mergedIntoLeadId: middle },
    [middle]: { externalId: null, mergedIntoLeadId: bare },
  })
})

test('lead.deleted of an erased person has the external id, unless it contains personal data', async () => {
  const own = await makeTenant(app)
  const marta = { name: 'Marta Soler', phone: '612 345 678', email: 'marta@example.com' }
  const ids = ['crm-1', 'Marta@Example.com', '0034 612-345-678', 'MARTA.SOLER-2', 'banana']
  const leads: string[] = []
  for (const id of ids)
    leads.push(await putLead(own, id, id === 'banana' ? { ...marta, name: 'Ana' } : marta))
  expect((await own.call('DELETE', `/leads/${leads[0]}?erase=true`)).status).toBe(204)
  const details = await readDeletions(own)
  expect(leads.map(id => details[id]?.externalId)).toEqual(['crm-1', null, null, null, 'banana'])
})

test('the extraction still lists its other leads, and another extraction creates the deleted lead again', async () => {
  const own = await makeTenant(app)
  const search: Search = { operation: 'rent', propertyType: 'garages', city: 'barcelona' }
  const first = await extract(own, search, { maxResults: 5 })
  const [deleted] = await own.listAllLeads()
  expect((await own.call('DELETE', `/leads/${deleted!.id}`)).status).toBe(204)
  expect((await own.listLeads({ extractionId: first.extractionId })).data).toHaveLength(4)
  const again = await extract(own, search, { maxResults: 5 })
  expect(again.progress).toMatchObject({ leadsCreated: 1 })
  const sources = (await own.listAllLeads()).map(lead => lead.sources[0]!.listingId)
  expect(sources).toContain(deleted!.sources[0]!.listingId)
  expect(new Set(sources).size).toBe(5)
})

test('an extraction completes although its leads are deleted while it runs', async () => {
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
  expect((await own.listAllLeads()).length).toBe(progress.leadsCreated - deleted)
})
