/** The lifecycle of imports: dry run, start, undo and delete. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { importFile, listRows, sendFile, waitUntilImported } from '../../../test/imports.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import type { Import } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const post = (id: string, action: string, body?: object) =>
  tenant.call<Import>('POST', `/leads/imports/${id}/${action}`, body ? { body } : {})

/** Everything stored about the tenant's leads, except when they were last updated. */
async function dump(): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const table of ['leads', 'lead_sources', 'lead_identifiers', 'lead_tags', 'notes', 'quota_usage']) {
    const { rows } = await tenant.inTenant(tx =>
      sql<{ row: object }>`
        select to_jsonb(t) - 'updated_at' - 'last_seen_at' as row from ${sql.table(table)} t
        where t.tenant_id = ${tenant.tenantId} order by 1`.execute(tx),
    )
    found[table] = rows.map(({ row }) => row)
  }
  return found
}

const makeRows = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, n) => `Persona ${from + n},p${from + n}@example.com,Calle ${from + n}`,
  )
const makeFile = (...rows: string[]) => ['Nombre,Email,Dirección', ...rows].join('\n')

describe('a dry run', () => {
  test('reports the result that every row would have, and changes nothing', async () => {
    await importFile(tenant, makeFile('Persona 3,p3@example.com,Calle 3'))
    const before = await dump()
    // Two batches: the second one repeats rows of the first, which exist only in the file.
    const file = makeFile(
      ...makeRows(0, 600),
      'Persona 7,p7@example.com,Calle 7',
      ',,',
      'Persona 3,p3@example.com,Calle 3',
    )
    const dry = await importFile(tenant, file, { dryRun: true })
    expect(dry).toMatchObject({
      status: 'COMPLETED',
      dryRun: true,
      fileKeptUntil: expect.any(String),
      progress: { rowsTotal: 602, created: 599, updated: 0, unchanged: 1, skipped: 2, failed: 0 },
    })
    expect(await dump()).toEqual(before)
    const rows = await listRows(tenant, dry, 'skipped')
    expect(rows).toMatchObject([
      { rowNumber: 602, reason: 'DUPLICATE_IN_FILE', message: expect.stringContaining('row 9 ') },
      { rowNumber: 604, reason: 'DUPLICATE_IN_FILE', message: expect.stringContaining('row 5 ') },
    ])

    const events = await tenant.inTenant(tx =>
      tx.selectFrom('events').select('type').where('tenant_id', '=', tenant.tenantId).execute(),
    )
    expect(events).toEqual([{ type: 'leads.imported' }])
    expect((await post(dry.id, 'start', {})).status).toBe(202)
    const { progress, dryRun } = await waitUntilImported(tenant, dry)
    expect({ progress, dryRun }).toEqual({ progress: dry.progress, dryRun: false })
  })

  test('counts the quota that earlier batches would have used', async () => {
    await tenant.limitQuota('maxLeadsPerMonth', 520)
    const dry = await importFile(tenant, makeFile(...makeRows(0, 600)), { dryRun: true })
    expect(dry.progress).toMatchObject({ created: 520, skipped: 80 })
    expect(await listRows(tenant, dry, 'skipped')).toContainEqual(
      expect.objectContaining({ rowNumber: 522, reason: 'QUOTA_EXCEEDED' }),
    )
    expect(await tenant.readQuotaUsage('maxLeadsPerMonth')).toBe(0)
  })

  test('is started as an import with another mapping, without another upload', async () => {
    const file = 'Nombre,Contacto,Estado civil\nMarta,612345678,soltera\n'
    const dry = await importFile(tenant, file, { dryRun: true, keepUnknown: false })
    expect(dry.mapping).toEqual({
      Nombre: 'contact.name',
      Contacto: dry.guessedMapping.Contacto,
      'Estado civil': null,
    })
    const mapping = { Contacto: 'contact.phone', 'Estado civil': 'customFields.civil' }
    const { body } = await post(dry.id, 'start', { mapping, onMatch: 'skip' })
    expect(body).toMatchObject({
      status: 'QUEUED',
      dryRun: false,
      onMatch: 'skip',
      mapping,
      progress: { created: 0 },
    })
    expect(await waitUntilImported(tenant, body)).toMatchObject({ status: 'COMPLETED', fileKeptUntil: null })
    expect(await tenant.listAllLeads()).toMatchObject([
      { contact: { name: 'Marta', phone: '+34612345678' }, customFields: { civil: 'soltera' } },
    ])
    expect(await post(dry.id, 'start', {})).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION' },
    })
    const { rows } = await tenant.inTenant(tx =>
      sql`select from import_chunks where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(rows).toEqual([])
  })
})

describe('a mapping', () => {
  test.each([
    ['that is not JSON', '{', '/mapping', 'WRONG_FORMAT'],
    ['that is a list', '["contact.name"]', '/mapping', 'WRONG_TYPE'],
    ['of an unknown column', '{"Apellido": "contact.name"}', '/mapping/Apellido', 'UNKNOWN_HEADING'],
    ['to an unknown field', '{"Nombre": "contact.nombre"}', '/mapping/Nombre', 'NOT_ALLOWED'],
    ['to a custom field without a name', '{"Nombre": "customFields."}', '/mapping/Nombre', 'NOT_ALLOWED'],
    ['to an invalid custom field', '{"Nombre": "customFields.a~b"}', '/mapping/Nombre', 'NOT_ALLOWED'],
  ])('%s is refused with 400', async (_what, mapping, path, code) => {
    expect(await sendFile(tenant, makeFile(...makeRows(0, 1)), { mapping })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', errors: [{ path, code }] },
    })
  })
})

describe('known leads', () => {
  const first = 'Id,Nombre,Teléfono,Precio,Dirección\nA-1,Marta,612345678,1000,Calle 1\n'
  const second = 'Id,Nombre,Teléfono,Precio,Dirección\nA-1,Marta Soler,699112233,1200,Calle 1\n'
  const mapping = JSON.stringify({ Id: 'externalId' })

  test('are updated by a row with their id, or skipped if onMatch is skip', async () => {
    await importFile(tenant, first, { mapping })
    const skipped = await importFile(tenant, second, { mapping, onMatch: 'skip' })
    expect(skipped.progress).toMatchObject({ created: 0, updated: 0, skipped: 1 })
    expect(await listRows(tenant, skipped)).toMatchObject([
      { reason: 'LEAD_EXISTS', leadId: expect.any(String) },
    ])
    expect((await importFile(tenant, second, { mapping })).progress).toMatchObject({ created: 0, updated: 1 })
    expect((await importFile(tenant, second, { mapping })).progress).toMatchObject({
      updated: 0,
      unchanged: 1,
    })
    const leads = await tenant.listAllLeads()
    expect(leads).toMatchObject([
      { contact: { name: 'Marta Soler', phone: '+34699112233' }, property: { price: 1200 } },
    ])
  })

  test('are part of `leads.imported`, with the new ones', async () => {
    await importFile(tenant, first, { mapping })
    const { id } = await importFile(tenant, `${second}A-2,Eva,600111222,5,Calle 2\n`, { mapping })
    const events = await tenant.inTenant(tx =>
      tx
        .selectFrom('events')
        .select('data')
        .where('tenant_id', '=', tenant.tenantId)
        .where('type', '=', 'leads.imported')
        .orderBy('id')
        .execute(),
    )
    const leadIds = (await tenant.listAllLeads()).map(lead => lead.id)
    expect(events[1]!.data).toEqual({
      extractionId: null,
      importId: id,
      platform: null,
      created: 1,
      updated: 1,
      part: 1,
      parts: 1,
      leadIds: leadIds.toReversed(),
    })
  })
})

describe('an undo', () => {
  const file = `Id,Nombre,Teléfono,Precio,Dirección,Notas,Base legal,Etiquetas
A-1,Marta Soler,699112233,1200,Calle 1,Llamar,consent,vip
A-2,Eva,600111222,900,Calle 2,Tarde,consent,nuevo
A-3,Sol,600111333,900,Calle 3,,,
`
  const mapping = JSON.stringify({ Id: 'externalId', Notas: 'note', 'Base legal': 'lawfulBasis.kind' })
  beforeEach(async () => {
    await importFile(tenant, 'Id,Nombre,Teléfono,Precio,Dirección\nA-1,Marta,612345678,1000,Calle 1\n', {
      mapping: '{"Id": "externalId"}',
    })
  })

  test('restores every updated lead, and deletes the created ones', async () => {
    const before = await dump()
    const ended = await importFile(tenant, file, { mapping, attestation: 'Asked at the fair of May.' })
    expect(ended.progress).toMatchObject({ created: 2, updated: 1 })
    const bases = (await tenant.listAllLeads()).map(lead => [
      lead.contact.name,
      lead.contactability.lawfulBasis,
    ])
    expect(Object.fromEntries(bases)).toEqual({ 'Marta Soler': 'consent', Eva: 'consent', Sol: null })
    expect((await post(ended.id, 'undo')).status).toBe(202)
    expect(await waitUntilImported(tenant, ended)).toMatchObject({
      status: 'UNDONE',
      undoneAt: expect.any(String),
      progress: { undone: 3, notReverted: 0, percent: 100 },
    })
    // The quota is not refunded.
    const { quota_usage: _before, ...rest } = before
    expect(await dump()).toMatchObject(rest)
    expect(await listRows(tenant, ended)).toMatchObject([
      { undone: true },
      { undone: true, leadId: null },
      { undone: true },
    ])
    expect(await post(ended.id, 'undo')).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  })

  test('keeps leads that have been changed since, and reports them', async () => {
    const ended = await importFile(tenant, file, { mapping })
    const leads = await tenant.listAllLeads()
    const [sol, eva] = ['Sol', 'Eva'].map(name => leads.find(lead => lead.contact.name === name))
    await tenant.call('POST', `/leads/${eva!.id}/notes`, { body: { body: 'Wants to sell soon.' } })
    await tenant.call('DELETE', `/leads/${sol!.id}`)
    await tenant.inTenant(tx =>
      sql`update leads set price = 1300 where tenant_id = ${tenant.tenantId} and price = 1200`.execute(tx),
    )
    await post(ended.id, 'undo')
    expect((await waitUntilImported(tenant, ended)).progress).toMatchObject({ undone: 0, notReverted: 3 })
    expect((await listRows(tenant, ended)).map(row => row.undone)).toEqual([false, false, false])
    expect(await tenant.listAllLeads()).toMatchObject([
      { id: eva!.id, notesCount: 2 },
      {
        contact: { name: 'Marta', phone: '+34612345678' },
        property: { price: 1300 },
        tags: [],
        notesCount: 0,
      },
    ])
  })

  test('is refused for a dry run', async () => {
    const dry = await importFile(tenant, file, { mapping, dryRun: true })
    expect(await post(dry.id, 'undo')).toMatchObject({ status: 409, body: { code: 'INVALID_TRANSITION' } })
  })
})

describe('a repeated upload with its Idempotency-Key', () => {
  test('has the same reply for the same file, and is refused for another file', async () => {
    const key = 'one-file'
    const file = makeFile(...makeRows(0, 3))
    const first = await sendFile(tenant, file, { idempotencyKey: key })
    const again = await sendFile(tenant, file, { idempotencyKey: key })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await sendFile(tenant, makeFile(...makeRows(0, 4)), { idempotencyKey: key })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_MISMATCH' },
    })
    await waitUntilImported(tenant, first.body)
    expect((await tenant.call<{ data: Import[] }>('GET', '/leads/imports')).body.data).toHaveLength(1)
  })
})

describe('a deletion', () => {
  test('removes the import and its rows, and keeps the leads', async () => {
    const ended = await importFile(tenant, makeFile(...makeRows(0, 3)))
    expect((await tenant.call('DELETE', `/leads/imports/${ended.id}`)).status).toBe(204)
    expect((await tenant.call('GET', `/leads/imports/${ended.id}`)).status).toBe(404)
    const { rows } = await tenant.inTenant(tx =>
      sql`select from import_rows where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(rows).toEqual([])
    expect(await tenant.listAllLeads()).toHaveLength(3)
  })
})
