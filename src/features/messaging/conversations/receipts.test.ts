/** Conversations that users read, and the receipts that people get. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { waitUntilIdle } from '../../../../test/jobs.ts'
import { connectAccount, makeContact, openConversation, send } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import { insertMessage } from '../messages/insert-message.ts'
import { enqueueReceipt } from './mark-read.ts'

const fake = createFakeProvider()
const receipts: string[] = []
fake.markRead = async (_connection, { providerMessageId }) => void receipts.push(providerMessageId)
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ chatProviders: [...chatProviders, fake] })
})
afterAll(() => app.stop())

const start = async () => {
  receipts.length = 0
  const tenant = await makeTenant(app, 'live')
  const leadId = await makeContact(tenant, '+34612345678')
  const { id } = await openConversation(tenant, await connectAccount(tenant), leadId)
  return { tenant, id }
}
const write = (tenant: TestTenant, conversationId: string, providerMessageId: string) =>
  tenant.inTenant(tx =>
    insertMessage(tx, {
      conversationId,
      direction: 'in',
      kind: 'text',
      text: 'hola',
      status: 'received',
      providerMessageId,
    }),
  )
const readUnread = async (tenant: TestTenant, id: string) =>
  (await tenant.call<{ unreadCount: number }>('GET', `/conversations/${id}`)).body.unreadCount

test('a user who answers has read what the person wrote; a program and a note have not', async () => {
  const { tenant, id } = await start()
  await write(tenant, id, 'first')
  await send(tenant, id, { text: 'Gracias, le responderemos.' })
  expect(await readUnread(tenant, id)).toBe(1)
  await tenant.signIn()
  await send(tenant, id, { note: 'Llamar' })
  expect(await readUnread(tenant, id)).toBe(1)
  expect(receipts).toEqual([])
  await send(tenant, id, { text: 'Hola' })
  expect(await readUnread(tenant, id)).toBe(0)
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(receipts).toEqual(['first'])
})

test('a receipt names what was read, and not what arrives meanwhile', async () => {
  const { tenant, id } = await start()
  await write(tenant, id, 'read')
  await tenant.inTenant(async tx => {
    await enqueueReceipt(tx, id)
    await insertMessage(tx, {
      conversationId: id,
      direction: 'in',
      kind: 'text',
      text: 'y otra cosa',
      status: 'received',
      providerMessageId: 'later',
    })
  })
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(receipts).toEqual(['read'])
})
