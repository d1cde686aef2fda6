/** The ledger over HTTP: what a refusal, a late failure, other settings and merges make of recipients who have got messages. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  makeContacts,
  makeSequence,
  makeTemplate,
  readCampaign,
  request,
  retryRecipients,
  type SequenceOptions,
  setStatus,
  startSequence,
  wait,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { sql } from '../../../kit/db/index.ts'
import { applyStatuses } from '../../messaging/messages/apply-status.ts'
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

const hour = 60
/** A last step that nobody gets in these tests: the campaign stays open. */
const later = { delayMinutes: 60 * 1440 }

const start = (leadIds: string[], options: SequenceOptions) => startSequence(tenant, leadIds, options)

const call = <T>(method: string, path: string, body?: object) => request<T>(tenant, method, path, body)
const retry = (id: string, body: object = {}) => retryRecipients(tenant, id, body)
const states = async (id: string) =>
  (await listRecipients(tenant, id)).map(({ status, step, reason }) => [status, step, reason?.code ?? null])

test('a follow-up that is refused leaves its recipient failed, not skipped: it has got a message', async () => {
  const named = await makeTemplate(tenant, 'Hola {{ contact.name }}')
  const leadIds = await makeContacts(tenant, 3)
  const { id } = await start(leadIds, { steps: [{}, { templateId: named, delayMinutes: hour }, later] })
  await call('PATCH', `/leads/${leadIds[0]}`, { contact: { name: null } })
  await call('DELETE', `/leads/${leadIds[1]}/lawful-basis`)
  await wait(tenant, hour + 1)
  expect(await states(id)).toEqual([
    ['failed', 1, 'MISSING_VARIABLE'],
    ['failed', 1, 'NO_LAWFUL_BASIS'],
    ['waiting', 2, null],
  ])
  expect((await readCampaign(tenant, id)).stats).toMatchObject({ skipped: 0, failed: 2, waiting: 1 })
  const { funnel } = await call<CampaignNumbers>('GET', `/campaigns/${id}/numbers`)
  expect(funnel).toMatchObject({ recipients: 3, contactable: 3, sent: 3 })
  await call('PUT', `/leads/${leadIds[1]}/lawful-basis`, { kind: 'contract', proof: 'mandate' })
  await call('PATCH', `/leads/${leadIds[0]}`, { contact: { name: 'Rosa' } })
  // Both go on by themselves.
  await eventually(
    () => states(id),
    all => all.every(([status]) => status !== 'failed'),
  )
  await wait(tenant, 1)
  expect(await states(id)).toEqual(leadIds.map(() => ['waiting', 2, null]))
  expect((await listSent(tenant, id)).map(({ step }) => step)).toEqual([0, 0, 0, 1, 1, 1])
})

test('a message that turns out to have failed is the one that a retry sends, unless a later one was sent', async () => {
  const leadIds = await makeContacts(tenant, 2)
  const { id, accountId } = await start(leadIds, { steps: [{}, { delayMinutes: hour }, later] })
  const fail = async (leadId: string, step: number) => {
    const recipient = (await listRecipients(tenant, id)).find(each => each.leadId === leadId)!
    const { messageId } = recipient.sends.find(each => each.step === step)!
    await tenant.inTenant(async tx => {
      // The sandbox delivers at once: what was delivered has not failed.
      await sql`
        update messages set status = 'sent', delivered_at = null, read_at = null
        where tenant_id = ${tenant.tenantId} and id = ${messageId}`.execute(tx)
      const why = {
        code: 'RECIPIENT_UNREACHABLE',
        message: 'No such number.',
        providerCode: '131026',
      } as const
      const failure = { ...why, retryable: false, retryAfterMs: 0, scope: 'recipient' } as const
      const status = { providerMessageId: 'unknown', messageId, status: 'failed', failure } as const
      await applyStatuses(tx, accountId, [{ ...status, at: getNow(tx) }])
    })
  }
  await fail(leadIds[0]!, 0)
  expect(await states(id)).toEqual([
    ['failed', 0, 'RECIPIENT_UNREACHABLE'],
    ['waiting', 1, null],
  ])
  expect((await listRecipients(tenant, id))[0]).toMatchObject({ lastSentAt: null, nextAt: null })
  await wait(tenant, hour + 1)
  await fail(leadIds[1]!, 0)
  expect((await states(id))[1]).toEqual(['failed', 2, 'RECIPIENT_UNREACHABLE'])
  expect(await retry(id)).toMatchObject({ retried: 2, unchanged: 0 })
  await wait(tenant, 2)
  const sent = (await listSent(tenant, id)).filter(({ leadId }) => leadId === leadIds[0])
  expect(sent.map(({ step, status }) => [step, status === 'failed'])).toEqual([
    [0, true],
    [0, false],
  ])
})

test('new delays count for those who wait: sooner, later, and not for a step that was due before', async () => {
  const leadIds = await makeContacts(tenant, 2)
  const { id } = await start(leadIds, { steps: [{}, { delayMinutes: 3 * hour }, later] })
  const { steps } = (await readCampaign(tenant, id)).settings
  const setDelay = (delayMinutes: number) =>
    call('PATCH', `/campaigns/${id}`, {
      settings: { steps: steps.map((step, index) => (index === 1 ? { ...step, delayMinutes } : step)) },
    })
  const readDelays = async () =>
    (await listRecipients(tenant, id)).map(({ nextAt, lastSentAt }) =>
      Math.round((Date.parse(nextAt!) - Date.parse(lastSentAt!)) / 60_000),
    )
  expect(await readDelays()).toEqual([3 * hour, 3 * hour])
  await setDelay(5 * hour)
  await eventually(readDelays, all => all.every(delay => delay === 5 * hour))
  await wait(tenant, 4 * hour)
  expect((await states(id)).map(([, step]) => step)).toEqual([1, 1])
  await setDelay(hour)
  // It has passed, so the step is sent at once.
  await eventually(
    () => states(id),
    all => all.every(([, step]) => step === 2),
  )
  await call('PATCH', `/campaigns/${id}`, { settings: { steps: steps.slice(0, 2) } })
  await eventually(
    () => states(id),
    all => all.every(([status]) => status === 'completed'),
  )
})

test('who lacked what the template needs goes on when the lead has all of it', async () => {
  const templateId = await makeTemplate(tenant, '{{ contact.name }}, {{ property.price }}')
  const [lead] = await makeContacts(tenant, 1, { contact_name: null })
  const { id } = await start([lead!], { steps: [{ templateId }, later] })
  expect(await states(id)).toEqual([['skipped', 0, 'MISSING_VARIABLE']])
  await call('PATCH', `/leads/${lead}`, { property: { price: 5 } })
  await wait(tenant, 1)
  expect(await states(id)).toEqual([['skipped', 0, 'MISSING_VARIABLE']])
  await call('PATCH', `/leads/${lead}`, { contact: { name: 'Eva' } })
  await eventually(
    () => states(id),
    ([state]) => state![0] === 'waiting' && state![1] === 1,
  )
  expect(await listSent(tenant, id)).toHaveLength(1)
})

test('a retry passes by those who cannot go on, so that the others have their turn', async () => {
  const leadIds = await makeContacts(tenant, 3, { phone: null })
  const { id } = await start([...leadIds, ...(await makeContacts(tenant, 1))], { steps: [{}, later] })
  expect((await states(id)).map(([status]) => status)).toEqual(['skipped', 'skipped', 'skipped', 'waiting'])
  const other = await makeSequence(tenant, { steps: [later] })
  await setStatus(tenant, other.id, 'running')
  await joinLeads(tenant, other.id, [leadIds[0]!])
  const recipients = await listRecipients(tenant, id)
  await tenant.inTenant(tx =>
    sql`
      update campaign_recipients set reason = '{"code":"OPTED_OUT","message":"n"}'
      where tenant_id = ${tenant.tenantId} and id = ${recipients[1]!.id}`.execute(tx),
  )
  expect(await retry(id, { recipientIds: [recipients[0]!.id, recipients[1]!.id] })).toMatchObject({
    retried: 0,
    unchanged: 2,
  })
  expect(await retry(id)).toMatchObject({ retried: 1, unchanged: 0 })
})

test('a campaign is deleted at once, and its many recipients in batches afterwards', async () => {
  const { id } = await makeSequence(tenant, {})
  const many = 2500
  await tenant.inTenant(async tx => {
    await sql`
      insert into campaign_recipients (tenant_id, id, campaign_id, lead_id, status, joined_at, updated_at)
      select ${tenant.tenantId}::uuid, gen_random_uuid(), ${id}::uuid, gen_random_uuid(), 'stopped', now(), now()
      from generate_series(1, ${many}::int)`.execute(tx)
    await sql`
      insert into campaign_sends (tenant_id, recipient_id, round, step, campaign_id, created_at)
      select tenant_id, id, 1, 0, campaign_id, now() from campaign_recipients
      where tenant_id = ${tenant.tenantId} and campaign_id = ${id}`.execute(tx)
  })
  expect((await readCampaign(tenant, id)).stats).toMatchObject({
    recipients: many,
    stopped: many,
    waiting: 0,
  })
  await call('DELETE', `/campaigns/${id}`)
  expect((await tenant.call('GET', `/campaigns/${id}`)).status).toBe(404)
  await eventually(
    async () => {
      const { rows } = await tenant.inTenant(tx =>
        sql<{ left: number }>`
          select (select count(*)::int from campaign_recipients where tenant_id = ${tenant.tenantId} and campaign_id = ${id})
            + (select count(*)::int from campaign_sends where tenant_id = ${tenant.tenantId} and campaign_id = ${id}) as left`.execute(
          tx,
        ),
      )
      return rows[0]!.left
    },
    left => left === 0,
  )
})
