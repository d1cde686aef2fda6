/** A person's data in messages: access requests, erasure, retention. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  listConversations,
  listMessages,
  makeChatAccount,
  makeMessage,
  receive,
} from '../../../../test/receiving.ts'
import { setSetting } from '../../../../test/settings.ts'
import { findStored } from '../../../../test/stored-values.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { insertMessage } from '../messages/insert-message.ts'
import { messageRetention } from '../settings.ts'

let app: TestApp
let tenant: TestTenant
let account: string
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const start = async () => {
  tenant = await makeTenant(app)
  account = await makeChatAccount(tenant)
}
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
const listTexts = async () => (await listMessages(tenant)).map(({ text }) => text)
const findLead = async (value: string) =>
  (await tenant.listAllLeads()).find(({ contact }) => contact.phone === value)!.id

/** A person with messages and a file, and another who mentions their number. */
async function makePeople(): Promise<void> {
  await start()
  const media = { kind: 'media', media: [file], caption: 'Mi DNI' } as const
  await receive(tenant, account, [
    makeMessage(person, 'Soy Marta Quintanilla', { profileName: 'Marta Quintanilla' }),
    makeMessage([bsuid], { ...media, media: [...media.media] }),
    makeMessage(other, 'Llame a Marta, 612 34 56 78', { profileName: 'Eva' }),
    makeMessage(other, 'Son 612 euros'),
  ])
  const conversationId = (await listMessages(tenant)).find(
    ({ text }) => text === 'Son 612 euros',
  )!.conversation_id
  const note = { conversationId, direction: 'note', kind: 'text', status: 'noted' } as const
  await tenant.inTenant(tx => insertMessage(tx, { ...note, text: 'Ask marta at +34612345678' }))
}

test('an erased person is gone from all messages, files and names; the messages of others stay', async () => {
  await makePeople()
  expect((await tenant.call('DELETE', `/leads/${await findLead(phone)}?erase=true`)).status).toBe(204)
  expect((await listTexts()).toSorted()).toEqual(['Son 612 euros', null, null])
  expect(await listConversations(tenant)).toHaveLength(1)
  // The database has only this person so far.
  const needles = [phone, '612 34 56 78', 'Quintanilla', 'dni-marta', 'ES.777']
  expect(await findStored(app, needles)).toEqual([])
  const search = (word: string) =>
    tenant.inTenant(tx => sql`select from message_documents where document @@ ${word}::tsquery`.execute(tx))
  expect((await search('612')).rows).toHaveLength(1)
  expect((await search('34612345678')).rows).toEqual([])
})

test('an erased person is gone from the cards, the earlier texts and the names of files of others', async () => {
  await start()
  const named = { ...file, fileName: 'ficha 688 77 66 55.pdf' }
  const edited = makeMessage(other, 'Su número: 688 776 655')
  const card = { name: 'Berta Olmo', phones: ['+34 688 77 66 55'], emails: [] }
  await receive(tenant, account, [
    makeMessage('+34688776655', 'Hola'),
    makeMessage(other, { kind: 'contacts', contacts: [card] }),
    makeMessage(other, { kind: 'media', media: [named], caption: 'Mire' }),
    edited,
    makeMessage(other, {
      kind: 'contacts',
      contacts: [{ ...card, name: 'Eva', phones: ['+34 611 22 33 44'] }],
    }),
  ])
  await receive(tenant, account, [
    {
      type: 'edited',
      externalId: null,
      at: Temporal.Now.instant(),
      from: [{ kind: 'phone', value: other }],
      providerMessageId: edited.providerMessageId,
      content: { kind: 'text', text: 'Nada' },
    },
  ])
  expect((await tenant.call('DELETE', `/leads/${await findLead('+34688776655')}?erase=true`)).status).toBe(
    204,
  )
  expect(await findStored(app, ['Berta Olmo', '688 77 66 55', '688 776 655', '+34688776655'])).toEqual([])
  expect(await findStored(app, ['+34 611 22 33 44'])).not.toEqual([])
})

test('an access request has the conversations with notes and names of files, and nobody else’s', async () => {
  await makePeople()
  const { body, text } = await tenant.call<{ conversations: object[] }>(
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

test('a conversation under the number of an agency stays when one of its leads is erased', async () => {
  await start()
  const contact = { phone, advertiserType: 'agency' }
  const post = async (title: string) =>
    (
      await tenant.call<{ id: string }>('POST', '/leads', {
        body: { contact, property: { title, price: title.length * 1000 } },
      })
    ).body.id
  await post('First home')
  await post('Second home, larger')
  await receive(tenant, account, [makeMessage(phone, 'Hola')])
  const [conversation] = await listConversations(tenant)
  expect((await tenant.call('DELETE', `/leads/${conversation!.lead_id}?erase=true`)).status).toBe(204)
  expect(await listTexts()).toEqual(['Hola'])
  expect(await listConversations(tenant)).toMatchObject([{ lead_id: null, lead_absence: 'LEAD_DELETED' }])
})

test('messages older than the retention are deleted at night with their files; conversations stay', async () => {
  await makePeople()
  await setSetting(app.database, tenant.tenantId, messageRetention, 1)
  const in32Days = new Date(Date.now() + 32 * 86_400_000).toISOString()
  const moved = await tenant.call('POST', '/sandbox/clock', { body: { now: in32Days } })
  expect(moved.status, moved.text).toBe(200)
  expect(await listMessages(tenant)).toEqual([])
  expect(await listConversations(tenant)).toHaveLength(2)
  const files = await tenant.inTenant(tx => tx.selectFrom('message_files').select('id').execute())
  expect(files).toEqual([])
  await receive(tenant, account, [makeMessage(person, 'Hola')])
  expect(await listTexts()).toEqual(['Hola'])
})
