/** The listings that a run has still to check: `allUrlsChecked`, pauses, incremental runs. */
import { describe, expect, test } from 'vitest'
import {
  advance,
  countPeople,
  get,
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

useRuns()

describe('listings still to check', () => {
  const readPending = async (campaignId: string, runId: string) => {
    const urls: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const path: string = `/campaigns/${campaignId}/runs/${runId}/pending-urls?limit=7${cursor && `&cursor=${cursor}`}`
      const page = await tenant.call<{ data: { url: string }[]; nextCursor: string | null }>('GET', path)
      urls.push(...page.body.data.map(({ url }) => url))
      cursor = page.body.nextCursor
    }
    return urls
  }

  test('are listed while a run is going on; allUrlsChecked drops them and closes the run, and what it found joins', async () => {
    const town = 'murcia'
    const listings = simulator.findListings({ operation: 'rent', propertyType: 'homes', city: town })
    const later = listings.slice(30)
    expect(later.length).toBeGreaterThan(30)
    simulator.faults.add({
      kind: 'hang',
      portal: 'portal_a',
      match: new RegExp(`^/inmueble/(${later.map(({ id }) => id).join('|')})/`),
    })
    const segmentation = { filters: { ...(await toFilters('portal_a', town)), propertyType: 'homes' } }
    const campaign = await startCampaign({ town, mode: 'extract_and_contact', segmentation })
    const { currentRun } = await eventually(
      () => get(campaign.id),
      ({ currentRun }) => currentRun?.checkedUrls === 30 && currentRun.pendingUrls === later.length,
    )
    expect(currentRun).toMatchObject({ status: 'running', joined: 0 })
    const pending = await readPending(campaign.id, currentRun!.id)
    expect(pending.length).toBe(currentRun!.pendingUrls)
    const laterIds = new Set(later.map(({ id }) => id))
    expect(pending.every(url => laterIds.has(/inmueble\/(\w+)\//.exec(url)![1]!))).toBe(true)

    const { status, text } = await patch(campaign.id, { allUrlsChecked: true })
    expect(status, text).toBe(200)
    const [run] = await waitForRuns(campaign.id, 1)
    expect(run).toMatchObject({
      status: 'completed',
      pendingUrls: 0,
      checkedUrls: 30,
      joined: await countPeople(),
      reason: null,
    })
    expect(await readPending(campaign.id, run!.id)).toEqual([])
    expect((await get(campaign.id)).allUrlsChecked).toBe(true)
    const { body } = await tenant.call<{ status: string }>('GET', `/extractions/${run!.extractionId}`)
    expect(body.status).toBe('CANCELLED')
  })

  test('are left by a pause: the run ends, and a new one reads them when the campaign resumes', async () => {
    const count = offices('sevilla').length
    simulator.faults.add({ kind: 'hang', portal: 'portal_a', match: /^\/inmueble/ })
    const campaign = await startCampaign({ mode: 'extract_and_contact' })
    await eventually(
      () => get(campaign.id),
      ({ currentRun }) => currentRun?.pendingUrls === count,
    )
    await move(campaign.id, 'paused')
    const [stopped] = await waitForRuns(campaign.id, 1)
    expect(stopped).toMatchObject({ status: 'failed', joined: 0, reason: { code: 'CAMPAIGN_PAUSED' } })
    simulator.faults.clear()
    await move(campaign.id, 'running')
    const [run] = await waitForRuns(campaign.id, 2)
    expect(run).toMatchObject({ status: 'completed', leadsCreated: count, joined: await countPeople() })
  })

  test('of an incremental run are the known ones too; the next run begins with allUrlsChecked false', async () => {
    const town = 'bilbao'
    const count = offices(town).length
    const campaign = await startCampaign({ town, settings: { schedule: { everyMinutes: 60 } } })
    await waitForRuns(campaign.id, 1)
    expect((await get(campaign.id)).allUrlsChecked).toBe(true)
    simulator.faults.add({ kind: 'hang', portal: 'portal_a', match: /^\/alquiler/ })
    // The clock waits for the run, so this request ends after it.
    const moved = tenant.call('POST', '/sandbox/clock', {
      body: { now: new Date(Date.parse(campaign.startedAt!) + 61 * 60_000).toISOString() },
    })
    const { allUrlsChecked, currentRun } = await eventually(
      () => get(campaign.id),
      ({ currentRun }) => currentRun?.incremental === true && currentRun.pendingUrls === count,
    )
    expect([allUrlsChecked, currentRun!.checkedUrls]).toEqual([false, 0])
    await patch(campaign.id, { allUrlsChecked: true })
    await moved
    expect((await waitForRuns(campaign.id, 2))[0]).toMatchObject({ status: 'completed', checkedUrls: 0 })
  })

  test('are checked one by one if the search no longer shows them', async () => {
    const town = 'vigo'
    const [gone, ...rest] = offices(town)
    const campaign = await startCampaign({ town, settings: { schedule: { everyMinutes: 60 } } })
    await waitForRuns(campaign.id, 1)
    simulator.withdraw(gone!.id)
    await advance(campaign, 61)
    const [run] = await waitForRuns(campaign.id, 2)
    expect(run).toMatchObject({ status: 'completed', pendingUrls: 0, checkedUrls: rest.length + 1 })
  })
})
