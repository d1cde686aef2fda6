/** GET /leads: filters and refused input. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../test/harness.ts'
import { changeLeadRows, makeLeads, makeListing, makeSourceState } from '../../../test/make.ts'
import { naughtyStrings } from '../../../test/naughty-strings.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { Listing } from '../../domain/listing/listing.ts'
import { newId } from '../../kit/id.ts'
import { storeListings } from './service.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

const listIds = async (tenant: TestTenant, query: Record<string, unknown> = {}) =>
  (await tenant.listLeads(query)).data.map(lead => lead.id)

const search = (query: Record<string, string>) => `/leads?${new URLSearchParams(query)}`

describe('filters by values of the listing', () => {
  const contact = makeListing().contact
  const cases: [query: Record<string, unknown>, matches: Partial<Listing>, rejected: Partial<Listing>][] = [
    [{ q: 'marta SOL' }, { contact }, { contact: { ...contact, name: 'Jordi Puig' } }],
    [{ q: 'Mar Sole' }, { contact }, { contact: { ...contact, name: 'Mara Puig' } }],
    [{ q: 'pena nunez' }, { contact: { ...contact, name: 'Íñigo Peña Núñez' } }, { contact }],
    [{ q: 'Пётр' }, { contact: { ...contact, name: 'Пётр Иванов' } }, { contact }],
    [{ q: 'carrer de mallorca, 214' }, {}, { address: 'Carrer de Mallorca, 21' }],
    [{ q: 'atico' }, { title: 'ÁTICO en venta' }, { title: 'Bajo en venta' }],
    [{ q: 'ático' }, { title: 'Atico en venta' }, { title: 'Bajo en venta' }],
    [{ q: 'piscina' }, { description: 'Con piscina.' }, { description: 'Sin lujos.' }],
    [{ q: "l'hospitalet" }, { title: 'Piso en l’Hospitalet' }, { title: 'Piso en Badalona' }],
    [{ q: '08024' }, { postcode: '08024' }, { postcode: '08025' }],
    [{ q: 'ref_a_1' }, { title: 'Ref-A/1' }, { title: 'Ref B 1' }],
    [{ advertiserType: 'agency' }, { contact: { ...contact, advertiserType: 'agency' } }, { contact }],
    [{ operation: 'rent' }, { operation: 'rent' }, { operation: 'sale' }],
    [{ propertyType: 'offices' }, { propertyType: 'offices' }, { propertyType: 'homes' }],
    [{ minPrice: 100_000 }, { price: 100_000 }, { price: 99_999.99 }],
    [{ minPrice: 0 }, { price: 5 }, { price: null }],
    [{ maxPrice: 100_000 }, { price: 100_000 }, { price: 100_000.01 }],
    [{ municipality: 'malaga' }, { municipality: 'Málaga' }, { municipality: 'Málaga del Fresno' }],
    [{ municipality: 'l’hospitalet' }, { municipality: 'L’Hospitalet' }, { municipality: 'L’Hospital' }],
    [{ bbox: '2.1,41.3,2.2,41.4' }, { longitude: 2.1, latitude: 41.4 }, { longitude: 2.09, latitude: 41.4 }],
    [{ bbox: '2.1,41.3,2.2,41.4' }, { longitude: 2.2, latitude: 41.3 }, { longitude: 2.2, latitude: 41.29 }],
    [{ bbox: '-3.8,40,-3.6,41' }, { longitude: -3.7, latitude: 40.4 }, { longitude: null, latitude: null }],
    [{ hasPhone: true }, { contact }, { contact: { ...contact, phone: null } }],
    [{ hasPhone: false }, { contact: { ...contact, phone: null } }, { contact }],
    [
      { operation: 'rent', maxPrice: 900, hasPhone: true },
      { operation: 'rent', price: 800 },
      { operation: 'sale', price: 800 },
    ],
  ]
  test.each(cases)('%j matches one lead and not the other', async (query, matches, rejected) => {
    const tenant = await makeTenant(app)
    const [match] = await makeLeads(app.database, tenant.tenantId, [matches, rejected])
    expect(await listIds(tenant, query)).toEqual([match])
    expect(await listIds(tenant)).toHaveLength(2)
  })
})

test.each([
  '+34612345678',
  '612345678',
  '612 34 56 78',
  '612-345-678',
  '(612) 345 678',
  '0034 612 345 678',
  '612.34',
  '+34 6123',
  'tel. 612 34 56',
])('a phone is found as %s, in any notation of its listing', async q => {
  const tenant = await makeTenant(app)
  const contact = { ...makeListing().contact, phone: '+34612345678', phoneRaw: '6123 45678 (tardes)' }
  const other = { ...contact, phone: '+34699999999', phoneRaw: '699 99 99 99' }
  const [match] = await makeLeads(app.database, tenant.tenantId, [{ contact }, { contact: other }])
  expect(await listIds(tenant, { q })).toEqual([match])
})

describe('filters by values of the workspace', () => {
  let tenant: TestTenant
  let match: string
  let other: string
  beforeAll(async () => {
    tenant = await makeTenant(app)
    ;[match, other] = (await makeLeads(app.database, tenant.tenantId, [{}, {}])) as [string, string]
  })
  const update = (id: string, column: string, value: unknown) =>
    tenant.inTenant(tx =>
      sql`update leads set ${sql.id(column)} = ${value} where tenant_id = ${tenant.tenantId} and id = ${id}`.execute(
        tx,
      ),
    )

  test('status', async () => {
    await update(match, 'status', 'won')
    expect(await listIds(tenant, { status: 'won' })).toEqual([match])
    expect(await listIds(tenant, { status: 'new' })).toEqual([other])
    expect(await listIds(tenant, { status: 'lost' })).toEqual([])
  })

  test('tag, as a whole and case-sensitive', async () => {
    await tenant.inTenant(tx => changeLeadRows(tx, [match], { tags: ['eixample', 'vip'] }))
    expect(await listIds(tenant, { tag: 'vip' })).toEqual([match])
    expect(await listIds(tenant, { tag: 'VIP' })).toEqual([])
    expect(await listIds(tenant, { tag: 'vi' })).toEqual([])
  })

  test('campaignId', async () => {
    const campaignId = newId()
    await update(match, 'campaign_id', campaignId)
    expect(await listIds(tenant, { campaignId })).toEqual([match])
    expect(await listIds(tenant, { campaignId: newId() })).toEqual([])
  })

  test('ownerUserId', async () => {
    const { id } = await app.database.owner.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await update(match, 'owner_user_id', id)
    expect(await listIds(tenant, { ownerUserId: id })).toEqual([match])
    expect(await listIds(tenant, { ownerUserId: newId() })).toEqual([])
  })

  test('platform', async () => {
    const batch = { platform: 'portal_b', extractionId: newId(), campaignId: null, tags: [] }
    const [stored] = await tenant.inTenant(tx =>
      storeListings(tx, {
        ...batch,
        updateExisting: true,
        listings: [{ listingId: '1', listing: makeListing(), sourceState: makeSourceState() }],
      }),
    )
    expect(await listIds(tenant, { platform: 'portal_b' })).toEqual([stored!.leadId])
    expect((await listIds(tenant, { platform: 'portal_a' })).sort()).toEqual([match, other].sort())
    expect(await listIds(tenant, { platform: 'portal_c' })).toEqual([])
    await tenant.inTenant(tx =>
      tx
        .deleteFrom('leads')
        .where('tenant_id', '=', tenant.tenantId)
        .where('id', '=', stored!.leadId!)
        .execute(),
    )
  })

  test('updatedAfter excludes the time itself and earlier ones', async () => {
    await update(match, 'updated_at', '2026-06-01T10:00:00.001Z')
    await update(other, 'updated_at', '2026-06-01T10:00:00Z')
    expect(await listIds(tenant, { updatedAfter: '2026-06-01T10:00:00.000Z' })).toEqual([match])
    expect(await listIds(tenant, { updatedAfter: '2026-06-01T12:00:00+02:00' })).toEqual([match])
    expect(await listIds(tenant, { updatedAfter: '2026-06-01T10:00:00.001Z' })).toEqual([])
  })
})

describe('input', () => {
  test('strings that break programs are found by q if they contain a word', async () => {
    const odd = naughtyStrings.filter(text => text !== '' && [...text].length <= 198)
    expect(odd.length).toBeGreaterThan(60)
    const tenant = await makeTenant(app)
    const described = odd.map(text => ({ title: `«${text}»`, description: text }))
    const ids = await makeLeads(app.database, tenant.tenantId, described)
    const limit = 100
    const search = async (text: string, index: number) => {
      const { data } = await tenant.listLeads({ q: `«${text}»`, limit })
      if (!/[a-z0-9]/i.test(text) || data.length === limit) return
      const found = data.map(({ id, property }) => [id, property.description])
      expect(found, text).toContainEqual([ids[index], text])
    }
    for (let at = 0; at < odd.length; at += 5)
      await Promise.all(odd.slice(at, at + 5).map((text, nth) => search(text, at + nth)))
  })

  test('all errors are reported at once, with their paths', async () => {
    const tenant = await makeTenant(app)
    const query = {
      limit: '201',
      sort: 'name',
      bbox: '1,2,3',
      hasPhone: 'perhaps',
      createdAfter: 'yesterday',
      minprice: '1',
      campaignId: 'x',
    }
    const { status, body } = await tenant.call<{ errors: { path: string }[] }>('GET', search(query))
    expect(status).toBe(400)
    expect(body.errors.map(error => error.path).sort()).toEqual(
      Object.keys(query)
        .map(name => `/${name}`)
        .sort(),
    )
  })

  test.each(['3,41,2,42', '2,42,3,41'])(
    'an area with corners in the wrong order is refused: %s',
    async bbox => {
      const tenant = await makeTenant(app)
      const { status, body } = await tenant.call<{ errors: object[] }>('GET', search({ bbox }))
      expect(status).toBe(400)
      expect(body.errors).toEqual([
        { path: '/bbox', code: 'NOT_ALLOWED', message: expect.stringContaining('west,south,east,north') },
      ])
    },
  )

  test('an empty range of prices is refused everywhere', async () => {
    const tenant = await makeTenant(app)
    const range = { minPrice: 2, maxPrice: 1 }
    const requests = [
      ['GET', search({ minPrice: '2', maxPrice: '1' })],
      ['GET', search({ minPrice: '2', maxPrice: '1' }).replace('?', '/export?')],
      ['DELETE', '/leads', { body: { filter: range } }],
    ] as const
    for (const [method, path, options] of requests) {
      const { status, body } = await tenant.call<{ errors: { path: string }[] }>(method, path, options)
      expect([status, body.errors[0]!.path]).toEqual([400, `${options ? '/filter' : ''}/maxPrice`])
    }
  })

  test.each<Record<string, string>>([
    { q: '\0' },
    { q: '\ud800' },
    { tag: 'a\0b' },
    { municipality: '\0' },
    { platform: '\0' },
    { createdAfter: '0000-01-01T00:00:00Z' },
    { createdAfter: '9999-12-31T23:59:59-23:59' },
    { createdAfter: '2026-01-01T00:00:00+23:59' },
    { createdAfter: '2026-01-01 00:00:00.1234567890123z' },
    { updatedAfter: '2026-12-31T23:59:60Z' },
    { minPrice: '1e308' },
    { minPrice: '1e999' },
    { maxPrice: '-0' },
    { bbox: `${'9'.repeat(400)},0,0,0` },
    { cursor: '!' },
    { cursor: Buffer.from('[1,2]').toString('base64url') },
  ])('%j is answered or refused without an internal error', async query => {
    const tenant = await makeTenant(app)
    expect([200, 400]).toContain((await tenant.call('GET', search(query))).status)
  })
})
