/** A number gets a new owner, or a person another number: neither has what belongs to the other. */
import { describe, expect, test } from 'vitest'
import { makeChatAccount, makeInboxForTests, makeMessage, receive } from '../../../../test/receiving.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'
import { optOut } from '../../privacy/service.ts'

const inbox = makeInboxForTests()
const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
const other: ChatIdentity = { kind: 'phone', value: '+34699999999' }
const marta: ChatIdentity = { kind: 'sandbox', value: 'marta' }
const pedro: ChatIdentity = { kind: 'sandbox', value: 'pedro' }

interface Lead {
  id: string
  contact: { name: string | null; phone: string | null; email: string | null; identifiers: string[] }
  contactability: { lawfulBasis: string | null; channels: { chat: { reason: string | null } } }
}
const say = (from: ChatIdentity[], text: string, profileName: string | null = null) =>
  inbox.receive([makeMessage(from, text, { profileName })])
const getLead = async (id: string) => (await inbox.tenant.call<Lead>('GET', `/leads/${id}`)).body
const answer = (conversationId: string, text = '¿sigue?') =>
  inbox.tenant.call<{ code?: string }>('POST', `/conversations/${conversationId}/messages`, {
    body: { text },
  })
const open = (leadId: string) =>
  inbox.tenant.call<{ id: string; leadId: string; identities: ChatIdentity[] }>('POST', '/conversations', {
    body: { accountId: inbox.accountId, leadId },
  })
const changeNumber = (former: ChatIdentity[], current: ChatIdentity[]) =>
  inbox.receive([{ type: 'identity_changed', externalId: null, at: Temporal.Now.instant(), former, current }])
const optOutByHand = (identity: ChatIdentity) =>
  inbox.tenant.inTenant(tx =>
    optOut(
      tx,
      [{ kind: 'phone', value: identity.value }],
      { channel: 'chat', note: null },
      { keyId: null, userId: null },
    ),
  )

describe('the new owner of a number', () => {
  /** Marta's conversation and lead, and those of Pedro, who has her number now. */
  async function takeOver(text = 'soy Pedro') {
    await say([phone, marta], 'soy Marta', 'Marta')
    const [hers] = await inbox.listConversations()
    const basis = { kind: 'consent', channels: ['chat'], proof: 'form of Marta' }
    await inbox.tenant.call('PUT', `/leads/${hers!.lead_id}/lawful-basis`, { body: basis })
    await say([phone, pedro], text, 'Pedro')
    const his = (await inbox.listConversations()).find(({ id }) => id !== hers!.id)!
    return { hers: { id: hers!.id, leadId: hers!.lead_id! }, his: { id: his.id, leadId: his.lead_id! } }
  }

  test('has a lead of their own, without the name and the consent of the former one', async () => {
    const { hers, his } = await takeOver()
    expect(await getLead(his.leadId)).toMatchObject({
      contact: { name: 'Pedro', phone: phone.value, identifiers: ['sandbox:pedro'] },
      contactability: { lawfulBasis: 'contract' },
    })
    expect(await getLead(hers.leadId)).toMatchObject({
      contact: { name: 'Marta', phone: null, identifiers: ['sandbox:marta'] },
      contactability: { lawfulBasis: 'consent' },
    })
    const changes = (await inbox.listEvents('lead.updated')).flatMap(event => event.changes)
    expect(changes).toContainEqual({ field: 'contact.phone', before: phone.value, after: null })
  })

  test.each(['soy Pedro', 'STOP'])('refuses messages for themselves alone: %s', async first => {
    const { hers, his } = await takeOver(first)
    await say([phone, pedro], 'STOP')
    expect((await getLead(his.leadId)).contactability.channels.chat.reason).toBe('OPTED_OUT')
    await say([marta, other], 'tengo otro número')
    expect((await getLead(hers.leadId)).contactability.channels.chat.reason).toBe(null)
    expect((await answer(hers.id)).status).toBe(202)
  })

  test('may be answered when the former one refuses', async () => {
    const { hers, his } = await takeOver()
    await say([marta], 'STOP')
    expect((await getLead(hers.leadId)).contactability.channels.chat.reason).toBe('OPTED_OUT')
    expect((await answer(his.id)).status).toBe(202)
  })

  test('does not end the refusal of the former one by their number', async () => {
    await say([phone, marta], 'soy Marta')
    const { id } = (await inbox.listConversations())[0]!
    await optOutByHand(phone)
    await say([phone, pedro], 'soy Pedro')
    expect(await answer(id)).toMatchObject({ status: 422, body: { code: 'NOT_CONTACTABLE' } })
  })

  test('is another person in access requests and erasures', async () => {
    const { hers, his } = await takeOver()
    const access = await inbox.tenant.call<object>('GET', `/leads/${hers.leadId}/data`)
    expect(access.text).toContain('soy Marta')
    expect(access.text).not.toContain('soy Pedro')
    const before = await inbox.tenant.call('GET', `/leads/${hers.leadId}/timeline`)
    const erased = await inbox.tenant.call('DELETE', `/leads/${his.leadId}?erase=true`)
    expect(erased.status, erased.text).toBe(204)
    expect((await inbox.listConversations()).map(({ id }) => id)).toEqual([hers.id])
    expect((await inbox.tenant.call('GET', `/leads/${his.leadId}`)).status).toBe(404)
    expect((await inbox.tenant.call('GET', `/leads/${hers.leadId}/timeline`)).text).toBe(before.text)
  })

  test('takes the number off each lead about which the former one was written to', async () => {
    const leads: string[] = []
    for (const [title, squareMeters] of [
      ['Loft', 40],
      ['House', 150],
    ] as const) {
      const property = { operation: 'sale', title, address: title, squareMeters, price: squareMeters * 4000 }
      const body = { contact: { phone: phone.value }, property }
      leads.push((await inbox.tenant.call<Lead>('POST', '/leads', { body })).body.id)
    }
    await say([phone, marta], 'soy Marta')
    const [conversation] = await inbox.listConversations()
    const leadId = leads.find(id => id !== conversation!.lead_id)!
    const body = { text: '¿y la otra?', leadId }
    const path = `/conversations/${conversation!.id}/messages`
    const written = await inbox.tenant.call('POST', path, { body })
    expect(written.status, written.text).toBe(202)
    await say([phone, pedro], 'soy Pedro')
    for (const id of leads)
      expect((await getLead(id)).contact).toMatchObject({ phone: null, identifiers: ['sandbox:marta'] })
  })

  test('is known by the id with another business, where ids differ', async () => {
    const second = await makeChatAccount(inbox.tenant)
    await say([phone, marta], 'hola')
    await receive(inbox.tenant, second, [makeMessage([phone, { kind: 'sandbox', value: 'm' }], 'hola')])
    const leads = (await inbox.listConversations()).map(({ lead_id }) => lead_id)
    expect(new Set(leads).size).toBe(1)
  })

  test('keeps it when a user writes it in the lead of the former one', async () => {
    const { hers, his } = await takeOver()
    await inbox.tenant.call('PATCH', `/leads/${hers.leadId}`, { body: { contact: { phone: phone.value } } })
    expect((await open(hers.leadId)).body).toMatchObject({ id: hers.id, identities: [marta] })
    expect((await open(his.leadId)).body.identities).toEqual(expect.arrayContaining([phone, pedro]))
  })
})

describe('a changed number', () => {
  const start = async () => {
    await say([phone], 'soy Marta')
    const [conversation] = await inbox.listConversations()
    return { id: conversation!.id, leadId: conversation!.lead_id! }
  }

  test('is that of the lead, also for who opens the conversation', async () => {
    const { id, leadId } = await start()
    await changeNumber([phone], [other])
    expect((await getLead(leadId)).contact).toMatchObject({ phone: other.value, identifiers: [] })
    expect(await inbox.listEvents('lead.updated')).toMatchObject([
      {
        leadId,
        changes: expect.arrayContaining([
          { field: 'contact.phone', before: phone.value, after: other.value },
        ]),
      },
    ])
    expect((await open(leadId)).body).toMatchObject({ id, identities: [other] })
    await say([phone], 'soy otra persona')
    const leads = (await inbox.listConversations()).map(({ lead_id }) => lead_id)
    expect(new Set(leads).size).toBe(2)
  })

  test('is kept when somebody writes the former one in the lead', async () => {
    const { leadId } = await start()
    await changeNumber([phone], [other])
    await inbox.tenant.call('PATCH', `/leads/${leadId}`, {
      body: { contact: { identifiers: [phone.value, `whatsapp:${phone.value.slice(1)}`] } },
    })
    expect((await open(leadId)).body.identities).toEqual([other])
  })

  test('leaves the number of a lead that is another one', async () => {
    await say([marta], 'hola')
    const [conversation] = await inbox.listConversations()
    const path = `/leads/${conversation!.lead_id}`
    await inbox.tenant.call('PATCH', path, { body: { contact: { phone: '+34600000001' } } })
    await changeNumber([marta], [pedro, other])
    expect((await getLead(conversation!.lead_id!)).contact).toMatchObject({
      phone: '+34600000001',
      identifiers: ['sandbox:pedro', other.value],
    })
  })

  test.each([
    ['written by the person', () => say([phone], 'STOP')],
    ['by the former number alone', () => optOutByHand(phone)],
  ])('keeps the opt-out: %s', async (_, refuse) => {
    const { id, leadId } = await start()
    await refuse()
    await changeNumber([phone], [other])
    expect(await answer(id)).toMatchObject({ status: 422, body: { code: 'NOT_CONTACTABLE' } })
    expect((await getLead(leadId)).contactability.channels.chat.reason).toBe('OPTED_OUT')
    // The former number is somebody else's, but nobody knows whose refusal it was.
    await say([phone], 'hola')
    const theirs = (await inbox.listConversations()).find(each => each.id !== id)!
    expect((await answer(theirs.id)).status).toBe(422)
  })

  test('keeps the opt-out of a person without a lead', async () => {
    const { id, leadId } = await start()
    await optOutByHand(phone)
    await inbox.tenant.call('DELETE', `/leads/${leadId}`)
    await changeNumber([phone], [other])
    expect(await answer(id)).toMatchObject({ status: 422, body: { code: 'NOT_CONTACTABLE' } })
  })
})

test('a number that becomes known later is that of a lead without one', async () => {
  await say([marta], 'hola')
  const [conversation] = await inbox.listConversations()
  await say([marta, phone], 'mi número')
  expect((await getLead(conversation!.lead_id!)).contact).toMatchObject({
    phone: phone.value,
    identifiers: ['sandbox:marta'],
  })
  const email: ChatIdentity = { kind: 'email', value: 'marta@example.com' }
  await say([marta, email, other], 'y otro')
  expect((await getLead(conversation!.lead_id!)).contact).toMatchObject({
    phone: phone.value,
    email: email.value,
    identifiers: ['sandbox:marta', other.value],
  })
  expect(await inbox.listEvents('lead.updated')).toHaveLength(2)
})

test('a number that becomes known later does not fill what a user has cleared', async () => {
  await say([phone, marta], 'hola')
  const [conversation] = await inbox.listConversations()
  await inbox.tenant.call('PATCH', `/leads/${conversation!.lead_id}`, { body: { contact: { phone: null } } })
  await say([marta, other], 'otro')
  expect((await getLead(conversation!.lead_id!)).contact.phone).toBe(null)
})
