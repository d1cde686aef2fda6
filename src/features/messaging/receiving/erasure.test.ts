/** A person's data in messages: access requests, erasure, retention. */
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/harness.ts'
import { makeInboxForTests, makeMessage } from '../../../../test/receiving.ts'
import { setSetting } from '../../../../test/settings.ts'
import { findStored } from '../../../../test/stored-values.ts'
import { sql } from '../../../kit/db/index.ts'
import type { Message } from '../message-schemas.ts'
import { toDocument } from '../message-words.ts'
import { insertMessage } from '../messages/insert-message.ts'
import { messageRetention } from '../settings.ts'

const inbox = makeInboxForTests(startTestApp)
const phone = '+34612345678'
const other = '+34699999999'
const bsuid = { kind: 'bsuid', value: 'ES.777' } as const
const file = {
  kind: 'document',
  providerMediaId: 'm',
  mediaType: null,
  fileName: 'dni-marta.pdf',
  bytes: 1,
} as const
const person = [{ kind: 'phone', value: phone } as const, bsuid]
const listTexts = async () => (await inbox.listMessages()).map(({ text }) => text)
const findLead = async (value: string) =>
  (await inbox.tenant.listAllLeads()).find(({ contact }) => contact.phone === value)!.id

/** A person with messages and a file, and another who mentions their number. */
async function makePeople(): Promise<void> {
  const media = { kind: 'media', media: [file], caption: 'Mi DNI' } as const
  await inbox.receive([
    makeMessage(person, 'Soy Marta Quintanilla', { profileName: 'Marta Quintanilla' }),
    makeMessage([bsuid], { ...media, media: [...media.media] }),
    makeMessage(other, 'Llame a Marta, 612 34 56 78', { profileName: 'Eva' }),
    makeMessage(other, 'Son 612 euros'),
  ])
  const conversationId = (await inbox.listMessages()).find(
    ({ text }) => text === 'Son 612 euros',
  )!.conversation_id
  const note = { conversationId, direction: 'note', kind: 'text', status: 'noted' } as const
  await inbox.tenant.inTenant(tx => insertMessage(tx, { ...note, text: 'Ask marta at +34612345678' }))
}

test('an erased person is gone from all messages, files and identities; the messages of others stay', async () => {
  await makePeople()
  expect((await inbox.tenant.call('DELETE', `/leads/${await findLead(phone)}?erase=true`)).status).toBe(204)
  expect((await listTexts()).toSorted()).toEqual(['Son 612 euros', null, null])
  expect(await inbox.listConversations()).toHaveLength(1)
  // The database has only this person so far.
  const needles = [phone, '612 34 56 78', 'Quintanilla', 'dni-marta', 'ES.777']
  expect(await findStored(inbox.app, needles)).toEqual([])
  const search = (word: string) =>
    inbox.tenant.inTenant(tx =>
      sql`select from message_documents where document @@ ${toDocument(tx, word)}::tsquery`.execute(tx),
    )
  expect((await search('612')).rows).toHaveLength(1)
  expect((await search('34612345678')).rows).toEqual([])
})

test('an erased person is gone from every part of the messages of others', async () => {
  const named = { ...file, fileName: 'ficha 688 77 66 55.pdf' }
  const edited = makeMessage(other, 'Su número: 688 776 655')
  const toCard = (name: string, number: string) => ({
    kind: 'contacts' as const,
    contacts: [{ name, phones: [number], emails: [] }],
  })
  const [berta, eva] = [toCard('Berta Olmo', '+34 688 77 66 55'), toCard('Eva', '+34 611 22 33 44')]
  const email = {
    subject: 'Piso de 68-87-76-655',
    references: [],
    fullText: 'Gracias. > Llame al 6 8877 6655 o a berta@olmo.example.',
    authentication: { spf: null, dkim: null, dmarc: null },
  }
  const numbers = Array.from({ length: 200 }, (_, index) => `${700_000_000 + index}`).join(', ')
  await inbox.receive([
    makeMessage('+34688776655', 'Hola'),
    makeMessage(other, berta),
    makeMessage(other, { kind: 'media', media: [named], caption: 'Mire' }),
    makeMessage(other, { kind: 'unsupported', description: 'Poll: 688776655?' }),
    makeMessage(other, `${'Hola. '.repeat(4000)} 688.77.66.55`),
    makeMessage(other, `${numbers}, 688776655`),
    makeMessage(other, 'Gracias.', { email }),
    edited,
    makeMessage(other, eva),
    makeMessage(other, numbers),
  ])
  await inbox.receive([
    {
      type: 'edited',
      externalId: null,
      at: Temporal.Now.instant(),
      from: [{ kind: 'phone', value: other }],
      providerMessageId: edited.providerMessageId,
      content: { kind: 'text', text: 'Nada' },
    },
  ])
  const leadId = await findLead('+34688776655')
  await inbox.tenant.call('PATCH', `/leads/${leadId}`, { body: { contact: { email: 'Berta@olmo.example' } } })
  expect((await inbox.tenant.call('DELETE', `/leads/${leadId}?erase=true`)).status).toBe(204)
  const needles = [
    'Berta Olmo',
    '688 77 66 55',
    '688 776 655',
    '688.77.66',
    '8877 6655',
    '68-87-76',
    '688776655',
    'berta@',
  ]
  expect(await findStored(inbox.app, needles)).toEqual([])
  const left = (await inbox.listMessages()).filter(({ content }) => !content.isErased)
  expect(left.map(({ text, kind }) => text ?? kind)).toEqual(['contacts', numbers])
})

test('a queued message that mentions an erased person fails at once, also if its account does not send', async () => {
  await inbox.receive([makeMessage(phone, 'Hola'), makeMessage(other, '¿A quién llamo?')])
  const conversationId = (await inbox.listMessages()).find(({ text }) =>
    text?.startsWith('¿'),
  )!.conversation_id
  const queued = { direction: 'out', status: 'queued', text: 'Llame a Marta, 612 34 56 78' } as const
  const [{ id }, claimed] = await inbox.tenant.inTenant(async tx => {
    const first = await insertMessage(tx, { ...queued, conversationId, kind: 'media' })
    const second = await insertMessage(tx, { ...queued, conversationId, kind: 'text' })
    const claim = { claimed_at: new Date(), claim_token: first.id }
    await tx.updateTable('messages').set(claim).where('id', '=', second.id).execute()
    return [first, second] as const
  })
  expect((await inbox.tenant.call('DELETE', `/leads/${await findLead(phone)}?erase=true`)).status).toBe(204)
  const read = (messageId: string) => inbox.tenant.call<Message>('GET', `/messages/${messageId}`)
  expect((await read(id)).body).toMatchObject({ status: 'failed', failure: { code: 'MESSAGE_ERASED' } })
  // The process that has claimed it sees the mark before it sends.
  const marks = await inbox.tenant.inTenant(tx =>
    tx.selectFrom('messages').select(['status', 'failure']).where('id', '=', claimed.id).execute(),
  )
  expect(marks).toMatchObject([{ status: 'queued', failure: { code: 'MESSAGE_ERASED' } }])
  expect(await inbox.tenant.call('POST', `/messages/${id}/retry`)).toMatchObject({
    status: 409,
    body: { code: 'INVALID_TRANSITION' },
  })
})

test('a message that the person deletes mentions nobody any more', async () => {
  const message = makeMessage(other, 'Llame al 612 34 56 78')
  const { providerMessageId } = message
  const from = [{ kind: 'phone', value: other } as const]
  const at = Temporal.Now.instant()
  await inbox.receive([message])
  await inbox.receive([{ type: 'deleted', externalId: null, at, from, providerMessageId }])
  const mentions = await inbox.tenant.inTenant(tx =>
    tx.selectFrom('message_mentions').select('value').execute(),
  )
  expect(mentions).toEqual([])
})

test('an access request has the conversations with notes and names of files, and nobody else’s', async () => {
  await makePeople()
  const { body, text } = await inbox.tenant.call<{ conversations: object[] }>(
    'GET',
    `/leads/${await findLead(phone)}/data`,
  )
  expect(body.conversations).toMatchObject([
    {
      identities: [bsuid, { kind: 'phone', value: phone }],
      messages: [
        { direction: 'in', text: 'Soy Marta Quintanilla' },
        { text: 'Mi DNI', files: [{ fileName: 'dni-marta.pdf' }] },
      ],
    },
  ])
  expect(text).not.toContain('euros')
})

test('an access request has the newest messages up to a size, and says how many are missing', async () => {
  await inbox.receive([makeMessage(phone, 'Primero')])
  const leadId = await findLead(phone)
  const long = Array.from({ length: 4 }, () => makeMessage(phone, '€'.repeat(65_536)))
  await inbox.receive(long)
  await inbox.tenant.inTenant(tx =>
    sql`update messages set content = jsonb_build_object('description', repeat('x', 4000000))
      where tenant_id = ${inbox.tenant.tenantId} and text <> 'Primero'`.execute(tx),
  )
  type Data = { conversations: { messages: object[]; omittedMessages: number }[] }
  const { body } = await inbox.tenant.call<Data>('GET', `/leads/${leadId}/data`)
  expect(body.conversations).toMatchObject([{ omittedMessages: 2 }])
  expect(body.conversations[0]!.messages).toHaveLength(3)
})

test('a conversation under the number of an agency stays when one of its leads is erased', async () => {
  const contact = { phone, advertiserType: 'agency' }
  const post = async (title: string) =>
    (
      await inbox.tenant.call<{ id: string }>('POST', '/leads', {
        body: { contact, property: { title, price: title.length * 1000 } },
      })
    ).body.id
  await post('First home')
  await post('Second home, larger')
  await inbox.receive([makeMessage(phone, 'Hola')])
  const [conversation] = await inbox.listConversations()
  expect((await inbox.tenant.call('DELETE', `/leads/${conversation!.lead_id}?erase=true`)).status).toBe(204)
  expect(await listTexts()).toEqual(['Hola'])
  expect(await inbox.listConversations()).toMatchObject([{ lead_id: null, lead_absence: 'LEAD_DELETED' }])
})

test('messages older than the retention are deleted at night with their files; conversations stay', async () => {
  await makePeople()
  await inbox.tenant.inTenant(tx => tx.updateTable('conversations').set({ subject: 'Piso' }).execute())
  await setSetting(inbox.app.database, inbox.tenant.tenantId, messageRetention, 1)
  const in32Days = new Date(Date.now() + 32 * 86_400_000).toISOString()
  const moved = await inbox.tenant.call('POST', '/sandbox/clock', { body: { now: in32Days } })
  expect(moved.status, moved.text).toBe(200)
  expect(await inbox.listMessages()).toEqual([])
  expect(await inbox.listConversations()).toHaveLength(2)
  const files = await inbox.tenant.inTenant(tx => tx.selectFrom('message_files').select('id').execute())
  expect(files).toEqual([])
  await inbox.receive([makeMessage(person, 'Hola')])
  expect(await listTexts()).toEqual(['Hola'])
  const { body } = await inbox.tenant.call<{ data: object[] }>('GET', '/conversations')
  expect(body.data).toMatchObject([
    { lastMessage: { text: 'Hola' }, unreadCount: 1 },
    { lastMessage: null, unreadCount: 0, subject: null, lastMessageAt: expect.any(String) },
  ])
})
