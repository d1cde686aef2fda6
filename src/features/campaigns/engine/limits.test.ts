/** What else decides about a message over HTTP: bookings, the budget of the account, the quota, compared templates, and lost jobs. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeEmailAccount, publishPage, sendForm } from '../../../../test/booking-page.ts'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeEventType, toTime } from '../../../../test/scheduling.ts'
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
  readNow,
  request,
  retryRecipients,
  type SequenceOptions,
  setStatus,
  startSequence,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { CampaignNumbers } from '../numbers/schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const day = 1440
const later = { delayMinutes: 60 * day }

const start = (leadIds: string[], options: SequenceOptions = {}) =>
  startSequence(tenant, leadIds, { steps: [{}, later], ...options })
const call = <T>(method: string, path: string, body?: object) => request<T>(tenant, method, path, body)
const states = (id: string) => listStates(tenant, id)
/** The visitor calls, so the form needs no phone number. */
const locationDetails = { phone: '+34931234567', whoCalls: 'visitor' }
const countSent = async (id: string) => (await listSent(tenant, id)).length

test('a booking ends the sequence, by the API and by a page that knows the visitor, unless the event type says otherwise', async () => {
  const email = 'marta.ruiz@example.com'
  const [byApi] = await makeContacts(tenant, 1)
  const [byPage] = await makeContacts(tenant, 1, { email })
  const [unproven] = await makeContacts(tenant, 1, { phone: '+34655019003' })
  const [kept] = await makeContacts(tenant, 1)
  const { id } = await start([byApi!, byPage!, unproven!, kept!], {
    steps: [{}, { delayMinutes: 120 }, later],
  })
  const book = (eventTypeId: string, leadId: string, days: number) =>
    call('POST', '/scheduling/appointments', {
      eventTypeId,
      start: toTime(days),
      visitor: { name: 'Marta Ruiz', email: `${leadId}@example.com` },
      leadId,
    })
  await book((await makeEventType(tenant, { locationDetails })).id, byApi!, 3)
  await makeEmailAccount(tenant)
  const guarded = await publishPage(app, tenant, {
    locationDetails,
    config: { bookingPage: { requireCode: true } },
  })
  const visitor = { email, phone: undefined }
  const { text } = await sendForm(app, guarded, toTime(4), visitor, '&lang=en')
  const code = /The code is <strong>(\d{6})</.exec(text)![1]!
  expect((await sendForm(app, guarded, toTime(4), { ...visitor, code })).status).toBe(303)
  // Anybody can type a phone number: it does not end the messages of a person.
  const open = await publishPage(app, tenant, { locationDetails })
  expect((await sendForm(app, open, toTime(5), { phone: '+34655019003' })).status).toBe(303)
  await book(
    (await makeEventType(tenant, { locationDetails, config: { bookingPage: { stopsSequence: false } } })).id,
    kept!,
    6,
  )
  await eventually(
    async () => (await states(id)).slice(0, 2),
    both => both.every(([status]) => status === 'stopped'),
  )
  expect(await states(id)).toEqual([
    ['stopped', 'BOOKED'],
    ['stopped', 'BOOKED'],
    ['waiting', null],
    ['waiting', null],
  ])
  await wait(tenant, 121)
  const followUps = (await listSent(tenant, id)).filter(({ step }) => step === 1)
  expect(followUps.map(({ leadId }) => leadId).sort()).toEqual([unproven, kept].sort())
})

test('the budget of the account is kept by all of its campaigns together, and the wait says so', async () => {
  await moveToMorning(tenant)
  const { id, accountId } = await makeSequence(tenant, { steps: [{}, later] })
  await call('PATCH', `/accounts/${accountId}`, { dailyLimit: 3 })
  const other = await makeSequence(tenant, { steps: [{}, later], accountId: accountId! })
  await joinLeads(tenant, id, await makeContacts(tenant, 4))
  await joinLeads(tenant, other.id, await makeContacts(tenant, 4))
  await setStatus(tenant, id, 'running')
  await setStatus(tenant, other.id, 'running')
  await wait(tenant, 30)
  expect((await countSent(id)) + (await countSent(other.id))).toBe(3)
  const waits = [await readCampaign(tenant, id), await readCampaign(tenant, other.id)].map(
    ({ wait }) => wait?.code,
  )
  expect(waits).toContain('DAILY_BUDGET')
  for (const days of [1, 2]) {
    await wait(tenant, day)
    expect((await countSent(id)) + (await countSent(other.id))).toBe(Math.min(8, 3 + 3 * days))
  }
})

test('templates are compared with equal shares, and a recipient keeps its own', async () => {
  const templates = [await makeTemplate(tenant, 'Uno'), await makeTemplate(tenant, 'Dos')]
  const step = { templateId: templates[0]!, variants: [{ templateId: templates[1]! }] }
  const count = 60
  const { id } = await start(await makeContacts(tenant, count), { steps: [step, later] })
  await eventually(
    () => countSent(id),
    sent => sent === count,
  )
  const recipients = await listRecipients(tenant, id)
  for (const { sends } of recipients)
    expect(sends[0]!.templateId).toBe(templates[sends[0]!.variant === 'A' ? 0 : 1])
  const { steps } = await call<CampaignNumbers>('GET', `/campaigns/${id}/numbers`)
  const [a, b] = steps[0]!.variants
  expect([a!.variant, b!.variant, a!.sent + b!.sent]).toEqual(['A', 'B', count])
  // Fewer than 15 of 60 would be chance in one of 10,000 runs; the seed of the campaign is random.
  expect(Math.min(a!.sent, b!.sent)).toBeGreaterThan(14)
  const before = new Map(recipients.map(each => [each.id, each.sends[0]!.variant]))
  await tenant.inTenant(tx =>
    sql`
      update campaign_recipients set status = 'failed', step = 0, last_sent_at = null, reason = '{"code":"MESSAGE_REJECTED","message":"n"}', ended_at = now()
      where tenant_id = ${tenant.tenantId} and campaign_id = ${id}`.execute(tx),
  )
  await retryRecipients(tenant, id)
  await wait(tenant, 1)
  await eventually(
    () => countSent(id),
    sent => sent === 2 * count,
  )
  for (const each of await listRecipients(tenant, id))
    expect(each.sends[0]!.variant).toBe(before.get(each.id))
})

test('a used-up quota holds the rest back, and a message that is withdrawn gives its unit back', async () => {
  await tenant.limitQuota('maxMessagesPerMonth', 2)
  const { id } = await start(await makeContacts(tenant, 3))
  await wait(tenant, 1)
  expect(await countSent(id)).toBe(2)
  expect((await states(id)).map(([status]) => status)).toEqual(['waiting', 'waiting', 'waiting'])
  await tenant.inTenant(tx =>
    sql`update quota_limits set monthly_limit = 100 where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  await wait(tenant, 11)
  expect(await countSent(id)).toBe(3)
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(3)
  const slow = await makeSequence(tenant, { steps: [{}], throttlePerMinute: 2 })
  await joinLeads(tenant, slow.id, await makeContacts(tenant, 4))
  await setStatus(tenant, slow.id, 'running')
  await eventually(
    () => states(slow.id),
    all => all.some(([status]) => status === 'queued'),
  )
  await setStatus(tenant, slow.id, 'paused')
  await eventually(
    async () => (await states(slow.id)).filter(([status]) => status === 'queued').length,
    queued => queued === 0,
  )
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(3 + (await countSent(slow.id)))
})

test('a planned message whose jobs were lost is planned again when its time is past, and spread', async () => {
  const { id } = await start(await makeContacts(tenant, 3), { throttlePerMinute: 1, steps: [{}, later] })
  await setStatus(tenant, id, 'paused')
  await eventually(
    () => states(id),
    all => all.every(([status]) => status === 'waiting'),
  )
  const before = await countSent(id)
  const past = new Date((await readNow(tenant)).getTime() - 600_000)
  // As if a process had been killed between the plan and its jobs.
  await tenant.inTenant(tx =>
    sql`
      update campaign_recipients set status = 'planned', planned_at = ${past}
      where tenant_id = ${tenant.tenantId} and campaign_id = ${id} and last_sent_at is null`.execute(tx),
  )
  await setStatus(tenant, id, 'running')
  await moveTo(tenant, new Date((await readNow(tenant)).getTime() + 10 * 60_000))
  const sent = (await listSent(tenant, id)).slice(before)
  expect(sent).toHaveLength(3 - before)
  for (const [index, { sentAt }] of sent.entries())
    if (index > 0) expect(sentAt!.getTime() - sent[index - 1]!.sentAt!.getTime()).toBeGreaterThan(58_000)
})
