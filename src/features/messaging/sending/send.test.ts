/** What becomes of a message between its claim and its result. The test claims, sends and records by itself. */
import type { RawBuilder } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { testEncryptionKey } from '../../../../test/harness.ts'
import { createMessageOutbox } from '../../../../test/message-outbox.ts'
import { makeContact, openConversation, readMessage, send, succeed } from '../../../../test/messaging.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Message } from '../message-schemas.ts'

const chat = prepareChat({ role: 'api', capabilities: { messagesPerSecond: 1000, idempotent: false } })
const { fake } = chat
const outbox = createMessageOutbox([fake], { encryptionKey: testEncryptionKey })
let stopping: AbortController
let { app, tenant, outgoing, accountId, conversationId } = chat
beforeEach(() => {
  ;({ app, tenant, outgoing, accountId, conversationId } = chat)
  stopping = new AbortController()
})

const claim = () => tenant.inTenant(tx => outbox.claim(tx, accountId, { excludedIds: [], limit: 16 }))
type Claim = Awaited<ReturnType<typeof claim>>

/** Sends what was claimed, and records the results. Returns them with what the record says. */
async function sendClaimed({ items, target }: Claim) {
  const context = {
    database: app.database,
    stopping: stopping.signal,
    forceStop: new AbortController().signal,
  }
  const sent = await Promise.all(
    items.map(async item => ({ item, target: target!, attempt: await outbox.send(target!, item, context) })),
  )
  const recorded = await tenant.inTenant(tx => outbox.record(tx, accountId, sent))
  return { ...recorded, outcomes: sent.map(({ attempt }) => attempt.outcome) }
}

async function readSending(id: string) {
  const { rows } = await sql<{ isClaimed: boolean; isDue: boolean; dueInMs: number; attempts: number }>`
    select claimed_at is not null as "isClaimed", next_attempt_at <= now() as "isDue",
      extract(epoch from next_attempt_at - now())::float8 * 1000 as "dueInMs", attempts
    from messages where id = ${id}`.execute(app.database.owner)
  return rows[0]!
}
const run = (statement: RawBuilder<unknown>) => tenant.inTenant(tx => statement.execute(tx))

describe('what was claimed and not yet handed over', () => {
  test('is not sent by a process that stops, and is due again', async () => {
    const { id } = await send(tenant, conversationId, { text: '1' })
    const claimed = await claim()
    expect(claimed.items.map(item => item.id)).toEqual([id])
    stopping.abort()
    expect((await sendClaimed(claimed)).outcomes).toEqual([{ kind: 'not_sent', retryAfterMs: 0 }])
    expect(outgoing.sent).toEqual([])
    expect(await readSending(id)).toMatchObject({ isClaimed: false, isDue: true, attempts: 0 })
  })

  test.each([
    ['paused', () => tenant.call('PATCH', `/accounts/${accountId}`, { body: { isPaused: true } })],
    ['disconnected', () => tenant.call('DELETE', `/accounts/${accountId}`)],
    [
      'paused by its provider',
      () =>
        run(
          sql`update accounts set paused_until = now() + interval '1 hour' where tenant_id = ${tenant.tenantId} and id = ${accountId}`,
        ),
    ],
  ])('is not sent once its account was %s', async (_what, change) => {
    const { id } = await send(tenant, conversationId, { text: '1' })
    const claimed = await claim()
    await change()
    await sendClaimed(claimed)
    expect(outgoing.sent).toEqual([])
    expect(await readSending(id)).toMatchObject({ isClaimed: false, isDue: true })
  })

  test('is sent although it has waited longer than its claim, which is renewed', async () => {
    const { id } = await send(tenant, conversationId, { text: '1' })
    const claimed = await claim()
    claimed.items[0]!.claimEndsMs = performance.now() - 1
    await run(
      sql`update messages set next_attempt_at = now() - interval '1 minute' where tenant_id = ${tenant.tenantId} and id = ${id}`,
    )
    let leaseMs = 0
    outgoing.answer = async ({ id }) => {
      leaseMs = (await readSending(id)).dueInMs
      return { status: 'sent', providerMessageId: `p-${id}` }
    }
    await sendClaimed(claimed)
    expect((await readMessage(tenant, id)).status).toBe('sent')
    expect(leaseMs).toBeGreaterThan(60_000)
  })

  test('is not sent by a process that has lost it to another one', async () => {
    const { id } = await send(tenant, conversationId, { text: '1' })
    const claimed = await claim()
    claimed.items[0]!.claimEndsMs = 0
    await run(
      sql`update messages set claim_token = gen_random_uuid() where tenant_id = ${tenant.tenantId} and id = ${id}`,
    )
    await sendClaimed(claimed)
    expect(outgoing.sent).toEqual([])
    expect(await readSending(id)).toMatchObject({ isClaimed: true })
  })
})

describe('the clock of the environment waits for a claimed message', () => {
  const findDueAt = () =>
    app.database.readSnapshot(tenant, tx => outbox.schedule!.findNextDueAt(tx, new Date()))

  test('and for the next one of its conversation', async () => {
    for (const text of ['1', '2']) await send(tenant, conversationId, { text })
    for (const _message of ['1', '2']) {
      const claimed = await claim()
      expect((await findDueAt())!.getTime()).toBeLessThanOrEqual(Date.now())
      await sendClaimed(claimed)
    }
    expect(await findDueAt()).toBeNull()
  })

  test('until its claim ends, although its account does not send any more', async () => {
    await send(tenant, conversationId, { text: '1' })
    await claim()
    await tenant.call('PATCH', `/accounts/${accountId}`, { body: { isPaused: true } })
    expect((await findDueAt())!.getTime()).toBeLessThanOrEqual(Date.now())
    await run(
      sql`update messages set next_attempt_at = now() - interval '1 second' where tenant_id = ${tenant.tenantId} and claim_token is not null`,
    )
    expect(await findDueAt()).toBeNull()
  })
})

test('a message whose provider is to be asked is not sent again because the process stops before', async () => {
  fake.reconcile = async () => null
  const { id } = await send(tenant, conversationId, { text: '1' })
  await claim()
  await run(
    sql`update messages set next_attempt_at = now() - interval '1 minute' where tenant_id = ${tenant.tenantId} and id = ${id}`,
  )
  const claimed = await claim()
  expect(claimed.items).toMatchObject([{ id, task: 'reconcile' }])
  stopping.abort()
  await sendClaimed(claimed)
  expect(await readSending(id)).toMatchObject({ isClaimed: true, isDue: true })
})

describe('a result that is unknown', () => {
  beforeEach(() => {
    outgoing.answer = () => ({ status: 'unknown', reason: 'the connection broke' })
  })

  test('is stored with its reason, and pauses the account each time for longer, until a message is sent', async () => {
    const pauses: number[] = []
    for (const text of ['1', '2', '3']) {
      const { id } = await send(tenant, conversationId, { text })
      expect(await sendClaimed(await claim())).toMatchObject({ continues: false })
      expect(await readMessage(tenant, id)).toMatchObject({
        status: 'unknown',
        failure: {
          code: 'RESULT_UNKNOWN',
          message: expect.stringContaining('the connection broke'),
          retryable: false,
        },
      })
      expect((await listFailed('status=unknown')).map(message => message.id)).toContain(id)
      pauses.push(await readPauseMs())
      await endPause()
    }
    expect(pauses.map(ms => Math.round(ms / 1000))).toEqual([1, 2, 4])
    outgoing.answer = succeed
    await send(tenant, conversationId, { text: '4' })
    expect(await sendClaimed(await claim())).toMatchObject({ continues: true })
    outgoing.answer = () => ({ status: 'unknown', reason: 'the connection broke' })
    await send(tenant, conversationId, { text: '5' })
    await sendClaimed(await claim())
    expect(Math.round((await readPauseMs()) / 1000)).toBe(1)
  })

  test('is decided by the provider a minute later, if it can tell', async () => {
    fake.reconcile = async (_connection, { id }) => ({ status: 'sent', providerMessageId: `p-${id}` })
    const { id } = await send(tenant, conversationId, { text: '1' })
    await sendClaimed(await claim())
    await endPause()
    expect(await readSending(id)).toMatchObject({ isClaimed: true, isDue: false })
    await run(sql`
      update messages set next_attempt_at = now() - interval '1 second' where tenant_id = ${tenant.tenantId} and id = ${id}`)
    const claimed = await claim()
    expect(claimed.items).toMatchObject([{ id, task: 'reconcile' }])
    await sendClaimed(claimed)
    expect((await readMessage(tenant, id)).status).toBe('sent')
    expect(outgoing.sent.length).toBe(1)
  })
})

test('failed and unknown messages are listed, the newest first, until they are sent again', async () => {
  const ids: string[] = []
  for (const status of ['unknown', 'failed', 'sent'] as const) {
    const { id } = await send(tenant, conversationId, { text: status })
    ids.unshift(id)
    outgoing.answer = message => {
      if (status === 'sent') return succeed(message)
      if (status === 'unknown') return { status, reason: 'cut' }
      return { status, failure: makeFailure('MESSAGE_REJECTED', { scope: 'message' }) }
    }
    await sendClaimed(await claim())
    await endPause()
  }
  const [, failed, unknown] = ids
  expect((await listFailed('')).map(({ id }) => id)).toEqual([failed, unknown])
  const { leadId } = await readMessage(tenant, failed!)
  const filter = `accountId=${accountId}&leadId=${leadId}&status=failed,unknown`
  expect((await listFailed(filter)).map(({ status }) => status)).toEqual(['failed', 'unknown'])
  expect(await listFailed(`campaignId=${accountId}`)).toEqual([])
  const first = await tenant.call<{ nextCursor: string }>('GET', '/messages?limit=1')
  expect((await listFailed(`limit=1&cursor=${first.body.nextCursor}`)).map(({ id }) => id)).toEqual([unknown])
  expect((await tenant.call('GET', '/messages?status=sent')).status).toBe(400)
  await tenant.call('POST', `/messages/${unknown}/retry`)
  expect((await listFailed('')).map(({ id }) => id)).toEqual([failed])
})

test('a provider that can’t be reached pauses the account; the message has its own wait', async () => {
  const failure = makeFailure('PROVIDER_UNAVAILABLE', { retryable: true })
  outgoing.answer = () => ({ status: 'failed', failure })
  const { id } = await send(tenant, conversationId, { text: '1' })
  expect(await sendClaimed(await claim())).toMatchObject({ continues: false })
  expect(await readSending(id)).toMatchObject({ isClaimed: false, isDue: false, attempts: 1 })
  expect(await readPauseMs()).toBeGreaterThan(0)
  await tenant.call('POST', `/accounts/${accountId}/test`)
  expect((await tenant.call('GET', `/accounts/${accountId}`)).body).toMatchObject({ pausedUntil: null })
})

test('a message that the provider can’t take pauses its account for a moment only, and others overtake it', async () => {
  const failure = makeFailure('PROVIDER_UNAVAILABLE', { retryable: true })
  outgoing.answer = () => ({ status: 'failed', failure })
  const { id } = await send(tenant, conversationId, { text: 'poison' })
  const attempt = async (attempts: number) => {
    await endPause()
    await run(
      sql`update messages set next_attempt_at = now() - interval '1 second', attempts = ${attempts} where tenant_id = ${tenant.tenantId} and id = ${id}`,
    )
    await sendClaimed(await claim())
  }
  for (const attempts of [0, 1, 2]) await attempt(attempts)
  expect(await readPauseMs()).toBeLessThanOrEqual(1000)
  expect((await readSending(id)).attempts).toBe(3)
  const other = (await openConversation(tenant, accountId, await makeContact(tenant, '+34612345679'))).id
  const answer = await send(tenant, other, { text: 'answer' })
  await endPause()
  expect((await claim()).items.map(({ id }) => id)).toEqual([answer.id])
  await attempt(9)
  expect(await readMessage(tenant, id)).toMatchObject({
    status: 'failed',
    failure: { code: 'PROVIDER_UNAVAILABLE' },
  })
})

test('a refusal of credentials that were replaced meanwhile does not log the account out', async () => {
  outgoing.answer = () => ({ status: 'failed', failure: makeFailure('INVALID_CREDENTIALS') })
  const { id } = await send(tenant, conversationId, { text: '1' })
  const claimed = await claim()
  const { number } = claimed.target!.opened.connection.credentials
  const body = { credentials: { number, secret: 'another secret' } }
  expect((await tenant.call('PATCH', `/accounts/${accountId}`, { body })).status).toBe(200)
  await sendClaimed(claimed)
  expect((await tenant.call('GET', `/accounts/${accountId}`)).body).toMatchObject({ status: 'CONNECTED' })
  expect(await readSending(id)).toMatchObject({ isClaimed: false, isDue: true })
  await sendClaimed(await claim())
  expect((await tenant.call('GET', `/accounts/${accountId}`)).body).toMatchObject({ status: 'LOGGED_OUT' })
})

const listFailed = async (query: string) =>
  (await tenant.call<{ data: Message[] }>('GET', `/messages?${query}`)).body.data
async function readPauseMs(): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from paused_until - updated_at)::float8 * 1000 as ms from accounts where id = ${accountId}`.execute(
    app.database.owner,
  )
  return rows[0]!.ms
}
const endPause = () =>
  run(
    sql`update accounts set paused_until = now() - interval '1 second' where tenant_id = ${tenant.tenantId} and id = ${accountId}`,
  )
