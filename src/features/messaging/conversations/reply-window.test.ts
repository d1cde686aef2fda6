/** The reply window is that of the number or id to which messages go. */
import { beforeEach, expect, test } from 'vitest'
import { makeChatAccount, makeInboxForTests, makeMessage, receive } from '../../../../test/receiving.ts'
import type { ChatIdentity, InboundEvent } from '../../../plugins/chat.ts'
import { type KnownIdentity, selectRecipients } from '../identities.ts'
import type { Conversation } from './schemas.ts'

const inbox = makeInboxForTests()
let accountId: string
beforeEach(async () => {
  accountId = await makeChatAccount(inbox.tenant, 'whatsapp_cloud')
})

const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
const other: ChatIdentity = { kind: 'phone', value: '+34699999999' }
const marta: ChatIdentity = { kind: 'bsuid', value: 'ES.1' }
const pedro: ChatIdentity = { kind: 'bsuid', value: 'ES.2' }
const getAgo = (hours: number) => Temporal.Now.instant().subtract({ hours })
const receiveAll = (...events: InboundEvent[]) => receive(inbox.tenant, accountId, events)
const say = (from: ChatIdentity[], hoursAgo = 0) =>
  receiveAll(makeMessage(from, 'hola', { at: getAgo(hoursAgo) }))
const readFirst = async () => {
  const { id } = (await inbox.listConversations())[0]!
  return (await inbox.tenant.call<Conversation>('GET', `/conversations/${id}`)).body
}
const answer = async () => {
  const { id } = await readFirst()
  const path = `/conversations/${id}/messages`
  const { status, body } = await inbox.tenant.call<{ code?: string }>('POST', path, {
    body: { text: 'hola' },
  })
  return [status, body.code]
}

test('it closes with the number with which the person wrote', async () => {
  await say([marta], 30)
  await receiveAll(makeMessage([marta, phone], 'de la oficina', { isEcho: true }))
  expect(await readFirst()).toMatchObject({ canReply: false })
  await say([phone])
  expect(await readFirst()).toMatchObject({ canReply: true })
  await say([phone, pedro])
  const { canReply, identities, replyWindowExpiresAt, lastInboundAt } = await readFirst()
  expect([canReply, identities]).toEqual([false, [marta]])
  expect(Date.parse(replyWindowExpiresAt!)).toBeLessThan(Date.now())
  expect(Date.parse(lastInboundAt!)).toBeGreaterThan(getAgo(1).epochMilliseconds)
  expect(await answer()).toEqual([422, 'WINDOW_CLOSED'])
})

test('it is open for a number that the person wrote with, not for one that a user wrote in the lead', async () => {
  await receiveAll(makeMessage([marta, phone], 'de la oficina', { isEcho: true }))
  await say([phone])
  const { id, leadId } = await readFirst()
  await inbox.tenant.call('PATCH', `/leads/${leadId}`, { body: { contact: { phone: other.value } } })
  const opened = await inbox.tenant.call<Conversation>('POST', '/conversations', {
    body: { accountId, leadId },
  })
  expect(opened.body).toMatchObject({ id, canReply: true })
  expect(opened.body.identities).toEqual(expect.arrayContaining([phone, other]))
  expect(await answer()).toEqual([202, undefined])
  await say([phone, pedro])
  const { canReply, replyWindowExpiresAt, identities } = await readFirst()
  expect([canReply, replyWindowExpiresAt]).toEqual([false, null])
  expect(identities).not.toContainEqual(phone)
  expect(await answer()).toEqual([422, 'WINDOW_CLOSED'])
})

test('it is one for a number and an id that come together, and stays open when the number changes', async () => {
  await say([phone, marta])
  await say([phone, pedro])
  expect(await readFirst()).toMatchObject({ canReply: true, identities: [marta] })
  const change = { externalId: null, at: getAgo(0), former: [marta], current: [other] }
  await receiveAll({ type: 'identity_changed', ...change })
  expect(await readFirst()).toMatchObject({ canReply: true, identities: [other] })
})

test('who wrote lately is answered where they wrote; else the last number is written to', () => {
  const toKnown = (identity: ChatIdentity, lastInboundAt: string | null): KnownIdentity => ({
    ...identity,
    lastInboundAt,
  })
  const capabilities = { identities: ['phone', 'bsuid'], replyWindowHours: 24 } as const
  const select = (known: KnownIdentity[], now: string) =>
    selectRecipients(known, { ...capabilities, identities: [...capabilities.identities] }, new Date(now))
  const edited = [toKnown(other, null), toKnown(phone, '2026-11-02T10:00:00.000Z')]
  expect(select(edited, '2026-11-03T09:59:00Z')).toEqual([phone, other])
  expect(select(edited, '2026-11-03T10:00:00Z')).toEqual([other, phone])
  const hidden = [toKnown(phone, '2026-11-01T10:00:00.000Z'), toKnown(marta, '2026-11-02T10:00:00.000Z')]
  expect(select(hidden, '2026-11-02T12:00:00Z')).toEqual([marta, phone])
  const both = [toKnown(marta, '2026-11-02T10:00:00.000Z'), toKnown(phone, '2026-11-02T10:00:00.000Z')]
  expect(select(both, '2026-11-02T12:00:00Z')).toEqual([phone, marta])
})
