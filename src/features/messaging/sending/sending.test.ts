/** Sending: order, retries, refusals at the last moment, and what is given back. */
import { beforeEach, describe, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { eventually } from '../../../../test/harness.ts'
import {
  makeContact,
  openConversation,
  readMessage,
  send,
  succeed,
  waitForStatus,
} from '../../../../test/messaging.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Account } from '../../accounts/schemas.ts'

const chat = prepareChat({ capabilities: { messagesPerSecond: 1000 } })
const { fake } = chat
let { app, tenant, outgoing, accountId, conversationId, leadId } = chat
beforeEach(() => {
  ;({ app, tenant, outgoing, accountId, conversationId, leadId } = chat)
})

const texts = () =>
  outgoing.sent.map(({ content }) => (content.kind === 'text' ? content.text : content.kind))
const listEvents = async (type = 'message.%') => {
  const { rows } = await sql<{ type: string; messageId: string }>`
    select type, data ->> 'messageId' as "messageId" from events
    where tenant_id = ${tenant.tenantId} and type like ${type} order by position`.execute(app.database.owner)
  return rows
}

describe('a message', () => {
  test('is queued with 202, sent to the phone of the lead, and reported by an event', async () => {
    const queued = await send(tenant, conversationId, { text: 'Buenos días' })
    expect(queued).toMatchObject({ status: 'queued', direction: 'out', kind: 'text', sequence: 1, leadId })
    const sent = await waitForStatus(tenant, queued.id, 'sent')
    expect(sent.sentAt).not.toBeNull()
    expect(outgoing.sent).toEqual([
      {
        id: queued.id,
        to: [{ kind: 'phone', value: '+34612345678' }],
        content: { kind: 'text', text: 'Buenos días' },
        replyTo: null,
        thread: { subject: null, references: [] },
        unsubscribeUrl: null,
      },
    ])
    expect(await listEvents()).toEqual([{ type: 'message.sent', messageId: queued.id }])
    const lead = await tenant.call<{ lastContactedAt: string }>('GET', `/leads/${leadId}`)
    expect(lead.body.lastContactedAt).toBe(sent.sentAt)
    const timeline = await tenant.call<{ data: { type: string }[] }>('GET', `/leads/${leadId}/timeline`)
    expect(timeline.body.data.map(({ type }) => type)).toContain('message.sent')
  })

  test('that the person has at once is delivered', async () => {
    outgoing.answer = ({ id }) => ({ status: 'sent', providerMessageId: id, isDelivered: true })
    const { id } = await send(tenant, conversationId, { text: 'a' })
    const message = await waitForStatus(tenant, id, 'delivered')
    expect([message.sentAt, message.deliveredAt]).not.toContain(null)
    expect((await listEvents()).map(({ type }) => type)).toEqual(['message.sent', 'message.delivered'])
  })

  test('never overtakes an earlier one of its conversation that is tried again', async () => {
    let failures = 2
    outgoing.answer = message =>
      failures-- > 0
        ? {
            status: 'failed',
            failure: makeFailure('PROVIDER_UNAVAILABLE', { retryable: true, scope: 'message' }),
          }
        : succeed(message)
    const ids: string[] = []
    for (const text of ['1', '2', '3']) ids.push((await send(tenant, conversationId, { text })).id)
    await eventually(
      async () => {
        await makeDue()
        return readMessage(tenant, ids[2]!)
      },
      ({ status }) => status === 'sent',
    )
    expect(texts()).toEqual(['1', '1', '1', '2', '3'])
    expect(new Set(outgoing.sent.slice(0, 3).map(({ id }) => id)).size).toBe(1)
  })

  test('of one conversation does not wait for those of another', async () => {
    const other = (await openConversation(tenant, accountId, await makeContact(tenant, '+34612345679'))).id
    outgoing.answer = message =>
      message.to[0]!.value.endsWith('8')
        ? {
            status: 'failed',
            failure: makeFailure('PROVIDER_UNAVAILABLE', { retryable: true, scope: 'recipient' }),
          }
        : succeed(message)
    const slow = await send(tenant, conversationId, { text: 'slow' })
    const quick = await send(tenant, other, { text: 'quick' })
    await waitForStatus(tenant, quick.id, 'sent')
    expect((await readMessage(tenant, slow.id)).status).toBe('queued')
  })

  test('that the provider refuses fails with its reason, gives the quota back, and lets the next one go', async () => {
    await tenant.limitQuota('maxMessagesPerMonth', 10)
    outgoing.answer = message =>
      outgoing.sent.length === 1
        ? {
            status: 'failed',
            failure: makeFailure('RECIPIENT_UNREACHABLE', { scope: 'recipient', message: 'Not here.' }),
          }
        : succeed(message)
    const first = await send(tenant, conversationId, { text: '1' })
    const second = await send(tenant, conversationId, { text: '2' })
    await waitForStatus(tenant, second.id, 'sent')
    expect(await readMessage(tenant, first.id)).toMatchObject({
      status: 'failed',
      failure: { code: 'RECIPIENT_UNREACHABLE', providerCode: '190', message: 'Not here.', retryable: false },
    })
    expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(1)
    expect(await readUsedToday()).toBe(1)
    expect((await listEvents()).map(({ type }) => type)).toEqual(['message.failed', 'message.sent'])
  })

  test('whose result is lost is unknown, and sent again only by a person, once', async () => {
    outgoing.answer = () => ({ status: 'unknown', reason: 'the connection broke' })
    const { id } = await send(tenant, conversationId, { text: '1' })
    await waitForStatus(tenant, id, 'unknown')
    outgoing.answer = succeed
    await makeDue()
    const retry = await tenant.call<{ id: string; retryOfId: string; text: string }>(
      'POST',
      `/messages/${id}/retry`,
    )
    expect(retry).toMatchObject({ status: 202, body: { retryOfId: id, text: '1', status: 'queued' } })
    await waitForStatus(tenant, retry.body.id, 'sent')
    expect(outgoing.sent.length).toBe(2)
    const again = await tenant.call<{ code: string }>('POST', `/messages/${id}/retry`)
    expect([again.status, again.body.code]).toEqual([409, 'INVALID_TRANSITION'])
    const sent = await tenant.call<{ code: string }>('POST', `/messages/${retry.body.id}/retry`)
    expect([sent.status, sent.body.code]).toEqual([409, 'INVALID_TRANSITION'])
  })
})

describe('the account', () => {
  test('whose token is revoked while it sends is logged out; the message waits until a test of it succeeds', async () => {
    outgoing.answer = () => ({
      status: 'failed',
      failure: makeFailure('INVALID_CREDENTIALS'),
    })
    const { id } = await send(tenant, conversationId, { text: '1' })
    const account = await eventually(
      async () => (await tenant.call<Account>('GET', `/accounts/${accountId}`)).body,
      ({ status }) => status === 'LOGGED_OUT',
    )
    expect(account.health.reason).toMatch(/token has expired/)
    expect((await readMessage(tenant, id)).status).toBe('queued')
    const refused = await tenant.call<{ code: string }>('POST', `/conversations/${conversationId}/messages`, {
      body: { text: '2' },
    })
    expect([refused.status, refused.body.code]).toEqual([409, 'ACCOUNT_NOT_SENDING'])
    outgoing.answer = succeed
    const checked = await tenant.call<{ status: string }>('POST', `/accounts/${accountId}/test`)
    expect(checked.body.status, checked.text).toBe('CONNECTED')
    await waitForStatus(tenant, id, 'sent')
  })

  test('that the provider slows down waits as long as it requests', async () => {
    outgoing.answer = () => ({
      status: 'failed',
      failure: makeFailure('RATE_LIMITED', { retryable: true, retryAfterMs: 3_600_000 }),
    })
    const { id } = await send(tenant, conversationId, { text: '1' })
    const account = await eventually(
      async () => (await tenant.call<Account>('GET', `/accounts/${accountId}`)).body,
      ({ pausedUntil }) => pausedUntil !== null,
    )
    expect(Date.parse(account.pausedUntil!) - Date.now()).toBeGreaterThan(3_500_000)
    expect(await readMessage(tenant, id)).toMatchObject({ status: 'queued' })
    // Messages of other tests may be tried again meanwhile.
    expect(outgoing.sent.filter(message => message.id === id).length).toBe(1)
  })

  test('has a budget of messages that answer nobody: others wait for the next day, or for a higher limit', async () => {
    await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: 1 } })
    const other = (await openConversation(tenant, accountId, await makeContact(tenant, '+34612345679'))).id
    const first = await send(tenant, conversationId, { text: '1' })
    await waitForStatus(tenant, first.id, 'sent')
    const second = await send(tenant, other, { text: '2' })
    await eventually(
      () => readDueAt(second.id),
      at => at !== null && at.getTime() > Date.now() + 1000,
    )
    expect((await readMessage(tenant, second.id)).status).toBe('queued')
    expect(outgoing.sent.filter(({ id }) => id === second.id)).toEqual([])
    await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: 2 } })
    await waitForStatus(tenant, second.id, 'sent')
  })
})

describe('at the last moment', () => {
  test('a person who has opted out since gets nothing, and the quota is given back', async () => {
    await tenant.limitQuota('maxMessagesPerMonth', 10)
    await pauseSending()
    const { id } = await send(tenant, conversationId, { text: '1' })
    const reply = await optOut('+34612345678')
    expect(reply.status, reply.text).toBeLessThan(300)
    await resumeSending()
    const message = await waitForStatus(tenant, id, 'failed')
    expect(message.failure!.code).toBe('OPTED_OUT')
    expect(outgoing.sent.filter(message => message.id === id)).toEqual([])
    expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(0)
  })

  test('a reply window that has closed since fails the message', async () => {
    fake.capabilities = { ...fake.capabilities, replyWindowHours: 24 }
    await setLastInbound(new Date())
    await pauseSending()
    const { id } = await send(tenant, conversationId, { text: '1' })
    await setLastInbound(new Date(Date.now() - 25 * 3_600_000))
    await resumeSending()
    expect((await waitForStatus(tenant, id, 'failed')).failure).toMatchObject({ code: 'WINDOW_CLOSED' })
    expect(outgoing.sent.filter(message => message.id === id)).toEqual([])
  })
})

const owner = () => app.database.owner
async function asTenant(statement: ReturnType<typeof sql>): Promise<void> {
  await tenant.inTenant(async tx => {
    await statement.execute(tx)
  })
}
/** Makes messages due that wait for a retry, when the attempts before are recorded. */
async function makeDue(): Promise<void> {
  await eventually(
    () => countClaimed(),
    count => count === 0,
  )
  await asTenant(
    sql`update messages set next_attempt_at = now() - interval '1 second' where tenant_id = ${tenant.tenantId} and next_attempt_at is not null and claimed_at is null`,
  )
  app.database.notifications.send([`messages-due ${tenant.tenantId}`])
}
async function countClaimed(): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from messages where tenant_id = ${tenant.tenantId} and claimed_at is not null`.execute(
    owner(),
  )
  return rows[0]!.count
}
async function readDueAt(id: string): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date | null
  }>`select next_attempt_at as at from messages where id = ${id}`.execute(owner())
  return rows[0]!.at
}
async function readUsedToday(): Promise<number> {
  return (await tenant.call<Account>('GET', `/accounts/${accountId}`)).body.usedToday
}
const optOut = (phone: string) =>
  tenant.call('POST', '/suppressions', {
    body: { identifiers: [{ kind: 'phone', value: phone }], kind: 'opt_out', channel: null },
  })
async function setLastInbound(at: Date): Promise<void> {
  const { tenantId } = tenant
  await asTenant(
    sql`update conversations set last_inbound_at = ${at} where tenant_id = ${tenantId} and id = ${conversationId}`,
  )
  await asTenant(
    sql`update conversation_identities set last_inbound_at = ${at} where tenant_id = ${tenantId} and conversation_id = ${conversationId}`,
  )
}
/** The pause that a provider requests: messages are accepted, but not sent. */
const pauseSending = () =>
  asTenant(
    sql`update accounts set paused_until = now() + interval '1 hour' where tenant_id = ${tenant.tenantId}`,
  )
async function resumeSending(): Promise<void> {
  await asTenant(sql`update accounts set paused_until = null where tenant_id = ${tenant.tenantId}`)
  app.database.notifications.send([`messages-due ${tenant.tenantId}`])
}
