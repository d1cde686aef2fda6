/** Extractions that are refused before they start: filters, options, portals, quotas. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extract, type Search, toExtractionBody } from '../../../test/extraction.ts'
import { startTestApp, startTestAppForTest, type TestApp } from '../../../test/harness.ts'
import { makeKey } from '../../../test/make.ts'
import { naughtyStrings } from '../../../test/naughty-strings.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { builtInPortals } from '../../plugins/portals/index.ts'

const garages: Search = { operation: 'sale', propertyType: 'garages', city: 'cordoba' }

interface Refusal {
  code: string
  message: string
  errors: { path: string; code: string }[]
}

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startTestApp()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

async function expectRefusal(body: object, status = 400, caller = tenant): Promise<Refusal> {
  const reply = await caller.call<Refusal>('POST', '/extractions', { body })
  expect(reply.status, reply.text).toBe(status)
  return reply.body
}

const toPaths = ({ errors }: Refusal) => errors.map(error => error.path).sort()

describe('input', () => {
  test('filters that the portal refuses are reported together, each with its path', async () => {
    const filters = {
      operation: 'buy',
      location: { id: '../etc', name: 'x' },
      minPrice: -1,
      maxRooms: 1.5,
      features: ['lift', 'helipad', 'lift'],
      advertiserType: 'bank',
      minprice: 3,
      'a/b~c': 1,
    }
    const refusal = await expectRefusal({ platform: 'portal_a', filters })
    expect(toPaths(refusal)).toEqual(
      [
        '/filters/a~1b~0c',
        '/filters/advertiserType',
        '/filters/features',
        '/filters/features/1',
        '/filters/location/id',
        '/filters/location/label',
        '/filters/location/name',
        '/filters/maxRooms',
        '/filters/minPrice',
        '/filters/minprice',
        '/filters/operation',
      ].sort(),
    )
    expect(refusal.code).toBe('INVALID_INPUT')
  })

  test('an invalid filter is reported together with an invalid option and number', async () => {
    const filters = { operation: 'sael', location: { id: 'barcelona', label: 'Barcelona' }, maxPrise: 3 }
    const body = { platform: 'portal_a', filters, maxResults: 0, options: { includeDetial: true } }
    const refusal = await expectRefusal(body)
    expect(toPaths(refusal)).toEqual([
      '/filters/maxPrise',
      '/filters/operation',
      '/maxResults',
      '/options/includeDetial',
    ])
    for (const word of ['sale', 'maxPrice', 'includeDetails'])
      expect(JSON.stringify(refusal.errors)).toContain(`did you mean ${word}?`)
  })

  test('missing filters that the portal requires are reported by name', async () => {
    const refusal = await expectRefusal({ platform: 'portal_a', filters: {} })
    expect(refusal.errors.map(({ path, code }) => [path, code])).toEqual([
      ['/filters/operation', 'REQUIRED'],
      ['/filters/location', 'REQUIRED'],
    ])
  })

  test('an error of an option has the path of the option', async () => {
    const refusal = await expectRefusal(toExtractionBody(garages, { options: { publishedWithinDays: 3650 } }))
    expect(toPaths(refusal)).toEqual(['/options/publishedWithinDays'])
  })

  test.each([
    [{ advertiserType: 'agency' }, { advertiserType: 'private' }],
    [{ publishedWithinDays: 7 }, { publishedWithinDays: 30 }],
  ])(
    'an option that contradicts the filter of the same name is refused: %j, %j',
    async (options, filters) => {
      const refusal = await expectRefusal(toExtractionBody(garages, { options, filters }))
      expect(refusal.errors.map(({ path, code }) => [path, code])).toEqual([
        [`/options/${Object.keys(options)[0]}`, 'CONTRADICTION'],
      ])
      const body = toExtractionBody(garages, { maxResults: 1, options, filters: options })
      const own = await makeTenant(app)
      expect((await own.call('POST', '/extractions', { body })).status).toBe(202)
    },
  )

  test('all errors of a body are reported at once', async () => {
    const options = { includeDetails: 'yes', tags: ['', 3], advertiserType: 'x', incremental: 'often' }
    const body = { platform: 'portal_z', filters: [], maxResults: 0, options, extra: 1 }
    expect(toPaths(await expectRefusal(body))).toEqual(
      [
        '/extra',
        '/filters',
        '/maxResults',
        '/options/advertiserType',
        '/options/includeDetails',
        '/options/incremental',
        '/options/tags/0',
        '/options/tags/1',
        '/platform',
      ].sort(),
    )
    for (const maxResults of [-1, 1.5, '50', 100_001, null]) {
      expect(toPaths(await expectRefusal(toExtractionBody(garages, { maxResults } as never)))).toEqual([
        '/maxResults',
      ])
    }
  })

  test('hostile strings in labels and tags are stored unchanged', async () => {
    const tags = naughtyStrings.filter(text => text !== '' && [...text].length <= 100).slice(0, 50)
    const label = '\u202e"\'\\🏠\u2028'
    const filters = { location: { id: garages.city, label } }
    const extraction = await extract(tenant, garages, { maxResults: 1, filters, options: { tags } })
    expect(extraction).toMatchObject({ filters, options: { tags } })
    expect((await tenant.listAllLeads())[0]!.tags).toEqual(tags)
  })

  test.each(['a\0b', '\ud800', 'x\udc00y'])(
    'text that PostgreSQL cannot store is refused or sanitized, never a 500: %j',
    async text => {
      for (const more of [
        { filters: { location: { id: 'cordoba', label: text } } },
        { options: { tags: [text] } },
      ]) {
        const body = toExtractionBody(garages, { maxResults: 1, ...more })
        const { status } = await tenant.call('POST', '/extractions', { body })
        expect([202, 400]).toContain(status)
      }
    },
  )
})

describe('a portal', () => {
  /** The body of an extraction of homes to rent, in a town of the portal. */
  async function prepareBody(platform: string, more: object = {}): Promise<object> {
    const path = `/platforms/${platform}/locations?q=vigo&limit=1`
    const { body } = await tenant.call<{ data: { id: string; label: string }[] }>('GET', path)
    const { id, label } = body.data[0]!
    return {
      platform,
      filters: { operation: 'rent', propertyType: 'homes', location: { id, label } },
      ...more,
    }
  }

  test('that shows only what is new is refused with a hint to use a campaign', async () => {
    const refusal = await expectRefusal(await prepareBody('portal_h'))
    expect(refusal.code).toBe('INVALID_INPUT')
    expect(refusal.errors).toEqual([
      {
        path: '/platform',
        code: 'NOT_ALLOWED',
        message: expect.stringMatching(/portal_h.*use a campaign/),
      },
    ])
    expect(await tenant.call('GET', '/platforms/portal_h/filters')).toMatchObject({ status: 200 })
  })

  test('whose search shows only addresses cannot be read without details', async () => {
    const options = { includeDetails: false }
    const refusal = await expectRefusal(await prepareBody('portal_f', { options }))
    expect(refusal.errors.map(({ path, code }) => [path, code])).toEqual([
      ['/options/includeDetails', 'NOT_SUPPORTED'],
    ])
    const { status } = await tenant.call('POST', '/extractions', {
      body: await prepareBody('portal_f', { maxResults: 1 }),
    })
    expect(status).toBe(202)
  })

  test('that needs credentials is refused in live if its address has none', async () => {
    const startAt = (address: string) =>
      startTestAppForTest({
        env: { ROLE: 'api', PORTAL_URLS: `portal_c=${address}` },
        databaseUrl: app.config.databaseUrl!,
      })
    const [bare, configured] = [
      await startAt('http://127.0.0.1:9'),
      await startAt('http://id:secret@127.0.0.1:9'),
    ]
    const { key, readQuotaUsage } = await makeTenant(app, 'live')
    const body = await prepareBody('portal_c')
    const refusal = await bare.call<Refusal>('POST', '/extractions', { key, body })
    expect([refusal.status, refusal.body.code]).toEqual([422, 'PORTAL_UNCONFIGURED'])
    expect(refusal.body.message).toMatch(/portal_c has no credentials in live.*PORTAL_URLS/)
    expect(await readQuotaUsage('maxExtractionsPerMonth')).toBe(0)
    expect((await configured.call('POST', '/extractions', { key, body })).status).toBe(202)
  })

  test('that is not simulated is refused in test, even with an address', async () => {
    const own = { ...builtInPortals[0]!, id: 'portal_own' }
    const other = await startTestAppForTest({
      env: { ROLE: 'api', PORTAL_URLS: 'portal_own=http://127.0.0.1:9' },
      databaseUrl: app.config.databaseUrl!,
      portals: [...builtInPortals, own],
    })
    const body = { ...toExtractionBody(garages), platform: 'portal_own' }
    const refusal = await other.call<Refusal>('POST', '/extractions', { body })
    expect([refusal.status, refusal.body.code]).toEqual([422, 'PORTAL_UNCONFIGURED'])
    expect(refusal.body.message).toBe(
      'portal_own is not simulated, and test keys can read only simulated portals. Use a key of the live environment.',
    )
  })
})

test('a portal without an address in live is refused there with a hint for the operator', async () => {
  const live = await makeTenant(app, 'live')
  const refusal = await expectRefusal(toExtractionBody(garages), 422, live)
  expect(refusal).toMatchObject({
    code: 'PORTAL_UNCONFIGURED',
    message: expect.stringMatching(/portal_a has no address in live.*PORTAL_URLS/),
  })
  expect(await live.readQuotaUsage('maxExtractionsPerMonth')).toBe(0)
})

test('keys need extractions:write to start and extractions:read to read', async () => {
  const key = (scopes: string[]) => makeKey(app.database, { workspace: app.workspace.slug, scopes })
  const [reader, other] = [await key(['extractions:read']), await key(['leads:write'])]
  const post = await app.call('POST', '/extractions', { key: reader, body: toExtractionBody(garages) })
  const get = await app.call('GET', '/extractions/01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f', { key: other })
  expect([post.status, get.status]).toEqual([403, 403])
})

describe('quotas', () => {
  test('the extraction past the quota is 429 and says when to come back', async () => {
    const own = await makeTenant(app)
    await own.limitQuota('maxExtractionsPerMonth', 1)
    await extract(own, garages, { maxResults: 1 })
    const reply = await own.call<Refusal>('POST', '/extractions', { body: toExtractionBody(garages) })
    expect([reply.status, reply.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await own.readQuotaUsage('maxExtractionsPerMonth')).toBe(1)
  })

  test('of two concurrent requests for the last extraction, one succeeds', async () => {
    const own = await makeTenant(app)
    await own.limitQuota('maxExtractionsPerMonth', 1)
    const start = () =>
      own.call('POST', '/extractions', { body: toExtractionBody(garages, { maxResults: 1 }) })
    const statuses = (await Promise.all([start(), start(), start()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([202, 429, 429])
  })

  test('a refused request does not count', async () => {
    const own = await makeTenant(app)
    await expectRefusal({ platform: 'portal_a', filters: {} }, 400, own)
    expect(await own.readQuotaUsage('maxExtractionsPerMonth')).toBe(0)
  })

  test('listings beyond the quota of leads are skipped and counted, and the outcome is partial', async () => {
    const own = await makeTenant(app)
    await own.limitQuota('maxLeadsPerMonth', 5)
    const extraction = await extract(own, garages, { maxResults: 20 })
    expect(extraction).toMatchObject({
      status: 'COMPLETED',
      outcome: 'partial',
      skippedByReason: { quotaExceeded: 15 },
      progress: { listingsFound: 20, leadsCreated: 5, skipped: 15, failed: 0 },
    })
    expect(await own.listAllLeads()).toHaveLength(5)
    expect(await own.readQuotaUsage('maxLeadsPerMonth')).toBe(5)
  })
})
