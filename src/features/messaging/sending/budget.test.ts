/** The budget of a day counts people: each once, and not if nothing was sent to them. */
import { beforeEach, expect, test } from 'vitest'
import { prepareChat } from '../../../../test/chat-app.ts'
import { makeFailure } from '../../../../test/chat-provider.ts'
import { makeContact, openConversation, send, succeed, waitForStatus } from '../../../../test/messaging.ts'
import type { Account } from '../../accounts/schemas.ts'

const chat = prepareChat()
let { tenant, outgoing, accountId, conversationId } = chat
beforeEach(() => {
  ;({ tenant, outgoing, accountId, conversationId } = chat)
})

const write = async (id: string, status: 'sent' | 'failed' = 'sent') => {
  outgoing.answer =
    status === 'sent'
      ? succeed
      : () => ({ status: 'failed', failure: makeFailure('MESSAGE_REJECTED', { scope: 'message' }) })
  const message = await send(tenant, id, { text: 'Hola' })
  await waitForStatus(tenant, message.id, status)
}
const readUsed = async () => (await tenant.call<Account>('GET', `/accounts/${accountId}`)).body.usedToday

test('a person counts once a day, however many messages they get', async () => {
  await tenant.call('PATCH', `/accounts/${accountId}`, { body: { dailyLimit: 2 } })
  const other = (await openConversation(tenant, accountId, await makeContact(tenant, '+34612345679'))).id
  for (const id of [conversationId, conversationId, other, conversationId, other]) await write(id)
  expect(await readUsed()).toBe(2)
})

test('a person to whom nothing was sent does not count; one who got a message still does', async () => {
  await write(conversationId, 'failed')
  expect(await readUsed()).toBe(0)
  await write(conversationId)
  await write(conversationId, 'failed')
  expect(await readUsed()).toBe(1)
})
