/** Previews over HTTP: they change nothing, and say to the minute what then happens. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  makeContacts,
  makeSequence,
  makeTemplate,
  moveTo,
  readCampaign,
  readNow,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { optOut } from '../../privacy/service.ts'
import { type CampaignPreview, recipientsMax } from './schemas.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

/** A run with 1,000 takes some minutes: `PREVIEW_RECIPIENTS=1000 npx vitest run src/features/campaigns/preview`. */
const count = Number(process.env.PREVIEW_RECIPIENTS ?? 20)
const timeoutMs = 60_000 + count * 1000
const dayMs = 86_400_000

async function preview(id: string, body: object = {}): Promise<CampaignPreview> {
  const reply = await tenant.call<CampaignPreview>('POST', `/campaigns/${id}/preview`, { body })
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.body
}

const night = { timezone: 'Europe/Madrid', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '06:00' }

/** 10:00 on the day before the clocks of Madrid change next in this month: on its last Sunday. */
function toEve(month: number): string {
  const year = new Date().getUTCFullYear()
  const eves = [year, year + 1].map(year => {
    const last = new Date(Date.UTC(year, month, 0))
    return Date.UTC(year, month - 1, last.getUTCDate() - last.getUTCDay() - 1, 10)
  })
  return new Date(eves.find(eveMs => eveMs > Date.now() + 60_000)!).toISOString()
}

describe('what was predicted is sent, to the minute', () => {
  test.each([
    ['in spring, a day at a time', toEve(3), 7],
    ['in autumn, a week at once', toEve(10), 1],
  ])('%s', { timeout: timeoutMs }, async (_, start, moves) => {
    await moveTo(tenant, start)
    const { id } = await makeSequence(tenant, {
      steps: [{}, { delayMinutes: 1440 }],
      sendWindow: night,
      throttlePerMinute: 2,
      dailyLeadLimit: Math.ceil(count * 0.6),
    })
    await joinLeads(tenant, id, await makeContacts(tenant, count))
    await setStatus(tenant, id, 'running')
    const predicted = await preview(id, { days: 7, limit: 2000 })
    for (let move = 1; move <= moves; move += 1)
      await moveTo(tenant, new Date(Date.parse(start) + (move / moves) * 7 * dayMs))
    const sent = new Map(
      (await listSent(tenant, id)).map(({ leadId, step, sentAt }) => [`${leadId} ${step}`, sentAt!]),
    )
    expect(predicted.messages).toBe(2 * count)
    expect(sent.size).toBe(2 * count)
    const late = predicted.sends.filter(({ leadId, step, at }) => {
      const differenceMs = sent.get(`${leadId} ${step}`)!.getTime() - Date.parse(at)
      return Math.abs(differenceMs) > 60_000
    })
    expect(late).toEqual([])
  })
})

test('it names texts, people, days and reasons, and changes nothing', async () => {
  const templateId = await makeTemplate(tenant, 'Hola {{ contact.name }}')
  const { id } = await makeSequence(tenant, { steps: [{ templateId }, { templateId, delayMinutes: 60 }] })
  const [sure] = await makeContacts(tenant, 1)
  const [withoutBasis] = await makeContacts(tenant, 1, { lawful_basis: null, lawful_basis_at: null })
  const [withoutName] = await makeContacts(tenant, 1, { contact_name: null })
  await joinLeads(tenant, id, [sure!, withoutBasis!, withoutName!])
  const before = await listRecipients(tenant, id)
  const result = await preview(id)
  expect(result).toMatchObject({
    recipients: 3,
    messages: 2,
    people: 1,
    isPartial: false,
    wait: null,
    cost: null,
  })
  expect(result.sends.map(({ leadId, step, text }) => [leadId, step, text])).toEqual([
    [sure, 0, 'Hola Marta Ruiz'],
    [sure, 1, 'Hola Marta Ruiz'],
  ])
  expect(result.skipped.map(({ code, count, leadIds }) => [code, count, leadIds])).toEqual([
    ['NO_LAWFUL_BASIS', 1, [withoutBasis]],
    ['MISSING_VARIABLE', 1, [withoutName]],
  ])
  expect(result.steps).toEqual([
    { step: 0, messages: 1 },
    { step: 1, messages: 1 },
  ])
  expect(await listRecipients(tenant, id)).toEqual(before)
  // The ledger has the same reasons afterwards.
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  const reasons = (await listRecipients(tenant, id)).map(({ leadId, reason }) => [leadId, reason])
  const { code, message } = result.skipped[0]!
  expect(reasons).toContainEqual([withoutBasis, { code, message }])
  expect(reasons).toContainEqual([
    withoutName,
    { code: result.skipped[1]!.code, message: result.skipped[1]!.message },
  ])
  expect((await preview(id)).skipped).toHaveLength(2)
})

async function optOutLead(leadId: string, note: string | null = null) {
  const { body } = await tenant.call<{ contact: { phone: string } }>('GET', `/leads/${leadId}`)
  const identifiers = [{ kind: 'phone' as const, value: body.contact.phone }]
  const author = { userId: null, keyId: null }
  await tenant.inTenant(tx => optOut(tx, identifiers, { channel: null, note }, author))
}

test('a reason that many people have names nobody of them', async () => {
  const { id } = await makeSequence(tenant)
  const leadIds = await makeContacts(tenant, 2)
  await joinLeads(tenant, id, leadIds)
  for (const [index, leadId] of leadIds.entries()) await optOutLead(leadId, `Call ${index}`)
  const { skipped } = await preview(id)
  expect(skipped).toMatchObject([
    { code: 'OPTED_OUT', message: 'This person opted out of contact.', count: 2 },
  ])
})

test('who is skipped while a preview reads counts once', async () => {
  const { id } = await makeSequence(tenant)
  const leadIds = await makeContacts(tenant, 12)
  await joinLeads(tenant, id, leadIds)
  let isOver = false
  const counts: number[] = []
  const previews = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const { people, skipped } = await preview(id)
      counts.push(people + skipped.reduce((sum, { count }) => sum + count, 0))
    }
  })
  for (const leadId of leadIds) await optOutLead(leadId)
  await eventually(
    () => listRecipients(tenant, id),
    recipients => recipients.every(({ status }) => status === 'skipped'),
  )
  isOver = true
  await Promise.all(previews)
  expect(counts.filter(count => count !== leadIds.length)).toEqual([])
})

test('it says why nothing more is sent', async () => {
  const { id } = await makeSequence(tenant, { dailyLeadLimit: 2 })
  await joinLeads(tenant, id, await makeContacts(tenant, 5))
  const now = await readNow(tenant)
  const tomorrow = now.toTemporalInstant().toZonedDateTimeISO('Europe/Madrid').add({ days: 1 }).startOfDay()
  const result = await preview(id, { days: 1, limit: 0 })
  expect(result.messages).toBe(4)
  expect(result.wait).toMatchObject({ code: 'DAILY_START_LIMIT' })
  expect(Date.parse(result.wait!.until!)).toBeGreaterThan(tomorrow.epochMilliseconds)
  expect(result.sends).toEqual([])
})

test('a campaign with nobody in it waits for the same as its record says', async () => {
  const { id } = await makeSequence(tenant)
  const draft = await preview(id)
  expect(draft).toMatchObject({ recipients: 0, messages: 0, wait: { code: 'NO_RECIPIENTS' } })
  await setStatus(tenant, id, 'running')
  const { wait: shown } = await readCampaign(tenant, id)
  expect(draft.wait).toEqual(shown)
  expect((await preview(id)).wait).toEqual(shown)
})

test('all recipients are counted, also those who are not looked at', async () => {
  const { id, accountId } = await makeSequence(tenant)
  await tenant.call('DELETE', `/accounts/${accountId}`)
  const { tenantId } = tenant
  await tenant.inTenant(tx =>
    sql`
      insert into campaign_recipients (tenant_id, id, campaign_id, lead_id, status, due_at, joined_at, updated_at)
      select ${tenantId}::uuid, gen_random_uuid(), ${id}::uuid, gen_random_uuid(), 'waiting', now(), now(), now()
      from generate_series(1, ${recipientsMax + 3}::int)`.execute(tx),
  )
  expect(await preview(id)).toMatchObject({ recipients: recipientsMax + 3, isPartial: true })
})

test('a campaign without an account says so, and an unknown one is 404', async () => {
  const { id, accountId } = await makeSequence(tenant)
  await joinLeads(tenant, id, await makeContacts(tenant, 1))
  await tenant.call('DELETE', `/accounts/${accountId}`)
  expect(await preview(id)).toMatchObject({ messages: 0, wait: { code: 'ACCOUNT_NOT_SENDING' } })
  const unknown = '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f'
  expect((await tenant.call('POST', `/campaigns/${unknown}/preview`, { body: {} })).status).toBe(404)
})
