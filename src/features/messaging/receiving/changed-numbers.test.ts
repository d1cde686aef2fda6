/** The provider says that a person has another number, or which one they have. */
import { describe, expect, test } from 'vitest'
import { makeNumberOwners, marta, other, pedro, phone } from '../../../../test/number-owners.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'

const { inbox, say, makeLead, getLead, answer, open, optOut } = makeNumberOwners()
const changeNumber = (former: ChatIdentity[], current: ChatIdentity[]) =>
  inbox.receive([{ type: 'identity_changed', externalId: null, at: Temporal.Now.instant(), former, current }])

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

  test.each([true, false])('leaves the lead of whoever had it; the person has a lead: %s', async hasLead => {
    await say([other, marta], 'soy Marta')
    const hers = (await inbox.listConversations())[0]!.lead_id!
    await say([phone, pedro], 'soy Pedro')
    const his = (await inbox.listConversations()).find(({ lead_id }) => lead_id !== hers)!.lead_id!
    if (!hasLead) await inbox.tenant.call('DELETE', `/leads/${his}`)
    await changeNumber([phone], [other, pedro])
    expect((await getLead(hers)).contact).toMatchObject({ phone: null, identifiers: ['sandbox:marta'] })
    expect((await inbox.listConversations()).map(({ lead_id }) => lead_id)).toEqual([
      hers,
      hasLead ? his : null,
    ])
    if (hasLead)
      expect((await getLead(his)).contact).toMatchObject({
        phone: other.value,
        identifiers: ['sandbox:pedro'],
      })
  })

  test('is that of each lead with the id of the person; one that has only the number stays', async () => {
    const unlinked = await makeLead('A large house')
    const linked = await makeLead('Loft', { identifiers: ['sandbox:marta'] })
    await makeLead('The flat about which she writes')
    await say([phone, marta], 'soy Marta')
    await changeNumber([phone], [other])
    expect((await getLead(linked)).contact).toMatchObject({ phone: other.value })
    expect((await getLead(unlinked)).contact).toMatchObject({ phone: phone.value })
    const { id } = (await inbox.listConversations())[0]!
    expect((await open(linked)).body).toMatchObject({ id, identities: expect.not.arrayContaining([phone]) })
  })

  test('is not that of the many leads of a professional', async () => {
    const ids: string[] = []
    for (let count = 0; count < 21; count++) ids.push(await makeLead('x'.repeat(count + 1)))
    const { id, leadId } = await start()
    const about = ids.find(each => each !== leadId)!
    expect((await answer(id, { leadId: about })).status).toBe(202)
    await changeNumber([phone], [other])
    expect((await getLead(about)).contact.phone).toBe(phone.value)
    expect((await open(leadId)).body).toMatchObject({ id, identities: [other] })
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
    ['by the former number alone', () => optOut(phone)],
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
    await optOut(phone)
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
