/** An erasure removes the person from the history of other leads, and keeps the rest of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { importFile } from '../../../../test/imports.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

async function write(contact: object, more: object = {}): Promise<string> {
  const { body, status, text } = await tenant.call<Lead>('POST', '/leads', { body: { contact, ...more } })
  if (status !== 201) throw new Error(`POST /leads returned ${status}: ${text}`)
  return body.id
}
const change = (id: string, body: object) => tenant.call('PATCH', `/leads/${id}`, { body })
const merge = async (id: string, leadId: string) =>
  (await tenant.call<{ mergeId: string }>('POST', `/leads/${id}/merge`, { body: { leadId } })).body.mergeId
const unmerge = (id: string, mergeId: string) => tenant.call('POST', `/leads/${id}/merges/${mergeId}/undo`)
const erase = async (id: string) =>
  expect((await tenant.call('DELETE', `/leads/${id}?erase=true`)).status).toBe(204)

interface Item {
  type: string
  data: { cause?: string; changes?: { field: string; before: unknown }[] }
}
const listTimeline = async (id: string) =>
  (await tenant.call<{ data: Item[] }>('GET', `/leads/${id}/timeline`)).body.data

/** The places where a word occurs: events, merges, imports, leads and others. */
async function findOccurrences(word: string): Promise<string[]> {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ place: string }>`
      select 'events' as place from events where tenant_id = ${tenant.tenantId} and strpos(data::text, ${word}) > 0
      union select 'merges' from lead_merges m where tenant_id = ${tenant.tenantId} and strpos(to_jsonb(m)::text, ${word}) > 0
      union select 'changes' from import_changes where tenant_id = ${tenant.tenantId} and strpos(changes::text, ${word}) > 0
      union select 'former' from former_identifiers where tenant_id = ${tenant.tenantId} and strpos(value, ${word}) > 0
      union select 'operations' from lead_operations o where tenant_id = ${tenant.tenantId} and strpos(to_jsonb(o)::text, ${word}) > 0
      union select 'notes' from suppressions where tenant_id = ${tenant.tenantId} and strpos(note, ${word}) > 0
      union select 'imports' from imports i where tenant_id = ${tenant.tenantId} and strpos(to_jsonb(i)::text, ${word}) > 0
      union select 'leads' from leads l where tenant_id = ${tenant.tenantId} and strpos(to_jsonb(l)::text, ${word}) > 0`.execute(
      tx,
    ),
  )
  return rows.map(({ place }) => place).sort()
}

test('a lead with longer identifiers that contain the erased ones keeps its history', async () => {
  const ana = await write({ email: 'ana@x.es', phone: '+4930123456' })
  const mariana = await write({ name: 'M' })
  await change(mariana, { contact: { email: 'mariana@x.es', phone: '+493012345678', name: 'Mariana' } })
  await tenant.call('PATCH', '/leads', {
    body: { filter: { q: 'mariana@x.es' }, changes: { addTags: ['called'] } },
  })
  const before = await listTimeline(mariana)
  await erase(ana)
  expect(before.flatMap(({ data }) => data.changes ?? [])).toHaveLength(5)
  expect(await listTimeline(mariana)).toEqual(before)
})

test('a lead that had the erased identifiers by mistake loses that contact data and keeps its other changes', async () => {
  const wrong = await write({ name: 'Ana Prats', phone: '622000001' }, { property: { price: 100_000 } })
  await change(wrong, { contact: { name: 'Ana Prats Vila' } })
  await change(wrong, { status: 'contacted', property: { price: 90_000 }, customFields: { who: 'Prats' } })
  await importFile(tenant, 'Teléfono;Nombre;Planta\n622000001;Prats;4\n')
  await change(wrong, { contact: { name: 'Eva Gil', phone: '622000002' }, customFields: { who: 'Gil' } })
  await change(wrong, { contact: { name: 'Eva Gil Pons' } })
  const ana = await write({ phone: '622000001' })
  expect(await findOccurrences('Prats')).toContain('events')
  expect(await findOccurrences('622000001')).toEqual(expect.arrayContaining(['events', 'former', 'leads']))
  await erase(ana)
  expect(await findOccurrences('Prats')).toEqual([])
  expect(await findOccurrences('622000001')).toEqual([])
  const history = (await listTimeline(wrong)).flatMap(({ data }) => data.changes ?? [])
  expect(history).toContainEqual({ field: 'status', before: 'new', after: 'contacted' })
  expect(history).toContainEqual({ field: 'property.price', before: 100_000, after: 90_000 })
  expect(history).toContainEqual({ field: 'contact.name', before: 'Eva Gil', after: 'Eva Gil Pons' })
})

describe('leads that were merged with an erased one', () => {
  test('lose the contact data of the time of the merge, after it was undone', async () => {
    const [eva, ana] = [await write({ name: 'Eva' }), await write({ name: 'Ana Roca', phone: '622000011' })]
    await change(eva, { contact: { email: 'eva@x.es' } })
    const third = await write({ name: 'Third' })
    const first = await merge(eva, ana)
    await change(eva, { contact: { identifiers: ['telegram:roca'] } })
    await change(eva, { contact: { identifiers: [] } })
    const second = await merge(third, eva)
    await unmerge(third, second)
    await unmerge(eva, first)
    await change(eva, { contact: { name: 'Eva Mas' } })
    await erase(ana)
    for (const word of ['622000011', 'Roca', 'roca']) expect(await findOccurrences(word), word).toEqual([])
    const history = await listTimeline(eva)
    expect(history.map(({ data }) => data.cause)).toEqual(
      expect.arrayContaining(['merged', 'unmerged', 'edited']),
    )
    const fields = history.flatMap(({ data }) => data.changes ?? [])
    expect(fields.map(({ field }) => field)).toEqual(['contact.name', 'contact.email'])
    expect((await tenant.call('GET', `/leads/${third}`)).status).toBe(200)
  })

  test('keep changes of status and tags from that time, and all changes outside of merges', async () => {
    const eva = await write({ name: 'Eva', phone: '622000051' })
    const rename = async (who: string) => change(eva, { contact: { name: who }, property: { title: who } })
    const mergeAndUndo = async (phone: string, ...statuses: string[]) => {
      const other = await write({ name: 'Other', phone })
      const merged = await merge(eva, other)
      for (const status of statuses) await change(eva, { status, contact: { email: `${status}@x.es` } })
      await unmerge(eva, merged)
      return other
    }
    const ana = await mergeAndUndo('622000052', 'contacted')
    await rename('Eva Between')
    const second = await mergeAndUndo('622000053', 'qualified')
    // The second merge with Ana: changes between the two merges are not about her.
    await unmerge(eva, await merge(eva, ana))
    await rename('Eva After')
    await erase(ana)
    const listFields = async () =>
      (await listTimeline(eva))
        .flatMap(({ data }) => data.changes ?? [])
        .map(({ field, before }) => [field, before])
    const history = await listFields()
    expect(history).toContainEqual(['status', 'new'])
    expect(history).toContainEqual(['status', 'contacted'])
    expect(history).toContainEqual(['contact.name', 'Eva'])
    expect(history).toContainEqual(['property.title', null])
    expect(history).toContainEqual(['contact.name', 'Eva Between'])
    expect(history.filter(([field]) => field === 'contact.email')).toEqual([
      ['contact.email', 'contacted@x.es'],
    ])
    await erase(second)
    expect((await listFields()).filter(([field]) => field === 'status')).toHaveLength(2)
    expect((await listFields()).filter(([field]) => field === 'contact.email')).toEqual([])
  })

  test('can not be unmerged any more if they have lost the erased number since', async () => {
    const [eva, ana] = [await write({ phone: '622000022' }), await write({ name: 'Ana', phone: '622000021' })]
    const merged = await merge(eva, ana)
    await change(eva, { contact: { identifiers: [] } })
    await erase(await write({ phone: '622000021' }))
    expect(await findOccurrences('622000021')).toEqual([])
    expect((await unmerge(eva, merged)).status).toBe(404)
    expect((await tenant.call<Lead>('GET', `/leads/${eva}`)).body.contact.phone).toBe('+34622000022')
  })
})

test('the history of a deleted lead keeps who did what, but no values', async () => {
  const deletedId = await write({ name: 'Ana Serra', phone: '622000031' })
  await change(deletedId, { contact: { phone: '622000032' } })
  expect((await tenant.call('DELETE', `/leads/${deletedId}`)).status).toBe(204)
  for (const word of ['622000031', '622000032', 'Serra'])
    expect(await findOccurrences(word), word).toEqual([])
  const { rows } = await tenant.inTenant(tx =>
    sql<{
      type: string
    }>`select type from events where tenant_id = ${tenant.tenantId} and lead_id = ${deletedId} order by id`.execute(
      tx,
    ),
  )
  expect(rows.map(({ type }) => type)).toEqual(['lead.created', 'lead.updated', 'lead.deleted'])
})

test('searches, notes on the suppression list, and names and headings of files are erased; those of others are kept', async () => {
  const lola = await write({ name: 'Lola Quero', phone: '622000041' })
  for (const q of ['lola quero', '622 000 041', 'Quero'])
    await tenant.call('PATCH', '/leads', { body: { filter: { q }, changes: { status: 'contacted' } } })
  const suppress = (values: string[], note: string) =>
    tenant.call('POST', '/suppressions', {
      body: { identifiers: values.map(value => ({ kind: 'phone', value })), note },
    })
  await suppress(['622000041', '622000042'], 'Lola Quero called')
  await suppress(['622000043'], 'Another person')
  await importFile(tenant, 'Nombre;622000041\nEva;622000049\n', { name: 'LOLA QUERO' })
  expect(await findOccurrences('QUERO')).toEqual(['imports'])
  await erase(lola)
  for (const word of ['Quero', 'quero', 'QUERO', '000 041', '622000041'])
    expect(await findOccurrences(word), word).toEqual([])
  const { body } = await tenant.call<{ data: { kind: string; note: string | null }[] }>(
    'GET',
    '/suppressions',
  )
  expect(body.data.filter(({ kind }) => kind === 'manual').map(({ note }) => note)).toEqual([
    'Another person',
    null,
    null,
  ])
})

test('in files of other people, only their identifiers are erased: known headings, other columns and problems of rows are kept', async () => {
  const contact = { name: 'Propietario', phone: '622000061' }
  const owner = await write(contact)
  const first = await importFile(tenant, 'Propietario;Teléfono;Precio\nEva;622000062;abc\n', { name: 'May' })
  const named = await importFile(tenant, 'Nombre;Teléfono;Precio\nEva;622000063;abc\n', {
    name: 'propietario',
  })
  // This import has ended, and its file is not deleted yet.
  const headed = await importFile(tenant, 'Nombre;Teléfono;Precio\nEva;622000064;abc\n')
  await tenant.inTenant(tx =>
    sql`
      update imports set headings = headings || '622000061'::text,
        mapping = '{"Nombre": "contact.name", "622000061": "customFields.x"}', guessed_mapping = '{"622000061": null}'
      where tenant_id = ${tenant.tenantId} and id = ${headed.id}`.execute(tx),
  )
  await tenant.inTenant(tx =>
    sql`
      update import_rows set problems = problems || '[{ "column": "+34622000061", "code": "TOO_LONG", "message": "m" }]'
      where tenant_id = ${tenant.tenantId} and import_id = ${headed.id}`.execute(tx),
  )
  const readImport = async ({ id }: { id: string }) => {
    const { rows } = await tenant.inTenant(tx =>
      sql<{ columns: string[] } & Record<'name' | 'headings' | 'mapping', unknown>>`
        select i.name, i.headings, i.mapping, array(
          select problem ->> 'column' from import_rows r, jsonb_array_elements(r.problems) problem
          where r.tenant_id = i.tenant_id and r.import_id = i.id) as columns
        from imports i where i.tenant_id = ${tenant.tenantId} and i.id = ${id}`.execute(tx),
    )
    return rows[0]!
  }
  const before = [await readImport(first), await readImport(named)]
  expect(before[0]!.columns).toEqual(['Precio'])
  await change(owner, { contact: { identifiers: ['telegram:owner'] } })
  await erase(owner)
  expect([await readImport(first), await readImport(named)]).toEqual([
    before[0],
    { ...before[1], name: null },
  ])
  expect(await readImport(headed)).toMatchObject({
    headings: ['Nombre', 'Teléfono', 'Precio'],
    mapping: { Nombre: 'contact.name' },
    columns: ['Precio', null],
  })
})
