/** Random histories over HTTP, by seed: whatever happens, nobody gets a step twice, at a wrong time or after they refused, and nobody is forgotten. */
import { beforeAll, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectAccount } from '../../../../test/messaging.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  makeContacts,
  makeSequence,
  readCampaign,
  readNow,
  type SentMessage,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { createRandom, pickRandom, type Random, randomInteger } from '../../../domain/random.ts'
import { recordHealth } from '../../accounts/status.ts'
import type { Campaign } from '../campaigns/schemas.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})

/** `HISTORIES=20` tries more. */
const seeds = Array.from({ length: Number(process.env.HISTORIES ?? 1) }, (_, index) => index + 1)
const peopleCount = 8
const actionCount = 14
const timezone = 'Europe/Madrid'
const window = { timezone, days: [1, 2, 3, 4, 5, 6], from: '09:00', to: '20:00' }
const dailyStarts = 5
const dailyBudget = 6
const throttlePerMinute = 2
const minuteMs = 60_000
const stepDelays = [0, 120, 1440]

interface History {
  tenant: TestTenant
  random: Random
  campaign: Campaign
  accountId: string
  leadIds: string[]
  /** When each person replied or opted out. */
  refusedAt: Map<string, Date>
  /** Each with its lead at that time, by id. */
  sent: Map<string, SentMessage>
  /** The steps that each person got. */
  got: Map<string, Set<number>>
  doubled: string[]
  /** Leads that are two people's. */
  mergedIds: Set<string>
  /** The shortest delay that each step has had, in minutes. */
  delays: number[]
}

const toLocal = (time: Date) => time.toTemporalInstant().toZonedDateTimeISO(timezone)
const toDay = (time: Date) => toLocal(time).toPlainDate().toString()

test.each(seeds)('history %i', async seed => {
  const history = await begin(seed)
  const done: string[] = []
  for (let count = 0; count < actionCount; count += 1) {
    const [name, act] = pickRandom(history.random, Object.entries(actions))
    done.push(name)
    await act(history)
    await noteSent(history)
  }
  await finish(history)
  await noteSent(history)
  assertSent(history, [...history.sent.values()], done.join(', '))
  const recipients = await listRecipients(history.tenant, history.campaign.id)
  for (const { status, reason, step } of recipients)
    expect(
      status === 'completed'
        ? step === stepDelays.length
        : reason !== null && ['stopped', 'skipped', 'failed'].includes(status),
      `${status} ${reason?.code} after ${done.join(', ')}`,
    ).toBe(true)
})

async function begin(seed: number): Promise<History> {
  const tenant = await makeTenant(app)
  const accountId = await connectAccount(tenant, 'sandbox')
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: dailyBudget } })
  const campaign = await makeSequence(tenant, {
    accountId,
    steps: stepDelays.map(delayMinutes => ({ delayMinutes })),
    sendWindow: window,
    throttlePerMinute,
    dailyLeadLimit: dailyStarts,
  })
  const leadIds = await makeContacts(tenant, peopleCount)
  await joinLeads(tenant, campaign.id, leadIds)
  await setStatus(tenant, campaign.id, 'running')
  return {
    tenant,
    random: createRandom(seed),
    campaign,
    accountId,
    leadIds,
    refusedAt: new Map(),
    sent: new Map(),
    got: new Map(),
    doubled: [],
    mergedIds: new Set(),
    delays: [...stepDelays],
  }
}

async function noteSent({ tenant, campaign, sent, got, doubled }: History): Promise<void> {
  for (const message of await listSent(tenant, campaign.id)) {
    const { id, leadId, step } = message
    if (sent.has(id)) continue
    sent.set(id, message)
    const steps = got.get(leadId) ?? new Set()
    if (steps.has(step)) doubled.push(`${leadId} ${step}`)
    got.set(leadId, steps.add(step))
  }
}

const actions: Record<string, (history: History) => Promise<void>> = {
  wait: ({ tenant, random }) => wait(tenant, randomInteger(random, 1, 30)),
  waitLong: ({ tenant, random }) => wait(tenant, randomInteger(random, 60, 900)),
  pause: ({ tenant, campaign }) => move(tenant, campaign.id, 'running', 'paused'),
  resume: ({ tenant, campaign }) => move(tenant, campaign.id, 'paused', 'running'),
  reply: history => write(history, 'Sí, llámeme'),
  optOut: history => write(history, 'STOP'),
  async restrict({ tenant, accountId }) {
    await tenant.inTenant(tx =>
      recordHealth(tx, accountId, { status: 'RESTRICTED', reason: 'too many messages' }),
    )
  },
  connect: ({ tenant, accountId }) =>
    tenant.inTenant(tx => recordHealth(tx, accountId, { status: 'CONNECTED', reason: null })),
  async changeDelays(history) {
    const { tenant, random, campaign, delays } = history
    const { settings } = await readCampaign(tenant, campaign.id)
    const steps = settings.steps.map((step, index) => ({
      ...step,
      delayMinutes: index === 0 ? 0 : randomInteger(random, 30, 2000),
    }))
    const { status, text } = await tenant.call('PATCH', `/campaigns/${campaign.id}`, {
      body: { settings: { steps } },
    })
    expect(status, text).toBe(200)
    for (const [index, { delayMinutes }] of steps.entries())
      delays[index] = Math.min(delays[index]!, delayMinutes)
  },
  /** Two leads are one person: the one that is kept has refused if either has. */
  async merge(history) {
    const { tenant, random, leadIds, refusedAt, got, mergedIds } = history
    if (leadIds.length < 4) return
    const [kept, merged] = [pickRandom(random, leadIds), pickRandom(random, leadIds)]
    if (kept === merged) return
    const { status, text } = await tenant.call('POST', `/leads/${kept}/merge`, { body: { leadId: merged } })
    expect(status, text).toBe(200)
    leadIds.splice(leadIds.indexOf(merged), 1)
    got.set(kept, new Set([...(got.get(kept) ?? []), ...(got.get(merged) ?? [])]))
    mergedIds.add(kept)
    const refused = refusedAt.get(merged)
    if (refused && !refusedAt.has(kept)) refusedAt.set(kept, await readNow(tenant))
  },
}

async function move(
  tenant: TestTenant,
  id: string,
  from: Campaign['status'],
  to: Campaign['status'],
): Promise<void> {
  if ((await readCampaign(tenant, id)).status === from) await setStatus(tenant, id, to).catch(() => {})
}

async function write(
  { tenant, random, accountId, leadIds, refusedAt }: History,
  text: string,
): Promise<void> {
  const leadId = pickRandom(random, leadIds)
  const { body } = await tenant.call<{ contact: { phone: string } }>('GET', `/leads/${leadId}`)
  const reply = await tenant.call('POST', '/sandbox/messages', {
    body: { accountId, from: body.contact.phone, text },
  })
  expect(reply.status, reply.text).toBe(201)
  if (!refusedAt.has(leadId)) refusedAt.set(leadId, await readNow(tenant))
}

/** Everything that is due happens in the end. */
async function finish({ tenant, campaign, accountId }: History): Promise<void> {
  await actions.connect!({ tenant, accountId } as History)
  await wait(tenant, 1)
  if ((await readCampaign(tenant, campaign.id)).status === 'paused')
    await setStatus(tenant, campaign.id, 'running')
  await wait(tenant, 14 * 1440)
}

function assertSent(
  { refusedAt, delays, doubled, mergedIds }: History,
  sent: SentMessage[],
  done: string,
): void {
  const times = sent.map(({ sentAt }) => sentAt!)
  expect(doubled, `after ${done}`).toEqual([])
  for (const { sentAt, leadId, step } of sent) {
    const { dayOfWeek, hour } = toLocal(sentAt!)
    expect(dayOfWeek < 7 && hour >= 9 && hour < 20, `${sentAt!.toISOString()} after ${done}`).toBe(true)
    const refused = refusedAt.get(leadId)
    expect(!refused || sentAt! <= refused, `${leadId} at ${sentAt!.toISOString()} after ${done}`).toBe(true)
    const before = sent.findLast(other => other.leadId === leadId && other.step < step)
    if (before && !mergedIds.has(leadId)) {
      const apartMs = sentAt!.getTime() - before.sentAt!.getTime()
      expect(apartMs, `${leadId} ${step} after ${done}`).toBeGreaterThanOrEqual(
        (delays[step]! - 1) * minuteMs,
      )
    }
  }
  for (const [index, at] of times.entries()) {
    const next = times[index + throttlePerMinute]
    if (next) expect(next.getTime() - at.getTime(), `throttle after ${done}`).toBeGreaterThan(58_000)
  }
  for (const [day, all] of Map.groupBy(sent, ({ sentAt }) => toDay(sentAt!))) {
    expect(all.filter(({ step }) => step === 0).length, `${day} after ${done}`).toBeLessThanOrEqual(
      dailyStarts,
    )
    expect(new Set(all.map(({ leadId }) => leadId)).size, `${day} after ${done}`).toBeLessThanOrEqual(
      dailyBudget,
    )
  }
}
