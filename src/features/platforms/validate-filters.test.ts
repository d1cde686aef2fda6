/** Filters validated over HTTP before an extraction: every rule, and the number of results that the portal reports. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, startTestAppForTest, type TestApp } from '../../../test/harness.ts'
import { makeKey } from '../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'
import { builtInPortals } from '../../plugins/portals/index.ts'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import type { SimulatedListing } from '../../simulator/listing.ts'
import type { FilterValidation, Location } from './schemas.ts'

const barcelona = { id: 'barcelona', label: 'Barcelona' }
const sale = { operation: 'sale', location: barcelona }
const [portalA] = builtInPortals
const cityIn: Record<string, string> = { ES: 'cordoba', PT: 'lisboa', IT: 'roma' }
/** A feed and a sitemap report no count. */
const portalsWithoutCount = new Set(['portal_e', 'portal_f'])
const noCount = { path: '', code: 'NO_COUNT', message: expect.any(String) }

const { operation, location, propertyType } = portalA!.filters
  .properties as PortalDefinition['filters']['properties']
/** A portal with few filters. */
const limitedPortal = {
  ...portalA!,
  id: 'portal_meagre',
  filters: { ...portalA!.filters, properties: { operation, location, propertyType } },
} as unknown as PortalDefinition
/** A portal whose filters cannot be validated. */
const portalWithoutValidation = {
  ...portalA!,
  id: 'portal_closed',
  capabilities: { ...portalA!.capabilities, validate: false },
} as unknown as PortalDefinition

let simulator: Simulator
let app: TestApp
let tenant: TestTenant
let live: TestTenant
beforeAll(async () => {
  simulator = await startSimulator()
  const urls = builtInPortals.map(({ id }) => `${id}=${simulator.portalAddress(id as 'portal_a')}`)
  app = await startTestApp({
    // In live the simulator serves as the portals; portal_e has no address.
    env: { PORTAL_URLS: urls.filter(url => !url.startsWith('portal_e=')).join(',') },
    portals: [...builtInPortals, limitedPortal, portalWithoutValidation] as PortalDefinition[],
  })
  tenant = await makeTenant(app)
  live = await makeTenant(app, 'live')
})
afterAll(async () => {
  await app.stop()
  await simulator.close()
})
afterEach(() => simulator.faults.clear())

async function validate(filters: object, platform = 'portal_a', from = live): Promise<FilterValidation> {
  const reply = await from.call<FilterValidation>('POST', `/platforms/${platform}/validate`, {
    body: filters,
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

async function fetchErrors(filters: object, platform?: string) {
  const { valid, errors, ...rest } = await validate(filters, platform)
  expect(rest).toMatchObject({ normalizedFilters: null, searchUrl: null, expectedResults: null })
  expect(valid).toBe(false)
  return errors
}

const formatErrors = (errors: { path: string; code: string }[]) =>
  errors.map(({ path, code }) => `${path} ${code}`)

test('at most a hundred errors are listed; a warning says how many more there are', async () => {
  const keys = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, index]))
  const { errors, warnings } = await validate({ ...sale, ...keys })
  expect(errors).toHaveLength(100)
  expect(warnings).toMatchObject([{ code: 'MORE_ERRORS', message: '50 more errors are not listed.' }])
})

describe('valid filters', () => {
  test('return defaults filled in, the URL of the search and the count of the portal', async () => {
    const matching = simulator.findListings({ operation: 'sale', propertyType: 'homes', city: 'barcelona' })
    const affordable = matching.filter(({ price }: SimulatedListing) => price <= 300_000)
    const filters = { ...sale, maxPrice: 300_000 }
    expect(affordable.length).toBeGreaterThan(0)
    expect(await validate(filters)).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      normalizedFilters: { ...filters, propertyType: 'homes', advertiserType: 'any' },
      searchUrl: `${simulator.portalUrl('portal_a')}/venta/viviendas/barcelona/?maxPrice=300000`,
      expectedResults: affordable.length,
    })
  })

  test('that match nothing are valid, with 0 expected results', async () => {
    const checked = await validate({ ...sale, minPrice: 900_000_000 })
    expect(checked).toMatchObject({ valid: true, warnings: [], expectedResults: 0 })
  })

  test.each(
    builtInPortals
      .filter(({ capabilities }) => capabilities.validate)
      .map(({ id, country }) => [id, cityIn[country]!] as const),
  )(
    'of %s are sent to the simulator in test, and the count is right, or reported as unknown',
    async (id, city) => {
      const { body } = await tenant.call<{ data: Location[] }>(
        'GET',
        `/platforms/${id}/locations?q=${city}&limit=1`,
      )
      const { id: locationId, label } = body.data[0]!
      const filters = { operation: 'sale', propertyType: 'offices', location: { id: locationId, label } }
      const checked = await validate(filters, id, tenant)
      expect(checked).toMatchObject({
        valid: true,
        errors: [],
        searchUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
      })
      const matching = simulator.findListings({ operation: 'sale', propertyType: 'offices', city })
      expect(matching).not.toEqual([])
      if (portalsWithoutCount.has(id))
        expect(checked).toMatchObject({ expectedResults: null, warnings: [noCount] })
      else expect([checked.expectedResults, checked.warnings]).toEqual([matching.length, []])
    },
  )

  test('never show credentials in the URL of the search', async () => {
    const filters = { ...sale, location: { id: '0-EU-ES-08-019', label: 'Barcelona' } }
    const { searchUrl, expectedResults } = await validate(filters, 'portal_c')
    expect(searchUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/3\.5\//)
    expect(expectedResults).toBeGreaterThan(0)
  })

  test('of an unconfigured portal are valid, with a warning in place of URL and count', async () => {
    const checked = await validate({ ...sale, location: { id: 'spain', label: 'Spain' } }, 'portal_e')
    expect(checked).toMatchObject({ valid: true, searchUrl: null, expectedResults: null })
    expect(checked.normalizedFilters).not.toBeNull()
    expect(checked.warnings).toEqual([
      {
        path: '',
        code: 'PORTAL_UNCONFIGURED',
        message: expect.stringMatching(/portal_e has no address in live.*PORTAL_URLS/),
      },
    ])
  })

  test.each(['portal_c', 'portal_g'] as const)(
    'of %s at an address without the required credentials are valid, with a warning',
    async platform => {
      const appWithoutCredentials = await startTestAppForTest({
        env: { ROLE: 'api', PORTAL_URLS: `${platform}=${simulator.portalUrl(platform)}` },
        databaseUrl: app.config.databaseUrl!,
      })
      const key = await makeKey(app.database, { workspace: app.workspace.slug, environment: 'live' })
      const path = `/platforms/${platform}`
      const { body } = await appWithoutCredentials.call<{ data: Location[] }>(
        'GET',
        `${path}/locations?q=cordoba&limit=1`,
      )
      const { id, label } = body.data[0]!
      const reply = await appWithoutCredentials.call<FilterValidation>('POST', `${path}/validate`, {
        key,
        body: { operation: 'sale', location: { id, label } },
      })
      expect(reply.body).toMatchObject({ valid: true, searchUrl: null, expectedResults: null })
      expect(reply.body.warnings).toEqual([
        {
          path: '',
          code: 'PORTAL_UNCONFIGURED',
          message: expect.stringMatching(`${platform} has no credentials in live.*PORTAL_URLS`),
        },
      ])
    },
  )

  test('of a portal that is not simulated are valid in test, with a warning', async () => {
    const { valid, warnings } = await validate(sale, 'portal_meagre', tenant)
    expect(valid).toBe(true)
    expect(warnings).toMatchObject([
      { code: 'PORTAL_UNCONFIGURED', message: expect.stringMatching(/^portal_meagre is not simulated/) },
    ])
  })

  test.each([
    ['a challenge', { kind: 'challenge' }, 'BLOCKED'],
    ['an error', { kind: 'status', status: 500 }, 'PORTAL_UNAVAILABLE'],
    ['a truncated page', { kind: 'close' }, 'PORTAL_UNAVAILABLE'],
    ['a page without its cards', { kind: 'empty' }, 'LAYOUT_CHANGED'],
    ['a sign-in', { kind: 'redirectToLogin' }, 'BLOCKED'],
  ] as const)(
    'whose count fails with %s are valid, with a warning, after one request',
    async (_what, fault, code) => {
      const before = simulator.requests.portal_a.search
      simulator.faults.add({ ...fault, match: '/venta' })
      const checked = await validate(sale)
      expect(checked).toMatchObject({ valid: true, expectedResults: null, searchUrl: expect.any(String) })
      expect(checked.warnings).toMatchObject([{ path: '', code }])
      expect(simulator.requests.portal_a.search - before).toBe(1)
    },
  )

  test('whose search robots.txt forbids are valid, and the search is not requested', async () => {
    simulator.faults.add({ kind: 'status', status: 503, match: '/robots.txt' })
    const checked = await validate(sale)
    expect(checked).toMatchObject({
      valid: true,
      expectedResults: null,
      warnings: [{ code: 'ROBOTS_DISALLOWED' }],
    })
  })
})

describe('filters that do not fit the schema', () => {
  test('return all errors at once, each with its path and code', async () => {
    const errors = await fetchErrors({
      operation: 'buy',
      location: { id: '../etc', name: 'x' },
      minPrice: -1,
      maxRooms: 1.5,
      features: ['lift', 'helipad'],
      'a/b~c': 1,
    })
    expect(formatErrors(errors).toSorted()).toEqual([
      '/a~1b~0c UNKNOWN_FIELD',
      '/features/1 NOT_ALLOWED',
      '/location/id WRONG_FORMAT',
      '/location/label REQUIRED',
      '/location/name UNKNOWN_FIELD',
      '/maxRooms WRONG_TYPE',
      '/minPrice TOO_SMALL',
      '/operation NOT_ALLOWED',
    ])
  })

  test('return an error for each missing field', async () => {
    expect(formatErrors(await fetchErrors({}))).toEqual(['/operation REQUIRED', '/location REQUIRED'])
  })

  test('are not converted: a number in text stays text', async () => {
    expect(formatErrors(await fetchErrors({ ...sale, minPrice: '100000' }))).toEqual(['/minPrice WRONG_TYPE'])
  })

  test('return an error for an unknown key that lists the supported keys', async () => {
    const [error] = await fetchErrors({ ...sale, minprice: 1 })
    expect(error).toMatchObject({ path: '/minprice', code: 'UNKNOWN_FIELD' })
    expect(error!.message).toContain('minPrice')
  })

  test('return NOT_SUPPORTED for a key that only other portals have', async () => {
    expect(await fetchErrors({ ...sale, minPrice: 1 }, 'portal_meagre')).toEqual([
      {
        path: '/minPrice',
        code: 'NOT_SUPPORTED',
        message: 'portal_meagre cannot filter by minPrice; it supports operation, location, propertyType',
      },
    ])
    expect(formatErrors(await fetchErrors({ ...sale, toString: 1 }, 'portal_meagre'))).toEqual([
      '/toString UNKNOWN_FIELD',
    ])
  })
})

describe('the request', () => {
  test.each(['[]', '"x"', 'null', '5', ''])('%j is refused with 400: it is not an object', async rawBody => {
    const reply = await live.call('POST', '/platforms/portal_a/validate', { rawBody })
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'INVALID_INPUT', errors: [{ path: '' }] }])
  })

  test('for an unknown platform is 404', async () => {
    const reply = await live.call('POST', '/platforms/portal_z/validate', { body: sale })
    expect([reply.status, reply.body]).toMatchObject([404, { code: 'NOT_FOUND' }])
  })

  test('for a portal without validation is 400', async () => {
    const reply = await live.call('POST', '/platforms/portal_closed/validate', { body: sale })
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { errors: [{ path: '/platform', code: 'NOT_SUPPORTED' }] },
    ])
  })

  test('repeated with its Idempotency-Key is answered without another request to the portal', async () => {
    const headers = { 'idempotency-key': 'a' }
    const send = () => live.call('POST', '/platforms/portal_a/validate', { body: sale, headers })
    const first = await send()
    const requestsBefore = simulator.requests.portal_a.search
    const second = await send()
    expect([second.status, second.text, simulator.requests.portal_a.search]).toEqual([
      201,
      first.text,
      requestsBefore,
    ])
  })
})
