/** Saved searches for tests: campaigns of the simulated portals, whose listings the environment changes. */
import { expect } from 'vitest'
import type { CampaignRun } from '../src/features/campaigns/campaigns/run-schemas.ts'
import type { Campaign } from '../src/features/campaigns/campaigns/schemas.ts'
import type { CampaignChange } from '../src/features/campaigns/searches/schemas.ts'
import { eventually } from './harness.ts'
import { advanceTo } from './scheduling.ts'
import type { TestTenant } from './tenant.ts'

export interface SavedSearch {
  platform?: string
  town?: string
  operation?: string
  propertyType?: string
  maxPrice?: number
  name?: string
  notifications?: object | null
  schedule?: object
}

export async function toFilters(
  tenant: TestTenant,
  {
    platform = 'portal_a',
    town = 'granada',
    operation = 'rent',
    propertyType = 'offices',
    maxPrice,
  }: SavedSearch,
) {
  const path = `/platforms/${platform}/locations?q=${town}&limit=5`
  const { data } = (await tenant.call<{ data: { id: string; label: string; type: string }[] }>('GET', path))
    .body
  const { id, label } = data.find(({ type }) => type === 'municipality')!
  return { operation, propertyType, location: { id, label }, ...(maxPrice ? { maxPrice } : {}) }
}

/** Creates a search that is read each hour, and starts it. */
export async function startSearch(tenant: TestTenant, search: SavedSearch = {}): Promise<Campaign> {
  const { platform = 'portal_a', notifications = {}, schedule = { everyMinutes: 60 } } = search
  const body = {
    name: search.name ?? 'Offices',
    platform,
    segmentation: { filters: await toFilters(tenant, search) },
    settings: { schedule, notifications },
  }
  const created = await tenant.call<Campaign>('POST', '/campaigns', { body })
  expect(created.status, created.text).toBe(201)
  return moveSearch(tenant, created.body.id, 'running')
}

export async function moveSearch(tenant: TestTenant, id: string, status: string): Promise<Campaign> {
  const reply = await tenant.call<Campaign>('PATCH', `/campaigns/${id}/status`, { body: { status } })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

/** Waits until so many runs have ended. Returns them, the newest first. */
export const waitForRuns = (tenant: TestTenant, id: string, count: number): Promise<CampaignRun[]> =>
  eventually(
    async () => (await tenant.call<{ data: CampaignRun[] }>('GET', `/campaigns/${id}/runs`)).body.data,
    runs => runs.length === count && runs.every(({ status }) => status !== 'running'),
  )

/** Moves the clock to the run after so many hours, and waits for it. */
export async function runAt(tenant: TestTenant, { id, startedAt }: Campaign, hour: number) {
  await advanceTo(tenant, new Date(Date.parse(startedAt!) + (hour * 60 + 1) * 60_000).toISOString())
  return (await waitForRuns(tenant, id, hour + 1))[0]!
}

export const listChanges = async (tenant: TestTenant, id: string, query = ''): Promise<CampaignChange[]> =>
  (await tenant.call<{ data: CampaignChange[] }>('GET', `/campaigns/${id}/changes?${query}`)).body.data

/** As `new 123`, `gone 124 WITHDRAWN`, in the order of their texts. */
export const summarize = (changes: CampaignChange[]): string[] =>
  changes
    .map(({ type, listingId, isReturned, reason }) =>
      [type, listingId, ...(isReturned ? ['returned'] : []), ...(reason ? [reason] : [])].join(' '),
    )
    .sort()

export async function changeListing(tenant: TestTenant, listingId: string, change: object): Promise<void> {
  const reply = await tenant.call('POST', `/sandbox/listings/${listingId}`, { body: change })
  expect(reply.status, reply.text).toBe(200)
}
