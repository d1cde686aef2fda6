/** What people write becomes messages, conversations and leads: once, in order, whatever arrives first. */
import { describe, expect, test } from 'vitest'
import { makeChatAccount, makeInboxForTests, makeMessage, receive } from '../../../../test/receiving.ts'
import { makeTenant } from '../../../../test/tenant.ts'
import type { ChatIdentity, InboundEvent } from '../../../plugins/chat.ts'
import { insertMessage } from '../messages/insert-message.ts'

const inbox = makeInboxForTests()
const phone = '+34612345678'
const listTexts = async () => (await inbox.listMessages()).map(({ text }) => text)
describe('a person who writes', () => {
  test('gets a lead with a basis, and the workspace the events with message and lead', async () => {
    const message = makeMessage(phone, 'Hola, ¿sigue libre?', { profileName: 'Marta Soler' })
    await inbox.receive([message])
    const [lead] = await inbox.tenant.listAllLeads()
    expect(lead).toMatchObject({
      status: 'replied',
      contact: { name: 'Marta Soler', phone },
      sources: [{ platform: 'inbound' }],
      contactability: { allowed: true, lawfulBasis: 'contract', answerUntil: expect.any(String) },
    })
    expect(lead!.lastReplyAt).toBe(message.at.toString({ smallestUnit: 'millisecond' }))
    const [conversation] = await inbox.listConversations()
    expect(conversation).toMatchObject({
      lead_id: lead!.id,
      lead_absence: null,
      unread_count: 1,
      status: 'open',
    })
    const { body: basis } = await inbox.tenant.call<{ proof: string }>(
      'GET',
      `/leads/${lead!.id}/lawful-basis`,
    )
    const [{ id: messageId } = { id: '' }] = await inbox.listMessages()
    expect(basis).toMatchObject({
      kind: 'contract',
      channels: ['chat'],
      proof: expect.stringContaining(messageId),
    })
    const ids = { messageId, conversationId: conversation!.id, accountId: inbox.accountId, leadId: lead!.id }
    expect(await inbox.listEvents('lead.created')).toMatchObject([{ platform: 'inbound', leadId: lead!.id }])
    expect(await inbox.listEvents('message.received')).toMatchObject([
      { ...ids, message: { text: 'Hola, ¿sigue libre?', direction: 'in', status: 'received' } },
    ])
    expect(await inbox.listEvents('lead.replied')).toMatchObject([
      { ...ids, channel: 'chat', lead: { status: 'replied' } },
    ])
  })

  test('is the person of a known lead, whose status and names follow', async () => {
    const body = { contact: { name: 'Eva', email: 'eva@example.com', phone }, status: 'contacted' }
    const { body: lead } = await inbox.tenant.call<{ id: string }>('POST', '/leads', { body })
    const from = [{ kind: 'bsuid', value: 'ES.1' } as const, { kind: 'phone', value: phone } as const]
    await inbox.receive([makeMessage(from, 'Sí', { profileName: 'Other name' })])
    expect(await inbox.tenant.listAllLeads()).toMatchObject([
      { id: lead.id, status: 'replied', contact: { name: 'Eva', identifiers: ['bsuid:ES.1'] } },
    ])
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: lead.id }])
  })

  test('replies once to each message of ours: what follows at once is no further reply', async () => {
    await inbox.receive([makeMessage(phone, 'Hola'), makeMessage(phone, '¿Hay alguien?')])
    expect(await inbox.listEvents('lead.replied')).toHaveLength(1)
    const [conversation] = await inbox.listConversations()
    await inbox.tenant.inTenant(tx =>
      insertMessage(tx, {
        conversationId: conversation!.id,
        direction: 'out',
        kind: 'text',
        text: 'Sí',
        status: 'sent',
      }),
    )
    await inbox.receive([makeMessage(phone, 'Gracias')])
    expect(await inbox.listEvents('lead.replied')).toHaveLength(2)
    expect(await inbox.listEvents('message.received')).toHaveLength(3)
  })

  test('is not replying if a machine writes', async () => {
    await inbox.receive([makeMessage(phone, 'Estoy de vacaciones', { nature: 'auto_reply' })])
    expect(await inbox.tenant.listAllLeads()).toEqual([])
    expect(await inbox.listConversations()).toMatchObject([
      { lead_absence: 'NEVER_WROTE', unread_count: 1, last_inbound_at: null },
    ])
    await inbox.receive([makeMessage(phone, 'Ya estoy aquí')])
    expect(await inbox.listConversations()).toMatchObject([
      { lead_absence: null, lead_id: expect.any(String) },
    ])
    expect(await inbox.tenant.listAllLeads()).toMatchObject([{ status: 'replied' }])
  })

  test('has no lead over quota, and gets it later', async () => {
    await inbox.tenant.limitQuota('maxLeadsPerMonth', 0)
    await inbox.receive([makeMessage(phone, 'Hola')])
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: null, lead_absence: 'QUOTA_EXCEEDED' }])
    expect(await listTexts()).toEqual(['Hola'])
    await inbox.tenant.inTenant(tx =>
      tx.deleteFrom('quota_limits').where('tenant_id', '=', inbox.tenant.tenantId).execute(),
    )
    await inbox.receive([makeMessage(phone, 'Hola otra vez')])
    expect(await inbox.listConversations()).toMatchObject([
      { lead_id: expect.any(String), lead_absence: null },
    ])
  })

  test('who was erased has no lead, and what they wrote before is not stored', async () => {
    const before = makeMessage(phone, 'Before')
    await inbox.receive([before])
    const [lead] = await inbox.tenant.listAllLeads()
    expect((await inbox.tenant.call('DELETE', `/leads/${lead!.id}?erase=true`)).status).toBe(204)
    expect([await inbox.listMessages(), await inbox.listConversations()]).toEqual([[], []])
    await inbox.receive([before])
    expect(await inbox.listMessages()).toEqual([])
    await inbox.receive([makeMessage(phone, 'After')])
    expect(await listTexts()).toEqual(['After'])
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: null, lead_absence: 'PERSON_ERASED' }])
    expect(await inbox.tenant.listAllLeads()).toEqual([])
  })
})

describe('bodies', () => {
  test('that arrive repeatedly and at once are stored once', async () => {
    const messages = Array.from({ length: 20 }, (_, index) => makeMessage(phone, `m${index}`))
    await Promise.all(
      Array.from({ length: 8 }, (_, round) => inbox.receive(round % 2 ? messages : messages.toReversed())),
    )
    const stored = await inbox.listMessages()
    expect(stored.map(({ text }) => text).toSorted()).toEqual(
      messages.map((_, index) => `m${index}`).toSorted(),
    )
    expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, index) => index + 1))
    expect(await inbox.listConversations()).toMatchObject([{ unread_count: 20, last_sequence: 20 }])
    expect(await inbox.tenant.listAllLeads()).toHaveLength(1)
  })

  test('are ordered by the time of the provider', async () => {
    const at = (second: number) => Temporal.Now.instant().subtract({ seconds: 60 - second })
    const messages = [3, 1, 2].map(second => makeMessage(phone, `m${second}`, { at: at(second) }))
    await inbox.receive(messages)
    expect(await listTexts()).toEqual(['m1', 'm2', 'm3'])
  })

  test('of different accounts make different conversations with one lead', async () => {
    const other = await makeChatAccount(inbox.tenant)
    const message = makeMessage(phone, 'Hola')
    await inbox.receive([message])
    await receive(inbox.tenant, other, [message])
    const conversations = await inbox.listConversations()
    expect(conversations.map(({ account_id }) => account_id).toSorted()).toEqual(
      [inbox.accountId, other].toSorted(),
    )
    expect(new Set(conversations.map(({ lead_id }) => lead_id)).size).toBe(1)
    expect(await inbox.tenant.listAllLeads()).toHaveLength(1)
  })

  test('a thousand messages of one person do not hold up another tenant', async () => {
    let isOver = false
    const flood = (async () => {
      for (let body = 0; body < 10; body++)
        await inbox.receive(
          Array.from({ length: 100 }, (_, index) => makeMessage(phone, `m${body} ${index}`)),
        )
      isOver = true
    })()
    const other = await makeTenant(inbox.app)
    const otherAccount = await makeChatAccount(other)
    let meanwhile = 0
    for (; !isOver; meanwhile++) await receive(other, otherAccount, [makeMessage('+34699999999', 'Hola')])
    await flood
    // Held up, it would be one.
    expect(meanwhile).toBeGreaterThan(3)
    expect(await inbox.listConversations()).toMatchObject([{ unread_count: 1000, last_sequence: 1000 }])
    expect(await listTexts()).toEqual(
      Array.from({ length: 1000 }, (_, index) => `m${Math.floor(index / 100)} ${index % 100}`),
    )
  })
})

test('a message of the owner from another program is ours, and makes no lead', async () => {
  await inbox.receive([makeMessage(phone, 'Hola, soy Ana', { isEcho: true })])
  expect(await inbox.listMessages()).toMatchObject([
    { direction: 'out', status: 'sent', text: 'Hola, soy Ana' },
  ])
  expect(await inbox.listConversations()).toMatchObject([{ unread_count: 0, lead_absence: 'NEVER_WROTE' }])
  expect(await inbox.tenant.listAllLeads()).toEqual([])
  expect(await inbox.listEvents('message.sent')).toHaveLength(1)
})

test('the failure of a mail counts only if it names an address of the conversation', async () => {
  const from: ChatIdentity[] = [{ kind: 'email', value: 'marta@mail.example' }]
  await inbox.receive([makeMessage(from, 'Hola')], { channel: 'email' })
  const [conversation] = await inbox.listConversations()
  const { id } = await inbox.tenant.inTenant(tx =>
    insertMessage(tx, {
      conversationId: conversation!.id,
      direction: 'out',
      kind: 'text',
      text: 'Sí',
      status: 'sent',
      providerMessageId: '<1@agency.example>',
    }),
  )
  const report = (address: string): InboundEvent => ({
    type: 'status',
    externalId: null,
    at: Temporal.Now.instant(),
    providerMessageId: '<1@agency.example>',
    messageId: id,
    to: [{ kind: 'email', value: address }],
    status: 'failed',
    failure: null,
  })
  const readStatus = async () => (await inbox.listMessages()).find(message => message.id === id)!.status
  await inbox.receive([report('stranger@mail.example')], { channel: 'email' })
  expect(await readStatus()).toBe('sent')
  await inbox.receive([report('Marta@mail.example')], { channel: 'email' })
  expect(await readStatus()).toBe('failed')
})

test('a machine that writes first has a conversation without a lead', async () => {
  await inbox.receive([makeMessage(phone, 'Newsletter', { nature: 'auto_reply' })])
  expect(await inbox.listConversations()).toMatchObject([{ lead_id: null, lead_absence: 'NEVER_WROTE' }])
  expect(await inbox.tenant.listAllLeads()).toEqual([])
  await inbox.receive([makeMessage(phone, 'Hola')])
  expect(await inbox.listConversations()).toMatchObject([{ lead_id: expect.any(String), lead_absence: null }])
})
