/** The undo of a merge restores both leads in every table, whatever happened meanwhile. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { extract } from '../../../../test/extraction.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { importFile, listRows, waitUntilImported } from '../../../../test/imports.ts'
import { makeListing, makeSourceState } from '../../../../test/make.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../../test/tenant.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import { newId } from '../../../kit/id.ts'
import type { Lead } from '../schemas.ts'
import { findKnownSources, storeListings, withdrawListings } from '../service.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

interface Merged {
  mergeId: string
  lead: Lead
  code: string
  message: string
}

const make = async (body: object) => (await tenant.call<Lead>('POST', '/leads', { body })).body
const read = (id: string) => tenant.call<Lead & { message: string }>('GET', `/leads/${id}`)
const merge = async (id: string, leadId: string) =>
  (await tenant.call<Merged>('POST', `/leads/${id}/merge`, { body: { leadId } })).body.mergeId
const undo = (id: string, mergeId: string) =>
  tenant.call<Merged>('POST', `/leads/${id}/merges/${mergeId}/undo`)
const patch = (id: string, body: object) => tenant.call('PATCH', `/leads/${id}`, { body })

/**
 * The rows of all tables that refer to leads, from the catalogue of PostgreSQL. Without `suppressed_leads`, from which
 * a job removes rows.
 */
function dump(): Promise<Record<string, unknown[]>> {
  return tenant.inTenant(async tx => {
    const { rows: tables } = await sql<{ name: string }>`
      select distinct relname as name from pg_constraint c join pg_class t on t.oid = c.conrelid
      where c.contype = 'f' and c.confrelid = 'aldaba.leads'::regclass and relname <> 'suppressed_leads' order by 1`.execute(
      tx,
    )
    const contents: Record<string, unknown[]> = {}
    for (const name of ['leads', 'lead_documents', ...tables.map(table => table.name)]) {
      const { rows } = await sql<{ row: object }>`
        select to_jsonb(t) - 'updated_at' as row from ${sql.table(name)} t
        where t.tenant_id = ${tenant.tenantId} order by 1`.execute(tx)
      contents[name] = rows.map(({ row }) => row)
    }
    return contents
  })
}

async function listLeadIds(table: string, condition = sql`true`): Promise<string[]> {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ id: string }>`
      select lead_id as id from ${sql.table(table)} where tenant_id = ${tenant.tenantId} and ${condition}`.execute(
      tx,
    ),
  )
  return rows.map(({ id }) => id)
}

async function insertDuplicate(one: string, other: string, isDismissed = false): Promise<void> {
  const [leadId, otherId] = [one, other].sort()
  await tenant.inTenant(tx =>
    sql`insert into lead_duplicates (tenant_id, lead_id, other_lead_id, score, reason, created_at, dismissed_at)
      values (${tenant.tenantId}, ${leadId}, ${otherId}, 5.5, 'same street', now(), case when ${isDismissed} then now() end)`.execute(
      tx,
    ),
  )
}

describe('the undo of a merge', () => {
  test('restores both leads exactly, with all rows that refer to them', async () => {
    const search = { operation: 'sale', propertyType: 'homes', city: 'barcelona' } as const
    await extract(tenant, search, { maxResults: 2 })
    const mapping = JSON.stringify({ Referencia: 'externalId' })
    const heading = 'Referencia;Nombre;Teléfono;Precio;Etiquetas;Notas\n'
    await importFile(tenant, `${heading}A-1;Ana;612000001;1000;vip;Llamar\n`, { mapping })
    await importFile(tenant, `${heading}A-1;Ana;612000001;1200;vip,nueva;Tarde\n`, { mapping })
    const [imported, first, second] = (await tenant.listAllLeads()).map(({ id }) => id)
    await insertDuplicate(imported!, first!, true)
    await insertDuplicate(imported!, second!)
    await insertDuplicate(first!, second!)
    await patch(first!, { customFields: { zone: 'a', key: 2 }, tags: ['own'] })
    const before = await dump()
    const empty = Object.keys(before).filter(name => before[name]!.length === 0)
    expect(empty, 'empty tables, for which this proves nothing').toEqual([])
    for (const [one, other] of [
      [first, imported],
      [imported, first],
      [first, second],
    ] as [string, string][]) {
      const mergeId = await merge(one, other)
      expect(await dump()).not.toEqual(before)
      expect((await undo(one, mergeId)).status).toBe(200)
      expect(await dump()).toEqual(before)
    }
  })

  test('marks the restored lead as suppressed again', async () => {
    const listSuppressed = () => listLeadIds('suppressed_leads')
    const { id: survivor } = await make({ contact: { phone: '612000002' } })
    const { id: absorbed } = await make({ contact: { phone: '612000001' } })
    const identifiers = [{ kind: 'phone', value: '612000001' }]
    await tenant.call('POST', '/suppressions', { body: { identifiers } })
    expect(await listSuppressed()).toEqual([absorbed])
    const mergeId = await merge(survivor, absorbed)
    expect(await listSuppressed()).toContain(survivor)
    await undo(survivor, mergeId)
    expect(await listSuppressed()).toContain(absorbed)
  })

  test('does not prevent the undo of an import', async () => {
    const imported = await importFile(tenant, 'Nombre;Teléfono\nAna;612000001\n')
    const [{ id }] = (await tenant.listAllLeads()) as [Lead]
    const { id: one } = await make({ contact: { phone: '612000009' } })
    await undo(one, await merge(one, id))
    expect(await listRows(tenant, imported)).toMatchObject([{ leadId: id }])
    await tenant.call('POST', `/leads/imports/${imported.id}/undo`)
    expect((await waitUntilImported(tenant, imported)).progress).toMatchObject({ undone: 1, notReverted: 0 })
    expect((await tenant.listAllLeads()).map(lead => lead.id)).toEqual([one])
  })

  test('restores a pair of duplicates that were both merged with others meanwhile', async () => {
    const made = [1, 2, 3, 4].map(n => make({ contact: { phone: `61200000${n}` } }))
    const [a, b, c, d] = await Promise.all(made)
    await insertDuplicate(b!.id, d!.id, true)
    const before = await dump()
    const first = await merge(a!.id, b!.id)
    const second = await merge(c!.id, d!.id)
    await undo(a!.id, first)
    await undo(c!.id, second)
    expect(await dump()).toEqual(before)
  })

  test('works in reverse order, for three leads, and for one that had absorbed another', async () => {
    const made = [1, 2, 3].map(n =>
      make({ contact: { phone: `61200000${n}` }, tags: [`t${n}`], property: { price: n } }),
    )
    const [a, b, c] = (await Promise.all(made)).map(({ id }) => id) as [string, string, string]
    const before = await dump()
    const first = await merge(b, c)
    const second = await merge(a, b)
    expect((await read(c)).body.message).toContain(a)
    expect(await undo(b, first)).toMatchObject({
      status: 409,
      body: { code: 'INVALID_TRANSITION', message: expect.stringContaining(a) },
    })
    expect((await undo(a, second)).status).toBe(200)
    expect((await undo(b, first)).status).toBe(200)
    expect(await dump()).toEqual(before)
    const one = await merge(a, b)
    const two = await merge(a, c)
    expect((await undo(a, one)).body.code).toBe('INVALID_TRANSITION')
    for (const id of [two, one]) expect((await undo(a, id)).status).toBe(200)
    expect(await dump()).toEqual(before)
    expect((await undo(a, one)).body.code).toBe('INVALID_TRANSITION')
  })

  test('keeps values that were changed since, and no others', async () => {
    const one = await make({ contact: { phone: '612000001' }, tags: ['a'], customFields: { k: 1 } })
    const other = await make({
      contact: { phone: '612000002', email: 'eva@example.com' },
      property: { price: 120, title: 'Piso', features: ['lift'] },
      tags: ['b'],
      customFields: { theirs: 'x' },
    })
    const mergeId = await merge(one.id, other.id)
    await patch(one.id, {
      property: { title: 'Ático', price: 110 },
      contact: { email: null },
      tags: ['a', 'b', 'c'],
      customFields: { mine: true },
    })
    const { lead } = (await undo(one.id, mergeId)).body
    expect(lead).toMatchObject({
      property: { title: 'Ático', price: 110, features: [] },
      contact: { email: null, identifiers: [] },
      tags: ['a', 'c'],
      customFields: { k: 1, mine: true },
    })
    expect(lead.customFields).not.toHaveProperty('theirs')
    expect(lead.priceHistory.map(({ price }) => price)).toEqual([110])
    const { updatedAt: _, ...before } = other
    expect((await read(other.id)).body).toMatchObject(before)
  })

  test('is refused if the person of the absorbed lead was erased meanwhile', async () => {
    const one = await make({ contact: { phone: '612000001' } })
    const other = await make({ contact: { name: 'Bea', phone: '612000002' } })
    const mergeId = await merge(one.id, other.id)
    await tenant.call('POST', '/suppressions', {
      body: { identifiers: [{ kind: 'phone', value: '612000002' }] },
    })
    await tenant.inTenant(tx =>
      sql`update suppressions set kind = 'erased' where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(await undo(one.id, mergeId)).toMatchObject({ status: 409, body: { code: 'PERSON_ERASED' } })
    expect((await read(other.id)).status).toBe(404)
  })

  test('works if columns were added to leads meanwhile', async () => {
    const [one, other] = [await make({ tags: ['a'] }), await make({ property: { title: 'Piso' } })]
    const mergeId = await merge(one.id, other.id)
    // As an earlier version stored it, without these columns.
    await tenant.inTenant(tx =>
      sql`update lead_merges set absorbed = absorbed - array['edited_columns', 'tags', 'images'], moved_references = '{}'
        where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect((await undo(one.id, mergeId)).status).toBe(200)
    expect((await read(other.id)).body).toMatchObject({ property: { title: 'Piso', images: [] }, tags: [] })
  })
})

const elsewhere: Partial<Listing> = { squareMeters: 40, address: 'Carrer de Pau, 3', latitude: 41.5 }

async function storeOne(platform: string, overrides: Partial<Listing>): Promise<string> {
  const [stored] = await seedListings(tenant, { '1': overrides }, { platform })
  return stored!.leadId!
}

/** Stores the listing of portal B as a later extraction does. */
async function storeAgain(overrides: Partial<Listing>, state: object): Promise<void> {
  const listing = makeListing({ ...elsewhere, ...overrides })
  const listings = [{ listingId: '1', listing, sourceState: makeSourceState(state) }]
  const batch = { platform: 'portal_b', extractionId: newId(), campaignId: null, tags: [] }
  await tenant.inTenant(tx => storeListings(tx, { ...batch, updateExisting: true, listings }))
}

describe('listings of merged leads', () => {
  test('update their own lead again after the undo', async () => {
    const [one, other] = [
      await storeOne('portal_a', { price: 100 }),
      await storeOne('portal_b', { ...elsewhere, price: 200 }),
    ]
    const mergeId = await merge(one, other)
    expect(await storeOne('portal_b', { ...elsewhere, price: 150 })).toBe(one)
    expect((await read(one)).body.property.price).toBe(100)
    await undo(one, mergeId)
    expect(await storeOne('portal_b', { ...elsewhere, price: 140 })).toBe(other)
    expect((await read(other)).body.property.price).toBe(140)
    expect((await read(one)).body.priceHistory.map(({ price }) => price)).toEqual([100])
  })

  test('update a lead that had none, until the undo', async () => {
    const written = await make({ contact: { phone: '612000009' } })
    const other = await storeOne('portal_b', { ...elsewhere, price: 200 })
    const mergeId = await merge(written.id, other)
    await storeOne('portal_b', { ...elsewhere, price: 150 })
    expect((await read(written.id)).body.property.price).toBe(150)
    await undo(written.id, mergeId)
    const { updatedAt: _, contactability: _c, ...before } = written
    expect((await read(written.id)).body).toMatchObject(before)
  })

  test('become primary if the former primary one is withdrawn meanwhile', async () => {
    const [one, other] = [await storeOne('portal_a', { price: 100 }), await storeOne('portal_b', elsewhere)]
    const mergeId = await merge(one, other)
    await tenant.inTenant(tx => withdrawListings(tx, 'portal_a', ['1']))
    await undo(one, mergeId)
    expect(await listLeadIds('events', sql`type = 'lead.withdrawn'`)).toEqual([one])
    await storeOne('portal_a', { price: 90 })
    expect((await read(one)).body.property.price).toBe(90)
  })

  test('are read again if they have changed meanwhile', async () => {
    const [one, other] = [await storeOne('portal_a', {}), await storeOne('portal_b', elsewhere)]
    const mergeId = await merge(one, other)
    await storeAgain({ price: 150 }, { cardHash: 'new' })
    await undo(one, mergeId)
    const sources = await tenant.inTenant(async tx => [
      ...(await findKnownSources(tx, 'portal_a', ['1'])),
      ...(await findKnownSources(tx, 'portal_b', ['1'])),
    ])
    expect(sources).toMatchObject([
      { readAt: expect.any(Date) },
      { cardHash: null, etag: null, lastModified: null, readAt: expect.any(Date) },
    ])
  })

  test('keep the whole text of their pages, even if a card is read later', async () => {
    const description = 'Un piso con mucha luz, y todo lo que la página dice de él.'
    const described = { ...elsewhere, description }
    const [one, other] = [await storeOne('portal_a', {}), await storeOne('portal_b', described)]
    const mergeId = await merge(one, other)
    await storeOne('portal_b', described)
    await undo(one, mergeId)
    await storeAgain({ description: 'Un piso…', price: 140 }, { isRead: false })
    expect((await read(other)).body.property).toMatchObject({ description, price: 140 })
  })
})
