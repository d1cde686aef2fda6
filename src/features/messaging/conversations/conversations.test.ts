/** Conversations over HTTP: opened, listed, changed; and what may not be sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFakeProvider } from '../../../../test/chat-provider.ts'
import { eventually, startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  connectAccount,
  makeContact,
  openConversation,
  readMessage,
  send,
} from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { newId } from '../../../kit/id.ts'
import { chatProviders } from '../../../plugins/chat/index.ts'
import { applyStatuses } from '../messages/apply-status.ts'
import { insertMessage } from '../messages/insert-message.ts'
import type { Conversation } from './schemas.ts'

const fake = createFakeProvider()
const facts = fake.capabilities
const read: string[] = []
fake.markRead = async (_connection, { providerMessageId }) => void read.push(providerMessageId)
let app: TestApp
let tenant: TestTenant
let accountId: string
beforeAll(async () => {
  app = await startTestApp({ chatProviders: [...chatProviders, fake] })
  tenant = await makeTenant(app, 'live')
  accountId = await connectAccount(tenant)
})
afterAll(() => app.stop())

let phone = 611_000_000
const nextPhone = () => `+34${++phone}`
const open = async () => openConversation(tenant, accountId, await makeContact(tenant, nextPhone()))
const receive = (conversationId: string, text = 'hola', providerMessageId = newId()) =>
  tenant.inTenant(tx =>
    insertMessage(tx, {
      conversationId,
      direction: 'in',
      kind: 'text',
      text,
      status: 'received',
      providerMessageId,
    }),
  )
const list = async (query: string, by = tenant) => {
  const { body } = await by.call<{ data: Conversation[]; nextCursor: string | null }>(
    'GET',
    `/conversations?${query}`,
  )
  return body
}
const change = (id: string, body: object, by = tenant) =>
  by.call<Conversation>('PATCH', `/conversations/${id}`, { body })

describe('opening', () => {
  test('a person has one conversation with an account; a closed one is opened again', async () => {
    const leadId = await makeContact(tenant, nextPhone())
    const body = { accountId, leadId }
    const first = await tenant.call<Conversation>('POST', '/conversations', { body })
    expect(first).toMatchObject({
      status: 201,
      body: {
        leadId,
        accountId,
        status: 'open',
        contactName: 'Marta Ruiz',
        unreadCount: 0,
        canReply: true,
        lastMessage: null,
      },
    })
    await change(first.body.id, { status: 'closed' })
    const second = await tenant.call<Conversation>('POST', '/conversations', { body })
    expect(second).toMatchObject({ status: 200, body: { id: first.body.id, status: 'open' } })
  })

  test('concurrent requests open one', async () => {
    const leadId = await makeContact(tenant, nextPhone())
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => openConversation(tenant, accountId, leadId)),
    )
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1)
  })

  test('needs a known account and lead, and an identity for the provider', async () => {
    const leadId = await makeContact(tenant, nextPhone())
    const withoutPhone = await tenant.call<{ id: string }>('POST', '/leads', {
      body: { contact: { email: 'a@b.example' } },
    })
    const refuse = (body: object) =>
      tenant.call<{ code: string; errors?: { path: string; code: string }[] }>('POST', '/conversations', {
        body,
      })
    expect(await refuse({ accountId: newId(), leadId: newId() })).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: '/accountId', code: 'UNKNOWN_ACCOUNT' },
          { path: '/leadId', code: 'UNKNOWN_LEAD' },
        ],
      },
    })
    expect((await refuse({ accountId: newId(), leadId })).body.errors).toHaveLength(1)
    const reply = await refuse({ accountId, leadId: withoutPhone.body.id })
    expect([reply.status, reply.body.code]).toEqual([422, 'NO_IDENTITY'])
  })
})

describe('the list', () => {
  test('is filtered and paged, the newest first', async () => {
    const other = await makeTenant(app, 'live')
    const account = await connectAccount(other)
    const ids: string[] = []
    for (let n = 0; n < 3; n++)
      ids.push((await openConversation(other, account, await makeContact(other, nextPhone()))).id)
    await other.call('PATCH', `/conversations/${ids[0]}`, {
      body: { labels: ['viewing'], status: 'pending' },
    })
    await other.inTenant(tx =>
      insertMessage(tx, {
        conversationId: ids[1]!,
        direction: 'in',
        kind: 'text',
        text: 'hola',
        status: 'received',
      }),
    )
    const idsOf = async (query: string) => (await list(query, other)).data.map(({ id }) => id)
    expect(await idsOf('')).toEqual([ids[1], ids[2], ids[0]])
    expect(await idsOf('unread=true')).toEqual([ids[1]])
    expect(await idsOf('assignedUserId=none&unread=true')).toEqual([ids[1]])
    expect(await idsOf('label=viewing')).toEqual([ids[0]])
    expect(await idsOf('status=pending')).toEqual([ids[0]])
    expect(await idsOf(`accountId=${newId()}`)).toEqual([])
    const first = await list('limit=2', other)
    expect(await idsOf(`limit=2&cursor=${first.nextCursor}`)).toEqual([ids[0]])
  })
})

describe('changing', () => {
  test('marks it as read, also for the person', async () => {
    const { id } = await open()
    await receive(id, 'hola', `in-${id}`)
    expect((await list('unread=true')).data.map(one => one.id)).toContain(id)
    expect((await change(id, { read: true })).body.unreadCount).toBe(0)
    await eventually(
      async () => read,
      all => all.includes(`in-${id}`),
    )
    expect((await change(id, { read: false })).body.unreadCount).toBe(1)
    expect((await list('unread=true')).data.map(one => one.id)).toContain(id)
  })

  test('puts it off until a time, or until the person writes', async () => {
    const { id } = await open()
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await change(id, { snoozedUntil: until })).body.snoozedUntil).toBe(until)
    expect((await list('status=open&limit=200')).data.map(one => one.id)).not.toContain(id)
    expect((await list('snoozed=true')).data.map(one => one.id)).toContain(id)
    await receive(id)
    expect((await tenant.call<Conversation>('GET', `/conversations/${id}`)).body.snoozedUntil).toBeNull()
    const past = await change(id, { snoozedUntil: new Date(Date.now() - 1000).toISOString() })
    expect(past.status).toBe(400)
  })

  test('a snooze ends by itself, on the clock of the environment', async () => {
    const other = await makeTenant(app)
    const account = await connectAccount(other, 'sandbox')
    const { id } = await openConversation(other, account, await makeContact(other, nextPhone()))
    const until = new Date(Date.now() + 86_400_000)
    await other.call('PATCH', `/conversations/${id}`, {
      body: { snoozedUntil: until.toISOString(), status: 'pending' },
    })
    const moved = await other.call('POST', '/sandbox/clock', {
      body: { now: new Date(until.getTime() + 1000).toISOString() },
    })
    expect(moved.status, moved.text).toBe(200)
    const { body } = await other.call<Conversation>('GET', `/conversations/${id}`)
    expect(body).toMatchObject({ snoozedUntil: null, status: 'open' })
  })

  test('refuses unknown users and fields', async () => {
    const { id } = await open()
    expect((await change(id, { assignedUserId: newId() })).status).toBe(400)
    expect((await change(id, { state: 'open' })).status).toBe(400)
    expect((await change(id, { labels: ['\u200b'] })).status).toBe(400)
  })
})

describe('a message that can not be sent', () => {
  const refuse = async (id: string, body: object) => {
    const reply = await tenant.call<{ code: string }>('POST', `/conversations/${id}/messages`, { body })
    return [reply.status, reply.body.code]
  }

  test('is refused with its code, and nothing is stored or counted', async () => {
    const { id } = await open()
    expect(await refuse(newId(), { text: 'a' })).toEqual([404, 'NOT_FOUND'])
    expect(await refuse(id, { text: 'a'.repeat(1001) })).toEqual([422, 'TEXT_TOO_LONG'])
    expect(await refuse(id, { location: { latitude: 1, longitude: 2 } })).toEqual([
      422,
      'UNSUPPORTED_MESSAGE',
    ])
    expect(await refuse(id, { text: 'a', buttons: [{ title: 'Sí' }] })).toEqual([422, 'UNSUPPORTED_MESSAGE'])
    const sameIds = [{ id: '2', title: 'Sí' }, { title: 'No' }]
    expect(await refuse(id, { text: 'a', buttons: sameIds })).toEqual([400, 'INVALID_INPUT'])
    expect(await refuse(id, { text: 'a', caption: 'b' })).toEqual([400, 'INVALID_INPUT'])
    expect(await refuse(id, { text: 'a', note: 'b' })).toEqual([400, 'INVALID_INPUT'])
    expect(await refuse(id, {})).toEqual([400, 'INVALID_INPUT'])
    for (const blank of [{ text: ' \n' }, { note: '\t' }, { text: 'a', buttons: [{ title: ' ' }] }])
      expect(await refuse(id, blank)).toEqual([400, 'INVALID_INPUT'])
    expect(await refuse(id, { reaction: { messageId: newId(), emoji: 'abc' } })).toEqual([
      400,
      'INVALID_INPUT',
    ])
    expect(await refuse(id, { mediaId: newId() })).toEqual([400, 'INVALID_INPUT'])
    expect(await refuse(id, { templateId: newId() })).toEqual([400, 'INVALID_INPUT'])
    expect(await refuse(id, { text: 'a', replyToId: newId() })).toEqual([400, 'INVALID_INPUT'])
    fake.capabilities = { ...facts, replyWindowHours: 24 }
    expect(await refuse(id, { text: 'a' })).toEqual([422, 'WINDOW_CLOSED'])
    fake.capabilities = facts
    const messages = await tenant.call<{ data: object[] }>('GET', `/conversations/${id}/messages`)
    expect(messages.body.data).toEqual([])
    expect(await tenant.readQuotaUsage('maxMessagesPerMonth')).toBe(0)
  })

  test('because the person refused, the quota is exhausted, or the account is paused', async () => {
    const other = await makeTenant(app, 'live')
    const account = await connectAccount(other)
    const number = nextPhone()
    const { id } = await openConversation(other, account, await makeContact(other, number))
    const refuseOther = async () => {
      const reply = await other.call<{ code: string }>('POST', `/conversations/${id}/messages`, {
        body: { text: 'a' },
      })
      return [reply.status, reply.body.code]
    }
    await other.call('PATCH', `/accounts/${account}`, { body: { isPaused: true } })
    expect(await refuseOther()).toEqual([409, 'ACCOUNT_NOT_SENDING'])
    await other.call('PATCH', `/accounts/${account}`, { body: { isPaused: false } })
    await other.limitQuota('maxMessagesPerMonth', 0)
    expect(await refuseOther()).toEqual([429, 'QUOTA_EXCEEDED'])
    await other.call('POST', '/suppressions', {
      body: { identifiers: [{ kind: 'phone', value: number }], kind: 'opt_out', channel: null },
    })
    expect(await refuseOther()).toEqual([422, 'NOT_CONTACTABLE'])
  })
})

describe('messages', () => {
  test('are paged in both directions; a note is never sent', async () => {
    const { id } = await open()
    for (const text of ['1', '2', '3']) await receive(id, text)
    const note = await send(tenant, id, { note: 'call her' })
    expect(note).toMatchObject({ direction: 'note', status: 'noted', text: 'call her' })
    const page = async (query: string) =>
      (
        await tenant.call<{ data: { text: string }[]; nextCursor: string }>(
          'GET',
          `/conversations/${id}/messages?${query}`,
        )
      ).body
    const newest = await page('limit=2')
    expect(newest.data.map(({ text }) => text)).toEqual(['call her', '3'])
    expect((await page(`limit=2&cursor=${newest.nextCursor}`)).data.map(({ text }) => text)).toEqual([
      '2',
      '1',
    ])
    expect((await page('limit=2&order=oldest')).data.map(({ text }) => text)).toEqual(['1', '2'])
  })

  test('statuses arrive late, twice and in any order', async () => {
    const { id } = await open()
    const message = await send(tenant, id, { text: 'a' })
    await eventually(
      () => readMessage(tenant, message.id),
      ({ status }) => status === 'sent',
    )
    const report = (status: 'sent' | 'delivered' | 'read' | 'failed') =>
      tenant.inTenant(tx =>
        applyStatuses(tx, accountId, [
          { providerMessageId: message.id, messageId: null, status, at: new Date(), failure: null },
        ]),
      )
    for (const status of ['read', 'delivered', 'sent', 'read', 'failed'] as const) await report(status)
    const { status, deliveredAt, readAt, failure } = await readMessage(tenant, message.id)
    expect([status, failure]).toEqual(['read', null])
    expect([deliveredAt, readAt]).not.toContain(null)
  })
})
