/** POST /conversations returns the one conversation of the account with the person of a lead. */
import { describe, expect, test } from 'vitest'
import { makeInboxForTests, makeMessage } from '../../../../test/receiving.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'

const inbox = makeInboxForTests()
const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
const bsuid: ChatIdentity = { kind: 'bsuid', value: 'ES.1' }
const say = (from: ChatIdentity[], text: string) => inbox.receive([makeMessage(from, text)])
const listByConversation = async () =>
  Object.values(Object.groupBy(await inbox.listMessages(), ({ conversation_id }) => conversation_id)).map(
    messages => messages!.map(({ sequence, text }) => `${sequence} ${text}`),
  )

describe('a conversation that is opened', () => {
  const email: ChatIdentity = { kind: 'email', value: 'marta@example.com' }
  const open = (leadId: string) =>
    inbox.tenant.call<{ id: string; leadId: string; identities: ChatIdentity[] }>('POST', '/conversations', {
      body: { accountId: inbox.accountId, leadId },
    })
  const findLead = async (value: string) =>
    (await inbox.tenant.listAllLeads()).find(
      ({ contact }) => contact.phone === value || contact.identifiers.includes(value),
    )!.id

  test('is the newest of the lead; what users write in a lead joins none', async () => {
    await say([phone], 'by phone')
    await say([email], 'by mail')
    const leadId = await findLead(phone.value)
    await inbox.tenant.call('PATCH', `/leads/${leadId}`, { body: { contact: { email: email.value } } })
    const { status, body } = await open(leadId)
    expect([status, body.leadId, body.identities]).toEqual([200, leadId, [phone]])
    expect((await listByConversation()).toSorted()).toEqual([['1 by mail'], ['1 by phone']])
  })

  test('is not joined with that of another person whose number a user wrote in the lead', async () => {
    await say([bsuid], 'mine')
    await inbox.tenant.call('PATCH', `/leads/${await findLead('bsuid:ES.1')}`, {
      body: { contact: { phone: phone.value } },
    })
    await say([phone, { kind: 'bsuid', value: 'ES.2' }], 'of the other one')
    const [mine, theirs] = await inbox.listConversations()
    expect(theirs!.lead_id).toBe(mine!.lead_id)
    expect((await open(mine!.lead_id!)).body.id).toBe(theirs!.id)
    await say([bsuid], 'mine again')
    expect(await listByConversation()).toEqual([['1 mine', '2 mine again'], ['1 of the other one']])
  })

  test('takes no number from the conversation of another person', async () => {
    await say([phone, { kind: 'sandbox', value: 'owner' }], 'mine')
    await say([{ kind: 'sandbox', value: 'other' }], 'hello')
    const leadId = await findLead('sandbox:other')
    await inbox.tenant.call('PATCH', `/leads/${leadId}`, { body: { contact: { phone: phone.value } } })
    const { body } = await open(leadId)
    expect([body.leadId, body.identities]).toEqual([leadId, [{ kind: 'sandbox', value: 'other' }]])
    await say([phone], 'of the owner')
    expect((await listByConversation()).toSorted((a, b) => a.length - b.length)).toEqual([
      ['1 hello'],
      ['1 mine', '2 of the owner'],
    ])
  })

  test('without a lead gets the one for whom it is opened', async () => {
    await say([phone], 'a')
    await inbox.tenant.call('DELETE', `/leads/${await findLead(phone.value)}`)
    const { body } = await inbox.tenant.call<{ id: string }>('POST', '/leads', {
      body: { contact: { phone: phone.value } },
    })
    expect(await open(body.id)).toMatchObject({ status: 200, body: { leadId: body.id, leadAbsence: null } })
  })
})
