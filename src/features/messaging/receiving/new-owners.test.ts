/** A number gets a new owner, or a person another number: neither has what belongs to the other. */
import { describe, expect, test } from 'vitest'
import { makeListing } from '../../../../test/make.ts'
import { makeNumberOwners, marta, other, pedro, phone } from '../../../../test/number-owners.ts'
import { makeChatAccount, makeMessage, receive } from '../../../../test/receiving.ts'
import { seedListings } from '../../../../test/tenant.ts'

const { inbox, say, makeLead, getLead, answer, open, optOut } = makeNumberOwners()

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

  test('is seen at once by who has the conversation of the former one open', async () => {
    await say([phone, marta], 'soy Marta')
    const { id } = (await inbox.listConversations())[0]!
    const { tenantId, inTenant } = inbox.tenant
    await inTenant(tx => tx.deleteFrom('inbox_changes').where('tenant_id', '=', tenantId).execute())
    await say([phone, pedro], 'soy Pedro')
    const changed = await inTenant(tx =>
      tx.selectFrom('inbox_changes').select('conversation_id').where('tenant_id', '=', tenantId).execute(),
    )
    expect(changed).toContainEqual({ conversation_id: id })
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
    await optOut(phone)
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
    expect(await inbox.listConversations()).toMatchObject([{ id: hers.id, former_identities: [] }])
    const people = await inbox.tenant.inTenant(tx => tx.selectFrom('messages').select('person').execute())
    expect(people).toEqual([{ person: null }])
    expect((await inbox.tenant.call('GET', `/leads/${his.leadId}`)).status).toBe(404)
    expect((await inbox.tenant.call('GET', `/leads/${hers.leadId}/timeline`)).text).toBe(before.text)
  })

  test('takes the number off each lead about which the former one was written to', async () => {
    const leads = [await makeLead('Loft'), await makeLead('House')]
    await say([phone, marta], 'soy Marta')
    const [conversation] = await inbox.listConversations()
    const leadId = leads.find(id => id !== conversation!.lead_id)!
    expect((await answer(conversation!.id, { leadId })).status).toBe(202)
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

  test('has none of the other leads with the number', async () => {
    await makeLead('Loft')
    await makeLead('House')
    const { hers, his } = await takeOver()
    const leads = await inbox.tenant.listAllLeads()
    expect(leads).toHaveLength(3)
    const untouched = leads.find(({ id }) => ![hers.leadId, his.leadId].includes(id))!
    expect(untouched.contact).toMatchObject({ phone: phone.value, identifiers: [] })
    expect((await getLead(his.leadId)).contact).toMatchObject({ name: 'Pedro', phone: phone.value })
    expect((await inbox.listEvents('lead.replied')).map(({ leadId }) => leadId)).not.toContain(untouched.id)
  })

  test('has none of the leads of a professional, which stay as they are', async () => {
    for (let count = 0; count < 21; count++) await makeLead('x'.repeat(count + 1))
    const { hers, his } = await takeOver()
    expect((await getLead(his.leadId)).contact).toMatchObject({ name: 'Pedro', phone: phone.value })
    expect((await getLead(hers.leadId)).contact.phone).toBe(phone.value)
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: hers.leadId }, { lead_id: his.leadId }])
  })

  test('is not the listing of the former one, which still shows it', async () => {
    const listing = { contact: { ...makeListing().contact, name: 'Marta', phone: phone.value } }
    const leadId = (await seedListings(inbox.tenant, { '1': listing }))[0]!.leadId!
    await say([phone, marta], 'soy Marta')
    await say([phone, pedro], 'soy Pedro', 'Pedro')
    await seedListings(inbox.tenant, { '1': { ...listing, price: 1 } })
    expect((await getLead(leadId)).contact).toMatchObject({ phone: null, identifiers: ['sandbox:marta'] })
    expect((await inbox.listConversations()).map(({ lead_id }) => lead_id)).toContain(leadId)
  })

  test('is whoever writes with the second number of a lead for the first time: it is theirs', async () => {
    const id = await makeLead('Loft', { identifiers: [other.value] })
    await say([phone, marta], 'soy Marta')
    await say([other, pedro], 'soy su marido')
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: id }, { lead_id: id }])
    expect((await getLead(id)).contact).toMatchObject({
      phone: phone.value,
      identifiers: [other.value, 'sandbox:marta', 'sandbox:pedro'],
    })
  })

  test('keeps it when a user writes it in the lead of the former one', async () => {
    const { hers, his } = await takeOver()
    await inbox.tenant.call('PATCH', `/leads/${hers.leadId}`, { body: { contact: { phone: phone.value } } })
    expect((await open(hers.leadId)).body).toMatchObject({ id: hers.id, identities: [marta] })
    expect((await open(his.leadId)).body.identities).toEqual(expect.arrayContaining([phone, pedro]))
  })
})
