/** Messages of many people that are stored together. */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  listConversations,
  listMessages,
  makeChatAccount,
  makeMessage,
  receive,
} from '../../../../test/receiving.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import type { ChatIdentity, InboundEvent } from '../../../plugins/chat.ts'
import { insertMessage } from '../messages/insert-message.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { ROLE: 'api' } })
  return () => app.stop()
})

/** Few, so that people share them, change them and lose them to others. */
const identities: ChatIdentity[] = [
  { kind: 'phone', value: '+34611111111' },
  { kind: 'phone', value: '+34622222222' },
  { kind: 'bsuid', value: 'ES.1' },
  { kind: 'bsuid', value: 'ES.2' },
]
const sender = fc.subarray(identities, { minLength: 1, maxLength: 2 })
const texts = ['hola', 'BAJA', 'ALTA']
const makeMessages = (from: fc.Arbitrary<ChatIdentity[]>) =>
  fc.array(fc.record({ from, text: fc.constantFrom(...texts), isEcho: fc.boolean() }), {
    minLength: 2,
    maxLength: 8,
  })
const messages = fc.oneof(
  makeMessages(sender),
  makeMessages(fc.constantFrom(...identities).map(each => [each])),
)

const [phone, otherPhone, bsuid, otherBsuid] = identities as [
  ChatIdentity,
  ChatIdentity,
  ChatIdentity,
  ChatIdentity,
]
const write = (from: ChatIdentity[], isEcho = false) => ({ from, text: 'hola', isEcho })
/** A number gets a new owner before the lead of the first one is known. */
const newOwners = [
  [write([phone, otherBsuid]), write([phone, bsuid]), write([phone, otherBsuid])],
  [write([phone, bsuid]), write([phone, otherBsuid])],
  [write([otherPhone, otherBsuid]), write([phone, otherBsuid], true), write([bsuid]), write([phone, bsuid])],
  [write([otherBsuid]), write([otherPhone]), write([otherPhone, otherBsuid])],
  [
    write([phone, otherPhone], true),
    write([otherPhone, bsuid]),
    write([otherPhone, otherBsuid]),
    write([phone]),
  ],
]

test('are those that were stored one by one, in the same conversations', async () => {
  await fc.assert(
    fc.asyncProperty(messages, async written => {
      const startMs = Date.now() - 60_000
      const events = written.map(({ from, text, isEcho }, index) => ({
        ...makeMessage(from, text, { isEcho }),
        at: Temporal.Instant.fromEpochMilliseconds(startMs + index * 1000),
      }))
      const together = await store([events])
      const separate = await store(events.map(event => [event]))
      expect(together.messages).toEqual(separate.messages)
      if (!separate.wereJoined) {
        expect(together.answers).toEqual(separate.answers)
        expect(together.leads).toEqual(separate.leads)
      }
    }),
    { numRuns: 8, examples: newOwners.map(each => [each]) },
  )
})

interface StoredInbox {
  /** Those of each conversation, with what does not depend on ids. */
  messages: object[]
  /** Which messages are replies, and how often an opt-out was confirmed. */
  answers: object
  /** The identifiers of the lead of each message. */
  leads: object
  /** True if people were known by one identity in one conversation each, until a message joined these. */
  wereJoined: boolean
}

async function store(parts: InboundEvent[][]): Promise<StoredInbox> {
  const tenant = await makeTenant(app, 'live')
  const accountId = await makeChatAccount(tenant)
  let wereJoined = false
  let count = 0
  for (const events of parts) {
    await receive(tenant, accountId, events)
    const { length } = await listConversations(tenant)
    wereJoined ||= length < count
    count = length
  }
  return { ...(await describeInbox(tenant)), wereJoined }
}

async function describeInbox(tenant: TestTenant): Promise<Omit<StoredInbox, 'wereJoined'>> {
  const identities = await listIdentities(tenant)
  const events = await listEventTypes(tenant)
  const conversations = await listConversations(tenant)
  const created = await listCreatedLeads(tenant)
  const stored = await tenant.listAllLeads()
  expect(created).toEqual(stored.map(({ id }) => id).toSorted())
  // An opt-out is confirmed after what the person wrote together with it.
  const [confirmations, written] = partition(
    await listMessages(tenant),
    each => each.nature === 'opt_out_confirmation',
  )
  const byConversation = Map.groupBy(written, each => each.conversation_id)
  const messages = conversations.map(({ id, lead_id, unread_count }) => ({
    identities: identities.get(id) ?? [],
    unread: unread_count,
    messages: byConversation
      .get(id)!
      .map(each => [
        each.direction,
        each.text,
        each.status,
        each.nature,
        events.get(each.id)?.filter(type => type !== 'lead.replied') ?? [],
      ]),
    hasLead: lead_id !== null,
  }))
  const replies = written.filter(({ id }) => events.get(id)?.includes('lead.replied'))
  const contacts = new Map(
    // A number that left its owner and came back is no longer their main one: one by one it did, together it never left.
    stored.map(({ id, contact }) => [id, [contact.phone ?? [], ...contact.identifiers].flat().toSorted()]),
  )
  const leadOf = new Map(conversations.map(({ id, lead_id }) => [id, contacts.get(lead_id ?? '') ?? null]))
  return {
    leads: Object.fromEntries(
      written.map(each => [each.provider_message_id, leadOf.get(each.conversation_id)]),
    ),
    messages: messages.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    answers: {
      replies: replies.map(each => each.provider_message_id).toSorted(),
      confirmations: confirmations.map(({ text }) => text),
    },
  }
}

async function listIdentities({ tenantId }: TestTenant): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; identity: string }>`
    select conversation_id as id, kind || ':' || value as identity from conversation_identities
    where tenant_id = ${tenantId} order by kind, value`.execute(app.database.owner)
  const byConversation = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byConversation].map(([id, own]) => [id, own.map(({ identity }) => identity)]))
}

async function listCreatedLeads({ tenantId }: TestTenant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select data->>'leadId' as id from events where tenant_id = ${tenantId} and type = 'lead.created' order by 1`.execute(
    app.database.owner,
  )
  return rows.map(({ id }) => id)
}

/** The types of the events of each message. */
async function listEventTypes({ tenantId }: TestTenant): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; type: string }>`
    select data->>'messageId' as id, type from events
    where tenant_id = ${tenantId} and data ? 'messageId'`.execute(app.database.owner)
  const byMessage = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byMessage].map(([id, own]) => [id, own.map(({ type }) => type)]))
}

const partition = <T>(all: T[], isFirst: (each: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter(each => !isFirst(each)),
]

/** Answers to a person's own two leads: by number, the messages that they quote; 0 and 1 are ours, about each lead. */
const answers = fc.array(
  fc.record({
    quotes: fc.option(fc.nat({ max: 4 })),
    nature: fc.constantFrom('person', 'person', 'auto_reply'),
    isEcho: fc.boolean(),
  }),
  { minLength: 2, maxLength: 5 },
)

test('are about the leads that they quote, as those that were stored one by one', async () => {
  await fc.assert(
    fc.asyncProperty(answers, async written => {
      const events = written.map(({ quotes, ...more }, index) =>
        makeMessage([phone], String(index + 2), {
          ...more,
          nature: more.isEcho ? 'person' : more.nature,
          providerMessageId: String(index + 2),
          replyTo: quotes === null ? null : String(quotes),
        }),
      )
      const together = await storeAnswers([events])
      const separate = await storeAnswers(events.map(event => [event]))
      expect(together).toEqual(separate)
    }),
    { numRuns: 4 },
  )
})

/** Returns the lead of each message by its text, and which messages each lead has answered. */
async function storeAnswers(parts: InboundEvent[][]) {
  const tenant = await makeTenant(app, 'live')
  const accountId = await makeChatAccount(tenant)
  const leadIds: string[] = []
  for (const title of ['Calle Uno 1', 'Avenida Segunda 22']) {
    const property = { title, address: title, price: 10_000 * title.length }
    const body = { contact: { phone: phone.value }, property }
    leadIds.push((await tenant.call<{ id: string }>('POST', '/leads', { body })).body.id)
  }
  const body = { accountId, leadId: leadIds[0] }
  const { id: conversationId } = (await tenant.call<{ id: string }>('POST', '/conversations', { body })).body
  for (const [number, leadId] of [null, leadIds[1]!].entries())
    await tenant.inTenant(tx =>
      insertMessage(tx, {
        conversationId,
        direction: 'out',
        kind: 'text',
        text: String(number),
        status: 'sent',
        leadId,
        providerMessageId: String(number),
      }),
    )
  for (const events of parts) await receive(tenant, accountId, events)
  const messages = await listMessages(tenant)
  const { rows } = await sql<{ leadId: string; messageId: string }>`
    select data->>'leadId' as "leadId", data->>'messageId' as "messageId" from events
    where tenant_id = ${tenant.tenantId} and type = 'lead.replied' order by id`.execute(app.database.owner)
  const toText = (id: string) => messages.find(message => message.id === id)!.text
  const leads = await Promise.all(
    leadIds.map(async id => (await tenant.call<{ status: string }>('GET', `/leads/${id}`)).body.status),
  )
  return {
    messages: messages.map(({ text, lead_id }) => [text, leadIds.indexOf(lead_id ?? leadIds[0]!)]),
    replies: rows.map(({ leadId, messageId }) => [leadIds.indexOf(leadId), toText(messageId)]).toSorted(),
    leads,
  }
}

test('of two hundred people make as many conversations and leads', async () => {
  const tenant = await makeTenant(app, 'live')
  const accountId = await makeChatAccount(tenant)
  const makeAll = (text: string) =>
    Array.from({ length: 200 }, (_, index) => makeMessage(`+34600000${String(index).padStart(3, '0')}`, text))
  await receive(tenant, accountId, makeAll('1'))
  await receive(tenant, accountId, makeAll('2'))
  const conversations = await listConversations(tenant)
  expect(conversations.length).toBe(200)
  expect(new Set(conversations.map(({ lead_id }) => lead_id)).size).toBe(200)
  expect(new Set(conversations.map(({ unread_count }) => unread_count))).toEqual(new Set([2]))
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from events where tenant_id = ${tenant.tenantId} and type = 'lead.replied'`.execute(
    app.database.owner,
  )
  expect(rows[0]!.count).toBe(200)
})
