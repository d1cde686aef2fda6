/** What undoing an import leaves of the people in it, of their opt-outs, and of leads that are made one meanwhile. */
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
  if (status !== 201) throw new Error(`POST /leads answered ${status}: ${text}`)
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

/** How often words stand in the history of any lead. */
async function countEventsWith(words: string): Promise<number> {
  const { rows } = await tenant.inTenant(tx =>
    sql`select from events where tenant_id = ${tenant.tenantId} and strpos(data::text, ${words}) > 0`.execute(
      tx,
    ),
  )
  return rows.length
}

test('of a lead that goes with its import the history keeps no words, and what it lost is forgotten', async () => {
  const ended = await importFile(tenant, 'Nombre;Teléfono\nMarta Soler;612000005\n')
  const leadId = (await tenant.allLeads())[0]!.id
  const setCustomField = (who: string | null, identifiers: string[]) =>
    tenant.call('PATCH', `/leads/${leadId}`, { body: { customFields: { who }, contact: { identifiers } } })
  await setCustomField('Quero', ['622000005'])
  await setCustomField(null, [])
  expect(await countEventsWith('Quero')).toBe(2)
  expect(await undo(ended)).toMatchObject({ undone: 1, notReverted: 0 })
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

test('a lead that was one with another for a while goes with all that it took along', async () => {
  const ended = await importFile(tenant, 'Nombre;Teléfono\nEva;612000006\n')
  const leadId = (await tenant.allLeads())[0]!.id
  await unmerge(leadId, await merge(leadId, await write({ name: 'Carla Riera', phone: '612000007' })))
  const other = (await tenant.allLeads()).find(({ id }) => id !== leadId)!
  expect(await undo(ended)).toMatchObject({ undone: 1, notReverted: 0 })
  expect(await tenant.allLeads()).toMatchObject([{ id: other.id, contact: { phone: '+34612000007' } }])
  expect(await countEventsWith('612000007')).toBe(0)
})

test('who was given the telephone of somebody opted out is not opted out by it once that is undone', async () => {
  const ana = await write({ name: 'Ana', phone: '612000001', email: 'ana@x.es' })
  await tenant.call('PUT', `/leads/${ana}/lawful-basis`, { body: { kind: 'consent', proof: 'Signed.' } })
  await optOut('612000002')
  const ended = await importFile(tenant, 'Nombre;Email;Teléfono\nAna;ana@x.es;612000002\n')
  expect(await getReason(ana)).toBe('OPTED_OUT')
  expect(await undo(ended)).toMatchObject({ undone: 1, notReverted: 0 })
  const reason = await getReason(ana)
  await change(ana, { phone: '612000009' })
  expect([await getReason(ana), reason]).toEqual([null, null])
})

test('who had the telephone, opted out and lost it before is followed by that all the same', async () => {
  const file = 'ID;Nombre;Teléfono;Dirección;Ciudad\n1;Ana;612000011;Calle 1;Lugo\n'
  await importFile(tenant, file)
  const ana = (await tenant.allLeads())[0]!.id
  await optOut('612000011')
  await change(ana, { phone: null })
  const again = await importFile(tenant, file)
  expect((await tenant.allLeads()).map(({ contact }) => contact.phone)).toEqual(['+34612000011'])
  expect(await undo(again)).toMatchObject({ undone: 1, notReverted: 0 })
  await change(ana, { phone: '612000012' })
  expect(await getReason(ana)).toBe('OPTED_OUT')
})

test('leads that the import created and changed keep a source each, whether or not they are one when it is undone', async () => {
  const ana = await write({ name: 'Ana', phone: '612000021' })
  const ended = await importFile(tenant, 'Nombre;Teléfono\nAna R;612000021\nAna;612000021\nEva;612000022\n')
  const eva = (await tenant.allLeads()).find(({ id }) => id !== ana)!
  const mergeId = await merge(ana, eva.id)
  await undo(ended)
  expect((await unmerge(ana, mergeId)).status).toBe(200)
  const platforms = (await tenant.allLeads()).map(({ id, sources }) => [id, sources.map(s => s.platform)])
  expect(new Map(platforms as [string, string[]][])).toEqual(
    new Map([
      [ana, ['api']],
      [eva.id, ['csv_import']],
    ]),
  )
})
