/** Workers that are killed while they read the portal of a campaign, and while they send the digest of what it found. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CampaignRun } from '../../src/features/campaigns/campaigns/run-schemas.ts'
import { setNextRun } from '../../src/features/campaigns/campaigns/run-times.ts'
import type { Campaign } from '../../src/features/campaigns/campaigns/schemas.ts'
import type { WrittenDigest } from '../../src/features/campaigns/digests/schemas.ts'
import type { Lead } from '../../src/features/leads/schemas.ts'
import { getNow } from '../../src/kit/clock/clock.ts'
import { type Simulator, startSimulator } from '../../src/simulator/index.ts'
import { connectAccount, type FlowApp, startFlowApp } from '../chat-flow.ts'
import { eventually } from '../harness.ts'
import { prepareMail } from '../mail-account.ts'
import { toFilters } from '../saved-searches.ts'
import { makeTenant } from '../tenant.ts'
import { createWorkers } from './worker.ts'

const town = 'valencia'
const reader = 'ana@agency.example'
const server = prepareMail({ keepsSent: true })
const toListingId = ({ sources }: Lead) => sources[0]!.listingId
let simulator: Simulator
let app: FlowApp
let workers: ReturnType<typeof createWorkers>
beforeAll(async () => {
  // The portal is slow, so that workers are killed in the middle.
  simulator = await startSimulator({ latencyMs: 40 })
  app = await startFlowApp({ ROLE: 'api', PORTAL_URLS: `portal_a=${simulator.portalUrl('portal_a')}` })
  workers = createWorkers(app)
})
afterAll(async () => {
  await workers?.stop()
  await app?.stop()
  await simulator?.close()
})

test('killed twice in the middle of a run, and once while its digest is sent: everything is read once, and sent once', async () => {
  const tenant = await makeTenant(app, 'live')
  const listings = simulator.findListings({ operation: 'rent', propertyType: 'offices', city: town })
  const count = listings.length
  const account = await connectAccount(tenant, 'email', server.credentials)
  const call = async <T>(method: string, path: string, body?: object) => {
    const reply = await tenant.call<T>(method, path, body ? { body } : {})
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body
  }
  const template = { name: 'Hello', language: 'es', body: 'Hola' }
  const { id: templateId } = await call<{ id: string }>('POST', '/templates', template)
  const { id } = await call<Campaign>('POST', '/campaigns', {
    name: 'Owners',
    platform: 'portal_a',
    mode: 'extract_and_contact',
    accountId: account.id,
    segmentation: { filters: await toFilters(tenant, { town }) },
    settings: {
      steps: [{ templateId, delayMinutes: 1440 }],
      schedule: { everyMinutes: 1440 },
      notifications: { emails: [reader] },
    },
  })
  const listRuns = async () => (await call<{ data: CampaignRun[] }>('GET', `/campaigns/${id}/runs`)).data
  const readPending = async (runId: string) =>
    (await call<{ data: { url: string }[] }>('GET', `/campaigns/${id}/runs/${runId}/pending-urls?limit=200`))
      .data
  const startRun = () => tenant.inTenant(tx => setNextRun(tx, id, getNow(tx)))
  const waitForRuns = (runCount: number) =>
    eventually(listRuns, runs => runs.length === runCount && runs.every(({ status }) => status !== 'running'))

  await call('PATCH', `/campaigns/${id}/status`, { status: 'running' })
  const countRequests = async () => simulator.requests.portal_a.detail
  const countChecked = async () => (await listRuns())[0]?.checkedUrls ?? 0
  // Those that a killed process had stored are not read again.
  let requestsMax = count
  // The first is killed when it has stored listings, the second while it reads more. The portal holds back the others, so that none comes to
  // the end before.
  for (const [answered, countProgress, least] of [
    [35, countChecked, 1],
    [5, countRequests, 5],
  ] as const) {
    const killed = Promise.withResolvers<void>()
    simulator.faults.add({ kind: 'latency', latencyMs: 1, match: '/inmueble/', times: answered })
    simulator.faults.add({ kind: 'latency', until: killed.promise, match: '/inmueble/' })
    const before = await countProgress()
    const worker = workers.start()
    await eventually(countProgress, progress => progress >= before + least)
    await worker.end('SIGKILL')
    simulator.faults.clear()
    killed.resolve()
    const [run] = await listRuns()
    expect(run).toMatchObject({ status: 'running' })
    expect(run!.checkedUrls).toBeGreaterThan(0)
    const pending = (await readPending(run!.id)).map(({ url }) => /inmueble\/(\w+)\//.exec(url)![1]!)
    expect(pending.length).toBeGreaterThan(0)
    expect(run!.pendingUrls).toBe(pending.length)
    const read = new Set((await tenant.listAllLeads()).map(toListingId))
    expect(pending.filter(listingId => read.has(listingId))).toEqual([])
    // Those that it had sent when it was killed are counted when they are read.
    await sleep(500)
    const requests = await countRequests()
    expect(requests).toBeLessThanOrEqual(requestsMax)
    requestsMax = requests + count - run!.checkedUrls
  }
  const last = workers.start()
  const [first] = await waitForRuns(1)
  const people = new Set(
    (await tenant.listAllLeads()).map(({ id, contact }) => contact.phone ?? contact.email ?? id),
  ).size
  expect(first).toMatchObject({
    status: 'completed',
    checkedUrls: count,
    pendingUrls: 0,
    leadsCreated: count,
    joined: people,
  })
  expect((await tenant.listAllLeads()).map(toListingId).sort()).toEqual(listings.map(({ id }) => id).sort())
  expect(await countRequests()).toBeLessThanOrEqual(requestsMax)

  const [cheaper] = listings
  simulator.change(cheaper!.id, { price: cheaper!.price - 1000 })
  const readBefore = simulator.requests.portal_a.detail
  server.mail.addFault({ kind: 'slow', times: 1, delayMs: 300_000 })
  await startRun()
  const [second] = await waitForRuns(2)
  expect(second).toMatchObject({ status: 'completed', incremental: true, leadsCreated: 0, joined: 0 })
  expect(simulator.requests.portal_a.detail - readBefore).toBeLessThan(5)
  const readMails = async () => server.mail.accepted.filter(({ to }) => to.includes(reader))
  await eventually(readMails, mails => mails.length === 1)
  await last.end('SIGKILL')
  const readDigests = async () =>
    (await call<{ data: WrittenDigest[] }>('GET', `/campaigns/${id}/digests`)).data
  expect(await readDigests()).toMatchObject([{ cheaper: 1, mails: [{ email: reader, status: 'queued' }] }])
  await workers.startSurvivor()
  const [digest, ...others] = await eventually(readDigests, ([found]) => found!.mails[0]!.status !== 'queued')
  expect([digest!.mails[0]!.status, others.length, (await readMails()).length]).toEqual(['sent', 0, 1])
})
