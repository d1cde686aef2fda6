/** Sheets follow their leads: they are deleted with erased people, and move when leads are merged. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extract } from '../../../test/extraction.ts'
import { generateFicha } from '../../../test/fichas.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import { drawPhoto } from '../../simulator/photo.ts'
import type { Ficha } from './schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const search = { operation: 'sale', propertyType: 'garages', city: 'sevilla' } as const

/** A lead of a private owner from an extraction, and a sheet of its listing. */
async function makeLeadAndFicha(tenant: TestTenant) {
  await extract(tenant, search, { maxResults: 30 })
  const lead = (await tenant.listAllLeads()).find(({ contact }) => contact.advertiserType === 'private')!
  const listing = { id: lead.sources[0]!.listingId }
  return { lead, listing, ficha: await generateFicha(tenant, listing) }
}

const get = (tenant: TestTenant, id: string) => tenant.call<Ficha>('GET', `/fichas/${id}`)

test('the sheet of an erased lead goes with its photos and its link, and is not made again', async () => {
  const tenant = await makeTenant(app)
  const { lead, listing, ficha } = await makeLeadAndFicha(tenant)
  expect(ficha.leadId).toBe(lead.id)
  const { body: share } = await tenant.call<{ url: string }>('POST', `/fichas/${ficha.id}/share`, {
    body: {},
  })
  expect((await tenant.call('DELETE', `/leads/${lead.id}?erase=true`)).status).toBe(204)
  expect((await get(tenant, ficha.id)).status).toBe(404)
  expect((await fetch(new URL(new URL(share.url).pathname, app.url))).status).toBe(404)
  const blobs = await tenant.inTenant(tx => tx.selectFrom('blobs').select('id').execute())
  expect(blobs).toEqual([])
  await expect(generateFicha(tenant, listing)).rejects.toThrow('LISTING_ERASED')
})

test('texts with an identifier of an erased person are emptied in all versions; other texts stay', async () => {
  const tenant = await makeTenant(app)
  const { ficha } = await makeLeadAndFicha(tenant)
  const contact = { name: 'Eva Mas', email: 'eva.mas@example.com' }
  const { body: other } = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact } })
  const change = (property: object) => tenant.call('PATCH', `/fichas/${ficha.id}`, { body: { property } })
  await change({ description: 'Write to Eva.Mas@example.com.', title: 'A garage' })
  await change({ price: 1 })
  await tenant.call('DELETE', `/leads/${other.id}?erase=true`)
  const { body } = await get(tenant, ficha.id)
  expect(body.property).toMatchObject({ description: null, title: 'A garage', price: 1 })
  const { text } = await tenant.call('GET', `/fichas/${ficha.id}/versions`)
  expect(text.toLowerCase()).not.toContain('eva.mas')
})

test('every text about an erased person goes: captions, places, statements, the agent with its photo, the error', async () => {
  const tenant = await makeTenant(app)
  const { ficha } = await makeLeadAndFicha(tenant)
  const photo = `data:image/png;base64,${drawPhoto(1).toString('base64')}`
  const contact = { name: 'Eva Mas', email: 'eva.mas@example.com', phone: '+34611222333' }
  const { body: other } = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact } })
  await tenant.call('PATCH', `/fichas/${ficha.id}`, {
    body: {
      property: { municipality: 'Ask eva.mas@example.com', province: '611 222 333', floorText: 'Eva Mas' },
      photos: [
        { number: 1, alt: 'Eva Mas' },
        { number: 2, alt: 'A window' },
      ],
      advertising: { buildingPermit: '12/2026, eva.mas@example.com' },
      agent: { name: 'Eva Mas', phone: '611 222 333', photo },
    },
  })
  await tenant.inTenant(tx =>
    sql`update fichas set error_code = 'LISTING_UNREADABLE', error_message = 'Understood: title Tel. 611222333' where id = ${ficha.id}`.execute(
      tx,
    ),
  )
  const countReferences = () =>
    tenant.inTenant(async tx => (await tx.selectFrom('blob_references').select('blob_id').execute()).length)
  const before = await countReferences()
  const { body: data } = await tenant.call<{ fichas: { id: string; texts: string[] }[] }>(
    'GET',
    `/leads/${other.id}/data`,
  )
  expect(data.fichas.map(({ id }) => id)).toEqual([ficha.id])
  expect(data.fichas[0]!.texts.toSorted()).toEqual([
    '12/2026, eva.mas@example.com',
    '611 222 333',
    'Ask eva.mas@example.com',
    'Understood: title Tel. 611222333',
  ])
  await tenant.call('DELETE', `/leads/${other.id}?erase=true`)
  const { body, text } = await get(tenant, ficha.id)
  expect(text).not.toMatch(/eva.?mas|611.?222.?333/i)
  expect(body).toMatchObject({
    property: { municipality: null, province: null, floorText: null, title: ficha.property!.title },
    advertising: { buildingPermit: null },
    agent: null,
  })
  expect(body.photos.slice(0, 2).map(({ alt }) => alt)).toEqual([null, 'A window'])
  expect(await countReferences()).toBe(before - 1)
  expect((await tenant.call('GET', `/fichas/${ficha.id}/sheet`)).status).toBe(200)
})

test('an agent with the name of an erased person stays, and so does a town', async () => {
  const tenant = await makeTenant(app)
  const { ficha } = await makeLeadAndFicha(tenant)
  const body = { agent: { name: 'Sevilla' }, property: { municipality: 'Sevilla' } }
  await tenant.call('PATCH', `/fichas/${ficha.id}`, { body })
  const contact = { name: 'Sevilla', email: 'sevilla@example.com' }
  const { body: other } = await tenant.call<{ id: string }>('POST', '/leads', { body: { contact } })
  await tenant.call('DELETE', `/leads/${other.id}?erase=true`)
  expect((await get(tenant, ficha.id)).body).toMatchObject(body)
})

test('a sheet moves with merged leads, moves back, and stays when its lead is deleted', async () => {
  const tenant = await makeTenant(app)
  const { lead, ficha } = await makeLeadAndFicha(tenant)
  const { body: other } = await tenant.call<{ id: string }>('POST', '/leads', {
    body: { contact: { name: 'Eva Mas' } },
  })
  const merge = await tenant.call<{ mergeId: string }>('POST', `/leads/${other.id}/merge`, {
    body: { leadId: lead.id },
  })
  expect((await get(tenant, ficha.id)).body.leadId).toBe(other.id)
  await tenant.call('POST', `/leads/${other.id}/merges/${merge.body.mergeId}/undo`)
  expect((await get(tenant, ficha.id)).body.leadId).toBe(lead.id)
  expect((await tenant.call('DELETE', `/leads/${lead.id}`)).status).toBe(204)
  expect((await get(tenant, ficha.id)).body).toMatchObject({ leadId: null, status: 'ready' })
})
