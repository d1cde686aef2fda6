/** An opt-out is a reply too: whoever ends the sequence first, the plan, the queue or the result of a message, it is the reason. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  joinLeads,
  listRecipients,
  makeContacts,
  makeSequence,
  setStatus,
} from '../../../../test/sequences.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { CampaignMessageEnd } from '../../messaging/service.ts'
import { optOut } from '../../privacy/service.ts'
import { advanceRecipients } from './advance.ts'
import type { EngineDependencies } from './dependencies.ts'
import { planCampaign } from './plan.ts'
import { queuePlanned } from './queue.ts'
import { reviewLead } from './review.ts'

let app: TestApp
let tenant: TestTenant
beforeAll(async () => {
  // Nothing else handles events and jobs.
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const accounts = { getProvider: () => createFakeProvider() } as Partial<
  EngineDependencies['accounts']
> as EngineDependencies['accounts']
const plan = (id: string) => (tx: Tx) => planCampaign(tx, { accounts }, id)
const queue = (id: string) => (tx: Tx) => queuePlanned(tx, { accounts }, id)
/** What is being sent is not withdrawn. */
const claim = (id: string) => (tx: Tx) =>
  sql`update messages set claimed_at = now() where tenant_id = ${tenant.tenantId} and campaign_id = ${id}`.execute(
    tx,
  )
const end =
  (result: Pick<CampaignMessageEnd, 'status' | 'failure'>) =>
  (id: string) =>
  async (tx: Tx): Promise<void> => {
    const { rows } = await sql<{ messageId: string }>`
      select message_id as "messageId" from campaign_recipients where tenant_id = ${tenant.tenantId} and campaign_id = ${id}`.execute(
      tx,
    )
    await advanceRecipients(tx, { accounts }, [
      { ...rows[0]!, campaignId: id, previous: 'queued', at: getNow(tx), ...result },
    ])
  }

/** What a person's STOP changes, in the transaction that receives it. */
async function receiveStop(tx: Tx, leadId: string): Promise<void> {
  await sql`
    update leads set last_reply_at = ${new Date(getNow(tx).getTime() + 1000)} where tenant_id = ${tenant.tenantId} and id = ${leadId}`.execute(
    tx,
  )
  const { rows } = await sql<{ phone: string }>`
    select phone from leads where tenant_id = ${tenant.tenantId} and id = ${leadId}`.execute(tx)
  await optOut(tx, [{ kind: 'phone', value: rows[0]!.phone }], { channel: 'chat', note: 'STOP' }, noAuthor)
}
const noAuthor = { keyId: null, userId: null }

const withdrawn = {
  status: 'failed' as const,
  failure: {
    code: 'REPLIED',
    message: 'The person has replied.',
    providerCode: null,
    retryable: false,
    isWithdrawn: true,
  },
}

type Step = (id: string) => (tx: Tx) => Promise<unknown>
test.each<[string, { before: Step[]; at: Step; status: string }]>([
  ['the plan', { before: [], at: plan, status: 'skipped' }],
  ['the queue', { before: [plan], at: queue, status: 'skipped' }],
  [
    'a message that was being sent',
    { before: [plan, queue, claim], at: end({ status: 'sent', failure: null }), status: 'stopped' },
  ],
  ['a message that was withdrawn', { before: [plan, queue, claim], at: end(withdrawn), status: 'skipped' }],
])('before %s: the reason is the opt-out', async (_name, { before, at, status }) => {
  const { id } = await makeSequence(tenant, { steps: [{}, { delayMinutes: 60 }] })
  const [leadId] = await makeContacts(tenant, 1)
  await joinLeads(tenant, id, [leadId!])
  await setStatus(tenant, id, 'running')
  for (const step of before) await tenant.inTenant(step(id))
  await tenant.inTenant(async tx => {
    await receiveStop(tx, leadId!)
    await at(id)(tx)
  })
  const [recipient] = await listRecipients(tenant, id)
  expect([recipient!.status, recipient!.reason?.code]).toEqual([status, 'OPTED_OUT'])
})

test('who opts out while the first message is being sent has got it, if it is sent, and nothing otherwise', async () => {
  for (const [result, expected] of [
    [{ status: 'sent', failure: null }, ['stopped', 1, true]],
    [withdrawn, ['skipped', 0, false]],
  ] as const) {
    const { id } = await makeSequence(tenant, { steps: [{}, { delayMinutes: 60 }] })
    const [leadId] = await makeContacts(tenant, 1)
    await joinLeads(tenant, id, [leadId!])
    await setStatus(tenant, id, 'running')
    const steps: Step[] = [plan, queue, claim]
    for (const step of steps) await tenant.inTenant(step(id))
    await tenant.inTenant(async tx => {
      await receiveStop(tx, leadId!)
      await reviewLead(tx, { accounts }, leadId!)
    })
    expect(await listRecipients(tenant, id)).toMatchObject([
      { status: 'skipped', reason: { code: 'OPTED_OUT' } },
    ])
    await tenant.inTenant(end(result)(id))
    const [recipient] = await listRecipients(tenant, id)
    const { status, step, reason } = recipient!
    expect([status, step, reason?.code]).toEqual([...expected.slice(0, 2), 'OPTED_OUT'])
    const { rows } = await tenant.inTenant(tx =>
      sql<{ isSent: boolean }>`
        select last_sent_at is not null as "isSent" from campaign_recipients where tenant_id = ${tenant.tenantId} and campaign_id = ${id}`.execute(
        tx,
      ),
    )
    expect(rows[0]!.isSent).toBe(expected[2])
  }
})
