/** The phone number of a person who wrote becomes known later: another lead may have it, of them or of a former owner. */
import { beforeEach, describe, expect, test } from 'vitest'
import { makeChatAccount, makeInboxForTests, makeMessage, receive } from '../../../../test/receiving.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'

const inbox = makeInboxForTests()
const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
const bsuid: ChatIdentity = { kind: 'bsuid', value: 'ES.1' }
const say = (from: ChatIdentity[], text: string) => inbox.receive([makeMessage(from, text)])
const property = { title: 'Calle Mayor 1', address: 'Calle Mayor 1', price: 200_000, squareMeters: 80 }
const basis = { kind: 'consent', channels: ['chat'], proof: 'form of 2024' }

interface Lead {
  id: string
  status: string
  externalId: string | null
  contact: { name: string | null; phone: string | null; identifiers: string[] }
  property: { title: string | null; rooms: number | null }
  contactability: { lawfulBasis: string | null }
}

let known: string
beforeEach(async () => {
  const contact = { name: 'Marta Soler', phone: phone.value }
  const body = { contact, property }
  const created = await inbox.tenant.call<{ id: string }>('POST', '/leads', { body })
  expect(created.status, created.text).toBe(201)
  known = created.body.id
  const stored = await inbox.tenant.call('PUT', `/leads/${known}/lawful-basis`, { body: basis })
  expect(stored.status, stored.text).toBe(200)
})

const getLead = async (id: string) => (await inbox.tenant.call<Lead>('GET', `/leads/${id}`)).body

describe('a person whose number becomes known', () => {
  test('keeps their threads with all accounts, and no consent of the lead that has the number', async () => {
    const second = await makeChatAccount(inbox.tenant)
    const saySecond = (from: ChatIdentity, text: string) =>
      receive(inbox.tenant, second, [makeMessage([from], text)])
    await saySecond(phone, 'the former owner, last year')
    await say([bsuid], 'hola')
    const written = (await inbox.listConversations()).find(({ lead_id }) => lead_id !== known)!.lead_id!
    await saySecond(bsuid, 'hola')
    await say([bsuid, phone], 'mi número')
    const conversations = await inbox.listConversations()
    expect(
      conversations.map(each => [each.account_id === second, each.lead_id === known, each.last_sequence]),
    ).toEqual([
      [true, true, 1],
      [false, false, 2],
      [true, false, 1],
    ])
    const { contact, contactability } = await getLead(written)
    expect(contact).toMatchObject({ phone: phone.value, identifiers: ['bsuid:ES.1'] })
    expect(contactability.lawfulBasis).toBe('contract')
    expect(await getLead(known)).toMatchObject({
      contact: { identifiers: [] },
      contactability: { lawfulBasis: 'consent' },
    })
  })

  test('keeps the lead that people work on', async () => {
    await inbox.tenant.call('PATCH', `/leads/${known}`, { body: { status: 'discarded' } })
    await say([bsuid], 'hola')
    const written = (await inbox.listConversations())[0]!.lead_id!
    const body = { externalId: 'B', status: 'won', property: { rooms: 3 } }
    expect((await inbox.tenant.call('PATCH', `/leads/${written}`, { body })).status).toBe(200)
    await say([bsuid, phone], 'mi número')
    const stored = await inbox.tenant.call<Lead>('GET', '/leads/by-external-id/B')
    expect(stored.body).toMatchObject({ id: written, status: 'won', property: { rooms: 3 } })
    expect(await getLead(known)).toMatchObject({ status: 'discarded' })
    expect(await inbox.listEvents('lead.deleted')).toEqual([])
  })

  test('is found by it with the other lead, and a user merges the two', async () => {
    await say([bsuid], 'hola')
    await say([bsuid, phone], 'mi número')
    const written = (await inbox.listConversations())[0]!.lead_id!
    const found = await inbox.tenant.call<{ data: { id: string }[] }>('GET', '/leads?q=612345678')
    expect(found.body.data.map(({ id }) => id).toSorted()).toEqual([known, written].toSorted())
    const merge = await inbox.tenant.call('POST', `/leads/${known}/merge`, { body: { leadId: written } })
    expect(merge.status, merge.text).toBe(200)
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: known, last_sequence: 2 }])
    expect(await inbox.tenant.listAllLeads()).toMatchObject([
      {
        id: known,
        contact: { name: 'Marta Soler', phone: phone.value, identifiers: ['bsuid:ES.1'] },
        property: { title: 'Calle Mayor 1' },
      },
    ])
  })
})

test('people who write together for the first time add their ids to their leads, each lead once', async () => {
  const other = { kind: 'phone', value: '+34699999999' } as const
  const body = { contact: { name: 'Eva Ros', phone: other.value } }
  const { id } = (await inbox.tenant.call<{ id: string }>('POST', '/leads', { body })).body
  const second = { kind: 'bsuid', value: 'ES.2' } as const
  await inbox.receive([makeMessage([phone, bsuid], 'hola'), makeMessage([other, second], 'hola')])
  expect((await getLead(known)).contact.identifiers).toEqual(['bsuid:ES.1'])
  expect((await getLead(id)).contact.identifiers).toEqual(['bsuid:ES.2'])
  const updated = await inbox.listEvents('lead.updated')
  const identified = updated.filter(({ changes }) => JSON.stringify(changes).includes('contact.identifiers'))
  expect(identified.map(({ leadId }) => leadId).toSorted()).toEqual([known, id].toSorted())
})
