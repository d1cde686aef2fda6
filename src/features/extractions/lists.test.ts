/** The lists of extractions and of an extraction's leads: their items, order, filters and pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extract, getExtraction, type Search, startExtraction } from '../../../test/extraction.ts'
import { startTestApp, startTestAppForTest, type TestApp } from '../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { newId } from '../../kit/id.ts'
import type { Simulator } from '../../simulator/index.ts'
import type { Lead } from '../leads/schemas.ts'
import type { Extraction } from './schemas.ts'

interface Page<T> {
  data: T[]
  nextCursor: string | null
}
interface Refusal {
  code: string
  errors: { path: string }[]
}

let app: TestApp
let simulator: Simulator
beforeAll(async () => {
  app = await startTestApp()
  simulator = await app.app.getSimulator()
})
afterAll(() => app.stop())

const offices: Search = { operation: 'rent', propertyType: 'offices', city: 'sevilla' }

async function list<T>(tenant: TestTenant, path: string, query: Record<string, string | number> = {}) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { status, body, text } = await tenant.call<Page<T>>('GET', `${path}?${search}`)
  expect(status, text).toBe(200)
  return body
}

/** Reads every item, `limit` per page. Checks that only the last page is shorter. */
async function pageThrough<T>(tenant: TestTenant, path: string, query: Record<string, string | number>) {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await list<T>(tenant, path, { ...query, ...(cursor ? { cursor } : {}) })
    if (page.nextCursor) expect(page.data).toHaveLength(query.limit as number)
    items.push(...page.data)
    cursor = page.nextCursor
  } while (cursor)
  return items
}

const ids = (extractions: Extraction[]) => extractions.map(({ extractionId }) => extractionId)

describe('GET /extractions', () => {
  let tenant: TestTenant
  let other: TestTenant
  /** Newest first. */
  let all: Extraction[]
  const campaignId = newId()
  beforeAll(async () => {
    // Without a worker, extractions stay QUEUED until they are cancelled.
    const api = await startTestApp({ env: { ROLE: 'api' } })
    tenant = await makeTenant(api)
    other = await makeTenant(api)
    const started: string[] = []
    for (const city of ['sevilla', 'malaga', 'cordoba', 'granada', 'murcia']) {
      const { extractionId } = await startExtraction(tenant, { ...offices, city })
      started.unshift(extractionId)
    }
    await tenant.call('POST', `/extractions/${started[1]}/cancel`)
    await tenant.call('POST', `/extractions/${started[3]}/cancel`)
    await tenant.inTenant(async tx => {
      const change = (index: number, set: { platform?: string; campaign_id?: string }) =>
        tx.updateTable('extractions').set(set).where('id', '=', started[index]!).execute()
      await change(0, { platform: 'portal_b' })
      await change(3, { platform: 'portal_b', campaign_id: campaignId })
      await change(4, { campaign_id: campaignId })
    })
    await startExtraction(other, offices)
    all = []
    for (const extractionId of started) all.push(await getExtraction(tenant, extractionId))
    return () => api.stop()
  })

  test('returns only those of the tenant, with all fields, newest first', async () => {
    expect(await list(tenant, '/extractions')).toEqual({ data: all, nextCursor: null })
    expect((await list(other, '/extractions')).data).toHaveLength(1)
  })

  test.each<[string, () => Record<string, string>, number[]]>([
    ['status', () => ({ status: 'CANCELLED' }), [1, 3]],
    ['another status', () => ({ status: 'QUEUED' }), [0, 2, 4]],
    ['platform', () => ({ platform: 'portal_b' }), [0, 3]],
    ['campaignId', () => ({ campaignId }), [3, 4]],
    ['all at once', () => ({ campaignId, platform: 'portal_b', status: 'CANCELLED' }), [3]],
    ['a status that no extraction has', () => ({ status: 'RUNNING' }), []],
    ['a platform that does not exist', () => ({ platform: "portal_z' or true --" }), []],
    ['an unknown campaign', () => ({ campaignId: newId() }), []],
  ])('filters by %s', async (_what, query, indexes) => {
    const { data } = await list<Extraction>(tenant, '/extractions', query())
    expect(data).toEqual(indexes.map(index => all[index]))
  })

  test.each([1, 2, 3, 5, 200])('in pages of %i returns each item once, in order', async limit => {
    expect(ids(await pageThrough<Extraction>(tenant, '/extractions', { limit }))).toEqual(ids(all))
    const cancelled = await pageThrough<Extraction>(tenant, '/extractions', { limit, status: 'CANCELLED' })
    expect(ids(cancelled)).toEqual(ids([all[1]!, all[3]!]))
  })

  test('continues at its cursor when another extraction is started meanwhile', async () => {
    const { nextCursor } = await list<Extraction>(other, '/extractions', { limit: 1 })
    expect(nextCursor).toBeNull()
    await startExtraction(other, offices)
    const first = await list<Extraction>(other, '/extractions', { limit: 1 })
    await startExtraction(other, offices)
    const second = await list<Extraction>(other, '/extractions', { limit: 1, cursor: first.nextCursor! })
    expect(second.nextCursor).toBeNull()
    expect(ids([...first.data, ...second.data])).toEqual(
      ids((await list<Extraction>(other, '/extractions')).data.slice(1)),
    )
  })

  test('refuses a cursor of other filters, another tenant or another list', async () => {
    const { nextCursor: cursor } = await list<Extraction>(tenant, '/extractions', { limit: 2 })
    const readRefusal = async (caller: TestTenant, path: string) => {
      const { status, body } = await caller.call<Refusal>('GET', `${path}cursor=${cursor}`)
      return [status, body.code, body.errors.map(error => error.path).join()]
    }
    const refusals = [
      await readRefusal(tenant, '/extractions?status=QUEUED&'),
      await readRefusal(other, '/extractions?'),
      await readRefusal(tenant, `/extractions/${all[0]!.extractionId}/leads?`),
      await readRefusal(tenant, '/leads?'),
    ]
    expect(refusals).toEqual(Array(4).fill([400, 'INVALID_CURSOR', '/cursor']))
  })

  test.each([
    ['status', 'DONE'],
    ['status', 'queued'],
    ['campaignId', 'x'],
    ['limit', '0'],
    ['limit', '201'],
  ])('refuses %s=%s by name', async (name, value) => {
    const { status, body } = await tenant.call<Refusal>('GET', `/extractions?${name}=${value}`)
    expect([status, body.errors.map(error => error.path)]).toEqual([400, [`/${name}`]])
  })
})

describe('GET /extractions/{id}/leads', () => {
  const listExtractionLeads = (tenant: TestTenant, { extractionId }: Extraction, limit = 200) =>
    pageThrough<Lead>(tenant, `/extractions/${extractionId}/leads`, { limit })
  const toListingIds = (leads: Lead[]) => leads.map(lead => lead.sources[0]!.listingId).sort()

  test('returns the leads that it created or found again, and none of another extraction', async () => {
    const tenant = await makeTenant(app)
    const listingIds = simulator.findListings(offices).map(listing => listing.id)
    const [few, more, elsewhere] = [
      await extract(tenant, offices, { maxResults: 5 }),
      await extract(tenant, offices, { maxResults: 12 }),
      await extract(tenant, { ...offices, city: 'cordoba' }, { maxResults: 3 }),
    ]
    expect(toListingIds(await listExtractionLeads(tenant, few))).toEqual(listingIds.slice(0, 5).sort())
    expect(toListingIds(await listExtractionLeads(tenant, more))).toEqual(listingIds.slice(0, 12).sort())
    expect(await listExtractionLeads(tenant, elsewhere)).toHaveLength(3)
    expect(await tenant.listAllLeads()).toHaveLength(15)
  })

  test('returns them with all fields, as the list of leads does, newest first', async () => {
    const tenant = await makeTenant(app)
    const extraction = await extract(tenant, offices, { maxResults: 7 })
    expect(await listExtractionLeads(tenant, extraction)).toEqual(await tenant.listAllLeads())
  })

  test('returns only the chosen fields', async () => {
    const tenant = await makeTenant(app)
    const extraction = await extract(tenant, offices, { maxResults: 2 })
    const { data } = await list<Lead>(tenant, `/extractions/${extraction.extractionId}/leads`, {
      fields: 'property.price',
    })
    expect(data).toEqual(
      (await tenant.listAllLeads()).map(({ id, property: { price } }) => ({ id, property: { price } })),
    )
  })

  test.each([1, 3, 7])('in pages of %i returns each item once, in order', async limit => {
    const tenant = await makeTenant(app)
    const extraction = await extract(tenant, offices, { maxResults: 7 })
    await extract(tenant, { ...offices, city: 'malaga' }, { maxResults: 4 })
    const leads = await listExtractionLeads(tenant, extraction, limit)
    expect(leads.map(lead => lead.id)).toEqual(
      (await listExtractionLeads(tenant, extraction)).map(lead => lead.id),
    )
    expect(leads).toHaveLength(7)
  })

  test('refuses a cursor of another extraction', async () => {
    const tenant = await makeTenant(app)
    const [one, two] = [
      await extract(tenant, offices, { maxResults: 3 }),
      await extract(tenant, offices, { maxResults: 3 }),
    ]
    const { nextCursor } = await list<Lead>(tenant, `/extractions/${one.extractionId}/leads`, { limit: 1 })
    const path = `/extractions/${two.extractionId}/leads?cursor=${nextCursor}`
    expect(await tenant.call('GET', path)).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } })
  })

  test('is empty before anything is read, and 404 for another tenant', async () => {
    const api = await startTestAppForTest({ env: { ROLE: 'api' } })
    const [tenant, other] = [await makeTenant(api), await makeTenant(api)]
    const extraction = await startExtraction(tenant, offices)
    const path = `/extractions/${extraction.extractionId}/leads`
    expect(await list(tenant, path)).toEqual({ data: [], nextCursor: null })
    expect((await other.call('GET', path)).status).toBe(404)
  })
})
