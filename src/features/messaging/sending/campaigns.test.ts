/** Messages of campaigns: their own time, what the campaign decides when they are claimed, and their ends. */
import { beforeEach, describe, expect, test } from 'vitest'
import { createCampaignTrial } from '../../../../test/campaign-trial.ts'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { eventually } from '../../../../test/harness.ts'
import { readMessage, send, waitForStatus } from '../../../../test/messaging.ts'
import { getNow } from '../../../kit/clock/clock.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Message } from '../message-schemas.ts'
import { insertMessage } from '../messages/insert-message.ts'
import { notifyDue } from '../messages/promote-next.ts'

const trial = createCampaignTrial()
const chat = prepareChat({ capabilities: { messagesPerSecond: 1000 }, features: [trial.feature] })
const campaignId = '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f'
let { app, tenant, outgoing, conversationId, leadId } = chat
beforeEach(() => {
  ;({ app, tenant, outgoing, conversationId, leadId } = chat)
  Object.assign(trial, { decide: () => ({ kind: 'send' }), decided: [], ends: [] })
})

const texts = () => outgoing.sent.map(({ content }) => content.kind === 'text' && content.text)
const queue = (delayMs = 0, text = 'campaign') =>
  tenant.inTenant(async tx => {
    const sendAt = new Date(getNow(tx).getTime() + delayMs)
    notifyDue(tx)
    const { id } = await insertMessage(tx, {
      conversationId,
      direction: 'out',
      kind: 'text',
      text,
      status: 'queued',
      campaignId,
      campaignStep: 1,
      sendAt,
      dueAt: sendAt,
    })
    return id
  })
const listEvents = async () => {
  const { rows } = await sql<{ type: string; data: Record<string, unknown> }>`
    select type, data from events where tenant_id = ${tenant.tenantId} and type like 'message.%' order by position`.execute(
    app.database.owner,
  )
  return rows
}

test('a message of a campaign is decided twice, sent once, and its end is reported', async () => {
  const id = await queue()
  const sent = await waitForStatus(tenant, id, 'sent')
  expect(sent).toMatchObject({ campaignId, campaignStep: 1 })
  expect(texts()).toEqual(['campaign'])
  expect(trial.decided.map(({ messageId }) => messageId)).toEqual([id, id])
  expect(trial.decided[1]).toEqual({ ...trial.decided[0]!, lastInboundAt: null, leadId, conversationId })
  expect(trial.ends).toEqual([
    {
      messageId: id,
      campaignId,
      status: 'sent',
      previous: 'queued',
      at: new Date(sent.sentAt!),
      failure: null,
    },
  ])
  expect(await listEvents()).toMatchObject([{ type: 'message.sent', data: { campaignId, campaignStep: 1 } }])
})

describe('a message that its campaign withdraws', () => {
  const failure = { code: 'REPLIED', message: 'The person has written.' }
  test.each([1, 2])('at decision %i is not sent, and nobody has to decide about it', async decision => {
    trial.decide = () => (trial.decided.length >= decision ? { kind: 'withdraw', failure } : { kind: 'send' })
    const id = await queue()
    const withdrawn = await waitForStatus(tenant, id, 'failed')
    expect(withdrawn.failure).toEqual({ ...failure, providerCode: null, retryable: false, isWithdrawn: true })
    expect(outgoing.sent).toEqual([])
    expect(trial.decided).toHaveLength(decision)
    expect(trial.ends).toMatchObject([{ messageId: id, status: 'failed', previous: 'queued', failure }])
    expect(await listEvents()).toEqual([])
    const conversation = await tenant.call('GET', `/conversations/${conversationId}`)
    expect(conversation.body).toMatchObject({ lastMessage: { id, status: 'failed', isWithdrawn: true } })
    expect((await tenant.call('GET', `/messages?campaignId=${campaignId}`)).body.data).toEqual([])
  })
})

describe('a message of a campaign that is not due yet', () => {
  test.each([1, 2])('because of decision %i says why it waits, and delays nothing else', async decision => {
    const until = new Date(Date.now() + 3_600_000)
    const waitReason = { code: 'WINDOW_CLOSED', message: 'It waits for the window.' }
    trial.decide = () =>
      trial.decided.length >= decision ? { kind: 'defer', until, waitReason } : { kind: 'send' }
    const id = await queue()
    const waiting = await eventually(
      () => readMessage(tenant, id),
      message => message.waiting?.code === 'WINDOW_CLOSED',
    )
    expect(waiting.waiting).toEqual({ ...waitReason, until: until.toISOString() })
    const answer = await send(tenant, conversationId, { text: 'by hand' })
    await waitForStatus(tenant, answer.id, 'sent')
    const { rows } = await sql`
      select status, claimed_at, reserved_day, attempts, next_attempt_at, send_at from messages where id = ${id}`.execute(
      app.database.owner,
    )
    expect(rows).toEqual([
      {
        status: 'queued',
        claimed_at: null,
        reserved_day: null,
        attempts: 0,
        next_attempt_at: until,
        send_at: until,
      },
    ])
    expect(texts()).toEqual(['by hand'])
  })

  test('is not sent because the person writes, but is decided then, if the account may only answer', async () => {
    await tenant.inTenant(tx =>
      sql`update accounts set status = 'RESTRICTED', can_answer = true where tenant_id = ${tenant.tenantId}`.execute(
        tx,
      ),
    )
    const id = await queue()
    const later = await queue(3_600_000)
    const isWaiting = (code: string) => (message: Message) => message.waiting?.code === code
    const { waiting } = await eventually(() => readMessage(tenant, id), isWaiting('ACCOUNT_RESTRICTED'))
    expect(Date.parse(waiting!.until!)).toBeGreaterThan(Date.now())
    const failure = { code: 'REPLIED', message: 'The person has written.' }
    trial.decide = ({ lastInboundAt }) => (lastInboundAt ? { kind: 'withdraw', failure } : { kind: 'send' })
    await tenant.inTenant(tx =>
      insertMessage(tx, { conversationId, direction: 'in', kind: 'text', text: 'Hola', status: 'received' }),
    )
    expect((await waitForStatus(tenant, id, 'failed')).failure).toMatchObject(failure)
    expect((await readMessage(tenant, later)).waiting?.code).toBe('SCHEDULED')
    expect(outgoing.sent).toEqual([])
  })

  test('because of the budget is taken back by its campaign, and the same step is sent once if the limit is raised', async () => {
    const setLimit = (dailyLimit: number) =>
      tenant.call('PATCH', `/accounts/${chat.accountId}`, { body: { dailyLimit } })
    await setLimit(0)
    const id = await queue()
    const { failure } = await waitForStatus(tenant, id, 'failed')
    expect(failure).toMatchObject({ code: 'BUDGET_EXHAUSTED', isWithdrawn: true })
    await setLimit(1)
    const again = await queue()
    await waitForStatus(tenant, again, 'sent')
    expect(outgoing.sent).toHaveLength(1)
    expect(trial.ends).toMatchObject([
      { messageId: id, status: 'failed', failure: { code: 'BUDGET_EXHAUSTED' } },
      { messageId: again, status: 'sent' },
    ])
  })

  test('because it is planned for later', async () => {
    const id = await queue(3_600_000)
    const { waiting } = await readMessage(tenant, id)
    expect(waiting?.code).toBe('SCHEDULED')
    const answer = await send(tenant, conversationId, { text: 'by hand' })
    await waitForStatus(tenant, answer.id, 'sent')
    expect((await readMessage(tenant, id)).waiting).toEqual(waiting)
    expect(trial.decided).toEqual([])
  })
})

test('what becomes of a message after its end is reported too', async () => {
  outgoing.answer = () => ({ status: 'unknown', reason: 'The connection broke.' })
  const id = await queue()
  await waitForStatus(tenant, id, 'unknown')
  outgoing.answer = () => ({
    status: 'failed',
    failure: makeFailure('RECIPIENT_UNREACHABLE', { scope: 'recipient' }),
  })
  const other = await queue()
  await waitForStatus(tenant, other, 'failed')
  expect(trial.ends).toMatchObject([
    { messageId: id, status: 'unknown', previous: 'queued', failure: { code: 'RESULT_UNKNOWN' } },
    { messageId: other, status: 'failed', previous: 'queued', failure: { isWithdrawn: false } },
  ])
})
