/** What people write becomes messages, conversations and leads: once, in order, whatever arrives first. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  listConversations,
  listMessages,
  makeChatAccount,
  makeMessage,
  receive,
} from '../../../../test/receiving.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { ChatIdentity, InboundEvent } from '../../../plugins/chat.ts'
import { insertMessage } from '../messages/insert-message.ts'

let app: TestApp
let tenant: TestTenant
let account: string
beforeAll(async () => {
  app = await shareTestApp('api')
})
afterAll(() => app.stop())

const start = async () => {
  tenant = await makeTenant(app)
  account = await makeChatAccount(tenant)
}
const phone = '+34612345678'
const listTexts = async () => (await listMessages(tenant)).map(({ text }) => text)
const listEvents = async (type: string) => {
  const { body } = await tenant.call<{ data: { type: string; data: Record<string, unknown> }[] }>(
    'GET',
    `/events?types=${type}`,
  )
  return body.data.map(({ data }) => data)
}

describe('a person who writes', () => {
  test('gets a lead with a basis, and the workspace the events with message and lead', async () => {
    await start()
    const message = makeMessage(phone, 'Hola, ¿sigue libre?', { profileName: 'Marta Soler' })
    await receive(tenant, account, [message])
    const [lead] = await tenant.listAllLeads()
    expect(lead).toMatchObject({
      status: 'replied',
      contact: { name: 'Marta Soler', phone },
      sources: [{ platform: 'inbound' }],
      contactability: { allowed: true, lawfulBasis: 'contract', answerUntil: expect.any(String) },
    })
    expect(lead!.lastReplyAt).toBe(message.at.toString({ smallestUnit: 'millisecond' }))
    const [conversation] = await listConversations(tenant)
    expect(conversation).toMatchObject({
      lead_id: lead!.id,
      lead_absence: null,
      unread_count: 1,
      status: 'open',
    })
    const { body: basis } = await tenant.call<{ proof: string }>('GET', `/leads/${lead!.id}/lawful-basis`)
    const [{ id: messageId } = { id: '' }] = await listMessages(tenant)
    expect(basis).toMatchObject({
      kind: 'contract',
      channels: ['chat'],
      proof: expect.stringContaining(messageId),
    })
    const ids = { messageId, conversationId: conversation!.id, accountId: account, leadId: lead!.id }
    expect(await listEvents('lead.created')).toMatchObject([{ platform: 'inbound', leadId: lead!.id }])
    expect(await listEvents('message.received')).toMatchObject([
      { ...ids, message: { text: 'Hola, ¿sigue libre?', direction: 'in', status: 'received' } },
    ])
    expect(await listEvents('lead.replied')).toMatchObject([
      { ...ids, channel: 'chat', lead: { status: 'replied' } },
    ])
  })

  test('is the person of a known lead, whose status and names follow', async () => {
    await start()
    const body = { contact: { name: 'Eva', email: 'eva@example.com', phone }, status: 'contacted' }
    const { body: lead } = await tenant.call<{ id: string }>('POST', '/leads', { body })
    const from = [{ kind: 'bsuid', value: 'ES.1' } as const, { kind: 'phone', value: phone } as const]
    await receive(tenant, account, [makeMessage(from, 'Sí', { profileName: 'Other name' })])
    expect(await tenant.listAllLeads()).toMatchObject([
      { id: lead.id, status: 'replied', contact: { name: 'Eva', identifiers: ['bsuid:ES.1'] } },
    ])
    expect(await listConversations(tenant)).toMatchObject([{ lead_id: lead.id }])
  })

  test('replies once to each message of ours: what follows at once is no further reply', async () => {
    await start()
    await receive(tenant, account, [makeMessage(phone, 'Hola'), makeMessage(phone, '¿Hay alguien?')])
    expect(await listEvents('lead.replied')).toHaveLength(1)
    const [conversation] = await listConversations(tenant)
    await tenant.inTenant(tx =>
      insertMessage(tx, {
        conversationId: conversation!.id,
        direction: 'out',
        kind: 'text',
        text: 'Sí',
        status: 'sent',
      }),
    )
    await receive(tenant, account, [makeMessage(phone, 'Gracias')])
    expect(await listEvents('lead.replied')).toHaveLength(2)
    expect(await listEvents('message.received')).toHaveLength(3)
  })

  test('is not replying if a machine writes', async () => {
    await start()
    await receive(tenant, account, [makeMessage(phone, 'Estoy de vacaciones', { nature: 'auto_reply' })])
    expect(await tenant.listAllLeads()).toEqual([])
    expect(await listConversations(tenant)).toMatchObject([
      { lead_absence: 'NEVER_WROTE', unread_count: 1, last_inbound_at: null },
    ])
    await receive(tenant, account, [makeMessage(phone, 'Ya estoy aquí')])
    expect(await listConversations(tenant)).toMatchObject([
      { lead_absence: null, lead_id: expect.any(String) },
    ])
    expect(await tenant.listAllLeads()).toMatchObject([{ status: 'replied' }])
  })

  test('has no lead over quota, and gets it later', async () => {
    await start()
    await tenant.limitQuota('maxLeadsPerMonth', 0)
    await receive(tenant, account, [makeMessage(phone, 'Hola')])
    expect(await listConversations(tenant)).toMatchObject([{ lead_id: null, lead_absence: 'QUOTA_EXCEEDED' }])
    expect(await listTexts()).toEqual(['Hola'])
    await tenant.inTenant(tx =>
      tx.deleteFrom('quota_limits').where('tenant_id', '=', tenant.tenantId).execute(),
    )
    await receive(tenant, account, [makeMessage(phone, 'Hola otra vez')])
    expect(await listConversations(tenant)).toMatchObject([
      { lead_id: expect.any(String), lead_absence: null },
    ])
  })

  test('who was erased has no lead, and what they wrote before is not stored', async () => {
    await start()
    const before = makeMessage(phone, 'Before')
    await receive(tenant, account, [before])
    const [lead] = await tenant.listAllLeads()
    expect((await tenant.call('DELETE', `/leads/${lead!.id}?erase=true`)).status).toBe(204)
    expect([await listMessages(tenant), await listConversations(tenant)]).toEqual([[], []])
    await receive(tenant, account, [before])
    expect(await listMessages(tenant)).toEqual([])
    await receive(tenant, account, [makeMessage(phone, 'After')])
    expect(await listTexts()).toEqual(['After'])
    expect(await listConversations(tenant)).toMatchObject([{ lead_id: null, lead_absence: 'PERSON_ERASED' }])
    expect(await tenant.listAllLeads()).toEqual([])
  })
})

describe('bodies', () => {
  test('that arrive repeatedly and at once are stored once', async () => {
    await start()
    const messages = Array.from({ length: 20 }, (_, index) => makeMessage(phone, `m${index}`))
    await Promise.all(
      Array.from({ length: 8 }, (_, round) =>
        receive(tenant, account, round % 2 ? messages : messages.toReversed()),
      ),
    )
    const stored = await listMessages(tenant)
    expect(stored.map(({ text }) => text).toSorted()).toEqual(
      messages.map((_, index) => `m${index}`).toSorted(),
    )
    expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, index) => index + 1))
    expect(await listConversations(tenant)).toMatchObject([{ unread_count: 20, last_sequence: 20 }])
    expect(await tenant.listAllLeads()).toHaveLength(1)
  })

  test('are ordered by the time of the provider', async () => {
    await start()
    const at = (second: number) => Temporal.Now.instant().subtract({ seconds: 60 - second })
    const messages = [3, 1, 2].map(second => makeMessage(phone, `m${second}`, { at: at(second) }))
    await receive(tenant, account, messages)
    expect(await listTexts()).toEqual(['m1', 'm2', 'm3'])
  })

  test('of different accounts make different conversations with one lead', async () => {
    await start()
    const other = await makeChatAccount(tenant)
    const message = makeMessage(phone, 'Hola')
    await receive(tenant, account, [message])
    await receive(tenant, other, [message])
    const conversations = await listConversations(tenant)
    expect(conversations.map(({ account_id }) => account_id).toSorted()).toEqual([account, other].toSorted())
    expect(new Set(conversations.map(({ lead_id }) => lead_id)).size).toBe(1)
    expect(await tenant.listAllLeads()).toHaveLength(1)
  })
})

test('every kind of content is stored and shown', async () => {
  await start()
  const media = {
    kind: 'image',
    providerMediaId: 'data:,',
    mediaType: 'image/png',
    fileName: 'a\0.png',
    bytes: 3,
  } as const
  await receive(tenant, account, [
    makeMessage(phone, { kind: 'media', media: [media], caption: 'Mira' }, { providerMessageId: 'a' }),
    makeMessage(phone, { kind: 'location', latitude: 41.4, longitude: 2.1, name: 'Casa', address: null }),
    makeMessage(phone, { kind: 'contacts', contacts: [{ name: 'Eva', phones: ['+34600'], emails: [] }] }),
    makeMessage(phone, { kind: 'choice', id: 'yes', title: 'Sí' }, { replyTo: 'a' }),
    makeMessage(phone, { kind: 'unsupported', description: 'A poll' }),
    makeMessage(phone, 'Hola', { referral: { source: 'ad', url: 'https://ads.example', headline: 'Piso' } }),
  ])
  const stored = await listMessages(tenant)
  expect(stored).toMatchObject([
    { kind: 'media', text: 'Mira' },
    { kind: 'location', text: null, content: { latitude: 41.4, name: 'Casa', address: null } },
    { kind: 'contacts', content: { contacts: [{ name: 'Eva', phones: ['+34600'] }] } },
    { kind: 'choice', text: 'Sí', content: { id: 'yes' }, reply_to_id: stored[0]!.id },
    { kind: 'unsupported', text: null, content: { description: 'A poll' } },
    { kind: 'text', content: { referral: { source: 'ad', headline: 'Piso' } } },
  ])
  const files = await tenant.inTenant(tx =>
    tx.selectFrom('message_files').select(['message_id', 'file_name', 'status']).execute(),
  )
  expect(files).toEqual([{ message_id: stored[0]!.id, file_name: 'a.png', status: 'pending' }])
})

test('a message of the owner from another program is ours, and makes no lead', async () => {
  await start()
  await receive(tenant, account, [makeMessage(phone, 'Hola, soy Ana', { isEcho: true })])
  expect(await listMessages(tenant)).toMatchObject([
    { direction: 'out', status: 'sent', text: 'Hola, soy Ana' },
  ])
  expect(await listConversations(tenant)).toMatchObject([{ unread_count: 0, lead_absence: 'NEVER_WROTE' }])
  expect(await tenant.listAllLeads()).toEqual([])
  expect(await listEvents('message.sent')).toHaveLength(1)
})

test('the failure of a mail counts only if it names an address of the conversation', async () => {
  await start()
  const from: ChatIdentity[] = [{ kind: 'email', value: 'marta@mail.example' }]
  await receive(tenant, account, [makeMessage(from, 'Hola')], { channel: 'email' })
  const [conversation] = await listConversations(tenant)
  const { id } = await tenant.inTenant(tx =>
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
  const readStatus = async () => (await listMessages(tenant)).find(message => message.id === id)!.status
  await receive(tenant, account, [report('stranger@mail.example')], { channel: 'email' })
  expect(await readStatus()).toBe('sent')
  await receive(tenant, account, [report('Marta@mail.example')], { channel: 'email' })
  expect(await readStatus()).toBe('failed')
})

describe('changes of messages', () => {
  const id = { externalId: null, from: [{ kind: 'phone', value: phone }], providerMessageId: 'm1' } as const
  const timeAt = (seconds: number) => Temporal.Now.instant().subtract({ seconds: 100 - seconds })
  const message = () => makeMessage(phone, 'first', { providerMessageId: 'm1', at: timeAt(0) })
  const edited = (text: string, seconds: number): InboundEvent => ({
    ...id,
    from: [...id.from],
    type: 'edited',
    at: timeAt(seconds),
    content: { kind: 'text', text },
  })
  const deleted = (): InboundEvent => ({ ...id, from: [...id.from], type: 'deleted', at: timeAt(50) })
  const reaction = (emoji: string | null, seconds: number): InboundEvent => ({
    ...id,
    from: [...id.from],
    type: 'reaction',
    at: timeAt(seconds),
    emoji,
  })

  test('edits replace the text and keep the earlier ones, in whatever order they arrive', async () => {
    const events = () => [message(), edited('second', 10), edited('third', 20)]
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      await start()
      const all = events()
      for (const index of order) await receive(tenant, account, [all[index]!])
      await receive(tenant, account, all)
      const [stored, ...others] = await listMessages(tenant)
      expect(others).toEqual([])
      expect(stored).toMatchObject({ text: 'third', direction: 'in' })
      const earlier = (stored!.content.earlierTexts as { text: string }[]).map(({ text }) => text)
      expect(earlier.toSorted()).toEqual(['first', 'second'])
    }
  })

  test('a deleted message is gone, whatever arrives later', async () => {
    for (const order of [
      [0, 1, 2, 3],
      [1, 0, 2, 3],
      [2, 1, 0, 3],
      [3, 0, 2, 1],
    ]) {
      await start()
      const all = [message(), deleted(), edited('second', 10), reaction('👍', 20)]
      for (const index of order) await receive(tenant, account, [all[index]!])
      const stored = (await listMessages(tenant)).filter(({ kind }) => kind !== 'reaction')
      expect(stored).toHaveLength(1)
      expect(stored[0]).toMatchObject({ text: null, content: {}, deleted_at: expect.any(Date) })
    }
  })

  test('a reaction is shown at its message, changed and removed', async () => {
    await start()
    await receive(tenant, account, [message(), reaction('👍', 10)])
    const readReactions = async () => (await listMessages(tenant))[0]!.content.reactions
    expect(await readReactions()).toMatchObject([{ from: 'person', emoji: '👍' }])
    await receive(tenant, account, [reaction('❤️', 30)])
    await receive(tenant, account, [reaction('😀', 20)])
    expect(await readReactions()).toMatchObject([{ emoji: '❤️' }])
    await receive(tenant, account, [reaction(null, 40)])
    expect(await readReactions()).toEqual([])
  })

  describe('a reaction that arrives before its message', () => {
    const readStored = async () =>
      (await listMessages(tenant)).map(({ kind, content }) => [kind, content.reactions])

    test('is shown at it when it arrives, and the message is a reply', async () => {
      await start()
      await receive(tenant, account, [reaction('👍', 10)])
      expect(await readStored()).toEqual([['reaction', undefined]])
      await receive(tenant, account, [reaction('❤️', 30), reaction('😀', 20)])
      await receive(tenant, account, [message()])
      expect(await readStored()).toMatchObject([['text', [{ from: 'person', emoji: '❤️' }]]])
      expect(await listConversations(tenant)).toMatchObject([{ unread_count: 1 }])
      expect(await listEvents('lead.replied')).toHaveLength(1)
      await receive(tenant, account, [reaction(null, 40)])
      expect(await readStored()).toEqual([['text', []]])
    })

    test('and was removed leaves nothing', async () => {
      await start()
      await receive(tenant, account, [reaction('👍', 10), reaction(null, 20)])
      await receive(tenant, account, [message()])
      expect(await readStored()).toEqual([['text', []]])
    })
  })
})

test('a machine that writes first has a conversation without a lead', async () => {
  await start()
  await receive(tenant, account, [makeMessage(phone, 'Newsletter', { nature: 'auto_reply' })])
  expect(await listConversations(tenant)).toMatchObject([{ lead_id: null, lead_absence: 'NEVER_WROTE' }])
  expect(await tenant.listAllLeads()).toEqual([])
  await receive(tenant, account, [makeMessage(phone, 'Hola')])
  expect(await listConversations(tenant)).toMatchObject([{ lead_id: expect.any(String), lead_absence: null }])
})

describe('hostile input', () => {
  test('the largest texts and ids are stored within bounds, and odd names are ignored', async () => {
    await start()
    const long = 'á'.repeat(200_000)
    await receive(tenant, account, [
      makeMessage(phone, `${'x'.repeat(65_535)}\u{1f600}${long}`, {
        providerMessageId: long,
        profileName: long,
      }),
      makeMessage([{ kind: 'telegram', value: long }], 'nobody'),
      makeMessage([], 'nobody'),
      makeMessage([{ kind: 'phone', value: 'not a phone' }], 'nobody'),
      makeMessage(phone, 'nul \0 and \ud800', {
        providerMessageId: '\0',
        at: Temporal.Instant.from('2999-01-01T00:00Z'),
      }),
    ])
    await receive(tenant, account, [makeMessage(phone, 'again', { providerMessageId: long })])
    const stored = await listMessages(tenant)
    expect(stored.map(({ text }) => text!.length)).toEqual([65_536, 10])
    expect(stored[0]!.content).toEqual({ isTruncated: true })
    const [conversation] = await listConversations(tenant)
    expect(conversation!.last_inbound_at!.getTime()).toBeLessThanOrEqual(Date.now())
    expect((await tenant.listAllLeads())[0]!.contact.name).toHaveLength(500)
  })

  test('a thousand messages of one person do not hold up another tenant', { timeout: 60_000 }, async () => {
    await start()
    const hostile = { tenant, account }
    const flood = (async () => {
      for (let body = 0; body < 10; body++)
        await receive(
          hostile.tenant,
          hostile.account,
          Array.from({ length: 100 }, (_, index) => makeMessage(phone, `m${body} ${index}`)),
        )
    })()
    const other = await makeTenant(app)
    const otherAccount = await makeChatAccount(other)
    const times: number[] = []
    let isOver = false
    void flood.finally(() => {
      isOver = true
    })
    while (!isOver) {
      const startedAt = performance.now()
      await receive(other, otherAccount, [makeMessage('+34699999999', 'Hola')])
      times.push(performance.now() - startedAt)
      await sleep(50)
    }
    await flood
    expect(await listConversations(hostile.tenant)).toMatchObject([
      { unread_count: 1000, last_sequence: 1000 },
    ])
    expect((await listMessages(hostile.tenant)).map(({ text }) => text)).toEqual(
      Array.from({ length: 1000 }, (_, index) => `m${Math.floor(index / 100)} ${index % 100}`),
    )
    const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]
    console.info(`${times.length} messages of the other tenant: p99 ${Math.round(p99!)} ms`)
    expect(p99).toBeLessThan(10_000)
  })
})
