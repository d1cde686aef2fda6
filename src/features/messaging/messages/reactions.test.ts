/** Reactions are shown at their message: one of the person, one of the agency. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  connectAccount,
  makeContact,
  openConversation,
  readMessage,
  recordSending,
  send,
  waitForStatus,
} from '../../../../test/messaging.ts'
import { makeTenant } from '../../../../test/tenant.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import { setReaction } from './reactions.ts'

const fake = createFakeProvider()
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ chatProviders: [...chatProviders, fake] })
})
afterAll(() => app.stop())

test('a sent reaction is shown beside that of the person, changed and removed', async () => {
  fake.capabilities = { ...fake.capabilities, reactions: true }
  const outgoing = recordSending(fake)
  const tenant = await makeTenant(app, 'live')
  const accountId = await connectAccount(tenant)
  const { id } = await openConversation(tenant, accountId, await makeContact(tenant, '+34612345678'))
  const message = await send(tenant, id, { text: 'Hola' })
  await waitForStatus(tenant, message.id, 'sent')
  const readReactions = async () => (await readMessage(tenant, message.id)).content.reactions
  const react = async (emoji: string | null) => {
    const reaction = await send(tenant, id, { reaction: { messageId: message.id, emoji } })
    await waitForStatus(tenant, reaction.id, 'sent')
  }
  await react('👍')
  expect(outgoing.sent.at(-1)).toMatchObject({
    content: { kind: 'reaction', emoji: '👍', providerMessageId: `p-${message.id}` },
    replyTo: null,
  })
  const at = new Date()
  await tenant.inTenant(tx => setReaction(tx, message.id, { from: 'person', emoji: '❤️', at }))
  await react('🏠')
  expect(await readReactions()).toEqual([
    { from: 'person', emoji: '❤️', at: at.toISOString() },
    { from: 'agency', emoji: '🏠', at: expect.any(String) },
  ])
  await tenant.inTenant(tx => setReaction(tx, message.id, { from: 'person', emoji: '😀', at: new Date(0) }))
  await react(null)
  expect(await readReactions()).toMatchObject([{ from: 'person', emoji: '❤️' }])
})
