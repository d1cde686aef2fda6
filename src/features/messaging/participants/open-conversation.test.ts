/** POST /conversations returns the one conversation of the account with the person of a lead. */
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
import type { ChatIdentity } from '../../../plugins/chat.ts'

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
const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
const bsuid: ChatIdentity = { kind: 'bsuid', value: 'ES.1' }
const say = (from: ChatIdentity[], text: string) => receive(tenant, account, [makeMessage(from, text)])
const listByConversation = async () =>
  Object.values(Object.groupBy(await listMessages(tenant), ({ conversation_id }) => conversation_id)).map(
    messages => messages!.map(({ sequence, text }) => `${sequence} ${text}`),
  )

describe('a conversation that is opened', () => {
  const email: ChatIdentity = { kind: 'email', value: 'marta@example.com' }
  const open = (leadId: string) =>
    tenant.call<{ id: string; leadId: string; identities: ChatIdentity[] }>('POST', '/conversations', {
      body: { accountId: account, leadId },
    })
  const findLead = async (value: string) =>
    (await tenant.listAllLeads()).find(
      ({ contact }) => contact.phone === value || contact.identifiers.includes(value),
    )!.id

  test('is the newest of the lead; what users write in a lead joins none', async () => {
    await start()
    await say([phone], 'by phone')
    await say([email], 'by mail')
    const leadId = await findLead(phone.value)
    await tenant.call('PATCH', `/leads/${leadId}`, { body: { contact: { email: email.value } } })
    const { status, body } = await open(leadId)
    expect([status, body.leadId, body.identities]).toEqual([200, leadId, [phone]])
    expect((await listByConversation()).toSorted()).toEqual([['1 by mail'], ['1 by phone']])
  })

  test('is not joined with that of the former owner of the number', async () => {
    await start()
    await say([bsuid], 'mine')
    await tenant.call('PATCH', `/leads/${await findLead('bsuid:ES.1')}`, {
      body: { contact: { phone: phone.value } },
    })
    await say([phone, { kind: 'bsuid', value: 'ES.2' }], 'of the new owner')
    const [mine, theirs] = await listConversations(tenant)
    expect(theirs!.lead_id).toBe(mine!.lead_id)
    const { body } = await open(mine!.lead_id!)
    expect(body.id).toBe(theirs!.id)
    await say([bsuid], 'mine again')
    expect(await listByConversation()).toEqual([['1 mine', '2 mine again'], ['1 of the new owner']])
  })

  test('takes a number along that has a new owner', async () => {
    await start()
    await say([phone, { kind: 'sandbox', value: 'former' }], 'mine')
    await say([{ kind: 'sandbox', value: 'new' }], 'hello')
    const leadId = await findLead('sandbox:new')
    await tenant.call('PATCH', `/leads/${leadId}`, { body: { contact: { phone: phone.value } } })
    const { body } = await open(leadId)
    expect(body.leadId).toBe(leadId)
    expect(body.identities).toEqual(expect.arrayContaining([phone, { kind: 'sandbox', value: 'new' }]))
    await say([phone], 'of the new owner')
    expect((await listByConversation()).toSorted((a, b) => a.length - b.length)).toEqual([
      ['1 mine'],
      ['1 hello', '2 of the new owner'],
    ])
  })

  test('without a lead gets the one for whom it is opened', async () => {
    await start()
    await say([phone], 'a')
    await tenant.call('DELETE', `/leads/${await findLead(phone.value)}`)
    const { body } = await tenant.call<{ id: string }>('POST', '/leads', {
      body: { contact: { phone: phone.value } },
    })
    expect(await open(body.id)).toMatchObject({ status: 200, body: { leadId: body.id, leadAbsence: null } })
  })
})
