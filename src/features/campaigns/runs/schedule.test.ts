/** Runs of campaigns on a schedule, with the environment's clock. */
import { describe, expect, test } from 'vitest'
import {
  advance,
  countPeople,
  get,
  listRecipients,
  listRuns,
  makeContact,
  move,
  offices,
  patch,
  simulator,
  startCampaign,
  tenant,
  toFilters,
  useRuns,
  waitForRuns,
} from '../../../../test/campaign-runs.ts'
import { advanceTo } from '../../../../test/scheduling.ts'
import { sql } from '../../../kit/db/index.ts'

useRuns()

describe('a schedule', () => {
  const hourly = { schedule: { everyMinutes: 60 } }

  test('reads what is new and changed, and what another extraction has found meanwhile', async () => {
    const town = 'granada'
    const [changed, ...others] = offices(town)
    const campaign = await startCampaign({
      town,
      mode: 'extract_and_contact',
      settings: { ...hourly, reentryAfterDays: 1 },
    })
    await waitForRuns(campaign.id, 1)
    // As if two listings were published after the run: one is new to the workspace, the other one to the campaign alone.
    const forgotten = (await tenant.listAllLeads()).filter(lead =>
      others.slice(0, 2).some(({ id }) => lead.sources[0]!.listingId === id),
    )
    for (const { id } of forgotten) await tenant.call('DELETE', `/leads/${id}`)
    simulator.change(changed!.id, { price: changed!.price + 1000 })
    const body = { platform: 'portal_a', filters: await toFilters('portal_a', town), maxResults: 1000 }
    const { body: extraction } = await tenant.call<{ extractionId: string }>('POST', '/extractions', { body })
    await tenant.call('GET', `/extractions/${extraction.extractionId}?waitSeconds=30`)
    await advance(campaign, 61)
    const [second] = await waitForRuns(campaign.id, 2)
    expect(second).toMatchObject({ status: 'completed', incremental: true, leadsCreated: 0, joined: 2 })
    const recipients = new Set((await listRecipients(campaign.id)).map(({ leadId }) => leadId))
    expect((await tenant.listAllLeads()).filter(({ id }) => !recipients.has(id))).toEqual([])
  })

  test('reads the whole search once more when the campaign begins to contact people: they all join', async () => {
    const campaign = await startCampaign({ settings: hourly })
    await waitForRuns(campaign.id, 1)
    const { accountId, settings } = await makeContact(hourly)
    const changed = await patch(campaign.id, { mode: 'extract_and_contact', accountId, settings })
    expect(changed.status, changed.text).toBe(200)
    await advance(campaign, 61)
    const [second] = await waitForRuns(campaign.id, 2)
    expect(second).toMatchObject({ incremental: false, leadsCreated: 0, joined: await countPeople() })
    await advance(campaign, 122)
    const [third] = await waitForRuns(campaign.id, 3)
    expect(third).toMatchObject({ incremental: true, joined: 0 })
  })

  test('runs once after a pause in which it has missed several runs, and says between them when the next one is', async () => {
    const campaign = await startCampaign({ settings: hourly })
    await waitForRuns(campaign.id, 1)
    const between = await get(campaign.id)
    expect(between.wait).toEqual({
      code: 'NEXT_RUN',
      message: expect.stringMatching(/^The portal is read next \w{3} \d\d:\d\d\.$/),
      until: between.nextRunAt,
    })
    await move(campaign.id, 'paused')
    await advance(campaign, 6 * 60 + 10)
    expect((await listRuns(campaign.id)).length).toBe(1)
    await move(campaign.id, 'running')
    await waitForRuns(campaign.id, 2)
    const { nextRunAt } = await get(campaign.id)
    expect((Date.parse(nextRunAt!) - Date.parse(campaign.startedAt!)) / 60_000).toBe(7 * 60)
  })

  test('keeps its times when runs fail, and becomes rarer from the third failure on', async () => {
    simulator.faults.add({ kind: 'challenge', portal: 'portal_a' })
    const campaign = await startCampaign({ settings: { schedule: { everyMinutes: 10 } } })
    await waitForRuns(campaign.id, 1)
    await advance(campaign, 90)
    const runs = await waitForRuns(campaign.id, 4)
    const minutes = runs.map(({ startedAt }) =>
      Math.round((Date.parse(startedAt) - Date.parse(campaign.startedAt!)) / 60_000),
    )
    expect(minutes.reverse()).toEqual([0, 10, 20, 60])
    expect(await get(campaign.id)).toMatchObject({
      status: 'running',
      currentRun: { status: 'failed', reason: { code: 'BLOCKED' } },
    })
    simulator.faults.clear()
    await advance(campaign, 131)
    expect((await waitForRuns(campaign.id, 5))[0]).toMatchObject({ status: 'completed', incremental: false })
  })

  test('follows the wall clock of its zone, and ends with its last day', async () => {
    const now = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const endAt = new Date(Date.parse(now) + 3 * 86_400_000).toISOString()
    const schedule = { cron: '0 7 * * *', timezone: 'Asia/Tokyo', endAt }
    const campaign = await startCampaign({ settings: { schedule } })
    expect(campaign).toMatchObject({ nextRunAt: expect.stringContaining('T22:00:00.000Z'), currentRun: null })
    await advanceTo(tenant, endAt)
    const runs = await waitForRuns(campaign.id, (await listRuns(campaign.id)).length)
    expect(runs.map(({ startedAt }) => startedAt.slice(11, 16))).toEqual(Array(runs.length).fill('22:00'))
    expect(runs.length).toBeGreaterThanOrEqual(3)
    expect((await get(campaign.id)).nextRunAt).toBeNull()
  })

  test('says what refused a run, such as a quota, and goes on at its next time', async () => {
    await tenant.limitQuota('maxExtractionsPerMonth', 1)
    const campaign = await startCampaign({ settings: hourly })
    await waitForRuns(campaign.id, 1)
    await advance(campaign, 61)
    const [run] = await waitForRuns(campaign.id, 2)
    expect(run).toMatchObject({
      status: 'failed',
      extractionId: null,
      reason: { code: 'QUOTA_EXCEEDED', message: expect.stringContaining('maxExtractionsPerMonth') },
    })
    expect(await get(campaign.id)).toMatchObject({
      status: 'running',
      nextRunAt: expect.any(String),
      wait: {
        code: 'RUN_FAILED',
        message: expect.stringMatching(/maxExtractionsPerMonth .* The next one begins /),
      },
    })
  })

  test('stores no more leads than the quota allows, says so, and finds the others later', async () => {
    await tenant.limitQuota('maxLeadsPerMonth', 5)
    const campaign = await startCampaign({ mode: 'extract_and_contact', settings: hourly })
    const [first] = await waitForRuns(campaign.id, 1)
    expect(first).toMatchObject({ status: 'completed', joined: 5, reason: { code: 'LEADS_NOT_STORED' } })
    await tenant.inTenant(tx =>
      sql`update quota_limits set monthly_limit = 1000 where tenant_id = ${tenant.tenantId}`.execute(tx),
    )
    await advance(campaign, 61)
    const [second] = await waitForRuns(campaign.id, 2)
    expect(second).toMatchObject({ status: 'completed', joined: (await countPeople()) - 5, reason: null })
  })

  test('refuses a cron line that is never due, or more often than every five minutes', async () => {
    const refuse = async (cron: string) => {
      const body = { name: 'n', platform: 'portal_a', settings: { schedule: { cron } } }
      const reply = await tenant.call<{ errors: { path: string; code: string }[] }>('POST', '/campaigns', {
        body,
      })
      return [reply.status, ...reply.body.errors.map(({ path, code }) => `${path} ${code}`)]
    }
    expect(await refuse('0 7 31 2 *')).toEqual([400, '/settings/schedule/cron WRONG_FORMAT'])
    expect(await refuse('* * * * *')).toEqual([400, '/settings/schedule/cron TOO_SMALL'])
  })
})
