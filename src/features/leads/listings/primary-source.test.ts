/** The primary source of a lead when listings are added and withdrawn. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { importFile } from '../../../../test/imports.ts'
import { makeListing, makeSourceState } from '../../../../test/make.ts'
import { makeTenant, seedListings as store, type TestTenant } from '../../../../test/tenant.ts'
import type { Listing } from '../../../domain/listing/listing.ts'
import type { Lead } from '../schemas.ts'
import { findKnownSources, markListingsSeen, withdrawListings } from '../service.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
afterAll(() => app.stop())

const getOnlyLead = async (tenant: TestTenant): Promise<Lead> => {
  const leads = await tenant.listAllLeads()
  expect(leads).toHaveLength(1)
  return leads[0]!
}
const withdraw = (tenant: TestTenant, listingId: string, platform = 'portal_a') =>
  tenant.inTenant(tx => withdrawListings(tx, platform, [listingId]))
const listEvents = async (tenant: TestTenant, type: string) => {
  const events = await tenant.inTenant(tx =>
    tx
      .selectFrom('events')
      .select('data')
      .where('tenant_id', '=', tenant.tenantId)
      .where('type', '=', type)
      .orderBy('id')
      .execute(),
  )
  return events.map(({ data }) => data)
}
const getPrice = async (tenant: TestTenant) => (await getOnlyLead(tenant)).property.price
/** The platform and listing id of the primary source; there is exactly one. */
async function getPrimary(tenant: TestTenant): Promise<string> {
  const sources = await tenant.inTenant(tx =>
    tx
      .selectFrom('lead_sources')
      .select(['platform', 'listing_id'])
      .where('tenant_id', '=', tenant.tenantId)
      .where('is_primary', '=', true)
      .execute(),
  )
  expect(sources).toHaveLength(1)
  return `${sources[0]!.platform} ${sources[0]!.listing_id}`
}

const agency: Listing['contact'] = {
  name: 'Fincas Pau',
  phone: '+34931111111',
  phoneRaw: '931111111',
  email: 'Info@Pau.ES',
  advertiserType: 'agency',
}

describe('a lead from a portal and from an import', () => {
  let tenant: TestTenant
  let importId: string
  beforeAll(async () => {
    tenant = await makeTenant(app)
    await store(tenant, { a1: { price: 100_000 } })
    const { phone } = (await getOnlyLead(tenant)).contact
    importId = (await importFile(tenant, `Nombre;Teléfono;Ciudad\nMarta Soler;${phone};Gràcia\n`)).id
    expect((await getOnlyLead(tenant)).sources).toHaveLength(2)
  })

  test('is withdrawn with its last listing, which becomes primary again later', async () => {
    await withdraw(tenant, 'a1')
    expect(await listEvents(tenant, 'lead.withdrawn')).toMatchObject([{ listingId: 'a1' }])
    expect((await store(tenant, { a1: { price: 90_000 } }))[0]).toMatchObject({ result: 'updated' })
    expect(await getPrice(tenant)).toBe(90_000)
    expect(await listEvents(tenant, 'lead.price_changed')).toMatchObject([
      { previousPrice: 100_000, price: 90_000 },
    ])
    expect(await getPrimary(tenant)).toBe('portal_a a1')
  })

  test('has only its listing as source after the undo of the import', async () => {
    await withdraw(tenant, 'a1')
    await tenant.call('POST', `/leads/imports/${importId}/undo`)
    const { sources } = await eventually(
      () => getOnlyLead(tenant),
      lead => lead.sources.length === 1,
    )
    expect(sources).toMatchObject([{ platform: 'portal_a' }])
    await store(tenant, { a1: { price: 80_000 } })
    expect([await getPrimary(tenant), await getPrice(tenant)]).toEqual(['portal_a a1', 80_000])
  })
})

test('an imported lead is updated by its listing, but keeps its contact', async () => {
  const tenant = await makeTenant(app)
  await importFile(
    tenant,
    `Nombre;Teléfono;Dirección;Ciudad;Código postal;Metros;Dormitorios;Baños;Planta;Precio;Operación;Tipo
Núria Peña;699112233;Carrer de Mallorca, 214;Barcelona;08008;80;3;2;3;301000;venta;piso
`,
  )
  const { id, contact } = await getOnlyLead(tenant)
  const [stored] = await store(tenant, { a1: { contact: agency, latitude: null, longitude: null } })
  expect(stored).toMatchObject({ leadId: id, result: 'updated' })
  const lead = await getOnlyLead(tenant)
  expect(lead.contact).toMatchObject({ name: 'Núria Peña', phone: contact.phone, advertiserType: null })
  expect(lead.priceHistory.map(({ price }) => price)).toEqual([301_000, 300_000])
  expect(lead.property).toMatchObject({ price: 300_000, title: makeListing().title })
  // A difference between the file and the portal is no price change of the listing.
  expect(await listEvents(tenant, 'lead.price_changed')).toEqual([])
  await store(tenant, { a1: { contact: agency, price: 290_000 } })
  expect(await getPrice(tenant)).toBe(290_000)
  expect(await listEvents(tenant, 'lead.price_changed')).toMatchObject([{ previousPrice: 300_000 }])
})

describe('of two withdrawn listings, the one that is listed again becomes primary', () => {
  async function withdrawBoth(): Promise<TestTenant> {
    const tenant = await makeTenant(app)
    await store(tenant, { a1: {} })
    await store(tenant, { b1: {} }, { platform: 'portal_b' })
    await withdraw(tenant, 'b1', 'portal_b')
    await withdraw(tenant, 'a1')
    expect(await listEvents(tenant, 'lead.withdrawn')).toMatchObject([{ platform: 'portal_a' }])
    expect(await getPrimary(tenant)).toBe('portal_a a1')
    return tenant
  }

  test('if it is read', async () => {
    const tenant = await withdrawBoth()
    await store(tenant, { b1: { price: 280_000 } }, { platform: 'portal_b' })
    expect([await getPrimary(tenant), await getPrice(tenant)]).toEqual(['portal_b b1', 280_000])
  })

  test('if it is seen without changes', async () => {
    const tenant = await withdrawBoth()
    await tenant.inTenant(tx =>
      markListingsSeen(tx, 'portal_b', [{ listingId: 'b1', sourceState: makeSourceState() }]),
    )
    expect(await getPrimary(tenant)).toBe('portal_b b1')
    // The first one only fills gaps from now on.
    await store(tenant, { a1: { price: 270_000 } })
    expect([await getPrimary(tenant), await getPrice(tenant)]).toEqual(['portal_b b1', 300_000])
  })
})

test('a listing that becomes primary is read again, because it may have changed before', async () => {
  const tenant = await makeTenant(app)
  await store(tenant, { a1: {} })
  await store(tenant, { b1: { price: 295_000 } }, { platform: 'portal_b' })
  const seen = { listingId: 'b1', sourceState: makeSourceState({ cardHash: 'former' }) }
  await tenant.inTenant(tx => markListingsSeen(tx, 'portal_b', [seen]))
  const readHashOfB = async () =>
    (await tenant.inTenant(tx => findKnownSources(tx, 'portal_b', ['b1']))).map(({ cardHash }) => cardHash)
  expect(await readHashOfB()).toEqual(['former'])
  await withdraw(tenant, 'a1')
  expect([await getPrimary(tenant), await readHashOfB()]).toEqual(['portal_b b1', [null]])
})

test('e-mail addresses are compared without case', async () => {
  const tenant = await makeTenant(app)
  const contact = { ...makeListing().contact, phone: null, phoneRaw: null, email: 'marta@x.es' }
  await store(tenant, { a1: { contact } })
  const { status } = await tenant.call('POST', '/leads', { body: { contact: { email: 'Marta@X.es' } } })
  expect(status).toBe(409)
})
