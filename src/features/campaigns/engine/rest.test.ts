/** A campaign that does nothing says why, and completes only when nobody can get anything more. */
import { beforeAll, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  makeContacts,
  makeSequence,
  makeTemplate,
  moveTo,
  moveToMorning,
  readCampaign,
  readNow,
  setStatus,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { CampaignPreview } from '../preview/schemas.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await makeTenant(app)
  return () => app.stop()
})

const read = (id: string) => readCampaign(tenant, id)
const preview = async (id: string, days = 7) =>
  (await tenant.call<CampaignPreview>('POST', `/campaigns/${id}/preview`, { body: { days } })).body
const retry = (id: string) =>
  tenant.call<{ retried: number }>('POST', `/campaigns/${id}/recipients/retry`, { body: {} })

test('a campaign whose recipients are all left out stays open, says why, and goes on when they are retried', async () => {
  const { id } = await makeSequence(tenant)
  const leadIds = await makeContacts(tenant, 2, { lawful_basis: null })
  await joinLeads(tenant, id, leadIds)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 30 * 24 * 60)
  expect(await read(id)).toMatchObject({
    status: 'running',
    stats: { recipients: 2, skipped: 2 },
    wait: {
      code: 'LEFT_OUT',
      message: expect.stringMatching(/^All 2 recipients were left out\. No lawful basis .* Retry them/),
      until: null,
    },
  })
  for (const leadId of leadIds)
    await tenant.call('PUT', `/leads/${leadId}/lawful-basis`, { body: { kind: 'contract', proof: 'a call' } })
  await wait(tenant, 2)
  expect((await listSent(tenant, id)).length).toBe(2)
  expect((await read(id)).status).toBe('completed')
})

test('those who failed can be retried for a week after the last message; then it completes', async () => {
  const { id } = await makeSequence(tenant)
  await joinLeads(tenant, id, [
    ...(await makeContacts(tenant, 1)),
    ...(await makeContacts(tenant, 1, { phone: '+34600000001' })),
  ])
  await setStatus(tenant, id, 'running')
  await wait(tenant, 2)
  expect(await read(id)).toMatchObject({
    status: 'running',
    wait: { code: 'LEFT_OUT', message: expect.stringMatching(/^1 recipient was left out\. .* completes /) },
  })
  expect((await retry(id)).body).toMatchObject({ retried: 1 })
  await wait(tenant, 2)
  await wait(tenant, 8 * 24 * 60)
  expect(await read(id)).toMatchObject({ status: 'completed', wait: null })
})

test('a campaign whose source brings more people says for a week who was left out, and nothing of it when it has written to all', async () => {
  const { id } = await makeSequence(tenant, { platform: 'widget' })
  await tenant.call('PUT', `/campaigns/${id}/widget`, { body: { allowedOrigins: ['https://a.example'] } })
  await joinLeads(tenant, id, [
    ...(await makeContacts(tenant, 1)),
    ...(await makeContacts(tenant, 2, { lawful_basis: null })),
  ])
  await setStatus(tenant, id, 'running')
  await wait(tenant, 2)
  const leftOut = {
    code: 'LEFT_OUT',
    message: expect.stringMatching(
      /^2 recipients were left out in the last 7 days\. No lawful basis .* Retry them/,
    ),
    until: null,
  }
  expect(await read(id)).toMatchObject({ stats: { completed: 1, skipped: 2 }, wait: leftOut })
  await wait(tenant, 6 * 24 * 60)
  expect((await read(id)).wait).toMatchObject(leftOut)
  await wait(tenant, 2 * 24 * 60)
  expect(await read(id)).toMatchObject({ status: 'running', wait: null })
})

test('a message that is refused when it is queued is no reason to run for ever', async () => {
  const [first, second] = [await makeTemplate(tenant), await makeTemplate(tenant, 'Son {{ property.price }}')]
  const { id } = await makeSequence(tenant, {
    steps: [{ templateId: first }, { templateId: second, delayMinutes: 10 }],
  })
  await joinLeads(tenant, id, await makeContacts(tenant, 2, { price: null }))
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  expect((await read(id)).wait).toMatchObject({ code: 'NOT_DUE' })
  await wait(tenant, 20)
  expect(await read(id)).toMatchObject({ status: 'running', wait: { code: 'LEFT_OUT' } })
  await wait(tenant, 8 * 24 * 60)
  expect((await read(id)).status).toBe('completed')
})

test('what a pause withdraws does not use up the limit of the day', async () => {
  await moveToMorning(tenant)
  const { id } = await makeSequence(tenant, { dailyLeadLimit: 3, throttlePerMinute: 3 })
  await joinLeads(tenant, id, await makeContacts(tenant, 6))
  await setStatus(tenant, id, 'running')
  await eventually(
    () => listSent(tenant, id),
    sent => sent.length > 0,
  )
  await setStatus(tenant, id, 'paused')
  await eventually(
    () => listRecipients(tenant, id),
    all => all.every(({ status }) => status !== 'queued'),
  )
  await setStatus(tenant, id, 'running')
  await wait(tenant, 5)
  expect((await listSent(tenant, id)).length).toBe(3)
  expect((await read(id)).wait).toMatchObject({ code: 'DAILY_START_LIMIT' })
})

test('a paused campaign completes by its end', async () => {
  const endAt = new Date((await readNow(tenant)).getTime() + 60 * 60_000).toISOString()
  const { id } = await makeSequence(tenant, { schedule: { endAt }, steps: [{ delayMinutes: 30 }] })
  await joinLeads(tenant, id, await makeContacts(tenant, 1))
  await setStatus(tenant, id, 'running')
  await setStatus(tenant, id, 'paused')
  await wait(tenant, 120)
  expect((await read(id)).status).toBe('completed')
  expect((await listRecipients(tenant, id)).map(({ status }) => status)).toEqual(['stopped'])
})

test('a preview names what the campaign lacks, and a beginning as its face does', async () => {
  const { id } = await makeSequence(tenant, { steps: [] })
  await joinLeads(tenant, id, await makeContacts(tenant, 1))
  expect((await preview(id)).missing).toMatchObject([{ code: 'STEPS_MISSING', path: '/settings/steps' }])
  const startAt = new Date((await readNow(tenant)).getTime() + 3 * 86_400_000).toISOString()
  const later = await makeSequence(tenant, {
    schedule: { startAt },
    sendWindow: { from: '09:00', to: '10:00' },
  })
  await joinLeads(tenant, later.id, await makeContacts(tenant, 1))
  await setStatus(tenant, later.id, 'running')
  await wait(tenant, 1)
  const face = (await read(later.id)).wait
  expect(face).toMatchObject({ code: 'NOT_BEGUN', until: startAt })
  expect((await preview(later.id, 1)).wait).toEqual(face)
  await setStatus(tenant, later.id, 'paused')
})

test('a quota that is used up is named by face and preview, and is noticed when it is raised', async () => {
  const other = await makeTenant(app)
  // In the middle of a month.
  const now = new Date()
  await moveTo(other, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 10)))
  await other.limitQuota('maxMessagesPerMonth', 2)
  const { id } = await makeSequence(other)
  await joinLeads(other, id, await makeContacts(other, 5))
  const { body } = await other.call<CampaignPreview>('POST', `/campaigns/${id}/preview`, {
    body: { days: 7 },
  })
  expect([body.messages, body.wait?.code]).toEqual([2, 'QUOTA_EXCEEDED'])
  await setStatus(other, id, 'running')
  await wait(other, 1)
  expect((await listSent(other, id)).length).toBe(2)
  expect((await readCampaign(other, id)).wait).toMatchObject({
    code: 'QUOTA_EXCEEDED',
    message: expect.stringContaining('used up'),
  })
  await other.inTenant(tx =>
    tx
      .updateTable('quota_limits')
      .set({ monthly_limit: 10 })
      .where('name', '=', 'maxMessagesPerMonth')
      .execute(),
  )
  await wait(other, 11)
  expect((await listSent(other, id)).length).toBe(5)
})
