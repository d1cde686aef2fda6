/** An account that the provider lets only answer people. The test claims by itself. */
import { beforeEach, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { healthy, makeFailure } from '../../../../test/chat-provider.ts'
import { testEncryptionKey } from '../../../../test/harness.ts'
import { createMessageOutbox, toAttempt } from '../../../../test/message-outbox.ts'
import { makeContact, openConversation, readMessage, send } from '../../../../test/messaging.ts'
import { makeMessage, receive } from '../../../../test/receiving.ts'
import type { AccountHealth, ChatFailureCode } from '../../../plugins/chat.ts'
import { findAccounts } from '../../accounts/service.ts'
import { recordHealth, recordReport } from '../../accounts/status.ts'
import type { Conversation } from '../conversations/schemas.ts'
import { applyStatuses } from '../messages/apply-status.ts'
import { hastenAccount } from '../messages/promote-next.ts'
import { readClaims } from './read-claims.ts'

const chat = prepareChat({ role: 'api' })
const outbox = createMessageOutbox([chat.fake], { encryptionKey: testEncryptionKey })
const reason = 'The account may not write to people who have not written.'
const restricted = { status: 'RESTRICTED', reason, canAnswer: true } as const
let { tenant, accountId, conversationId } = chat
let answered: string
beforeEach(async () => {
  ;({ tenant, accountId, conversationId } = chat)
  const phone = '+34600700800'
  answered = (await openConversation(tenant, accountId, await makeContact(tenant, phone))).id
  await receive(tenant, accountId, [makeMessage(phone, '¿Sigue en venta?')])
})

const report = (health: Partial<AccountHealth>) => tenant.inTenant(tx => recordHealth(tx, accountId, health))
const claim = () => tenant.inTenant(tx => outbox.claim(tx, accountId, { excludedIds: [], limit: 16 }))
const post = (id: string) =>
  tenant.call<{ code: string; message: string }>('POST', `/conversations/${id}/messages`, {
    body: { text: 'Hola' },
  })
const readCanReply = async (id: string) =>
  (await tenant.call<Conversation>('GET', `/conversations/${id}`)).body.canReply

test('it answers who wrote lately, and writes first to nobody', async () => {
  await report(restricted)
  const refused = await post(conversationId)
  expect([refused.status, refused.body.code]).toEqual([409, 'ACCOUNT_NOT_SENDING'])
  expect(refused.body.message).toContain(reason)
  expect((await post(answered)).status).toBe(202)
  expect([await readCanReply(conversationId), await readCanReply(answered)]).toEqual([false, true])
  const accounts = await outbox.listDue(chat.app.database.owner, tenant.tenantId)
  expect(accounts.map(({ destinationId }) => destinationId)).toEqual([accountId])
  const { items } = await claim()
  expect(items.map(({ orderKey }) => orderKey)).toEqual([answered])
})

test('what was queued before waits with the reason, until the restriction ends', async () => {
  const first = await send(tenant, conversationId, { text: 'Hola' })
  await report(restricted)
  expect((await claim()).items).toEqual([])
  expect((await readMessage(tenant, first.id)).waiting).toMatchObject({
    code: 'ACCOUNT_RESTRICTED',
    message: reason,
    until: expect.any(String),
  })
  await report(healthy)
  await tenant.inTenant(tx => hastenAccount(tx, accountId, 10))
  expect((await claim()).items.map(({ id }) => id)).toEqual([first.id])
})

test('the end of the restriction makes waiting messages due, also if answers stopped meanwhile', async () => {
  await report(restricted)
  await report({ status: 'RESTRICTED', reason })
  await report(healthy)
  const { rows } = await chat.app.database.ownerPool.query(
    `select from graphile_worker._private_jobs where payload->'data'->>'accountId' = $1 and key like '%send-waiting-messages%'`,
    [accountId],
  )
  expect(rows).toHaveLength(1)
})

test('a message that was claimed before the restriction is held, an answer is sent', async () => {
  await send(tenant, conversationId, { text: 'Hola' })
  await send(tenant, answered, { text: 'Sí' })
  const { items } = await claim()
  await report(restricted)
  const states = await tenant.inTenant(tx => readClaims(tx, items))
  expect(Object.fromEntries(items.map(({ orderKey }, index) => [orderKey, states[index]]))).toEqual({
    [conversationId]: { kind: 'held' },
    [answered]: { kind: 'valid' },
  })
})

test('a later restriction without the permission stops answers too', async () => {
  await report(restricted)
  await report({ status: 'RESTRICTED', reason })
  expect((await post(answered)).status).toBe(409)
})

const stoppingCodes: ChatFailureCode[] = ['ACCOUNT_RESTRICTED', 'PAYMENT_REQUIRED', 'PERMISSION_MISSING']
test.each(stoppingCodes)('an answer that fails with %s stops the answers, which wait', async code => {
  await report(restricted)
  const { id } = await send(tenant, answered, { text: 'Sí' })
  await recordFailure(await claim(), code)
  expect((await outbox.listDue(chat.app.database.owner, tenant.tenantId)).length).toBe(0)
  expect((await readMessage(tenant, id)).waiting).toMatchObject({
    code: 'ACCOUNT_NOT_SENDING',
    message: expect.stringContaining(makeFailure(code).message),
  })
  expect(await readCanReply(answered)).toBe(false)
})

test('a first message that fails does not stop the answers', async () => {
  await send(tenant, conversationId, { text: 'Hola' })
  const claimed = await claim()
  await report(restricted)
  await recordFailure(claimed, 'ACCOUNT_RESTRICTED')
  expect(await readCanReply(answered)).toBe(true)
})

test('an answer whose failure is reported later stops the answers, a first message does not', async () => {
  const first = await send(tenant, conversationId, { text: 'Hola' })
  const answer = await send(tenant, answered, { text: 'Sí' })
  await claim()
  await report(restricted)
  for (const [{ id }, canReply] of [[first, true] as const, [answer, false] as const]) {
    const failed = {
      messageId: id,
      status: 'failed',
      at: inAMinute(),
      failure: makeFailure('PAYMENT_REQUIRED'),
    } as const
    await tenant.inTenant(tx => applyStatuses(tx, accountId, [{ ...failed, providerMessageId: id }]))
    expect(await readCanReply(answered)).toBe(canReply)
  }
})

const inAMinute = () => new Date(Date.now() + 60_000)
type Claimed = Awaited<ReturnType<typeof claim>>
const recordFailure = ({ items, target }: Claimed, code: ChatFailureCode) =>
  tenant.inTenant(tx =>
    outbox.record(
      tx,
      accountId,
      items.map(item => ({
        item,
        target: target!,
        attempt: toAttempt({ status: 'failed', failure: makeFailure(code) }),
      })),
    ),
  )

/** What the provider reports by itself. */
const receiveReport = (health: Partial<AccountHealth>, at = Temporal.Now.instant()) =>
  tenant.inTenant(tx => recordReport(tx, accountId, { at, health }))
async function check(health: AccountHealth) {
  await tenant.inTenant(async tx => {
    const [account] = await findAccounts(tx, [accountId])
    await recordHealth(tx, accountId, health, { at: null, credentials: account!.credentials })
  })
  const [account] = await tenant.inTenant(tx => findAccounts(tx, [accountId]))
  return [account!.status, account!.canAnswer, account!.statusReason]
}
const kept = ['RESTRICTED', true, reason]
const degraded = { ...healthy, status: 'DEGRADED', reason: 'The number sends less.' } as const
const blocked = { ...healthy, status: 'RESTRICTED', reason: 'The number may not send.' } as const
const inHours = (hours: number) => Temporal.Now.instant().add({ hours })

test('checks do not end a restriction that the provider has reported, until its end', async () => {
  await receiveReport({ ...restricted, restrictedUntil: inHours(1).toString() })
  for (const health of [degraded, blocked, healthy]) expect(await check(health)).toEqual(kept)
  expect((await check({ ...healthy, status: 'BANNED' }))[0]).toBe('BANNED')
  expect(await check(healthy)).toEqual(kept)
  await receiveReport({ ...restricted, restrictedUntil: inHours(-1).toString() })
  expect(await check(healthy)).toEqual(['CONNECTED', false, null])
})

test('without a stated end it lasts for seven days, or until the provider takes it back', async () => {
  await receiveReport(restricted, inHours(-24 * 6))
  expect(await check(healthy)).toEqual(kept)
  await receiveReport({ status: 'DEGRADED', reason: null, canAnswer: false })
  expect(await check(healthy)).toEqual(['CONNECTED', false, null])
  await receiveReport(restricted, inHours(-24 * 8))
  expect(await check(healthy)).toEqual(['CONNECTED', false, null])
})

test('a check in which the account sends lets it answer again after an answer failed', async () => {
  await receiveReport(restricted)
  await send(tenant, answered, { text: 'Sí' })
  await recordFailure(await claim(), 'PAYMENT_REQUIRED')
  expect((await check(blocked)).slice(0, 2)).toEqual(['RESTRICTED', false])
  expect(await check(degraded)).toEqual(kept)
})

test('a message to a number with which the person has not written lately is no answer', async () => {
  await send(tenant, answered, { text: 'Sí' })
  await tenant.inTenant(tx =>
    tx
      .updateTable('conversation_identities')
      .set({ last_inbound_at: null })
      .where('tenant_id', '=', tenant.tenantId)
      .execute(),
  )
  await report(restricted)
  expect((await claim()).items).toEqual([])
})
