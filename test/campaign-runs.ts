/** Campaigns of portals in tests: they run at the simulator, on the environment's clock. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { CampaignRun } from '../src/features/campaigns/campaigns/run-schemas.ts'
import type { Campaign } from '../src/features/campaigns/campaigns/schemas.ts'
import { sql } from '../src/kit/db/index.ts'
import type { Simulator } from '../src/simulator/index.ts'
import type { PortalId } from '../src/simulator/portals.ts'
import { eventually, startTestApp, type TestApp } from './harness.ts'
import { connectAccount } from './messaging.ts'
import { advanceTo } from './scheduling.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

let app: TestApp
export let simulator: Simulator
export let tenant: TestTenant
/** Starts the program once for a file, and makes a tenant for each test. */
export function useRuns(): void {
  beforeAll(async () => {
    app = await startTestApp({ simulator: { asOf: '2025-01-01T00:00:00Z', listings: 5000 } })
    simulator = await app.app.getSimulator()
  })
  afterEach(() => simulator.faults.clear())
  afterAll(() => app.stop())
  beforeEach(async () => {
    tenant = await makeTenant(app)
  })
}

interface Found {
  id: string
  label: string
  type: string
}

export async function toFilters(platform: string, town: string) {
  const path = `/platforms/${platform}/locations?q=${town}&limit=5`
  const { data } = (await tenant.call<{ data: Found[] }>('GET', path)).body
  const { id, label } = data.find(({ type }) => type === 'municipality')!
  return { operation: 'rent', propertyType: 'offices', location: { id, label } }
}

interface Start {
  platform?: PortalId
  town?: string
  mode?: string
  segmentation?: object
  settings?: object
}

/** Creates a campaign and starts it. */
export async function startCampaign(start: Start = {}): Promise<Campaign> {
  const {
    platform = 'portal_a',
    town = 'sevilla',
    mode = 'extract_only',
    segmentation,
    settings = {},
  } = start
  const contact = mode === 'extract_only' ? {} : await makeContact(settings)
  const body = {
    name: 'Owners',
    platform,
    mode,
    segmentation: { filters: await toFilters(platform, town), ...segmentation },
    settings,
    ...contact,
  }
  const created = await tenant.call<Campaign>('POST', '/campaigns', { body })
  expect(created.status, created.text).toBe(201)
  return move(created.body.id, 'running')
}

/** Makes the account and the steps of a campaign that contacts people. */
export async function makeContact(settings: object = {}) {
  const accountId = await connectAccount(tenant, 'sandbox')
  const template = { name: 'Hello', language: 'es', body: 'Hola' }
  const { body } = await tenant.call<{ id: string }>('POST', '/templates', { body: template })
  return { accountId, settings: { ...settings, steps: [{ templateId: body.id }] } }
}

export async function move(id: string, status: string): Promise<Campaign> {
  const reply = await tenant.call<Campaign>('PATCH', `/campaigns/${id}/status`, { body: { status } })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

export const get = async (id: string) => (await tenant.call<Campaign>('GET', `/campaigns/${id}`)).body
export const listRuns = async (id: string) =>
  (await tenant.call<{ data: CampaignRun[] }>('GET', `/campaigns/${id}/runs`)).body.data
export const waitForRuns = (id: string, count: number) =>
  eventually(
    () => listRuns(id),
    runs => runs.length === count && runs.every(({ status }) => status !== 'running'),
  )
export const patch = (id: string, body: object) =>
  tenant.call<Campaign>('PATCH', `/campaigns/${id}`, { body })

/** Moves the clock to so many minutes after the start of the campaign. */
export const advance = ({ startedAt }: Campaign, minutes: number) =>
  advanceTo(tenant, new Date(Date.parse(startedAt!) + minutes * 60_000).toISOString())

export const listRecipients = async (campaignId: string) => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ leadId: string; status: string; code: string | null }>`
      select lead_id as "leadId", status, reason ->> 'code' as code from campaign_recipients
      where tenant_id = ${tenant.tenantId} and campaign_id = ${campaignId}`.execute(tx),
  )
  return rows
}

/** The people of all leads: some have several listings, and one recipient. */
export async function countPeople(): Promise<number> {
  const leads = await tenant.listAllLeads()
  return new Set(leads.map(({ id, contact }) => contact.phone ?? contact.email ?? id)).size
}

export const offices = (town: string) =>
  simulator.findListings({ operation: 'rent', propertyType: 'offices', city: town })
