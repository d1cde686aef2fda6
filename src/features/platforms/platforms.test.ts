/** Portals over HTTP: their status in live and test, their filters and their locations. */
import Ajv2020 from 'ajv/dist/2020.js'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { extract } from '../../../test/extraction.ts'
import { startTestApp, startTestAppForTest, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { builtInPortals } from '../../plugins/portals/index.ts'
import type { Location, Platform, PlatformFilters } from './schemas.ts'

const liveUrl = 'http://127.0.0.1:9'
const portalIds = builtInPortals.map(({ id }) => id)
const portalWithCredentials = builtInPortals.find(({ authentication }) => authentication)!.id

let app: TestApp
let tenant: TestTenant
let live: TestTenant
beforeAll(async () => {
  const portalUrls = `portal_a=${liveUrl},${portalWithCredentials}=http://127.0.0.1:10`
  app = await startTestApp({ env: { PORTAL_URLS: portalUrls } })
  tenant = await makeTenant(app)
  live = await makeTenant(app, 'live')
})
afterAll(() => app.stop())

type List<T> = { data: T[]; nextCursor: string | null }

async function fetchJson<T>(path: string, from = tenant, status = 200): Promise<T> {
  const reply = await from.call<T>('GET', path)
  expect(reply.status, reply.text).toBe(status)
  return reply.body
}

async function fetchStatus(platform: string, from: TestTenant): Promise<string | undefined> {
  const { data } = await fetchJson<List<Platform>>('/platforms', from)
  return data.find(({ id }) => id === platform)?.status
}

describe('the list of platforms', () => {
  test('has every portal with its capabilities; in test all are available', async () => {
    const { data, nextCursor } = await fetchJson<List<Platform>>('/platforms')
    expect(nextCursor).toBeNull()
    expect(data).toEqual(
      builtInPortals.map(({ id, name, country, language, capabilities, ...portal }) => ({
        id,
        name,
        country,
        language,
        capabilities,
        status: 'available',
        operations: portal.operations,
        propertyTypes: portal.propertyTypes,
        filterKeys: Object.keys(portal.filters.properties),
      })),
    )
  })

  test('shows portals without an address or without required credentials as unconfigured in live', async () => {
    const { data } = await fetchJson<List<Platform>>('/platforms', live)
    const expected = portalIds.map(id => [id, id === 'portal_a' ? 'available' : 'unconfigured'])
    expect(data.map(({ id, status }) => [id, status])).toEqual(expected)
  })

  test('is read page by page with a cursor', async () => {
    const first = await fetchJson<List<Platform>>('/platforms?limit=1')
    const rest = await fetchJson<List<Platform>>(`/platforms?cursor=${first.nextCursor}`)
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(portalIds)
    expect(rest.nextCursor).toBeNull()
    const refusal = await fetchJson<{ code: string }>('/platforms?cursor=bm9uZQ', tenant, 400)
    expect(refusal.code).toBe('INVALID_CURSOR')
  })
})

describe('the status of a platform', () => {
  const insertState = (columns: string, values: string) => {
    const [into, row] = columns.startsWith('slow')
      ? [`throttles (key, next_at, ${columns})`, `'${liveUrl}', now(), ${values}`]
      : [`portal_health (origin, ${columns})`, `'${liveUrl}', ${values}`]
    return sql
      .raw(`insert into ${into} values (${row}) on conflict do nothing`)
      .execute(app.database.unscoped)
  }
  afterEach(async () => {
    await sql`delete from portal_health where origin = ${liveUrl}`.execute(app.database.owner)
    await sql`delete from throttles where key = ${liveUrl}`.execute(app.database.owner)
  })

  test.each([
    ['its last run failed', 'failed_at', 'now()'],
    ['the one before the failed one succeeded', 'failed_at, succeeded_at', `now(), now() - interval '1 min'`],
    ['it throttled us just now', 'slow_factor, slowed_at', '2, now()'],
    ['it throttled us twice, six minutes ago', 'slow_factor, slowed_at', `4, now() - interval '6 min'`],
  ])('is degraded if %s', async (_what, columns, values) => {
    await insertState(columns, values)
    expect(await fetchStatus('portal_a', live)).toBe('degraded')
    // The status belongs to one address: the portal at another address may be fine.
    expect(await fetchStatus('portal_a', tenant)).toBe('available')
  })

  test.each([
    ['the run after the failed one succeeded', 'failed_at, succeeded_at', `now() - interval '1 min', now()`],
    ['the failure was more than an hour ago', 'failed_at', `now() - interval '61 min'`],
    ['it throttled us eight minutes ago', 'slow_factor, slowed_at', `4, now() - interval '8 min'`],
  ])('is available if %s', async (_what, columns, values) => {
    await insertState(columns, values)
    expect(await fetchStatus('portal_a', live)).toBe('available')
  })

  test('follows the runs of extractions', async () => {
    const search = { operation: 'sale', propertyType: 'garages', city: 'cordoba' } as const
    const simulator = await app.app.getSimulator()
    simulator.faults.add({ kind: 'challenge', match: '/venta' })
    expect(await extract(tenant, search, { maxResults: 1 })).toMatchObject({ status: 'FAILED' })
    expect(await fetchStatus('portal_a', tenant)).toBe('degraded')
    simulator.faults.clear()
    expect(await extract(tenant, search, { maxResults: 1 })).toMatchObject({ status: 'COMPLETED' })
    expect(await fetchStatus('portal_a', tenant)).toBe('available')
  })
})

describe.each(builtInPortals.map(portal => [portal.id, portal] as const))(
  'the filters of %s',
  (id, portal) => {
    const { properties, required } = portal.filters
    const field = (filters: PlatformFilters, key: string) => filters.filters.find(one => one.key === key)!

    test('are returned as the JSON Schema that validates, with valid examples', async () => {
      const filters = await fetchJson<PlatformFilters>(`/platforms/${id}/filters`)
      expect(filters).toMatchObject({ platform: id, required })
      expect(filters.schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: expect.any(String),
        ...JSON.parse(JSON.stringify(portal.filters)),
      })
      const validate = new Ajv2020.default({ strict: true, strictTypes: false }).compile(filters.schema)
      const examples = filters.filters.flatMap(({ key, examples }) =>
        examples.slice(0, 1).map(example => [key, example]),
      )
      expect(validate(Object.fromEntries(examples)), JSON.stringify(validate.errors)).toBe(true)
    })

    test('are listed key by key, each with a title, a description and an example', async () => {
      const { filters } = await fetchJson<PlatformFilters>(`/platforms/${id}/filters`)
      expect(filters.map(({ key }) => key)).toEqual(Object.keys(properties))
      for (const one of filters) {
        expect(one.label).not.toBe(one.key)
        expect(one.description).toEqual(expect.any(String))
        expect(one.examples).not.toHaveLength(0)
        expect(one.required).toBe(required.includes(one.key as never))
      }
    })

    test('have titles for their choices', async () => {
      const filters = await fetchJson<PlatformFilters>(`/platforms/${id}/filters`)
      expect(field(filters, 'operation')).toMatchObject({ type: 'string', minimum: null, maximum: null })
      expect(field(filters, 'operation').options?.map(({ value }) => value)).toEqual(portal.operations)
      for (const { options } of filters.filters)
        for (const { value, label } of options ?? []) expect(label).not.toBe(String(value))
    })
  },
)

test('a filter has its type, its bounds, its default and, if it is a list, the choices for its items', async () => {
  const { filters } = await fetchJson<PlatformFilters>('/platforms/portal_a/filters')
  const byKey = Object.fromEntries(filters.map(one => [one.key, one]))
  expect(byKey.minRooms).toMatchObject({
    type: 'integer',
    minimum: 0,
    maximum: 50,
    default: null,
    options: null,
  })
  expect(byKey.propertyType).toMatchObject({
    default: 'homes',
    options: [{ value: 'homes', label: 'Homes' }, {}, {}, {}],
  })
  expect(byKey.features).toMatchObject({ type: 'array', maxItems: byKey.features!.options!.length })
  expect(byKey.features!.options).toContainEqual({ value: 'lift', label: 'Lift' })
  expect(byKey.location).toMatchObject({ type: 'object', required: true })
})

test('the version of filters changes only when they change', async () => {
  const [portal] = builtInPortals
  const { minPrice: _minPrice, ...properties } = portal!.filters.properties as Record<string, unknown>
  const other = { ...portal!, filters: { ...portal!.filters, properties } } as never
  const changed = await startTestAppForTest({ env: { ROLE: 'api' }, portals: [other] })
  const fetchVersion = async ({ call }: Pick<TestApp, 'call'>) =>
    (await call<PlatformFilters>('GET', `/platforms/${portal!.id}/filters`)).body.version
  const version = await fetchVersion(app)
  expect(version).toMatch(/^[0-9a-f]{12}$/)
  expect(await fetchVersion(app)).toBe(version)
  expect(await fetchVersion(changed)).not.toBe(version)
})

describe('the locations of a platform', () => {
  const find = (query: string, platform = 'portal_a') =>
    fetchJson<List<Location>>(`/platforms/${platform}/locations?${query}`)

  test.each([
    ['by the text typed so far', 'barcelon'],
    ['by a misspelt name', 'barcelnoa'],
    ['with accents of another language', 'bàrcelóna'],
  ])('are found %s', async (_how, q) => {
    const { data } = await find(`q=${encodeURIComponent(q)}`)
    expect(data[0]).toEqual({
      id: 'barcelona',
      label: 'Barcelona, Barcelona',
      type: 'municipality',
      parentId: 'barcelona-provincia',
      latitude: expect.closeTo(41.39, 1),
      longitude: expect.closeTo(2.16, 1),
    })
  })

  test('are fifty by default, and the largest ones without a text', async () => {
    const { data } = await find('')
    expect(data).toHaveLength(50)
    expect(data.slice(0, 2).map(({ id }) => id)).toEqual(['madrid', 'barcelona'])
    expect((await find('q=san&limit=200')).data).toHaveLength(200)
  })

  async function findAll(query: string): Promise<string[]> {
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const { data, nextCursor } = await find(`${query}${cursor}`)
      ids.push(...data.map(({ id }) => id))
      if (nextCursor === null) return ids
      cursor = `&cursor=${nextCursor}`
    }
  }

  test('are read page by page to the end: every town of a province, once', async () => {
    const ids = await findAll('parentId=barcelona-provincia&limit=60')
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(311)
    expect(await findAll('parentId=barcelona-provincia&limit=200')).toEqual(ids)
  })

  test('are the same, in the same order, for any page size', async () => {
    const ids = await findAll('q=barcel&limit=200')
    expect(ids.length).toBeGreaterThan(3)
    expect(await findAll('q=barcel&limit=2')).toEqual(ids)
  })

  test('accept only a cursor of the same search on the same portal', async () => {
    const { nextCursor } = await find('q=san&limit=1')
    for (const path of ['portal_a/locations?q=sant', 'portal_b/locations?q=san'])
      expect(await fetchJson(`/platforms/${path}&cursor=${nextCursor}`, tenant, 400)).toMatchObject({
        code: 'INVALID_CURSOR',
      })
  })

  test('can be limited to those inside another', async () => {
    const { data } = await find('q=san&limit=50&parentId=barcelona-provincia')
    expect(data.length).toBeGreaterThan(10)
    for (const { parentId } of data) expect(parentId).toBe('barcelona-provincia')
  })

  test('have parents up to the largest location of the portal', async () => {
    const { data } = await find('q=barcelona provincia&limit=1')
    expect(data).toMatchObject([{ id: 'barcelona-provincia', type: 'province', parentId: null }])
  })

  test.each([
    ['q', `q=${'a'.repeat(101)}`],
    ['limit', 'limit=0'],
    ['limit', 'limit=201'],
    ['parentId', 'parentId=atlantis'],
    ['cursor', 'cursor=x'],
  ])('are refused with 400 at /%s: ?%s', async (name, query) => {
    const refusal = await fetchJson<{ errors: { path: string }[] }>(
      `/platforms/portal_a/locations?${query}`,
      tenant,
      400,
    )
    expect(refusal.errors).toMatchObject([{ path: `/${name}` }])
  })

  test.each(builtInPortals.map(({ id }) => [id]))(
    'are those of %s only, each with the id of that portal',
    async id => {
      const { data } = await find('q=a&limit=50', id)
      const { locations } = builtInPortals.find(portal => portal.id === id)!
      expect(data.length).toBeGreaterThan(0)
      expect(new Set(data.map(location => location.id)).size).toBe(data.length)
      for (const { type } of data) expect(locations.types).toContain(type)
      const inside = data.find(({ parentId }) => parentId !== null)
      if (inside) expect((await find(`parentId=${inside.parentId}`, id)).data).not.toHaveLength(0)
    },
  )
})

test.each(['filters', 'locations'])('the %s of an unknown platform are 404', async what => {
  for (const platform of ['portal_z', 'PORTAL_A', '%00', 'constructor'])
    expect(await fetchJson(`/platforms/${platform}/${what}`, tenant, 404)).toMatchObject({
      code: 'NOT_FOUND',
    })
})
