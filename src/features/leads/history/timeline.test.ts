/** The timeline of a lead. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { importFile, waitUntilImported } from '../../../../test/imports.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface Item {
  type: string
  leadId: string
  data: Record<string, unknown>
}

const make = async (body: object) => (await tenant.call<Lead>('POST', '/leads', { body })).body
const listTimeline = async (id: string) =>
  (await tenant.call<{ data: Item[] }>('GET', `/leads/${id}/timeline?limit=200`)).body.data
/** Type and data of the items, newest first. */
const listItems = async (id: string) =>
  (await listTimeline(id)).map(({ type, data }) => [type, data] as const)

describe('the timeline', () => {
  test('lists what happened, newest first: seen, price changed, edited, note added, merged', async () => {
    const own = await makeTenant(app)
    const [stored] = await seedListings(own, { '1': { price: 100 } })
    const id = stored!.leadId!
    await seedListings(own, { '1': { price: 90 } })
    await own.call('PATCH', `/leads/${id}`, { body: { status: 'contacted' } })
    await own.call('POST', `/leads/${id}/notes`, { body: { body: 'Llamada.' } })
    const other = (await own.call<Lead>('POST', '/leads', { body: { contact: { phone: '699111222' } } })).body
      .id
    const merged = await own.call<{ mergeId: string }>('POST', `/leads/${id}/merge`, {
      body: { leadId: other },
    })
    const { body } = await own.call<{ data: Item[] }>('GET', `/leads/${id}/timeline`)
    expect(body.data.map(({ type, leadId }) => [type, leadId === id ? 'this' : 'other'])).toEqual([
      ['lead.deleted', 'other'],
      ['lead.updated', 'this'],
      ['lead.created', 'other'],
      ['lead.note_added', 'this'],
      ['lead.updated', 'this'],
      ['lead.price_changed', 'this'],
      ['lead.seen', 'this'],
    ])
    expect(body.data[1]!.data).toMatchObject({ cause: 'merged', mergeId: merged.body.mergeId })
    expect(body.data[3]!.data).toMatchObject({ body: 'Llamada.' })
    expect(body.data[4]!.data).toMatchObject({
      cause: 'edited',
      changes: [{ field: 'status', before: 'new', after: 'contacted' }],
    })
    expect(body.data[5]!.data).toMatchObject({ previousPrice: 100, price: 90 })
    expect(body.data[6]!.data).toMatchObject({ platform: 'portal_a', listingId: '1' })
  })

  test('is paged without gaps, and is 404 for an unknown lead', async () => {
    const { id } = await make({ contact: { phone: '612999888' } })
    for (const status of ['contacted', 'replied', 'won', 'lost'])
      await tenant.call('PATCH', `/leads/${id}`, { body: { status } })
    const all = await listTimeline(id)
    expect(all).toHaveLength(5)
    const paged: Item[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { data: Item[]; nextCursor: string | null } = (
        await tenant.call<{ data: Item[]; nextCursor: string | null }>(
          'GET',
          `/leads/${id}/timeline?limit=2${cursor && `&cursor=${cursor}`}`,
        )
      ).body
      paged.push(...page.data)
      cursor = page.nextCursor
    }
    expect(paged).toEqual(all)
    expect((await tenant.call('GET', `/leads/${newId()}/timeline`)).status).toBe(404)
  })

  test('shows who added, changed and deleted a note, but not the text of a deleted note', async () => {
    const { id } = await make({ contact: { phone: '612999777' } })
    const path = `/leads/${id}/notes`
    const note = (await tenant.call<{ id: string }>('POST', path, { body: { body: 'Llamada.' } })).body
    await tenant.call('PATCH', `${path}/${note.id}`, { body: { body: 'Llamada.' } })
    await tenant.call('PATCH', `${path}/${note.id}`, { body: { body: 'Visita.' } })
    const by = { noteId: note.id, keyId: expect.any(String) }
    const changed = { ...by, cause: 'note_changed', changes: [] }
    expect(await listItems(id)).toMatchObject([
      ['lead.updated', changed],
      ['lead.note_added', { ...by, body: 'Visita.' }],
      ['lead.created', {}],
    ])
    await tenant.call('DELETE', `${path}/${note.id}`)
    const countChange = (before: number, after: number) => ({
      changes: [{ field: 'notesCount', before, after }],
    })
    expect(await listItems(id)).toMatchObject([
      ['lead.updated', { ...by, cause: 'note_deleted', ...countChange(1, 0) }],
      ['lead.updated', changed],
      ['lead.updated', { ...by, cause: 'note_added', ...countChange(0, 1) }],
      ['lead.created', {}],
    ])
    expect(JSON.stringify(await listTimeline(id))).not.toMatch(/Llamada|Visita/)
  })

  test('shows that a lawful basis was recorded and withdrawn', async () => {
    const { id } = await make({ contact: { phone: '612999666' } })
    const path = `/leads/${id}/lawful-basis`
    const consent = { kind: 'consent', proof: 'signed', recordedAt: '2026-10-01T10:00:00.000Z' }
    await tenant.call('PUT', path, { body: consent })
    await tenant.call('PUT', path, { body: consent })
    await tenant.call('DELETE', path)
    const [withdrawn, recorded, created] = await listItems(id)
    expect(created![0]).toBe('lead.created')
    for (const [item, before, after] of [
      [withdrawn!, 'consent', null],
      [recorded!, null, 'consent'],
    ] as const)
      expect(item).toMatchObject([
        'lead.updated',
        {
          cause: 'edited',
          keyId: expect.any(String),
          changes: expect.arrayContaining([{ field: 'lawfulBasis', before, after }]),
        },
      ])
  })

  test('shows on both leads that they were marked distinct', async () => {
    const pair = [await make({ tags: ['a'] }), await make({ tags: ['b'] })].map(({ id }) => id).sort()
    await tenant.inTenant(tx =>
      sql`insert into lead_duplicates (tenant_id, lead_id, other_lead_id, score, reason, created_at)
        values (${tenant.tenantId}, ${pair[0]}, ${pair[1]}, 5, 'alike', now())`.execute(tx),
    )
    await tenant.call('DELETE', `/leads/${pair[0]}/duplicates/${pair[1]}`)
    for (const [id, otherLeadId] of [pair, pair.toReversed()] as [string, string][])
      expect((await listItems(id))[0]).toMatchObject([
        'lead.updated',
        { cause: 'marked_distinct', otherLeadId },
      ])
  })

  test('shows what an import changed, and that it was undone', async () => {
    const own = await makeTenant(app)
    const mapping = JSON.stringify({ Referencia: 'externalId' })
    const file = (price: number) => `Referencia;Nombre;Teléfono;Precio\nA-1;Ana;612000001;${price}\n`
    const first = await importFile(own, file(1000), { mapping })
    await importFile(own, file(1000), { mapping })
    const { id: importId } = await importFile(own, file(1200), { mapping })
    const [{ id }] = (await own.listAllLeads()) as [Lead]
    await own.call('POST', `/leads/imports/${importId}/undo`)
    await waitUntilImported(own, { id: importId })
    const { data } = (await own.call<{ data: Item[] }>('GET', `/leads/${id}/timeline`)).body
    const price = (before: number, after: number) => ({
      importId,
      keyId: null,
      userId: null,
      changes: [{ field: 'property.price', before, after }],
    })
    expect(data.map(item => [item.type, item.data])).toMatchObject([
      ['lead.updated', { cause: 'import_undone', ...price(1200, 1000) }],
      ['lead.updated', { cause: 'imported', ...price(1000, 1200) }],
      ['lead.imported', { importId: first.id }],
    ])
  })
})
