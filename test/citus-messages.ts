/** Conversations, and the erasure of people from them, on a cluster. */
import { expect } from 'vitest'
import type { Message } from '../src/features/messaging/message-schemas.ts'
import { send } from './citus-tenants.ts'
import { send as sendMessage, waitForStatus } from './messaging.ts'
import { testShared } from './shared-tests.ts'
import type { TestTenant } from './tenant.ts'

export function testMessages(forEachTenant: (work: (tenant: TestTenant) => Promise<void>) => Promise<void>) {
  testShared('a message makes a lead, is found by its words, and is answered', () =>
    forEachTenant(async tenant => {
      const account = { provider: 'sandbox', mode: 'chat', displayName: 'Office', credentials: {} }
      const { id: accountId } = await send<{ id: string }>(tenant, 201, 'POST', '/accounts', account)
      const say = (from: string, text: string) =>
        send<{ conversationId: string }>(tenant, 201, 'POST', '/sandbox/messages', { accountId, from, text })
      const { conversationId } = await say('+34612345609', '¿Tiene terraza el ático?')
      await say('+34612345610', '¿Sigue en venta?')
      const search = async (path: string) => (await send<{ data: object[] }>(tenant, 200, 'GET', path)).data
      expect(await search('/conversations?q=atico terraza')).toMatchObject([{ id: conversationId }])
      expect(await search(`/conversations/${conversationId}/messages?q=terraza`)).toHaveLength(1)
      expect(await search(`/conversations/${conversationId}/messages?q=garaje`)).toEqual([])
      const answer = await sendMessage(tenant, conversationId, { text: 'Sí, de 20 metros.' })
      await waitForStatus(tenant, answer.id, 'delivered')
      expect(await search('/conversations?q=metros')).toMatchObject([{ id: conversationId }])
    }),
  )

  testShared(
    'a person is erased from their conversation, from the messages of others, and from templates',
    () =>
      forEachTenant(async tenant => {
        const account = { provider: 'sandbox', mode: 'chat', displayName: 'Office', credentials: {} }
        const { id: accountId } = await send<{ id: string }>(tenant, 201, 'POST', '/accounts', account)
        const say = (from: string, text: string) =>
          send<{ conversationId: string; leadId: string }>(tenant, 201, 'POST', '/sandbox/messages', {
            accountId,
            from,
            text,
          })
        const template = { name: 'Aviso', language: 'es', body: 'Llame al +34612345611' }
        const { id: templateId } = await send<{ id: string }>(tenant, 201, 'POST', '/templates', template)
        const theirs = await say('+34612345611', 'Soy Marta Quintanilla')
        const { conversationId } = await say('+34612345612', 'Llame a Marta, 612 34 56 11')
        await say('+34612345612', 'Son 612 euros')
        await send(tenant, 204, 'DELETE', `/leads/${theirs.leadId}?erase=true`)
        await send(tenant, 404, 'GET', `/conversations/${theirs.conversationId}`)
        const read = async (path: string) => (await send<{ data: Message[] }>(tenant, 200, 'GET', path)).data
        const messages = await read(`/conversations/${conversationId}/messages`)
        expect(messages.map(({ text, content }) => [text, content.isErased])).toEqual([
          ['Son 612 euros', false],
          [null, true],
        ])
        expect(await read('/conversations?q=quintanilla')).toEqual([])
        expect(await send(tenant, 200, 'GET', `/templates/${templateId}`)).toMatchObject({ body: '' })
      }),
  )
}
