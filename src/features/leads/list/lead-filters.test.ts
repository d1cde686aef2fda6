/** The filters of GET /leads, alone and combined. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, seedListings, type TestTenant } from '../../../../test/tenant.ts'
import { withdrawListings } from '../listings/lead-sources.ts'

let app: TestApp
let tenant: TestTenant
/** The names of the leads in this test, by id. */
const names = new Map<string, string>()

const put = (name: string, more: object) =>
  tenant.call<{ id: string }>('PUT', `/leads/by-external-id/${name}`, { body: { ...more } })

beforeAll(async () => {
  app = await shareTestApp('api')
  tenant = await makeTenant(app)
  const contact = { name: null, phone: null, phoneRaw: null, email: null, advertiserType: null }
  const store = async (platform: string, name: string, province: string) => {
    const place = { contact, province, address: name, title: name, latitude: null, longitude: null }
    const [stored] = await seedListings(tenant, { [name]: place }, { platform })
    names.set(stored!.leadId!, name)
  }
  await store('portal_a', 'still listed', 'Cádiz')
  await store('portal_b', 'gone', 'Cádiz')
  await store('portal_c', 'half', 'Lugo')
  const half = [...names].find(([, name]) => name === 'half')![0]
  await tenant.inTenant(tx =>
    sql`insert into lead_sources (tenant_id, platform, listing_id, lead_id, extraction_id, first_seen_at, last_seen_at)
      select tenant_id, 'portal_a', 'other half', lead_id, extraction_id, first_seen_at, last_seen_at
      from lead_sources where tenant_id = ${tenant.tenantId} and lead_id = ${half} returning true`.execute(
      tx,
    ),
  )
  await tenant.inTenant(tx => withdrawListings(tx, 'portal_b', ['gone']))
  await tenant.inTenant(tx => withdrawListings(tx, 'portal_c', ['half']))
  const written = {
    vip: { tags: ['vip', 'a,b'], status: 'contacted', property: { province: 'CADIZ' } },
    odd: { tags: ['a', '\\', 'c\\,d'], status: 'won', property: { province: 'Lugo' } },
    plain: { tags: ['b', 'd'], status: 'lost' },
  }
  for (const [name, more] of Object.entries(written)) {
    const { body, status, text } = await put(name, more)
    expect(status, text).toBe(201)
    names.set(body.id, name)
  }
})
afterAll(() => app.stop())

const listNames = async (query: Record<string, unknown>) =>
  (await tenant.listLeads(query)).data.map(({ id }) => names.get(id)).sort()

describe('a filter alone', () => {
  test.each<[Record<string, string | boolean>, string[]]>([
    [{ province: 'cadiz' }, ['gone', 'still listed', 'vip']],
    [{ province: 'CÁDIZ' }, ['gone', 'still listed', 'vip']],
    [{ province: 'Cadi' }, []],
    [{ status: 'won' }, ['odd']],
    [{ status: 'won,lost' }, ['odd', 'plain']],
    [{ status: 'won,won' }, ['odd']],
    [{ status: 'discarded,qualified' }, []],
    [{ platform: 'portal_a' }, ['half', 'still listed']],
    [{ platform: 'portal_b,portal_c' }, ['gone', 'half']],
    [{ platform: 'portal_a,portal_c' }, ['half', 'still listed']],
    [{ platform: 'api' }, ['odd', 'plain', 'vip']],
    [{ withdrawn: true }, ['gone']],
    [{ withdrawn: false }, ['half', 'odd', 'plain', 'still listed', 'vip']],
    [{ tag: 'vip' }, ['vip']],
    [{ tag: 'vip,d' }, ['plain', 'vip']],
    [{ tag: 'a,b' }, ['odd', 'plain']],
    [{ tag: 'a\\,b' }, ['vip']],
    [{ tag: 'a\\,b,d' }, ['plain', 'vip']],
    [{ tag: '\\' }, ['odd']],
    [{ tag: 'd,\\' }, ['odd', 'plain']],
    [{ tag: 'c\\\\,d' }, ['odd']],
    [{ tag: 'c,d' }, ['plain']],
  ])('%j', async (query, expected) => {
    expect(await listNames(query)).toEqual(expected)
    for (const sort of ['updatedAt', '-updatedAt', 'price', '-price'])
      expect(await listNames({ ...query, sort })).toEqual(expected)
    expect(await tenant.listLeads({ ...query, count: true })).toMatchObject({
      count: { value: expected.length, isExact: true },
    })
  })
})

test('combined filters all apply', async () => {
  expect(await listNames({ province: 'cadiz', withdrawn: false })).toEqual(['still listed', 'vip'])
  expect(await listNames({ province: 'cadiz', platform: 'portal_a,portal_b', status: 'new,won' })).toEqual([
    'gone',
    'still listed',
  ])
  expect(await listNames({ tag: 'vip,a', status: 'contacted,lost' })).toEqual(['vip'])
})

describe('createdAfter', () => {
  const sorts = ['-createdAt', '-updatedAt', 'updatedAt', 'price', '-price']
  const minute = 60_000

  test('excludes the time itself and earlier ones, in every order and in the count', async () => {
    const all = (await tenant.listLeads()).data
    const moments = all.map(({ createdAt }) => Date.parse(createdAt)).flatMap(ms => [ms - 1, ms, ms + 1])
    for (const moment of moments) {
      const createdAfter = new Date(moment).toISOString()
      const later = all.filter(lead => Date.parse(lead.createdAt) > moment).map(({ id }) => names.get(id))
      for (const sort of sorts) expect(await listNames({ createdAfter, sort })).toEqual(later.toSorted())
      const elsewhere = `${new Date(moment + 120 * minute).toISOString().slice(0, -1)}+02:00`
      expect(await listNames({ createdAfter: elsewhere })).toEqual(later.toSorted())
      expect(await tenant.listLeads({ createdAfter, count: true })).toMatchObject({
        count: { value: later.length },
      })
    }
  })

  test.each([
    ['0001-01-01T00:00:00Z', true],
    ['1969-12-31T23:59:59.999+14:00', true],
    ['9999-12-31T23:59:59-14:00', false],
  ])('%s is before or after all', async (createdAfter, isBefore) => {
    const expected = isBefore ? [...names.values()].sort() : []
    for (const sort of sorts) expect(await listNames({ createdAfter, sort })).toEqual(expected)
  })

  test('finds a lead that was changed by a clock one hour behind', async () => {
    const late = await makeTenant(app)
    const { body } = await late.call<{ id: string; createdAt: string }>('PUT', '/leads/by-external-id/late', {
      body: { status: 'won' },
    })
    await late.inTenant(tx =>
      sql`update leads set updated_at = created_at - interval '1 hour' where tenant_id = ${late.tenantId}`.execute(
        tx,
      ),
    )
    const createdAfter = new Date(Date.parse(body.createdAt) - minute).toISOString()
    for (const sort of sorts) expect((await late.listLeads({ createdAfter, sort })).data).toHaveLength(1)
  })
})

test('a bulk change accepts the same lists', async () => {
  const { body } = await tenant.call('PATCH', '/leads', {
    body: { filter: { tag: 'a\\,b,d', status: 'lost,contacted' }, changes: { customFields: { met: true } } },
  })
  expect(body).toMatchObject({ progress: { matched: 2, changed: 2 } })
})

test.each([
  { tag: '' },
  { tag: 'a,' },
  { tag: ',a' },
  { tag: 'a\\,' },
  { platform: 'a,,b' },
  { tag: Array(22).join('a,') },
])('%j is refused, except a tag that ends with an escaped comma', async query => {
  const { status } = await tenant.call('GET', `/leads?${new URLSearchParams(query as never)}`)
  expect(status).toBe('tag' in query && query.tag === 'a\\,' ? 200 : 400)
})
