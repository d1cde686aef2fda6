/** The phone number of a person who wrote becomes known later: it may be that of a lead that the workspace had. */
import { describe, expect, test } from 'vitest'
import { makeInboxForTests, makeMessage } from '../../../../test/receiving.ts'
import type { ChatIdentity } from '../../../plugins/chat.ts'

const inbox = makeInboxForTests()
const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
const chat: ChatIdentity = { kind: 'telegram', value: '42' }
const say = (from: ChatIdentity[], text: string) => inbox.receive([makeMessage(from, text)])

async function makeLead(title: string, contact: object = { name: 'Marta Soler', phone: phone.value }) {
  const property = { title, address: title, price: 200_000, squareMeters: 80 }
  const { body } = await inbox.tenant.call<{ id: string }>('POST', '/leads', { body: { contact, property } })
  return body.id
}

describe('a person who shares their number', () => {
  test('is the lead that the workspace had; the merge can be undone', async () => {
    const known = await makeLead('Calle Mayor 1')
    await say([chat], 'hola')
    const written = (await inbox.listConversations())[0]!.lead_id!
    expect(written).not.toBe(known)
    await say([chat, phone], 'mi número')
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: known, last_sequence: 2 }])
    expect(await inbox.tenant.listAllLeads()).toMatchObject([
      {
        id: known,
        status: 'replied',
        contact: { name: 'Marta Soler', phone: phone.value, identifiers: ['telegram:42'] },
        property: { title: 'Calle Mayor 1' },
      },
    ])
    const { body } = await inbox.tenant.call<{ data: { type: string; data: { mergeId?: string } }[] }>(
      'GET',
      `/leads/${known}/timeline`,
    )
    const mergeId = body.data.find(({ data }) => data.mergeId)!.data.mergeId
    const undo = await inbox.tenant.call('POST', `/leads/${known}/merges/${mergeId}/undo`)
    expect(undo.status, undo.text).toBe(200)
    await say([chat, phone], 'otra cosa')
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: written, last_sequence: 3 }])
  })

  test.each([
    ['several leads have it', {}, async () => void (await makeLead('Calle Menor 2'))],
    ['the other lead has another chat of this kind', { identifiers: ['telegram:7'] }, async () => {}],
    [
      'the lead has got a property',
      {},
      async (leadId: string) => {
        const body = { property: { title: 'Ático' } }
        expect((await inbox.tenant.call('PATCH', `/leads/${leadId}`, { body })).status).toBe(200)
      },
    ],
  ])('keeps a lead of their own if %s', async (_case, more, prepare) => {
    const known = await makeLead('Calle Mayor 1', { name: 'Marta', phone: phone.value, ...more })
    await say([chat], 'hola')
    const written = (await inbox.listConversations())[0]!.lead_id!
    await prepare(written)
    await say([chat, phone], 'mi número')
    expect(await inbox.listConversations()).toMatchObject([{ lead_id: written }])
    const leads = await inbox.tenant.listAllLeads()
    expect(leads.map(({ id }) => id)).toEqual(expect.arrayContaining([known, written]))
    expect(leads.find(({ id }) => id === written)!.contact.identifiers).toContain(phone.value)
  })
})
