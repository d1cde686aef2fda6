/** Undo of imports whose leads have also been changed or imported by others. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows, waitUntilImported } from '../../../test/imports.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../test/tenant.ts'
import type { Import } from './schemas.ts'
import { failUndo } from './undo-queries.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

async function undo({ id }: { id: string }): Promise<Import['progress']> {
  await tenant.call('POST', `/leads/imports/${id}/undo`)
  return (await waitUntilImported(tenant, { id })).progress
}

describe('a lead that the import created', () => {
  const file = 'ID;Nombre;Teléfono\n1;Ana;612000001\n'

  test('stays while another import is also its source', async () => {
    const first = await importFile(tenant, file)
    const second = await importFile(tenant, file)
    expect(second.progress).toMatchObject({ unchanged: 1 })
    await importFile(tenant, file, { dryRun: true })
    expect(await undo(first)).toMatchObject({ undone: 0, notReverted: 1 })
    expect(await tenant.listAllLeads()).toHaveLength(1)
  })

  test('is deleted when it has no other source', async () => {
    const first = await importFile(tenant, 'Nombre;Teléfono\nAna;612000001\n')
    await undo(await importFile(tenant, 'Nombre;Teléfono\nAna;612000001\n'))
    expect((await tenant.listAllLeads())[0]!.sources).toMatchObject([{ importId: first.id }])
    expect(await undo(first)).toMatchObject({ undone: 1, notReverted: 0 })
    expect(await tenant.listAllLeads()).toEqual([])
  })

  test('stays while a portal lists it', async () => {
    const listing = (await seedListings(tenant, { '1': {} }))[0]!
    const existing = (await tenant.listAllLeads())[0]!
    await tenant.call('DELETE', `/leads/${listing.leadId}`)
    const { contact, property } = existing
    const line = { name: contact.name, phone: contact.phone, property: { ...property, url: undefined } }
    const first = await importFile(tenant, `${JSON.stringify(line)}\n`, {
      contentType: 'application/x-ndjson',
    })
    expect((await seedListings(tenant, { '1': {} }))[0]!.result).toBe('updated')
    expect(await undo(first)).toMatchObject({ undone: 0, notReverted: 1 })
  })
})

describe('several imports of the same leads', () => {
  const first = 'Nombre;Teléfono;Notas\nAna;612000001;Llamar\n'
  const second = 'Nombre;Teléfono;Precio;Notas\nAna;612000001;1000;Otra vez\n'

  test('are undone one after the other', async () => {
    const [a, b] = [await importFile(tenant, first), await importFile(tenant, second)]
    expect(await undo(b)).toMatchObject({ undone: 1, notReverted: 0 })
    expect(await undo(a)).toMatchObject({ undone: 1, notReverted: 0 })
    expect(await tenant.listAllLeads()).toEqual([])
  })

  test('keep leads with later changes or notes, and report the reason', async () => {
    const [a, b] = [await importFile(tenant, first), await importFile(tenant, second)]
    const [lead] = await tenant.listAllLeads()
    await tenant.call('PATCH', `/leads/${lead!.id}`, { body: { property: { price: 900 } } })
    expect(await undo(b)).toMatchObject({ undone: 0, notReverted: 1 })
    expect(await listRows(tenant, b)).toMatchObject([{ undone: false, reason: 'CHANGED_SINCE' }])
    expect(await undo(a)).toMatchObject({ undone: 0, notReverted: 1 })
    expect(await tenant.listAllLeads()).toMatchObject([{ property: { price: 900 }, notesCount: 1 }])
    await tenant.call('DELETE', `/leads/${lead!.id}`)
    const c = await importFile(tenant, first)
    await tenant.call('DELETE', `/leads/${(await tenant.listAllLeads())[0]!.id}`)
    await undo(c)
    expect(await listRows(tenant, c)).toMatchObject([{ undone: false, reason: 'LEAD_DELETED' }])
  })

  test('do not restore a person who was erased since', async () => {
    const file = (email: string) => `ID;Nombre;Email;Dirección\n1;Ana;${email};Calle 1\n`
    await importFile(tenant, file('eva@x.es'))
    const changed = await importFile(tenant, file('ana@x.es'))
    const [lead] = await tenant.listAllLeads()
    await tenant.call('PATCH', `/leads/${lead!.id}`, { body: { contact: { identifiers: [] } } })
    const other = await tenant.call<{ id: string }>('POST', '/leads', {
      body: { contact: { email: 'eva@x.es' } },
    })
    await tenant.call('DELETE', `/leads/${other.body.id}?erase=true`)
    await undo(changed)
    expect(JSON.stringify(await tenant.listAllLeads())).not.toContain('eva@x.es')
  })
})

describe('a lawful basis recorded by an import', () => {
  const file =
    'Nombre;Teléfono;Base legal;Fecha consentimiento;Prueba consentimiento;Canales consentimiento\nAna;612000001;consent;01/05/2026;Web form;email\n'
  const getBasis = async (leadId: string) =>
    (await tenant.call<{ proof: string; recordedBy: string | null }>('GET', `/leads/${leadId}/lawful-basis`))
      .body

  let leadId: string
  beforeEach(async () => {
    const body = { contact: { name: 'Ana', phone: '612000001' } }
    leadId = (await tenant.call<{ id: string }>('POST', '/leads', { body })).body.id
  })

  test('is undone', async () => {
    const ended = await importFile(tenant, file)
    expect(await getBasis(leadId)).toMatchObject({
      kind: 'consent',
      recordedAt: '2026-05-01T00:00:00.000Z',
      channels: ['email'],
      proof: `Web form\n(Row 2 of the import ${ended.id}.)`,
    })
    expect(await undo(ended)).toMatchObject({ undone: 1, notReverted: 0 })
    expect((await tenant.listAllLeads())[0]!.contactability).toMatchObject({
      lawfulBasis: null,
      consentAt: null,
    })
  })

  test('stays complete if another one has been recorded since', async () => {
    const ended = await importFile(tenant, file)
    const body = { kind: 'consent', recordedAt: '2026-05-01T00:00:00.000Z', proof: 'Signed in the office.' }
    await tenant.call('PUT', `/leads/${leadId}/lawful-basis`, { body })
    expect(await undo(ended)).toMatchObject({ undone: 0, notReverted: 1 })
    expect(await getBasis(leadId)).toMatchObject(body)
  })

  test('is not recorded without a proof', async () => {
    const plain = 'Nombre;Teléfono;Consentimiento\nAna;612000001;sí\n'
    expect((await importFile(tenant, plain)).progress).toMatchObject({ unchanged: 1 })
    const attested = await importFile(tenant, plain, { attestation: 'Signed at the fair of May.' })
    expect(attested).toMatchObject({ attestation: 'Signed at the fair of May.', progress: { updated: 1 } })
    expect((await getBasis(leadId)).proof).toMatch(/^Signed at the fair of May\.\n\(Row 2 of/)
  })
})

test('a failed undo that is requested again ends without an error', async () => {
  const ended = await importFile(tenant, 'Nombre;Teléfono\nAna;612000001\n')
  await tenant.inTenant(tx =>
    tx.updateTable('imports').set({ status: 'UNDOING' }).where('tenant_id', '=', tenant.tenantId).execute(),
  )
  const waiting = tenant.call<Import>('GET', `/leads/imports/${ended.id}?waitSeconds=20`)
  await new Promise(resolve => setTimeout(resolve, 300))
  const startedMs = performance.now()
  await tenant.inTenant(tx => failUndo(tx, ended.id))
  expect((await waiting).body).toMatchObject({ status: 'FAILED', error: { code: 'INTERNAL' } })
  expect(performance.now() - startedMs).toBeLessThan(15_000)
  await undo(ended)
  expect((await tenant.call<Import>('GET', `/leads/imports/${ended.id}`)).body).toMatchObject({
    status: 'UNDONE',
    error: null,
  })
})
