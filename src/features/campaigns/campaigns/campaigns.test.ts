/** The record of campaigns over HTTP: fields, defaults, lists and deletion. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CampaignBody,
  createCampaignRequests,
  filters,
  listErrors,
  search,
} from '../../../../test/campaign-requests.ts'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { changeMeanwhile } from '../../../../test/change-meanwhile.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { insertLeadRows } from '../../../../test/make.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { joinRecipients } from '../recipients/join.ts'
import { applyRunEffects, endRun, insertRun } from '../runs/queries.ts'
import { getCampaign } from './queries.ts'
import type { Campaign } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const { create, get } = createCampaignRequests(() => tenant)

describe('a new campaign', () => {
  test('is a draft with every field', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    const { id, createdAt, updatedAt, ...rest } = body
    expect(rest).toEqual({
      name: 'Owners',
      status: 'draft',
      mode: 'extract_only',
      platform: 'portal_a',
      contactMode: null,
      segmentation: {
        filters: expect.objectContaining(filters),
        expectedResults: null,
        totalResults: null,
        messageRestartDate: null,
      },
      settings: {
        schedule: null,
        dailyLeadLimit: null,
        sendWindow: null,
        throttlePerMinute: null,
        steps: [],
        stopOnReply: true,
        reentryAfterDays: null,
        lawfulBasis: null,
        notifications: null,
        health: { maxFailureRate: 0.3, maxOptOutRate: 0.1, maxBlockRate: 0.05, minSends: 20 },
        ai: expect.objectContaining({ enabled: false, mode: 'draft', handoffKeywords: [] }),
      },
      accountId: null,
      allUrlsChecked: false,
      stats: { recipients: 0, waiting: 0, queued: 0, completed: 0, stopped: 0, skipped: 0, failed: 0 },
      currentRun: null,
      health: null,
      nextRunAt: null,
      pauseReason: null,
      wait: null,
      createdBy: null,
      startedAt: null,
      completedAt: null,
    })
    expect((await get(id)).body).toEqual(body)
    expect(createdAt).toBe(updatedAt)
  })

  test('has the user who made the key as its creator', async () => {
    await tenant.signIn()
    expect((await create()).body.createdBy).not.toBeNull()
  })

  test('takes a name of 255 characters, and not one more', async () => {
    expect((await create({ ...search, name: 'n'.repeat(255) })).body.name).toHaveLength(255)
    for (const name of ['n'.repeat(256), '', '  '])
      expect((await create({ ...search, name })).body.errors.map(({ path }) => path)).toEqual(['/name'])
  })

  test.each([
    'portal_a',
    'portal_b',
    'portal_c',
    'portal_d',
    'portal_e',
    'portal_f',
    'portal_g',
    'portal_h',
    'csv_import',
    'widget',
    'social_ads',
  ])('may have the source %s', async platform => {
    const { status, body } = await create({ name: 'n', platform })
    expect([status, body.platform]).toEqual([201, platform])
  })

  test('of another source is refused, and so are unknown fields', async () => {
    expect(listErrors(await create({ name: 'n', platform: 'portal_z', stat: 'running' }))).toEqual([
      400,
      '/platform NOT_ALLOWED',
      '/stat UNKNOWN_FIELD',
    ])
  })
})

describe('the list', () => {
  test('is filtered by status, platform, mode and name, newest first, by pages', async () => {
    const made: string[] = []
    for (const campaign of [
      { name: 'Owners in Gràcia' },
      { name: '100% owners', status: 'running', platform: 'portal_a', mode: 'extract_only' },
      { name: 'Sellers', status: 'paused' },
    ] as const) {
      made.push(await tenant.inTenant(tx => makeCampaign(tx, campaign)))
      // Ids of one millisecond have no order.
      await sleep(2)
    }
    const list = async (query: string) => {
      const { body } = await tenant.call<{ data: Campaign[]; nextCursor: string | null }>(
        'GET',
        `/campaigns?${query}`,
      )
      return { ids: body.data.map(({ id }) => made.indexOf(id)), next: body.nextCursor }
    }
    const listIds = async (query: string) => (await list(query)).ids
    expect(await listIds('')).toEqual([2, 1, 0])
    expect(await listIds('status=running,paused')).toEqual([2, 1])
    expect(await listIds('platform=portal_a')).toEqual([1])
    expect(await listIds('platform=portal_a,csv_import')).toEqual([2, 1, 0])
    expect((await tenant.call('GET', '/campaigns?platform=portal')).status).toBe(400)
    expect(await listIds('mode=extract_and_contact')).toEqual([2, 0])
    expect(await listIds('q=OWNERS')).toEqual([1, 0])
    expect(await listIds('q=gracia')).toEqual([0])
    expect(await listIds('q=%C3%93wners')).toEqual([1, 0])
    expect(await listIds('q=%25')).toEqual([1])
    expect(await listIds('q=owners&status=draft')).toEqual([0])
    const first = await list('limit=2')
    expect(first.ids).toEqual([2, 1])
    expect((await list(`limit=2&cursor=${first.next}`)).ids).toEqual([0])
    expect((await tenant.call('GET', '/campaigns?status=ended')).status).toBe(400)
  })

  test('has the numbers of each campaign', async () => {
    const id = await tenant.inTenant(async tx => {
      const campaignId = await makeCampaign(tx)
      const leadIds = await insertLeadRows(tx, [{}, {}, {}])
      await joinRecipients(tx, await getCampaign(tx, campaignId), leadIds)
      await sql`update campaign_recipients set status = 'failed'
        where tenant_id = ${tenant.tenantId} and lead_id = ${leadIds[0]!}`.execute(tx)
      return campaignId
    })
    expect((await get(id)).body.stats).toMatchObject({ recipients: 3, waiting: 2, failed: 1, completed: 0 })
  })
})

describe('deletion', () => {
  test('takes what belongs to the campaign, and leaves leads', async () => {
    const [leadId, id] = await tenant.inTenant(async tx => {
      const campaignId = await makeCampaign(tx, { status: 'paused' })
      const [lead] = await insertLeadRows(tx, [{}])
      await joinRecipients(tx, await getCampaign(tx, campaignId), [lead!])
      return [lead!, campaignId] as const
    })
    expect((await tenant.call('DELETE', `/campaigns/${id}`)).status).toBe(204)
    expect((await get(id)).status).toBe(404)
    expect((await tenant.call('GET', `/leads/${leadId}`)).status).toBe(200)
    const { rows: left } = await tenant.inTenant(tx =>
      sql`select from campaign_recipients where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    expect(left).toEqual([])
  })

  test('of one that runs is refused', async () => {
    const id = await tenant.inTenant(tx => makeCampaign(tx, { status: 'running' }))
    const refused = await tenant.call<CampaignBody>('DELETE', `/campaigns/${id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'CAMPAIGN_RUNNING'])
  })
})

test('an environment has at most 2,000 campaigns', async () => {
  await tenant.inTenant(tx =>
    sql`
      insert into campaigns (tenant_id, id, name, mode, platform, settings, seed, created_at, updated_at)
      select ${tenant.tenantId}::uuid, gen_random_uuid(), 'n', 'extract_only', 'portal_a', '{}', 1, now(), now()
      from generate_series(1, 2000)`.execute(tx),
  )
  const refused = await create()
  expect([refused.status, refused.body.code]).toEqual([422, 'TOO_MANY_CAMPAIGNS'])
})

test.each(['', '?limit=1'])(
  'a run that ends while a campaign is read is shown with all that it changed: %s',
  async query => {
    const { body: made } = await create()
    const read = async (): Promise<Campaign> =>
      query
        ? (await tenant.call<{ data: [Campaign] }>('GET', `/campaigns${query}`)).body.data[0]
        : (await get(made.id)).body
    const campaign = await changeMeanwhile(app.database, {
      // Read with the runs, after the campaign.
      table: 'extractions',
      read,
      change: () =>
        tenant.inTenant(async tx => {
          const runId = await insertRun(tx, { campaignId: made.id, incremental: false })
          await endRun(tx, runId, { status: 'completed', reason: null })
          await applyRunEffects(tx, made.id, { allUrlsChecked: true, segmentation: made.segmentation })
        }),
    })
    expect(campaign.allUrlsChecked).toBe(campaign.currentRun !== null)
    expect(await read()).toMatchObject({ allUrlsChecked: true, currentRun: { status: 'completed' } })
  },
)
