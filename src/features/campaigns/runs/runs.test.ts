/** Runs of campaigns over HTTP, at the simulator's portals: leads, pending URLs, and what joins. */
import { describe, expect, test } from 'vitest'
import {
  advance,
  countPeople,
  get,
  listRecipients,
  listRuns,
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
import { eventually } from '../../../../test/harness.ts'
import { sql } from '../../../kit/db/index.ts'
import { portalA } from '../../../plugins/portals/portal-a.ts'
import type { PortalId } from '../../../simulator/portals.ts'
import { loadGazetteer } from '../../platforms/gazetteer.ts'
import { createPortals } from '../../platforms/portals.ts'
import { finishRun } from './finish.ts'

useRuns()

describe('a campaign without a schedule', () => {
  test('reads its portal once: every lead of it joins, with its campaign', async () => {
    const count = offices('sevilla').length
    const campaign = await startCampaign({ mode: 'extract_and_contact' })
    const [run] = await waitForRuns(campaign.id, 1)
    expect(run).toMatchObject({
      status: 'completed',
      incremental: false,
      checkedUrls: count,
      pendingUrls: 0,
      leadsCreated: count,
      joined: await countPeople(),
      reason: null,
    })
    expect((await listRecipients(campaign.id)).length).toBe(count)
    const leads = await tenant.listAllLeads()
    expect(new Set(leads.map(({ campaignId }) => campaignId))).toEqual(new Set([campaign.id]))
    expect(await get(campaign.id)).toMatchObject({
      allUrlsChecked: true,
      nextRunAt: null,
      currentRun: run,
      segmentation: { expectedResults: count, totalResults: count },
      stats: { recipients: count },
    })
    await advance(campaign, 10 * 24 * 60)
    expect((await listRuns(campaign.id)).length).toBe(1)
  })

  test('completes after its only run', async () => {
    const { id } = await startCampaign()
    await waitForRuns(id, 1)
    const { completedAt } = await eventually(
      () => get(id),
      ({ status }) => status === 'completed',
    )
    expect(completedAt).not.toBeNull()
  })

  test('reads it anew when its search is changed before it completes', async () => {
    const campaign = await startCampaign()
    // The pause ends its run, or comes before it.
    await move(campaign.id, 'paused')
    await patch(campaign.id, { segmentation: { filters: await toFilters('portal_a', 'malaga') } })
    await move(campaign.id, 'running')
    await eventually(
      () => get(campaign.id),
      ({ status }) => status === 'completed',
    )
    const [run] = await listRuns(campaign.id)
    expect(run).toMatchObject({ incremental: false, leadsCreated: offices('malaga').length })
  })

  test('is paused without a deadlock with its run, which emits events while it is worked on', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    simulator.faults.add({ kind: 'latency', portal: 'portal_a', until })
    const { id } = await startCampaign()
    await eventually(
      () => listRuns(id),
      ([run]) => !!run?.extractionId,
    )
    const heldByPause = await tenant.inTenant(async worker => {
      await sql`select from extractions where tenant_id = ${tenant.tenantId} and campaign_id = ${id} for update`.execute(
        worker,
      )
      const pausing = move(id, 'paused')
      const listHeld = async () => {
        const { rows } = await sql<{ table: string }>`
          select l.relation::regclass::text as table from pg_locks l
          where pg_backend_pid() = any(pg_blocking_pids(l.pid)) and l.mode = 'RowExclusiveLock'
            and l.relation in (select oid from pg_class where relname in ('campaigns', 'event_sequences'))`.execute(
          worker,
        )
        return rows.map(({ table }) => table)
      }
      const held = await eventually(listHeld, tables => tables.length > 0)
      return { held, pausing }
    })
    expect((await heldByPause.pausing).status).toBe('paused')
    release()
    expect(heldByPause.held).toEqual(['campaigns'])
  })

  test('tries a failed run again, rarer each time, five times at most', async () => {
    simulator.faults.add({ kind: 'challenge', portal: 'portal_a' })
    const campaign = await startCampaign()
    const [run] = await waitForRuns(campaign.id, 1)
    expect(run).toMatchObject({ status: 'failed', reason: { code: 'BLOCKED', message: expect.any(String) } })
    const { nextRunAt } = await get(campaign.id)
    expect(Date.parse(nextRunAt!) - Date.parse(run!.finishedAt!)).toBeCloseTo(30 * 60_000, -3)
    await advance(campaign, 3 * 24 * 60)
    expect((await listRuns(campaign.id)).length).toBe(5)
    expect(await get(campaign.id)).toMatchObject({ status: 'running', nextRunAt: null })
  })
})

test('a run says how many listings its portal has not shown', async () => {
  const homes = simulator.findListings({ operation: 'rent', propertyType: 'homes', city: 'barcelona' }).length
  const filters = { ...(await toFilters('portal_h', 'barcelona')), propertyType: 'homes' }
  const campaign = await startCampaign({ platform: 'portal_h', segmentation: { filters } })
  const [run] = await waitForRuns(campaign.id, 1)
  expect(homes).toBeGreaterThan(200)
  expect(run).toMatchObject({
    status: 'completed',
    checkedUrls: 200,
    portalTotal: homes,
    reason: {
      code: 'LISTINGS_NOT_READ',
      message: expect.stringMatching(new RegExp(`^200 of the ${homes} `)),
    },
  })
})

describe('the extraction of a failed run', () => {
  test('is retried by a run of its own, whose leads join', async () => {
    simulator.faults.add({ kind: 'challenge', portal: 'portal_a' })
    const settings = { schedule: { everyMinutes: 1440 } }
    const campaign = await startCampaign({ mode: 'extract_and_contact', settings })
    const [failed] = await waitForRuns(campaign.id, 1)
    simulator.faults.clear()
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    simulator.faults.add({ kind: 'latency', portal: 'portal_a', times: 1, until })
    const retry = () =>
      tenant.call<{ extractionId: string }>('POST', `/extractions/${failed!.extractionId}/retry`)
    const { status, text, body } = await retry()
    expect(status, text).toBe(202)
    expect((await retry()).body).toMatchObject({ statusCode: 409, code: 'INVALID_TRANSITION' })
    release()
    const [run] = await waitForRuns(campaign.id, 2)
    expect(run).toMatchObject({
      status: 'completed',
      extractionId: body.extractionId,
      incremental: false,
      joined: await countPeople(),
    })
    expect(await get(campaign.id)).toMatchObject({ allUrlsChecked: true, currentRun: run })
  })

  test('is not retried once its campaign has ended', async () => {
    simulator.faults.add({ kind: 'challenge', portal: 'portal_a' })
    const campaign = await startCampaign()
    const [failed] = await waitForRuns(campaign.id, 1)
    await tenant.inTenant(tx =>
      sql`update campaigns set status = 'completed' where tenant_id = ${tenant.tenantId} and id = ${campaign.id}`.execute(
        tx,
      ),
    )
    const { body } = await tenant.call('POST', `/extractions/${failed!.extractionId}/retry`)
    expect(body).toMatchObject({ code: 'INVALID_TRANSITION', message: expect.stringContaining('campaign') })
  })
})

test('a run whose worker was lost while its leads joined is finished by others, each lead once', async () => {
  const campaign = await startCampaign({ mode: 'extract_and_contact' })
  const [run] = await waitForRuns(campaign.id, 1)
  const recipients = await listRecipients(campaign.id)
  const joined = recipients.map(({ leadId }) => leadId).sort()
  const kept = recipients.flatMap(({ leadId, code }) => (code === 'SAME_PERSON' ? [] : leadId)).slice(0, 2)
  // As the database was before the last transactions of that worker.
  await tenant.inTenant(async tx => {
    await sql`
      delete from campaign_recipients where tenant_id = ${tenant.tenantId} and lead_id <> all(${kept}::uuid[])`.execute(
      tx,
    )
    await sql`
      update campaign_runs set status = 'running', joined = 2, position = null, reason = null, finished_at = null
      where tenant_id = ${tenant.tenantId} and id = ${run!.id}`.execute(tx)
  })
  const portals = createPortals({
    definitions: [portalA],
    urls: {},
    simulated: [],
    findSimulatedUrl: async () => '',
    loadGazetteer,
  })
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (await tenant.inTenant(tx => finishRun(tx, portals, run!.id)));
    }),
  )
  const after = (await listRecipients(campaign.id)).map(({ leadId }) => leadId).sort()
  expect(after).toEqual(joined)
  expect((await listRuns(campaign.id))[0]).toMatchObject({ status: 'completed', joined: await countPeople() })
})

test('leads of listings older than messageRestartDate are in the ledger, and are not written to', async () => {
  const town = 'granada'
  const published = offices(town).map(({ publishedAt }) => publishedAt.toISOString().slice(0, 10))
  const date = published.toSorted()[Math.floor(published.length / 2)]!
  const older = published.filter(day => day < date).length
  expect(older).toBeGreaterThan(0)
  const segmentation = { messageRestartDate: date }
  const campaign = await startCampaign({ town, mode: 'extract_and_contact', segmentation })
  const [run] = await waitForRuns(campaign.id, 1)
  const recipients = await listRecipients(campaign.id)
  expect(recipients.length).toBe(published.length)
  expect(recipients.filter(({ code }) => code === 'BEFORE_RESTART_DATE').length).toBe(older)
  expect(run!.joined).toBe(published.length - older)
})

test.each<[PortalId, string]>([
  ['portal_b', 'bilbao'],
  ['portal_c', 'vigo'],
  ['portal_d', 'braga'],
  ['portal_e', 'granada'],
  ['portal_f', 'torino'],
  ['portal_g', 'cordoba'],
  ['portal_h', 'vigo'],
])(
  '%s is read on a schedule: at first everything, then nothing that is unchanged',
  async (platform, town) => {
    const campaign = await startCampaign({ platform, town, settings: { schedule: { everyMinutes: 60 } } })
    const [first] = await waitForRuns(campaign.id, 1)
    expect(first).toMatchObject({ status: 'completed', pendingUrls: 0, reason: null })
    expect(first!.leadsCreated).toBeGreaterThan(0)
    await advance(campaign, 61)
    const [second] = await waitForRuns(campaign.id, 2)
    expect(second).toMatchObject({ status: 'completed', incremental: true, leadsCreated: 0, pendingUrls: 0 })
  },
)
