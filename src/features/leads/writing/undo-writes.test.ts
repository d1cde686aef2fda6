/** The undo of an import: history, opt-outs, and leads that were merged meanwhile. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { importFile, waitUntilImported } from '../../../../test/imports.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

async function write(contact: object): Promise<string> {
  const { body, status, text } = await tenant.call<Lead>('POST', '/leads', { body: { contact } })
  if (status !== 201) throw new Error(`POST /leads returned ${status}: ${text}`)
  return body.id
}
const change = (id: string, contact: object) => tenant.call('PATCH', `/leads/${id}`, { body: { contact } })
const optOut = (value: string) =>
  tenant.call('POST', '/suppressions', { body: { kind: 'opt_out', identifiers: [{ kind: 'phone', value }] } })
const merge = async (id: string, leadId: string) =>
  (await tenant.call<{ mergeId: string }>('POST', `/leads/${id}/merge`, { body: { leadId } })).body.mergeId
const unmerge = (id: string, mergeId: string) => tenant.call('POST', `/leads/${id}/merges/${mergeId}/undo`)
const getReason = async (id: string) =>
  (await tenant.call<Lead>('GET', `/leads/${id}`)).body.contactability.reason

async function undo({ id }: { id: string }): Promise<object> {
  await tenant.call('POST', `/leads/imports/${id}/undo`)
  return (await waitUntilImported(tenant, { id })).progress
}

/** The number of events that contain these words. */
async function countEventsWith(words: string): Promise<number> {
  const { rows } = await tenant.inTenant(tx =>
    sql`select from events where tenant_id = ${tenant.tenantId} and strpos(data::text, ${words}) > 0`.execute(
      tx,
    ),
  )
  return rows.length
}

test('the history of a deleted lead keeps no values, and its former identifiers are deleted', async () => {
  const imported = await importFile(tenant, 'Nombre;Teléfono\nMarta Soler;612000005\n')
  const leadId = (await tenant.listAllLeads())[0]!.id
  const setCustomField = (who: string | null, identifiers: string[]) =>
    tenant.call('PATCH', `/leads/${leadId}`, { body: { customFields: { who }, contact: { identifiers } } })
  await setCustomField('Quero', ['622000005'])
  await setCustomField(null, [])
  expect(await countEventsWith('Quero')).toBe(2)
  expect(await undo(imported)).toMatchObject({ undone: 1, notReverted: 0 })
  expect(await countEventsWith('Quero')).toBe(0)
  const { rows } = await tenant.inTenant(tx =>
    sql<{ type: string; data: object }>`
      select type, data from events where tenant_id = ${tenant.tenantId} and lead_id = ${leadId} order by id`.execute(
      tx,
    ),
  )
  expect(rows.map(({ type }) => type)).toEqual(['lead.updated', 'lead.updated', 'lead.deleted'])
  expect(rows[2]!.data).toEqual({ leadId, externalId: null, mergedIntoLeadId: null })
  expect(
    await tenant.inTenant(tx =>
      tx.selectFrom('former_identifiers').selectAll().where('tenant_id', '=', tenant.tenantId).execute(),
    ),
  ).toEqual([])
})

test('a lead that was merged for a while is deleted with all data of that time', async () => {
  const imported = await importFile(tenant, 'Nombre;Teléfono\nEva;612000006\n')
  const leadId = (await tenant.listAllLeads())[0]!.id
  await unmerge(leadId, await merge(leadId, await write({ name: 'Carla Riera', phone: '612000007' })))
  const other = (await tenant.listAllLeads()).find(({ id }) => id !== leadId)!
  expect(await undo(imported)).toMatchObject({ undone: 1, notReverted: 0 })
  expect(await tenant.listAllLeads()).toMatchObject([{ id: other.id, contact: { phone: '+34612000007' } }])
  expect(await countEventsWith('612000007')).toBe(0)
})

test('an imported phone of somebody who opted out does not opt the lead out after the undo', async () => {
  const ana = await write({ name: 'Ana', phone: '612000001', email: 'ana@x.es' })
  await tenant.call('PUT', `/leads/${ana}/lawful-basis`, { body: { kind: 'consent', proof: 'Signed.' } })
  await optOut('612000002')
  const imported = await importFile(tenant, 'Nombre;Email;Teléfono\nAna;ana@x.es;612000002\n')
  expect(await getReason(ana)).toBe('OPTED_OUT')
  expect(await undo(imported)).toMatchObject({ undone: 1, notReverted: 0 })
  const reason = await getReason(ana)
  await change(ana, { phone: '612000009' })
  expect([await getReason(ana), reason]).toEqual([null, null])
})

test('an opt-out with a phone that the lead had before the import still applies after the undo', async () => {
  const file = 'ID;Nombre;Teléfono;Dirección;Ciudad\n1;Ana;612000011;Calle 1;Lugo\n'
  await importFile(tenant, file)
  const ana = (await tenant.listAllLeads())[0]!.id
  await optOut('612000011')
  await change(ana, { phone: null })
  const again = await importFile(tenant, file)
  expect((await tenant.listAllLeads()).map(({ contact }) => contact.phone)).toEqual(['+34612000011'])
  expect(await undo(again)).toMatchObject({ undone: 1, notReverted: 0 })
  await change(ana, { phone: '612000012' })
  expect(await getReason(ana)).toBe('OPTED_OUT')
})

test('leads that the import created and updated keep one source each, even if they are merged during the undo', async () => {
  const ana = await write({ name: 'Ana', phone: '612000021' })
  const imported = await importFile(
    tenant,
    'Nombre;Teléfono\nAna R;612000021\nAna;612000021\nEva;612000022\n',
  )
  const eva = (await tenant.listAllLeads()).find(({ id }) => id !== ana)!
  const mergeId = await merge(ana, eva.id)
  await undo(imported)
  expect((await unmerge(ana, mergeId)).status).toBe(200)
  const platforms = (await tenant.listAllLeads()).map(({ id, sources }) => [id, sources.map(s => s.platform)])
  expect(new Map(platforms as [string, string[]][])).toEqual(
    new Map([
      [ana, ['api']],
      [eva.id, ['csv_import']],
    ]),
  )
})
