/** Sequences over HTTP with the environment's clock: at their pace, in their window, until something ends them. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  listStates,
  makeContacts,
  makeSequence,
  makeTemplate,
  moveTo,
  moveToMorning,
  readCampaign,
  type SequenceOptions,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const timezone = 'Europe/Madrid'
const officeHours = { timezone, days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }
const dayMs = 86_400_000
const toLocal = (time: Date) => time.toTemporalInstant().toZonedDateTimeISO(timezone)

/** The second step keeps a campaign of rows open. */
const twoDays = [{}, { delayMinutes: 1440 }]

const statuses = (campaignId: string) => listStates(tenant, campaignId)

async function exportRows(campaignId: string): Promise<object[]> {
  const { text } = await tenant.call('GET', `/campaigns/${campaignId}/recipients/export?format=ndjson`)
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

/** A running campaign with recipients who are due now. */
async function start(count: number, options: SequenceOptions = {}, columns: object = {}) {
  const campaign = await makeSequence(tenant, options)
  const leadIds = await makeContacts(tenant, count, columns)
  await joinLeads(tenant, campaign.id, leadIds)
  await setStatus(tenant, campaign.id, 'running')
  return { id: campaign.id, accountId: campaign.accountId!, leadIds }
}

const readPhone = async (leadId: string) =>
  (await tenant.call<{ contact: { phone: string } }>('GET', `/leads/${leadId}`)).body.contact.phone

async function reply(accountId: string, leadId: string, text = 'Sí, llámame') {
  const body = { accountId, from: await readPhone(leadId), text }
  expect((await tenant.call('POST', '/sandbox/messages', { body })).status).toBe(201)
}

const change = async (leadId: string, body: object) =>
  expect((await tenant.call('PATCH', `/leads/${leadId}`, { body })).status).toBe(200)

test('every recipient gets every step once, in the window, at the pace and within the limit of a day', async () => {
  const { id, leadIds } = await start(9, {
    steps: [{}, { delayMinutes: 2 * 1440 }],
    sendWindow: officeHours,
    throttlePerMinute: 3,
    dailyLeadLimit: 6,
  })
  await moveTo(tenant, new Date(Date.now() + 10 * dayMs))
  const sent = await listSent(tenant, id)
  expect(sent.map(({ leadId, step }) => `${leadId} ${step}`).sort()).toEqual(
    leadIds.flatMap(leadId => [`${leadId} 0`, `${leadId} 1`]).sort(),
  )
  for (const { sentAt } of sent) {
    const local = toLocal(sentAt!)
    expect(local.dayOfWeek).toBeLessThan(6)
    expect(local.hour).toBeGreaterThanOrEqual(9)
    expect(local.hour).toBeLessThan(18)
  }
  const firsts = Map.groupBy(
    sent.filter(({ step }) => step === 0),
    ({ sentAt }) => toLocal(sentAt!).toPlainDate().toString(),
  )
  expect([...firsts.values()].map(({ length }) => length)).toEqual([6, 3])
  for (const [index, { sentAt }] of sent.entries())
    if (sent[index + 3])
      expect(sent[index + 3]!.sentAt!.getTime() - sentAt!.getTime()).toBeGreaterThan(58_000)
  expect(await statuses(id)).toEqual(leadIds.map(() => ['completed', null]))
  expect(await readCampaign(tenant, id)).toMatchObject({ status: 'completed' })
})

test('a reply, an opt-out, a won lead and a deleted one end the sequence; a step for silent people is left out', async () => {
  const { id, accountId, leadIds } = await start(6, {
    steps: [{}, { delayMinutes: 60, onlyIfNoReply: true }, { delayMinutes: 60 }],
  })
  const [replying, optingOut, won, deleted] = leadIds as [string, string, string, string]
  const silent = await start(1, {
    stopOnReply: false,
    steps: [{}, { delayMinutes: 60, onlyIfNoReply: true }, { delayMinutes: 60 }],
  })
  await wait(tenant, 1)
  await reply(accountId, replying)
  await reply(accountId, optingOut, 'STOP')
  await reply(silent.accountId, silent.leadIds[0]!)
  await change(won, { status: 'won' })
  await tenant.call('DELETE', `/leads/${deleted}`)
  await wait(tenant, 1)
  expect(await statuses(id)).toEqual([
    ['stopped', 'REPLIED'],
    ['stopped', 'OPTED_OUT'],
    ['stopped', 'CLOSED'],
    ['stopped', 'LEAD_DELETED'],
    ['waiting', null],
    ['waiting', null],
  ])
  expect(await exportRows(id)).toMatchObject([
    {
      step: 0,
      result: 'delivered',
      explanation: null,
      reason: 'REPLIED',
      reasonMessage: 'The person has replied.',
      endedAt: expect.any(String),
    },
    { result: 'delivered', reason: 'OPTED_OUT' },
    { reason: 'CLOSED' },
    { reason: 'LEAD_DELETED', leadId: null },
    { reason: null, endedAt: null },
    { reason: null },
  ])
  await wait(tenant, 130)
  const sent = await listSent(tenant, id)
  const later = sent.filter(({ step }) => step > 0).map(({ leadId, step }) => `${step} ${leadId}`)
  expect(later.sort()).toEqual(
    [1, 2].flatMap(step => leadIds.slice(4).map(leadId => `${step} ${leadId}`)).sort(),
  )
  expect((await listSent(tenant, silent.id)).map(({ step }) => step)).toEqual([0, 2])
  const [recipient] = await listRecipients(tenant, silent.id)
  expect(recipient).toMatchObject({ status: 'completed', step: 3 })
  expect(recipient!.sends.map(({ step, reason }) => [step, reason?.code ?? null])).toEqual([
    [0, null],
    [1, 'HAS_REPLIED'],
    [2, null],
  ])
})

test('what is paused is not sent, and afterwards it is spread; the end of the campaign ends the rest', async () => {
  const endAt = new Date(Date.now() + 2 * dayMs).toISOString()
  const { id } = await start(4, { throttlePerMinute: 1, schedule: { endAt } })
  await wait(tenant, 1)
  const before = await listSent(tenant, id)
  expect(before.length).toBeGreaterThan(0)
  await setStatus(tenant, id, 'paused')
  await wait(tenant, 60)
  expect(await listSent(tenant, id)).toEqual(before)
  expect((await statuses(id)).filter(([status]) => status === 'waiting')).toHaveLength(4 - before.length)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 10)
  const sent = await listSent(tenant, id)
  expect(sent).toHaveLength(4)
  const after = sent.slice(before.length)
  for (const [index, { sentAt }] of after.entries())
    if (index > 0) expect(sentAt!.getTime() - after[index - 1]!.sentAt!.getTime()).toBeGreaterThan(58_000)
})

test('the end date completes the campaign: who is left gets nothing', async () => {
  const endAt = new Date(Date.now() + dayMs).toISOString()
  const { id } = await start(2, { steps: [{}, { delayMinutes: 2 * 1440 }], schedule: { endAt } })
  await moveTo(tenant, new Date(Date.now() + 3 * dayMs))
  expect(await readCampaign(tenant, id)).toMatchObject({ status: 'completed' })
  expect(await listSent(tenant, id)).toHaveLength(2)
  await eventually(
    () => statuses(id),
    all => all.every(([status, code]) => status === 'stopped' && code === 'ENDED'),
  )
})

test('who may not be written to is skipped with the reason, holds nobody up, and goes on when it is gone', async () => {
  const templateId = await makeTemplate(tenant, 'Hola {{ contact.name }}')
  const campaign = await makeSequence(tenant, { steps: [{ templateId }] })
  const [ok] = await makeContacts(tenant, 1)
  const [noBasis] = await makeContacts(tenant, 1, { lawful_basis: null })
  const [discarded] = await makeContacts(tenant, 1, { status: 'discarded' })
  const [nameless] = await makeContacts(tenant, 1, { contact_name: null })
  const [unreachable] = await makeContacts(tenant, 1, { phone: '+34600000001' })
  await joinLeads(tenant, campaign.id, [noBasis!, discarded!, nameless!, unreachable!, ok!])
  await setStatus(tenant, campaign.id, 'running')
  await wait(tenant, 2)
  expect(await statuses(campaign.id)).toEqual([
    ['skipped', 'NO_LAWFUL_BASIS'],
    ['skipped', 'DISCARDED'],
    ['skipped', 'MISSING_VARIABLE'],
    ['failed', 'RECIPIENT_UNREACHABLE'],
    ['completed', null],
  ])
  const next = await makeSequence(tenant, { steps: twoDays })
  const [laterBasis] = await makeContacts(tenant, 1, { lawful_basis: null })
  const [laterContacted] = await makeContacts(tenant, 1, { status: 'discarded' })
  await joinLeads(tenant, next.id, [laterBasis!, laterContacted!, ...(await makeContacts(tenant, 1))])
  await setStatus(tenant, next.id, 'running')
  await wait(tenant, 1)
  const body = { kind: 'contract', proof: 'asked for a viewing' }
  expect((await tenant.call('PUT', `/leads/${laterBasis}/lawful-basis`, { body })).status).toBe(200)
  await change(laterContacted!, { status: 'contacted' })
  await wait(tenant, 2)
  expect((await listRecipients(tenant, next.id)).map(({ status, step }) => [status, step])).toEqual([
    ['waiting', 1],
    ['waiting', 1],
    ['waiting', 1],
  ])
})

test('those that failed or were skipped are retried, by ids or by their reason; final reasons stay', async () => {
  const { id, accountId } = await makeSequence(tenant, { steps: twoDays })
  const leadIds = await makeContacts(tenant, 3, { phone: null })
  await joinLeads(tenant, id, [...leadIds, ...(await makeContacts(tenant, 1))])
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  expect(await statuses(id)).toEqual([...leadIds.map(() => ['skipped', 'NO_CHANNEL']), ['waiting', null]])
  const retry = (body: object) =>
    tenant.call<{ retried: number; unchanged: number }>('POST', `/campaigns/${id}/recipients/retry`, { body })
  const [first] = await listRecipients(tenant, id)
  expect((await retry({ recipientIds: [first!.id] })).body).toMatchObject({ retried: 1, unchanged: 0 })
  await wait(tenant, 1)
  expect((await retry({ status: 'failed' })).body).toMatchObject({ retried: 0, unchanged: 0 })
  for (const [index, leadId] of leadIds.entries())
    await change(leadId, { contact: { phone: `+3461999900${index}` } })
  await wait(tenant, 1)
  expect((await listRecipients(tenant, id)).map(({ status, step }) => [status, step])).toEqual(
    Array.from({ length: 4 }, () => ['waiting', 1]),
  )
  await reply(accountId!, leadIds[0]!, 'STOP')
  await wait(tenant, 1)
  expect((await retry({ recipientIds: [first!.id] })).body).toMatchObject({ retried: 0, unchanged: 1 })
})

test('a reply between the plan and the send is in time: the message is withdrawn', async () => {
  const { id, accountId, leadIds } = await start(3, { throttlePerMinute: 2 })
  await eventually(
    () => statuses(id),
    all => ['completed', 'queued'].every(one => all.some(([status]) => status === one)),
  )
  const planned = (await listRecipients(tenant, id)).find(({ status }) => status === 'queued')!
  await reply(accountId, planned.leadId!)
  await wait(tenant, 10)
  const sent = (await listSent(tenant, id)).map(({ leadId }) => leadId)
  expect(sent.sort()).toEqual(leadIds.filter(leadId => leadId !== planned.leadId).sort())
})

test('steps of a campaign under way may be changed in their place and after it, so that nobody gets one twice', async () => {
  const { id, leadIds } = await start(2, { steps: [{}, { delayMinutes: 60 }] })
  await wait(tenant, 1)
  const [first, second] = (await readCampaign(tenant, id)).settings.steps as [object, object]
  const [inserted, appended] = [
    { templateId: await makeTemplate(tenant) },
    { templateId: await makeTemplate(tenant), delayMinutes: 60 },
  ]
  const changeSteps = (steps: object[]) =>
    tenant.call('PATCH', `/campaigns/${id}`, { body: { settings: { steps } } })
  for (const steps of [[second, first], [inserted, first, second], [second]])
    expect(await changeSteps(steps)).toMatchObject({
      status: 409,
      body: { code: 'STEPS_IN_USE', position: 1, message: expect.stringContaining('1 step behind them') },
    })
  expect((await changeSteps([inserted, second, appended])).status).toBe(200)
  await wait(tenant, 130)
  const sent = await listSent(tenant, id)
  expect(sent.map(({ step }) => step)).toEqual([0, 0, 1, 1, 2, 2])
  expect(new Set(sent.map(({ leadId }) => leadId))).toEqual(new Set(leadIds))
})

test('two recipients who turn out to be one person get no step again', async () => {
  await moveToMorning(tenant)
  const { id, leadIds } = await start(2, { steps: twoDays, dailyLeadLimit: 1 })
  await wait(tenant, 1)
  const [first] = await listSent(tenant, id)
  const kept = leadIds.find(leadId => leadId !== first!.leadId)!
  const { status } = await tenant.call('POST', `/leads/${kept}/merge`, { body: { leadId: first!.leadId } })
  expect(status).toBe(200)
  await wait(tenant, 3 * 1440)
  expect((await listSent(tenant, id)).map(({ step }) => step)).toEqual([0, 1])
  const recipients = await listRecipients(tenant, id)
  expect(recipients.find(({ leadId }) => leadId === kept)).toMatchObject({ status: 'completed', step: 2 })
})
