/** Why a queued message waits, and its withdrawal. The test claims and records by itself. */
import { beforeEach, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { testEncryptionKey } from '../../../../test/harness.ts'
import { createMessageOutbox } from '../../../../test/message-outbox.ts'
import { makeContact, openConversation, readMessage, send } from '../../../../test/messaging.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Message } from '../message-schemas.ts'
import type { Outcome } from '../sending/claimed-message.ts'

const chat = prepareChat({ role: 'api' })
const outbox = createMessageOutbox([chat.fake], { encryptionKey: testEncryptionKey })
let { tenant, accountId, conversationId } = chat
beforeEach(() => {
  ;({ tenant, accountId, conversationId } = chat)
})

const claim = () => tenant.inTenant(tx => outbox.claim(tx, accountId, { excludedIds: [], limit: 16 }))
const record = async (outcome: Outcome) => {
  const { items, target } = await claim()
  const attempt = { at: new Date(), error: null, retryAfterMs: 0, outcome }
  await tenant.inTenant(tx =>
    outbox.record(
      tx,
      accountId,
      items.map(item => ({ item, target: target!, attempt })),
    ),
  )
}
const change = (body: object) => tenant.call('PATCH', `/accounts/${accountId}`, { body })
const queue = (id = conversationId) => send(tenant, id, { text: 'Hola' })
const readWaiting = async ({ id }: Message) => (await readMessage(tenant, id)).waiting
const withdraw = ({ id }: Message) => tenant.call<Message & { code: string }>('DELETE', `/messages/${id}`)
const list = async (query: string) =>
  (await tenant.call<{ data: Message[] }>('GET', `/messages?${query}`)).body.data.map(({ id }) => id)

test('a message that is about to be sent, or was sent, waits for nothing', async () => {
  const message = await queue()
  expect(message).toMatchObject({ status: 'queued', waiting: null })
  await claim()
  expect(await readWaiting(message)).toBeNull()
})

test('a message without budget says so, and until when; the next one that an earlier one comes first', async () => {
  await change({ dailyLimit: 0 })
  const [first, second] = [await queue(), await queue()]
  await claim()
  const waiting = await readWaiting(first)
  expect(waiting).toMatchObject({ code: 'BUDGET_EXHAUSTED', message: expect.stringContaining('dailyBudget') })
  expect(Date.parse(waiting!.until!)).toBeGreaterThan(Date.now())
  expect(await readWaiting(second)).toMatchObject({ code: 'EARLIER_MESSAGE', until: null })
})

test('a paused account, and one that was logged out, are named with the reason', async () => {
  const message = await queue()
  await change({ isPaused: true })
  expect(await readWaiting(message)).toMatchObject({ code: 'ACCOUNT_PAUSED', until: null })
  await change({ isPaused: false })
  const failure = makeFailure('INVALID_CREDENTIALS')
  await record({ kind: 'result', result: { status: 'failed', failure } })
  const waiting = await readWaiting(message)
  expect(waiting).toMatchObject({ code: 'ACCOUNT_NOT_SENDING', until: null })
  expect(waiting!.message).toContain('LOGGED_OUT')
  expect(waiting!.message).toContain(failure.message)
})

test.each([
  ['PROVIDER_UNAVAILABLE', 'message', 'The token has expired'],
  ['PROVIDER_UNAVAILABLE', 'account', 'The token has expired'],
  ['ACCOUNT_LIMIT', 'account', 'no more messages'],
] as const)('a refusal with %s of the %s names the next attempt', async (code, scope, words) => {
  const message = await queue()
  const failure = makeFailure(code, { scope, retryable: true, retryAfterMs: 60_000 })
  await record({ kind: 'result', result: { status: 'failed', failure } })
  const waiting = await readWaiting(message)
  expect(waiting).toMatchObject({ code, message: expect.stringContaining(words) })
  expect(Date.parse(waiting!.until!)).toBeGreaterThan(Date.now() + 30_000)
})

test('a message that is tried again says so while it waits, and no more when it has failed', async () => {
  const message = await queue()
  const failure = makeFailure('MEDIA_REJECTED', { scope: 'message', retryable: true, message: 'No file.' })
  const refuse = () => record({ kind: 'result', result: { status: 'failed', failure } })
  await refuse()
  expect((await readWaiting(message))!.message).toBe('No file. It is tried again later.')
  await tenant.inTenant(tx =>
    sql`
      update messages set attempts = 5, next_attempt_at = now()
      where tenant_id = ${tenant.tenantId} and id = ${message.id}`.execute(tx),
  )
  await refuse()
  expect(await readMessage(tenant, message.id)).toMatchObject({
    status: 'failed',
    failure: {
      message: 'No file. It was tried 6 times: send it again if it still matters.',
      retryable: true,
    },
  })
})

test('a message that waits for the rate of its account does not blame the budget', async () => {
  const message = await queue()
  await record({ kind: 'not_sent', retryAfterMs: 60_000 })
  expect(await readWaiting(message)).toMatchObject({ code: 'ACCOUNT_RATE' })
})

test('a message that a person sends by hand waits for that person', async () => {
  const account = {
    provider: 'manual',
    mode: 'chat-no-api',
    displayName: 'Phone',
    credentials: { phone: '+34611222333' },
  }
  const { body } = await tenant.call<{ id: string }>('POST', '/accounts', { body: account })
  const { id } = await openConversation(tenant, body.id, chat.leadId)
  expect((await queue(id)).waiting).toMatchObject({ code: 'TASK_OPEN', until: null })
})

test('queued messages are listed, alone and with others', async () => {
  const failed = await queue()
  const failure = makeFailure('MESSAGE_REJECTED', { scope: 'message' })
  await record({ kind: 'result', result: { status: 'failed', failure } })
  const [first, second] = [await queue(), await queue()]
  expect(await list('status=queued')).toEqual([second.id, first.id])
  expect(await list('status=failed,queued')).toEqual([second.id, first.id, failed.id])
  expect(await list('')).toEqual([failed.id])
  expect(await list('status=queued&limit=1')).toEqual([second.id])
})

test('a queued message is withdrawn: it is not sent, and its quota and budget are given back', async () => {
  await tenant.limitQuota('maxMessagesPerMonth', 10)
  const [message, next] = [await queue(), await queue()]
  const reply = await withdraw(message)
  expect([reply.status, reply.body]).toMatchObject([
    200,
    { status: 'failed', failure: { code: 'WITHDRAWN' }, waiting: null },
  ])
  expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(1)
  expect(await list('')).toEqual([])
  expect((await claim()).items.map(({ id }) => id)).toEqual([next.id])
  expect((await withdraw(message)).body.code).toBe('INVALID_TRANSITION')
})

test('a message that is being sent, or came in, is not withdrawn', async () => {
  const message = await queue()
  await claim()
  const claimed = await withdraw(message)
  expect([claimed.status, claimed.body.code]).toEqual([409, 'INVALID_TRANSITION'])
  expect((await readMessage(tenant, message.id)).status).toBe('queued')
  const note = await send(tenant, conversationId, { note: 'Vende con prisa.' })
  expect((await withdraw(note)).status).toBe(409)
  expect((await withdraw({ ...note, id: accountId })).status).toBe(404)
})

test('a claim and a withdrawal at the same time: exactly one gets the message', async () => {
  for (let round = 0; round < 5; round++) {
    const id = (await openConversation(tenant, accountId, await makeContact(tenant, `+3469000000${round}`)))
      .id
    const message = await queue(id)
    const [{ items }, { status }] = await Promise.all([claim(), withdraw(message)])
    expect([items.map(({ id }) => id), status]).toEqual(items.length > 0 ? [[message.id], 409] : [[], 200])
  }
})
