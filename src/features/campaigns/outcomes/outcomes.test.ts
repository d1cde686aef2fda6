/** What people do after messages of a campaign: its numbers, and its health. */
import { expect, test } from 'vitest'
import { makeCampaign } from '../../../../test/campaigns.ts'
import { changeMeanwhile } from '../../../../test/change-meanwhile.ts'
import { prepareChat } from '../../../../test/chat-app.ts'
import { eventually } from '../../../../test/harness.ts'
import { makeContact, openConversation, send, waitForStatus } from '../../../../test/messaging.ts'
import { createId, getNow } from '../../../kit/clock/clock.ts'
import { getTenantId } from '../../../kit/db/context.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import { emit } from '../../../kit/events/emit.ts'
import { leadOptedOut, leadReplied } from '../../leads/events.ts'
import { insertMessage } from '../../messaging/messages/insert-message.ts'
import { appointmentBooked } from '../../scheduling/events.ts'
import type { Campaign } from '../campaigns/schemas.ts'
import { checkHealth } from '../health/check-health.ts'
import type { CampaignNumbers } from '../numbers/schemas.ts'

const chat = prepareChat()

const health = { maxFailureRate: 0.5, maxOptOutRate: 0.4, maxBlockRate: 0.4, minSends: 4 }
const make = (settings: object = { health }) =>
  chat.tenant.inTenant(tx => makeCampaign(tx, { status: 'running', settings }))

/** One that may be resumed, because it lacks nothing. Somebody who waits keeps it open. */
async function makeReady(): Promise<string> {
  const template = await chat.tenant.call<{ id: string }>('POST', '/templates', {
    body: { name: `t${phone}`, category: 'marketing', language: 'es', body: 'Hola' },
  })
  const id = await chat.tenant.inTenant(tx =>
    makeCampaign(tx, {
      status: 'running',
      accountId: chat.accountId,
      settings: { health, steps: [{ templateId: template.body.id }] },
    }),
  )
  const leadId = await makeContact(chat.tenant, `+34${phone++}`)
  await chat.tenant.inTenant(async tx => {
    const recipientId = await storeSend(tx, id, { leadId, messageId: null })
    await sql`
      update campaign_recipients set status = 'waiting', due_at = now() + interval '1 day'
      where tenant_id = ${getTenantId(tx)} and id = ${recipientId}`.execute(tx)
  })
  return id
}

interface StoredSend {
  leadId: string
  messageId: string | null
  step?: number
  variant?: string
  recipientId?: string
}

/** A recipient who got a step, as the engine stores it. Returns its id. */
async function storeSend(
  tx: Tx,
  campaignId: string,
  { leadId, messageId, step = 0, variant, recipientId }: StoredSend,
): Promise<string> {
  const tenantId = getTenantId(tx)
  const id = recipientId ?? createId(tx)
  const now = getNow(tx)
  await sql`
    insert into campaign_recipients (tenant_id, id, campaign_id, lead_id, status, joined_at, updated_at)
    values (${tenantId}, ${id}, ${campaignId}, ${leadId}, 'completed', ${now}, ${now}) on conflict do nothing`.execute(
    tx,
  )
  await sql`
    insert into campaign_sends (tenant_id, recipient_id, round, step, campaign_id, variant, message_id, created_at)
    values (${tenantId}, ${id}, 1, ${step}, ${campaignId}, ${variant ?? null}, ${messageId}, ${now})`.execute(
    tx,
  )
  return id
}

let phone = 612_000_000
async function makeSent(): Promise<{ leadId: string; messageId: string; conversationId: string }> {
  const leadId = await makeContact(chat.tenant, `+34${phone++}`)
  const { id: conversationId } = await openConversation(chat.tenant, chat.accountId, leadId)
  const { id: messageId } = await send(chat.tenant, conversationId, { text: 'Hello' })
  await waitForStatus(chat.tenant, messageId, 'sent')
  return { leadId, messageId, conversationId }
}

const reply = ({ leadId, messageId, conversationId }: Awaited<ReturnType<typeof makeSent>>) =>
  chat.tenant.inTenant(tx =>
    emit(tx, leadReplied, { leadId, conversationId, messageId, accountId: chat.accountId, channel: 'chat' }),
  )
const optOut = (leadId: string) =>
  chat.tenant.inTenant(tx => emit(tx, leadOptedOut, { leadId, channel: null, keyId: null, userId: null }))
const readNumbers = async (id: string) =>
  (await chat.tenant.call<CampaignNumbers>('GET', `/campaigns/${id}/numbers`)).body
const readCampaign = async (id: string) => (await chat.tenant.call<Campaign>('GET', `/campaigns/${id}`)).body

test('people count once in the funnel; what they do counts for the step that they got last', async () => {
  const campaignId = await make()
  const [one, other] = [await makeSent(), await makeSent()]
  const { id: secondId } = await send(chat.tenant, one.conversationId, { text: 'Hello again' })
  await waitForStatus(chat.tenant, secondId, 'sent')
  await chat.tenant.inTenant(async tx => {
    const recipientId = await storeSend(tx, campaignId, { leadId: one.leadId, messageId: one.messageId })
    await storeSend(tx, campaignId, { leadId: one.leadId, messageId: secondId, step: 1, recipientId })
    await storeSend(tx, campaignId, { leadId: one.leadId, messageId: null, step: 2, recipientId })
    await storeSend(tx, campaignId, { ...other })
  })
  await reply(one)
  await reply(one)
  await chat.tenant.inTenant(tx =>
    emit(tx, appointmentBooked, {
      appointmentId: createId(tx),
      eventTypeId: createId(tx),
      agendaId: createId(tx),
      agentUserId: createId(tx),
      leadId: one.leadId,
      status: 'confirmed',
      start: '2026-12-01T10:00:00.000Z',
      end: '2026-12-01T10:30:00.000Z',
    }),
  )
  await optOut(other.leadId)
  const numbers = await eventually(
    () => readNumbers(campaignId),
    ({ funnel }) => funnel.replied === 1 && funnel.booked === 1 && funnel.optedOut === 1,
  )
  expect(numbers.funnel).toMatchObject({ recipients: 2, contactable: 2, sent: 2, failed: 0, found: null })
  expect(numbers.steps.map(({ step, sent, skipped, replied }) => [step, sent, skipped, replied])).toEqual([
    [0, 2, 0, 0],
    [1, 1, 0, 1],
    [2, 0, 1, 0],
  ])
  expect(numbers.cost).toEqual({ messages: 3, amount: null, currency: 'EUR' })
})

test('a refusal is no reply, and who has replied before it stays counted', async () => {
  const campaignId = await make()
  const [one, other] = [await makeSent(), await makeSent()]
  await chat.tenant.inTenant(async tx => {
    for (const each of [one, other]) await storeSend(tx, campaignId, { ...each })
  })
  const write = async (sent: typeof one, intent: object) => {
    const { id: messageId } = await chat.tenant.inTenant(tx =>
      insertMessage(tx, {
        conversationId: sent.conversationId,
        direction: 'in',
        kind: 'text',
        text: 'Baja',
        status: 'received',
        content: intent,
      }),
    )
    await reply({ ...sent, messageId })
  }
  await write(one, {})
  for (const each of [one, other]) {
    await write(each, { intent: 'opt_out' })
    await optOut(each.leadId)
  }
  const { funnel } = await eventually(
    () => readNumbers(campaignId),
    ({ funnel }) => funnel.optedOut === 2,
  )
  expect(funnel.replied).toBe(1)
})

test('templates are compared with the interval of their difference', async () => {
  const campaignId = await make()
  const sent = [await makeSent(), await makeSent(), await makeSent(), await makeSent()]
  await chat.tenant.inTenant(async tx => {
    for (const [index, each] of sent.entries())
      await storeSend(tx, campaignId, { ...each, variant: index < 2 ? 'A' : 'B' })
  })
  await reply(sent[2]!)
  const { steps } = await eventually(
    () => readNumbers(campaignId),
    ({ funnel }) => funnel.replied === 1,
  )
  const [a, b] = steps[0]!.variants
  expect([a?.variant, a?.sent, a?.replied, a?.comparison]).toEqual(['A', 2, 0, null])
  expect(b).toMatchObject({ variant: 'B', sent: 2, replied: 1, replyRate: { rate: 0.5 } })
  expect(b?.comparison).toMatchObject({ difference: 0.5, isSignificant: false })
})

test('a reply that comes while the numbers are read counts everywhere or nowhere', async () => {
  const campaignId = await make()
  const sent = await makeSent()
  await chat.tenant.inTenant(tx => storeSend(tx, campaignId, sent))
  const { funnel, steps } = await changeMeanwhile(chat.app.database, {
    // Only the funnel reads it, which is counted last.
    table: 'campaign_runs',
    read: () => readNumbers(campaignId),
    change: () =>
      chat.tenant.inTenant(tx =>
        sql`
          update campaign_sends set replied_at = ${getNow(tx)}
          where tenant_id = ${getTenantId(tx)} and campaign_id = ${campaignId}`.execute(tx),
      ),
  })
  expect(steps.map(({ replied }) => replied)).toEqual([funnel.replied])
  expect((await readNumbers(campaignId)).funnel.replied).toBe(1)
})

const setStatus = async (id: string, status: string) => {
  const reply = await chat.tenant.call('PATCH', `/campaigns/${id}/status`, { body: { status } })
  expect(reply.status, reply.text).toBe(200)
}

test('too many opt-outs pause the campaign; resumed, it is judged by what happens later', async () => {
  const campaignId = await makeReady()
  const sent = [await makeSent(), await makeSent(), await makeSent(), await makeSent()]
  await chat.tenant.inTenant(async tx => {
    for (const each of sent) await storeSend(tx, campaignId, each)
  })
  await optOut(sent[0]!.leadId)
  const warned = await eventually(
    () => readCampaign(campaignId),
    ({ health }) => health !== null,
  )
  expect([warned.status, warned.health?.level]).toEqual(['running', 'warning'])
  await optOut(sent[1]!.leadId)
  const paused = await eventually(
    () => readCampaign(campaignId),
    ({ status }) => status === 'paused',
  )
  expect(paused.pauseReason).toEqual({ code: 'HIGH_OPT_OUT_RATE', message: paused.health?.message })
  expect(paused.health?.message).toBe(
    '50 % of its last messages made people opt out; it pauses at 40 %. Change its texts or whom it writes to, then resume the campaign.',
  )
  await setStatus(campaignId, 'running')
  expect((await readCampaign(campaignId)).health).toBeNull()
  // Late, to messages that were sent before the pause.
  await optOut(sent[2]!.leadId)
  const again = await eventually(
    () => readCampaign(campaignId),
    ({ health }) => health !== null,
  )
  expect([again.status, again.health?.message]).toEqual([
    'running',
    '25 % of its last messages made people opt out; it pauses at 40 %.',
  ])
  await optOut(sent[3]!.leadId)
  await eventually(
    () => readCampaign(campaignId),
    ({ status }) => status === 'paused',
  )
})

test('a pause of a user is no new beginning for the health', async () => {
  const campaignId = await makeReady()
  const sent = [await makeSent(), await makeSent(), await makeSent(), await makeSent()]
  const store = (sends: typeof sent) =>
    chat.tenant.inTenant(async tx => {
      for (const each of sends) await storeSend(tx, campaignId, each)
    })
  await store(sent.slice(0, 2))
  await setStatus(campaignId, 'paused')
  await setStatus(campaignId, 'running')
  await store(sent.slice(2))
  await optOut(sent[0]!.leadId)
  await optOut(sent[3]!.leadId)
  const { pauseReason } = await eventually(
    () => readCampaign(campaignId),
    ({ status }) => status === 'paused',
  )
  expect(pauseReason?.code).toBe('HIGH_OPT_OUT_RATE')
})

test('failed messages pause it, and those of people who block the account have a limit of their own', async () => {
  for (const [code, expected] of [
    ['INVALID_RECIPIENT', 'HIGH_FAILURE_RATE'],
    ['RECIPIENT_BLOCKED', 'HIGH_BLOCK_RATE'],
  ] as const) {
    const campaignId = await make()
    const sent = [await makeSent(), await makeSent(), await makeSent(), await makeSent()]
    await chat.tenant.inTenant(async tx => {
      for (const each of sent) await storeSend(tx, campaignId, each)
      await sql`
        update messages set status = 'failed', campaign_id = ${campaignId}, failure = ${JSON.stringify({ code, message: '', retryable: false, providerCode: null })}::jsonb
        where tenant_id = ${getTenantId(tx)} and id = any(${sent.slice(0, 2).map(({ messageId }) => messageId)}::uuid[])`.execute(
        tx,
      )
    })
    await chat.tenant.inTenant(tx => checkHealth(tx, campaignId))
    expect((await readCampaign(campaignId)).pauseReason?.code).toBe(expected)
  }
})
