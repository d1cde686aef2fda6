/** An account that the provider lets only answer people. The test claims by itself. */
import { beforeEach, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { healthy } from '../../../../test/chat-provider.ts'
import { testEncryptionKey } from '../../../../test/harness.ts'
import { createMessageOutbox } from '../../../../test/message-outbox.ts'
import { makeContact, openConversation, readMessage, send } from '../../../../test/messaging.ts'
import { makeMessage, receive } from '../../../../test/receiving.ts'
import type { AccountHealth } from '../../../plugins/chat.ts'
import { recordHealth } from '../../accounts/status.ts'
import type { Conversation } from '../conversations/schemas.ts'
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
  const accounts = await outbox.listDue(chat.app.database, tenant.tenantId)
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

test('the end of the restriction makes waiting messages due', async () => {
  await report(restricted)
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
    [conversationId]: 'held',
    [answered]: 'valid',
  })
})

test('a later restriction without the permission stops answers too', async () => {
  await report(restricted)
  await report({ status: 'RESTRICTED', reason })
  expect((await post(answered)).status).toBe(409)
})
