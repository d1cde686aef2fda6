/** One conversation per person and account, whatever name is used; merged and unmerged with leads. */
import { describe, expect, test } from 'vitest'
import { makeChatAccount, makeInboxForTests, makeMessage, receive } from '../../../../test/receiving.ts'
import { sql } from '../../../kit/db/index.ts'
import { lockLeadWrites } from '../../../kit/writer.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import type { Message } from '../message-schemas.ts'
import { failQueued } from '../messages/fail-queued.ts'
import { findOutgoing } from '../messages/outgoing-rows.ts'
import { toRefusal } from '../messages/to-failure.ts'

const inbox = makeInboxForTests()
const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
const other: ChatIdentity = { kind: 'phone', value: '+34699999999' }
const bsuid: ChatIdentity = { kind: 'bsuid', value: 'ES.1' }
const say = (from: ChatIdentity[], text: string) => inbox.receive([makeMessage(from, text)])
const listByConversation = async () =>
  Object.values(Object.groupBy(await inbox.listMessages(), ({ conversation_id }) => conversation_id)).map(
    messages => messages!.map(({ sequence, text }) => `${sequence} ${text}`),
  )

describe('identities', () => {
  test('that come together join two conversations, in the order of the messages', async () => {
    await say([phone], 'a')
    await say([bsuid], 'b')
    await say([phone], 'c')
    expect(await inbox.listConversations()).toHaveLength(2)
    await say([phone, bsuid], 'd')
    expect(await listByConversation()).toEqual([['1 a', '2 b', '3 c', '4 d']])
    expect(await inbox.listConversations()).toMatchObject([{ unread_count: 4, last_sequence: 4 }])
    await say([bsuid], 'e')
    expect((await listByConversation())[0]).toHaveLength(5)
  })

  test('that join two conversations leave a message waiting as long as it has to', async () => {
    const chat: ChatIdentity = { kind: 'sandbox', value: 'chat' }
    await say([phone], 'a')
    await say([chat], 'b')
    const [first, second] = await inbox.listConversations()
    const queue = async (conversationId: string, text: string) => {
      const path = `/conversations/${conversationId}/messages`
      expect((await inbox.tenant.call('POST', path, { body: { text } })).status).toBe(202)
    }
    await queue(first!.id, 'refused once')
    await queue(second!.id, 'later')
    const at = new Date(Date.now() + 3_600_000)
    await inbox.tenant.inTenant(tx =>
      sql`update messages set attempts = 1, next_attempt_at = ${at}
        where tenant_id = ${inbox.tenant.tenantId} and text = 'refused once'`.execute(tx),
    )
    await say([phone, chat], 'c')
    const queued = (await inbox.listMessages()).filter(({ status }) => status === 'queued')
    expect(queued).toMatchObject([
      { text: 'refused once', next_attempt_at: at },
      { text: 'later', next_attempt_at: null },
    ])
  })

  test('a number with a new owner leaves the conversation of the former one', async () => {
    await say([phone, bsuid], 'mine')
    await say([phone, { kind: 'bsuid', value: 'ES.2' }], 'of the new owner')
    await say([phone], 'of the new owner, too')
    expect((await listByConversation()).toSorted((a, b) => a.length - b.length)).toEqual([
      ['1 mine'],
      ['1 of the new owner', '2 of the new owner, too'],
    ])
    await say([bsuid], 'mine again')
    expect(await inbox.listConversations()).toHaveLength(2)
  })

  test('a changed number continues the conversation, and the former one is free', async () => {
    await say([phone], 'a')
    const at = Temporal.Now.instant()
    const change = {
      type: 'identity_changed',
      externalId: null,
      at,
      former: [phone],
      current: [other],
    } as const
    const event = { ...change, former: [...change.former], current: [...change.current] }
    await inbox.receive([event, event])
    await say([other], 'b')
    expect(await listByConversation()).toEqual([['1 a', '2 b']])
    expect((await inbox.tenant.listAllLeads())[0]!.contact).toMatchObject({
      phone: other.value,
      identifiers: [],
    })
    await say([phone], 'somebody else')
    expect(await inbox.listConversations()).toHaveLength(2)
  })
})

describe('merged leads', () => {
  async function mergeLeads() {
    await inbox.restart()
    await say([phone], 'a1')
    await say([other], 'b1')
    await say([phone], 'a2')
    const leads = await inbox.tenant.listAllLeads()
    const find = (value: string) => leads.find(({ contact }) => contact.phone === value)!.id
    const [kept, absorbed] = [find(phone.value), find(other.value)]
    const { body } = await inbox.tenant.call<{ mergeId: string }>('POST', `/leads/${kept}/merge`, {
      body: { leadId: absorbed },
    })
    return { kept, absorbed, mergeId: body.mergeId }
  }

  test('have one conversation; the undo brings both back, with what each person wrote since', async () => {
    const { kept, absorbed, mergeId } = await mergeLeads()
    expect(await listByConversation()).toEqual([['1 a1', '2 b1', '3 a2']])
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: kept, unread_count: 3 }])
    await say([other], 'b2')
    await say([phone], 'a3')
    const undo = await inbox.tenant.call('POST', `/leads/${kept}/merges/${mergeId}/undo`)
    expect(undo.status, undo.text).toBe(200)
    const texts = async () =>
      (await listByConversation()).map(messages => messages.map(message => message.split(' ')[1])).toSorted()
    expect(await texts()).toEqual([
      ['a1', 'a2', 'a3'],
      ['b1', 'b2'],
    ])
    const conversations = await inbox.listConversations()
    expect(conversations.map(({ lead_id }) => lead_id).toSorted()).toEqual([kept, absorbed].toSorted())
    await say([other], 'b3')
    await say([phone], 'a4')
    expect(await texts()).toEqual([
      ['a1', 'a2', 'a3', 'a4'],
      ['b1', 'b2', 'b3'],
    ])
    expect(await inbox.listConversations()).toHaveLength(2)
  })

  async function openBoth(): Promise<string[]> {
    const leadIds: string[] = []
    for (const { value } of [phone, other]) {
      const body = { contact: { phone: value } }
      const lead = await inbox.tenant.call<{ id: string }>('POST', '/leads', { body })
      leadIds.push(lead.body.id)
      const opened = { accountId: inbox.accountId, leadId: lead.body.id }
      await inbox.tenant.call('POST', '/conversations', { body: opened })
    }
    return leadIds
  }

  test('are separated with the replies of their own people', async () => {
    const leadIds = await openBoth()
    const [kept, absorbed] = leadIds
    const mergeAndUndo = async (writer: ChatIdentity) => {
      const merge = { body: { leadId: absorbed } }
      const { body } = await inbox.tenant.call<{ mergeId: string }>('POST', `/leads/${kept}/merge`, merge)
      await say([writer], 'hola')
      await inbox.tenant.call('POST', `/leads/${kept}/merges/${body.mergeId}/undo`)
      const leads = await inbox.tenant.listAllLeads()
      return leadIds.map(id => {
        const { status, lastReplyAt } = leads.find(lead => lead.id === id)!
        return [status, lastReplyAt !== null]
      })
    }
    expect(await mergeAndUndo(other)).toEqual([
      ['new', false],
      ['replied', true],
    ])
    expect(await mergeAndUndo(phone)).toEqual([
      ['replied', true],
      ['replied', true],
    ])
  })

  test('keep the replies whose messages were deleted since', async () => {
    const [kept, absorbed] = await openBoth()
    const merge = { body: { leadId: absorbed } }
    const { body } = await inbox.tenant.call<{ mergeId: string }>('POST', `/leads/${kept}/merge`, merge)
    await say([phone], 'hola')
    const { tenantId, inTenant } = inbox.tenant
    await inTenant(tx => tx.deleteFrom('messages').where('tenant_id', '=', tenantId).execute())
    await say([other], 'hola')
    await inbox.tenant.call('POST', `/leads/${kept}/merges/${body.mergeId}/undo`)
    const lead = (await inbox.tenant.listAllLeads()).find(({ id }) => id === kept)
    expect(lead).toMatchObject({ status: 'replied', lastReplyAt: expect.any(String) })
  })

  test('take along the conversations with other accounts', async () => {
    await say([phone], 'a')
    const second = await makeChatAccount(inbox.tenant)
    await receive(inbox.tenant, second, [makeMessage([other], 'b')])
    const [one, two] = (await inbox.tenant.listAllLeads()).map(({ id }) => id)
    const { body } = await inbox.tenant.call<{ mergeId: string }>('POST', `/leads/${one}/merge`, {
      body: { leadId: two },
    })
    const listLeads = async () => new Set((await inbox.listConversations()).map(({ lead_id }) => lead_id))
    expect(await listLeads()).toEqual(new Set([one]))
    await inbox.tenant.call('POST', `/leads/${one}/merges/${body.mergeId}/undo`)
    expect(await listLeads()).toEqual(new Set([one, two]))
  })
})

describe('a person with several leads', () => {
  const makeLead = async (title: string, squareMeters: number) => {
    const property = { operation: 'sale', title, squareMeters, price: squareMeters * 4000, address: title }
    const { body } = await inbox.tenant.call<{ id: string }>('POST', '/leads', {
      body: { contact: { phone: phone.value }, property },
    })
    return body.id
  }
  const write = (conversationId: string, body: object) =>
    inbox.tenant.call<Message>('POST', `/conversations/${conversationId}/messages`, { body })

  test('has one conversation; each message is about one of them', async () => {
    const [loft, house] = [await makeLead('Loft', 40), await makeLead('House', 150)]
    await say([phone], 'hola')
    const template = await inbox.tenant.call<{ id: string }>('POST', '/templates', {
      body: { name: 'about', language: 'es', body: '{{ property.title }}', category: 'utility' },
    })
    const opened = await inbox.tenant.call<{ id: string }>('POST', '/conversations', {
      body: { accountId: inbox.accountId, leadId: house },
    })
    const templateId = template.body.id
    const listOf = async (path: string) =>
      (await inbox.tenant.call<{ data: { id: string }[] }>('GET', path)).body.data.map(({ id }) => id)
    expect(await listOf(`/conversations?leadId=${house}`)).toEqual([opened.body.id])
    const about = await write(opened.body.id, { templateId, leadId: house })
    expect(about.body).toMatchObject({ text: 'House', leadId: house })
    expect((await write(opened.body.id, { templateId, leadId: loft })).body).toMatchObject({ text: 'Loft' })
    const ids = { id: about.body.id, conversationId: opened.body.id }
    expect(await inbox.tenant.inTenant(tx => findOutgoing(tx, [ids.id]))).toMatchObject([
      { ...ids, leadId: house },
    ])

    await inbox.tenant.inTenant(async tx => {
      await lockLeadWrites(tx)
      await failQueued(tx, [ids.conversationId], toRefusal('EXPIRED', 'Too late.'))
    })
    expect(await listOf(`/messages?leadId=${house}`)).toEqual([ids.id])
    expect(await listOf(`/messages?leadId=${loft}`)).toHaveLength(1)
    const merge = await inbox.tenant.call<{ mergeId: string }>('POST', `/leads/${loft}/merge`, {
      body: { leadId: house },
    })
    const readLead = async () => (await inbox.tenant.call<Message>('GET', `/messages/${ids.id}`)).body.leadId
    expect(await readLead()).toBe(loft)
    await inbox.tenant.call('POST', `/leads/${loft}/merges/${merge.body.mergeId}/undo`)
    expect(await readLead()).toBe(house)
    await inbox.tenant.call('DELETE', `/leads/${house}`)
    expect(await readLead()).toBe(
      (await inbox.tenant.call<Message>('GET', `/conversations/${opened.body.id}`)).body.leadId,
    )
  })

  test('an unknown lead, and one of another person, are refused; a note is about none', async () => {
    await say([phone], 'hola')
    const [conversation] = await inbox.listConversations()
    const stranger = await inbox.tenant.call<{ id: string }>('POST', '/leads', {
      body: { contact: { phone: other.value } },
    })
    const refuse = async (body: object) =>
      (await write(conversation!.id, body)).body as unknown as { statusCode: number; errors: object[] }
    expect(await refuse({ text: 'a', leadId: conversation!.id })).toMatchObject({
      statusCode: 400,
      errors: [{ path: '/leadId', code: 'UNKNOWN_LEAD' }],
    })
    expect((await refuse({ text: 'a', leadId: stranger.body.id })).errors).toMatchObject([
      { path: '/leadId', code: 'OTHER_PERSON' },
    ])
    const ids = { replyToId: conversation!.id, leadId: stranger.body.id }
    expect((await refuse({ note: 'a', ...ids })).errors).toMatchObject([
      { path: '/replyToId', code: 'NOT_ALLOWED' },
      { path: '/leadId', code: 'NOT_ALLOWED' },
    ])
  })

  test('keeps them apart when two conversations turn out to be with one person', async () => {
    await say([phone], 'by phone')
    await say([bsuid], 'by id')
    const leadOf = async () =>
      Object.fromEntries(
        (
          await Promise.all(
            (
              await inbox.listMessages()
            ).map(({ id }) => inbox.tenant.call<Message>('GET', `/messages/${id}`)),
          )
        ).map(({ body }) => [body.text, body.leadId]),
      )
    const before = await leadOf()
    await say([phone, bsuid], 'both')
    expect(await leadOf()).toMatchObject(before)
  })
})

test('a conversation stays when its lead is deleted, and has a new one when the person writes again', async () => {
  await say([phone], 'a')
  const [lead] = await inbox.tenant.listAllLeads()
  expect((await inbox.tenant.call('DELETE', `/leads/${lead!.id}`)).status).toBe(204)
  expect(await inbox.listConversations()).toMatchObject([{ lead_id: null, lead_absence: 'LEAD_DELETED' }])
  await say([phone], 'b')
  expect(await listByConversation()).toEqual([['1 a', '2 b']])
  expect(await inbox.listConversations()).toMatchObject([{ lead_id: expect.any(String), lead_absence: null }])
})
