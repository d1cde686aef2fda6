/** Finds conversations and messages by words, and conversations by filters. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { storeAccount, storeConversation, storeMessage } from '../../../../test/inbox.ts'
import { makeContact } from '../../../../test/messaging.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { Message } from '../message-schemas.ts'
import { toDocument } from '../message-words.ts'
import { storeNotices } from '../sending/store-sending.ts'
import { addIdentities } from './queries.ts'
import type { Conversation, ListedConversation } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
let accountId: string
beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  accountId = await tenant.inTenant(storeAccount)
})

let number = 0

/** A conversation with these messages. Returns its id. */
async function write(texts: string[], leadId: string | null = null): Promise<string> {
  const phone = `+3461200${String(++number).padStart(4, '0')}`
  const id = await tenant.inTenant(tx => storeConversation(tx, { accountId, leadId, phone }))
  await tenant.inTenant(async tx => {
    for (const text of texts) await storeMessage(tx, id, { text })
  })
  return id
}

interface Page<T> {
  data: T[]
  nextCursor: string | null
}

async function find(query: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const search = new URLSearchParams({ ...query, ...(cursor ? { cursor } : {}) })
    const reply = await tenant.call<Page<Conversation>>('GET', `/conversations?${search}`)
    expect(reply.status).toBe(200)
    ids.push(...reply.body.data.map(({ id }) => id))
    cursor = reply.body.nextCursor
  } while (cursor)
  return ids
}

it('finds words of messages without accents, the last by its beginning, newest first', async () => {
  const first = await write(['¿Tiene trastero el ático?', 'Gracias'])
  const second = await write(['Sin TRASTERO', 'pero con ascensor'])
  await write(['Hola'])
  expect(await find({ q: 'trastero' })).toEqual([second, first])
  expect(await find({ q: 'trast' })).toEqual([second, first])
  expect(await find({ q: 'atico' })).toEqual([first])
  expect(await find({ q: 'trastero tiene' })).toEqual([first])
  // Both words must be in one message.
  expect(await find({ q: 'gracias trastero' })).toEqual([])
  expect(await find({ q: 'rastero' })).toEqual([])
  expect(await find({ q: '¿?' })).toEqual([])
})

it('finds the name and the phone of the lead', async () => {
  const leadId = await makeContact(tenant, '+34612345678')
  const conversationId = await write(['Hola'], leadId)
  await write(['Hola'])
  expect(await find({ q: 'marta rui' })).toEqual([conversationId])
  expect(await find({ q: 'ruiz marta' })).toEqual([conversationId])
  expect(await find({ q: 'mart ruiz' })).toEqual([])
  expect(await find({ q: '612 34 56' })).toEqual([conversationId])
})

it('finds a person without a lead by the beginning of their number, address or id', async () => {
  const byPhone = await tenant.inTenant(tx =>
    storeConversation(tx, { accountId, leadId: null, phone: '+34699112233' }),
  )
  const byEmail = await write([])
  const byId = await write([])
  await tenant.inTenant(tx =>
    addIdentities(tx, accountId, [
      { kind: 'email', value: 'marta@example.com', conversationId: byEmail },
      { kind: 'bsuid', value: 'ES.A1b2', conversationId: byId },
    ]),
  )
  for (const q of ['699 11 22', '+34 699112233', '699112233']) expect(await find({ q })).toEqual([byPhone])
  for (const q of ['marta@ex', 'Marta@Example.com']) expect(await find({ q })).toEqual([byEmail])
  expect(await find({ q: 'ES.A1' })).toEqual([byId])
  for (const q of ['699 11 23', 'marta@exa.com', '+34']) expect(await find({ q })).toEqual([])
})

it('shows the newest message that has the words', async () => {
  const leadId = await makeContact(tenant, '+34612345679')
  const id = await write(['El trastero es grande', 'Otro trastero', 'Hola'], leadId)
  const search = async (q: string) =>
    (await tenant.call<Page<ListedConversation>>('GET', `/conversations?q=${q}`)).body.data.map(
      ({ id, matchedMessage }) => [id, matchedMessage?.text ?? null],
    )
  expect(await search('trast')).toEqual([[id, 'Otro trastero']])
  expect(await search('marta')).toEqual([[id, null]])
  const { body } = await tenant.call<Page<ListedConversation>>('GET', '/conversations')
  expect(body.data[0]).toMatchObject({ id, matchedMessage: null })
})

it('finds the subject of an e-mail, and shows that e-mail', async () => {
  const id = await write(['Hola'])
  const text = '¿Cuándo lo vemos?'
  const authentication = { spf: null, dkim: null, dmarc: null }
  const email = { subject: 'Visita al Ático de Gràcia', references: [], fullText: null, authentication }
  const mail = await tenant.inTenant(tx => storeMessage(tx, id, { text, content: { email } }))
  await tenant.inTenant(tx => storeMessage(tx, id, { text: 'El jueves' }))
  await write(['el ático'])
  const expectFound = async (q: string) => {
    const { body } = await tenant.call<Page<ListedConversation>>('GET', `/conversations?q=${q}`)
    expect(body.data.map(each => [each.id, each.matchedMessage?.id])).toEqual([[id, mail.id]])
    const within = await tenant.call<Page<Message>>('GET', `/conversations/${id}/messages?q=${q}`)
    expect(within.body.data.map(message => message.id)).toEqual([mail.id])
  }
  for (const q of ['atico gracia', 'GRÀCIA', 'visita vemos', 'vemos ati']) await expectFound(q)
  await tenant.inTenant(tx => storeNotices(tx, [{ id: mail.id, text: `${text} Aviso de privacidad.` }]))
  for (const q of ['gracia', 'privacidad ático']) await expectFound(q)
})

it('shows an old message with the words, also if the lead has them', async () => {
  const leadId = await makeContact(tenant, '+34612345680')
  const old = ['Soy Marta', ...Array.from({ length: 30 }, () => 'Hola')]
  const withLead = await write(old, leadId)
  const withoutLead = await write(old)
  const search = async () =>
    (await tenant.call<Page<ListedConversation>>('GET', '/conversations?q=marta')).body.data.map(
      ({ id, matchedMessage }) => [id, matchedMessage?.text],
    )
  const expected = [
    [withoutLead, 'Soy Marta'],
    [withLead, 'Soy Marta'],
  ]
  expect(await search()).toEqual(expected)
  for (const _ of [1, 2, 3, 4]) expected.unshift([await write(['Marta', 'Hola']), 'Marta'])
  expect(await search()).toEqual(expected)
})

it('combines words with filters', async () => {
  const first = await write(['el piso'])
  const second = await write(['el piso'])
  await tenant.call('PATCH', `/conversations/${first}`, { body: { labels: ['vip', 'visita'] } })
  await tenant.call('PATCH', `/conversations/${second}`, { body: { status: 'closed', read: true } })
  expect(await find({ q: 'piso', label: 'vip' })).toEqual([first])
  expect(await find({ q: 'piso', status: 'closed' })).toEqual([second])
  expect(await find({ q: 'piso', unread: 'true' })).toEqual([first])
  expect(await find({ label: 'visita' })).toEqual([first])
  expect(await find({ label: 'nada' })).toEqual([])
  const labels = await tenant.call<Page<string>>('GET', '/conversations/labels')
  expect(labels.body.data).toEqual(['vip', 'visita'])
  await tenant.call('PATCH', `/conversations/${first}`, { body: { labels: ['precio'] } })
  expect(await find({ label: 'vip' })).toEqual([])
  expect((await tenant.call<Page<string>>('GET', '/conversations/labels?limit=1')).body).toEqual({
    data: ['precio'],
    nextCursor: null,
  })
})

it('has several statuses at once; open ones are not put off', async () => {
  const [open, later, pending, putOff, closed] = await Promise.all(
    Array.from({ length: 5 }, () => write(['Hola'])),
  )
  const change = (id: string | undefined, body: object) =>
    tenant.call('PATCH', `/conversations/${id}`, { body })
  const snoozedUntil = new Date(Date.now() + 86_400_000).toISOString()
  await change(later, { snoozedUntil })
  await change(pending, { status: 'pending' })
  await change(putOff, { status: 'pending', snoozedUntil })
  await change(closed, { status: 'closed' })
  const findSorted = async (query: Record<string, string>) => (await find(query)).toSorted()
  expect(await findSorted({ status: 'open' })).toEqual([open])
  expect(await findSorted({ status: 'open,pending' })).toEqual([open, pending, putOff].toSorted())
  expect(await findSorted({ status: 'open, closed', snoozed: 'true' })).toEqual([later])
  const refused = await tenant.call('GET', '/conversations?status=open,done')
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/status' }] } })
})

it('reads conversations in order for common words, and finds the same', async () => {
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.unshift(await write([n % 2 === 0 ? 'el piso' : 'la casa']))
  const expected = ids.filter((_, index) => index % 2 === 1)
  expect(await find({ q: 'piso' })).toEqual(expected)
  expect(await find({ q: 'piso', limit: '3' })).toEqual(expected)
})

/** Stores conversations, the first one a minute after the start of 2026. */
const storeConversations = (tx: Tx, count: number) =>
  sql`
    insert into conversations (tenant_id, id, account_id, lead_id, last_message_at, created_at, updated_at)
    select ${tenant.tenantId}::uuid, gen_random_uuid(), ${accountId}::uuid, gen_random_uuid(), t, t, t
    from generate_series(1, ${count}::int) n, lateral (select timestamptz '2026-01-01' + n * interval '1 min' as t) at`.execute(
    tx,
  )

const oldest = (count: number) => sql`(
  select tenant_id, id, lead_id from conversations where tenant_id = ${tenant.tenantId} order by last_message_at limit ${count}) oldest`

/** Stores 1,400 conversations. The oldest 1,100 have messages with the word, `repeats` each. */
const writeOldWord = (word: string, repeats: number) =>
  tenant.inTenant(async tx => {
    await storeConversations(tx, 1400)
    await sql`
      insert into message_search (tenant_id, message_id, conversation_id, document)
      select tenant_id, gen_random_uuid(), id, ${toDocument(tx, word)}::tsvector
      from ${oldest(1100)}, generate_series(1, ${repeats}::int)`.execute(tx)
  })

it('shows conversations of common leads first, although none of the newest is with one', async () => {
  await tenant.inTenant(async tx => {
    await storeConversations(tx, 3700)
    await sql`
      insert into lead_search (tenant_id, lead_id, document)
      select tenant_id, lead_id, 'cornella'::tsvector from ${oldest(3050)}`.execute(tx)
  })
  const { body } = await tenant.call<Page<Conversation>>('GET', '/conversations?q=Cornellà&limit=200')
  expect(body.data).toHaveLength(200)
  expect(body.data[0]!.lastMessageAt).toBe(new Date(Date.UTC(2026, 0, 1) + 3050 * 60_000).toISOString())
})

it.each([
  ['few', 1],
  ['more than are collected', 3],
])('finds a word of old conversations with %s messages, page by page', async (_, repeats) => {
  await writeOldWord('trastero', repeats)
  const found = await find({ q: 'trastero', limit: '200' })
  expect(found).toHaveLength(1100)
  expect(new Set(found).size).toBe(1100)
  expect(await find({ q: 'trastero', status: 'closed' })).toEqual([])
})

it('reads few long conversations in one request', async () => {
  const ids: string[] = []
  for (let n = 0; n < 8; n++) ids.unshift(await write(['el piso']))
  await tenant.inTenant(tx =>
    sql`update conversations set last_sequence = 5000 where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  const first = await tenant.call<Page<Conversation>>('GET', '/conversations?q=piso')
  expect(first.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(await find({ q: 'piso' })).toEqual(ids)
})

it('finds the leads that nearly all conversations have', async () => {
  const ids: string[] = []
  for (let n = 0; n < 7; n++) {
    const leadId = await makeContact(tenant, `+3461234567${n}`)
    ids.unshift(await write(['Hola'], leadId))
  }
  const other = await write(['Hola'])
  expect(await find({ q: '612 34 56' })).toEqual(ids)
  expect(await find({ q: '612 34 56', limit: '2' })).toEqual(ids)
  expect(await find({ q: 'hola' })).toEqual([other, ...ids])
})

it('finds messages within a conversation, page by page', async () => {
  const conversationId = await write(['el piso uno', 'la casa', 'el Píso dos', 'el piso tres'])
  await write(['el piso de otra'])
  const list = async (query: string) =>
    (await tenant.call<Page<Message>>('GET', `/conversations/${conversationId}/messages?${query}`)).body
  const first = await list('q=piso&limit=2')
  const second = await list(`q=piso&limit=2&cursor=${first.nextCursor}`)
  expect([...first.data, ...second.data].map(({ text }) => text)).toEqual([
    'el piso tres',
    'el Píso dos',
    'el piso uno',
  ])
  expect((await list('q=pis&order=oldest')).data.map(({ sequence }) => sequence)).toEqual([1, 3, 4])
  expect((await list('q=nada')).data).toEqual([])
})
