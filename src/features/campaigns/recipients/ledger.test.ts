/** The ledger over HTTP: what a refusal, a late failure, other settings and merges make of recipients who have got messages. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  listSent,
  makeContacts,
  makeSequence,
  makeTemplate,
  readCampaign,
  type SequenceOptions,
  setStatus,
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

async function start(leadIds: string[], options: SequenceOptions) {
  const { id, accountId } = await makeSequence(tenant, options)
  await joinLeads(tenant, id, leadIds)
  await setStatus(tenant, id, 'running')
  await wait(tenant, 1)
  return { id, accountId: accountId! }
}

const call = async <T = unknown>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET',
  path: string,
  body?: object,
) => {
  const reply = await tenant.call<T>(method, path, body ? { body } : {})
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`)
  return reply.body
}
const retry = (id: string, body: object = {}) =>
  call<{ retried: number; unchanged: number }>('POST', `/campaigns/${id}/recipients/retry`, body)
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
  expect(funnel).toMatchObject({ recipients: 3, contactable: 3, sent: 4 })
  await call('PUT', `/leads/${leadIds[1]}/lawful-basis`, { kind: 'contract', proof: 'mandate' })
  await call('PATCH', `/leads/${leadIds[0]}`, { contact: { name: 'Rosa' } })
  expect(await retry(id, { status: 'failed', reason: 'MISSING_VARIABLE' })).toEqual({
    retried: 1,
    unchanged: 0,
  })
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
      await applyStatuses(tx, accountId, [
        {
          providerMessageId: 'unknown',
          messageId,
          status: 'failed',
          at: getNow(tx),
          failure: {
            code: 'RECIPIENT_UNREACHABLE',
            message: 'No such number.',
            providerCode: '131026',
            retryable: false,
            retryAfterMs: 0,
            scope: 'recipient',
          },
        },
      ])
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
  expect(await retry(id)).toEqual({ retried: 2, unchanged: 0 })
  await wait(tenant, 2)
  const sent = (await listSent(tenant, id)).filter(({ leadId }) => leadId === leadIds[0])
  expect(sent.map(({ step, status }) => [step, status === 'failed'])).toEqual([
    [0, true],
    [0, false],
  ])
})
