/** Two leads made one and parted again, and what happened to a lead. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, storeAdverts, type TestTenant } from '../../../test/tenant.ts'
import { newId } from '../../kit/id.ts'
import type { Lead } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

interface Merged {
  mergeId: string
  lead: Lead
  code: string
  message: string
}
interface Item {
  type: string
  leadId: string
  data: Record<string, unknown>
}

const make = async (body: object) => (await tenant.call<Lead>('POST', '/leads', { body })).body
const read = (id: string) => tenant.call<Lead & { message: string }>('GET', `/leads/${id}`)
const merge = (id: string, leadId: string) =>
  tenant.call<Merged>('POST', `/leads/${id}/merge`, { body: { leadId } })
const undo = (id: string, mergeId: string) =>
  tenant.call<Merged>('POST', `/leads/${id}/merges/${mergeId}/undo`)
const note = (id: string, body: string) => tenant.call('POST', `/leads/${id}/notes`, { body: { body } })
const timeline = async (id: string) =>
  (await tenant.call<{ data: Item[] }>('GET', `/leads/${id}/timeline?limit=200`)).body.data

/** All that is stored of these leads. */
function dump(ids: string[]): Promise<unknown> {
  const tables = ['leads', 'lead_sources', 'notes', 'lead_identifiers', 'lead_tags', 'lead_documents']
  return tenant.inTenant(async tx => {
    const contents: Record<string, unknown[]> = {}
    for (const table of tables) {
      const key = table === 'leads' ? 'id' : 'lead_id'
      const { rows } = await sql`
        select to_jsonb(t) - 'updated_at' as row from ${sql.table(table)} t where ${sql.id(key)} = any(${ids}) order by 1`.execute(
        tx,
      )
      contents[table] = rows
    }
    return contents
  })
}

async function makePair(): Promise<{ one: Lead; other: Lead }> {
  const phone = () => `6${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
  const one = await make({
    contact: { name: 'Marta', phone: phone() },
    tags: ['a'],
    property: { price: 100, currency: 'EUR' },
    customFields: { k: 1, own: true },
  })
  const other = await make({
    contact: { name: 'M. Soler', phone: phone(), email: `${newId()}@example.com` },
    tags: ['a', 'b'],
    property: { price: 120, currency: 'USD', title: 'Piso', features: ['lift'] },
    customFields: { k: 2, theirs: 'x' },
  })
  await note(one.id, 'of one')
  await note(other.id, 'of the other')
  return { one, other }
}

describe('leads that are made one', () => {
  test('keep what the first says, take from the second what it does not, and lose nobody’s telephone', async () => {
    const { one, other } = await makePair()
    const { status, body } = await merge(one.id, other.id)
    expect(status).toBe(200)
    expect(body.lead).toMatchObject({
      id: one.id,
      contact: {
        name: 'Marta',
        phone: one.contact.phone,
        email: other.contact.email,
        identifiers: [other.contact.phone],
      },
      property: { price: 100, currency: 'EUR', title: 'Piso', features: ['lift'] },
      tags: ['a', 'b'],
      customFields: { k: 1, own: true, theirs: 'x' },
      notesCount: 2,
    })
    expect(body.lead.sources.map(source => source.listingId).sort()).toEqual(
      [...one.sources, ...other.sources].map(source => source.listingId).sort(),
    )
    expect(body.lead.priceHistory.map(entry => entry.price)).toEqual([100, 120])
    const gone = await read(other.id)
    expect([gone.status, gone.body.message]).toEqual([404, expect.stringContaining(one.id)])
    expect((await tenant.listLeads({ q: other.contact.phone! })).data.map(lead => lead.id)).toEqual([one.id])
  })

  test('are parted exactly as they were', async () => {
    const { one, other } = await makePair()
    const before = await dump([one.id, other.id])
    const { mergeId } = (await merge(one.id, other.id)).body
    expect(await dump([one.id, other.id])).not.toEqual(before)
    expect((await undo(one.id, mergeId)).status).toBe(200)
    expect(await dump([one.id, other.id])).toEqual(before)
    expect((await undo(one.id, mergeId)).body.code).toBe('INVALID_TRANSITION')
  })

  test('with the adverts that extractions follow, which go on being theirs', async () => {
    const own = await makeTenant(app)
    const extractionId = newId()
    const stored = await storeAdverts(own, { '1': { price: 100 } }, { platform: 'portal_a', extractionId })
    const more = await storeAdverts(
      own,
      { '2': { price: 200, squareMeters: 40, address: 'Carrer de Pau, 3', latitude: 41.5 } },
      { platform: 'portal_b' },
    )
    const [one, other] = [stored[0]!.leadId!, more[0]!.leadId!]
    expect(one).not.toBe(other)
    const call = (path: string, body?: object) => own.call<Merged>('POST', path, body ? { body } : {})
    const { mergeId } = (await call(`/leads/${one}/merge`, { leadId: other })).body
    const [seen] = await storeAdverts(own, { '2': { price: 150 } }, { platform: 'portal_b' })
    expect(seen).toMatchObject({ leadId: one })
    expect((await own.call<Lead>('GET', `/leads/${one}`)).body.property.price).toBe(100)
    expect((await call(`/leads/${one}/merges/${mergeId}/undo`)).status).toBe(200)
    const [again] = await storeAdverts(own, { '2': { price: 140 } }, { platform: 'portal_b' })
    expect(again).toMatchObject({ leadId: other, result: 'updated' })
    expect((await own.call<Lead>('GET', `/leads/${other}`)).body.property.price).toBe(140)
  })

  test('keep, when they are parted, what somebody has changed since', async () => {
    const { one, other } = await makePair()
    const { mergeId } = (await merge(one.id, other.id)).body
    await tenant.call('PATCH', `/leads/${one.id}`, {
      body: { property: { title: 'Ático' }, contact: { email: null } },
    })
    const { lead } = (await undo(one.id, mergeId)).body
    expect(lead).toMatchObject({
      property: { title: 'Ático', features: [] },
      contact: { email: null, identifiers: [] },
      tags: ['a'],
    })
    expect((await read(other.id)).body.contact).toEqual(other.contact)
  })

  test('are parted in the reverse order, three of them too, and one that had absorbed another', async () => {
    const [a, b] = Object.values(await makePair())
    const [c] = Object.values(await makePair())
    const before = await dump([a!.id, b!.id, c!.id])
    const first = (await merge(b!.id, c!.id)).body.mergeId
    const second = (await merge(a!.id, b!.id)).body.mergeId
    expect((await read(c!.id)).body.message).toContain(a!.id)
    expect((await undo(a!.id, second)).status).toBe(200)
    expect((await undo(b!.id, first)).status).toBe(200)
    expect(await dump([a!.id, b!.id, c!.id])).toEqual(before)
    const one = (await merge(a!.id, b!.id)).body.mergeId
    const two = (await merge(a!.id, c!.id)).body.mergeId
    expect((await undo(a!.id, one)).body.code).toBe('INVALID_TRANSITION')
    for (const id of [two, one]) expect((await undo(a!.id, id)).status).toBe(200)
    expect(await dump([a!.id, b!.id, c!.id])).toEqual(before)
  })

  test('leave nothing behind when they are deleted', async () => {
    const { one, other } = await makePair()
    await merge(one.id, other.id)
    await tenant.call('DELETE', `/leads/${one.id}`)
    const rows = await tenant.inTenant(tx =>
      tx.selectFrom('lead_merges').select('id').where('lead_id', '=', one.id).execute(),
    )
    expect(rows).toEqual([])
    expect((await read(other.id)).body.message).not.toContain(one.id)
  })

  test('are two, are there, and are of one workspace', async () => {
    const { one } = await makePair()
    const stranger = await makeTenant(app)
    const [theirs] = await storeAdverts(stranger, { '1': {} })
    for (const id of [one.id, newId(), theirs!.leadId!]) expect((await merge(one.id, id)).status).toBe(400)
    expect((await merge(newId(), one.id)).status).toBe(404)
  })
})

describe('the timeline', () => {
  test('tells what happened, newest first: seen, repriced, changed, noted, merged', async () => {
    const own = await makeTenant(app)
    const [stored] = await storeAdverts(own, { '1': { price: 100 } })
    const id = stored!.leadId!
    await storeAdverts(own, { '1': { price: 90 } })
    await own.call('PATCH', `/leads/${id}`, { body: { status: 'contacted' } })
    await own.call('POST', `/leads/${id}/notes`, { body: { body: 'Llamada.' } })
    const other = (await own.call<Lead>('POST', '/leads', { body: { contact: { phone: '699111222' } } })).body
      .id
    await own.call('POST', `/leads/${id}/merge`, { body: { leadId: other } })
    const { body } = await own.call<{ data: Item[] }>('GET', `/leads/${id}/timeline`)
    expect(body.data.map(({ type, leadId }) => [type, leadId === id ? 'this' : 'other'])).toEqual([
      ['lead.deleted', 'other'],
      ['lead.updated', 'this'],
      ['lead.created', 'other'],
      ['lead.noted', 'this'],
      ['lead.updated', 'this'],
      ['lead.price_changed', 'this'],
      ['lead.seen', 'this'],
    ])
    expect(body.data[3]!.data).toMatchObject({ body: 'Llamada.' })
    expect(body.data[4]!.data).toMatchObject({
      cause: 'edited',
      changes: [{ field: 'status', before: 'new', after: 'contacted' }],
    })
    expect(body.data[5]!.data).toMatchObject({ previousPrice: 100, price: 90 })
    expect(body.data[6]!.data).toMatchObject({ platform: 'portal_a', listingId: '1' })
  })

  test('is paged without gaps, and is of a lead that is there', async () => {
    const { id } = await make({ contact: { phone: '612999888' } })
    for (const status of ['contacted', 'replied', 'won', 'lost'])
      await tenant.call('PATCH', `/leads/${id}`, { body: { status } })
    const all = await timeline(id)
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
})
