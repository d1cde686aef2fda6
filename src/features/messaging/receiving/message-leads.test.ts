/** A person with several leads answers: the lead that is meant has replied, and every one that was written to. */
import { beforeEach, describe, expect, test } from 'vitest'
import { makeContact, openConversation } from '../../../../test/messaging.ts'
import { makeInboxForTests, makeMessage } from '../../../../test/receiving.ts'
import { insertMessage } from '../messages/insert-message.ts'

const inbox = makeInboxForTests()
const phone = '+34612345678'
const makeLead = (title: string, price: number) =>
  makeContact(inbox.tenant, phone, { property: { title, address: title, price, squareMeters: price / 2000 } })

let first: string
let second: string
let conversationId: string
beforeEach(async () => {
  first = await makeLead('Calle Uno 1', 100_000)
  second = await makeLead('Avenida Segunda 22', 300_000)
  conversationId = (await openConversation(inbox.tenant, inbox.accountId, first)).id
})

/** Returns the id of the provider. */
async function write(leadId: string): Promise<string> {
  const providerMessageId = `out.${Math.random()}`
  const { inTenant } = inbox.tenant
  const own = leadId === first ? null : leadId
  await inTenant(tx =>
    insertMessage(tx, {
      conversationId,
      direction: 'out',
      kind: 'text',
      text: '¿Sigue en venta?',
      status: 'sent',
      leadId: own,
      providerMessageId,
    }),
  )
  return providerMessageId
}
const answer = (text: string, replyTo: string | null = null) =>
  inbox.receive([makeMessage(phone, text, { replyTo })])
/** The names of the leads of the events. */
const listLeads = async (type: string) =>
  (await inbox.listEvents(type)).map(({ leadId }) => (leadId === second ? 'second' : 'first'))
const readLead = async (id: string) =>
  (await inbox.tenant.call<{ status: string; lastReplyAt: string | null }>('GET', `/leads/${id}`)).body
const hasReplied = async (id: string) => {
  const { status, lastReplyAt } = await readLead(id)
  return [status, lastReplyAt !== null]
}

describe('an answer', () => {
  test('is about the lead of the message that it quotes, and both that were written to have replied', async () => {
    await write(first)
    const quoted = await write(second)
    await write(first)
    await answer('No, ya se vendió', quoted)
    expect(await listLeads('message.received')).toEqual(['second'])
    expect((await listLeads('lead.replied')).toSorted()).toEqual(['first', 'second'])
    expect([await hasReplied(first), await hasReplied(second)]).toEqual([
      ['replied', true],
      ['replied', true],
    ])
    const events = await inbox.listEvents('lead.replied')
    expect(new Set(events.map(({ messageId }) => messageId)).size).toBe(1)
    const { body } = await inbox.tenant.call<{ data: { leadId: string; direction: string }[] }>(
      'GET',
      `/conversations/${conversationId}/messages`,
    )
    expect(body.data.find(({ direction }) => direction === 'in')!.leadId).toBe(second)
  })

  test('without a quote is about the lead of the last message, and so is what follows', async () => {
    await write(second)
    await answer('Sí')
    await answer('¿Cuándo vienen?')
    expect(await listLeads('message.received')).toEqual(['second', 'second'])
    expect(await listLeads('lead.replied')).toEqual(['second'])
    expect([await hasReplied(first), await hasReplied(second)]).toEqual([
      ['new', false],
      ['replied', true],
    ])
    await write(first)
    await answer('Ese no')
    expect(await listLeads('lead.replied')).toEqual(expect.arrayContaining(['first', 'second']))
    expect(await hasReplied(first)).toEqual(['replied', true])
  })

  test('counts only for the leads that were written to since the last one', async () => {
    const old = await write(second)
    await answer('Sí')
    const { lastReplyAt } = await readLead(second)
    await write(first)
    await answer('No')
    expect((await listLeads('lead.replied')).toSorted()).toEqual(['first', 'second'])
    expect((await readLead(second)).lastReplyAt).toBe(lastReplyAt)
    // What is quoted counts whenever it was written.
    await answer('Y este, ¿qué?', old)
    expect((await readLead(second)).lastReplyAt).not.toBe(lastReplyAt)
    expect(await inbox.listEvents('lead.replied')).toHaveLength(2)
  })

  test('to a message of a conversation that is joined with theirs counts for the lead of that message', async () => {
    await write(first)
    const bsuid = { kind: 'bsuid', value: 'ES.1' } as const
    await inbox.receive([makeMessage([bsuid], 'Hola')])
    const own = (await inbox.listConversations()).find(({ id }) => id !== conversationId)!.lead_id
    await inbox.receive([makeMessage([bsuid, { kind: 'phone', value: phone }], 'Sí, sigue en venta')])
    expect(await inbox.listConversations()).toHaveLength(1)
    const events = await inbox.listEvents('lead.replied')
    expect(events.map(({ leadId }) => leadId).toSorted()).toEqual([first, own].toSorted())
    expect(await hasReplied(first)).toEqual(['replied', true])
  })

  test('by a machine is no reply, and changes no subject', async () => {
    const quoted = await write(second)
    await write(first)
    await inbox.receive([
      makeMessage(phone, 'Estoy de vacaciones', { nature: 'auto_reply', replyTo: quoted }),
      makeMessage(phone, 'Ya estoy'),
    ])
    expect((await listLeads('message.received')).toSorted()).toEqual(['first', 'second'])
    expect(await inbox.listMessages()).toMatchObject([
      { direction: 'out' },
      { direction: 'out' },
      { text: 'Estoy de vacaciones', lead_id: second },
      { text: 'Ya estoy', lead_id: null },
    ])
  })
})

test('a message of the owner from another program contacts the lead that it is about', async () => {
  const written = makeMessage(phone, 'Hola, soy Ana', { isEcho: true, replyTo: await write(second) })
  await inbox.receive([written, makeMessage(phone, '¿Sigue libre?', { isEcho: true })])
  const leads = await inbox.tenant.listAllLeads()
  expect(leads.find(({ id }) => id === first)).toMatchObject({ status: 'new', lastContactedAt: null })
  expect(leads.find(({ id }) => id === second)).toMatchObject({
    status: 'contacted',
    lastContactedAt: expect.any(String),
  })
  const updates = await inbox.listEvents('lead.updated')
  expect(updates.filter(({ cause }) => cause === 'contacted')).toMatchObject([{ leadId: second }])
})
