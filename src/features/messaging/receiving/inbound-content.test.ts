/** What messages of people contain, also if it is hostile. */
import { describe, expect, test } from 'vitest'
import { makeInboxForTests, makeMessage } from '../../../../test/receiving.ts'

const inbox = makeInboxForTests()
const phone = '+34612345678'

test('every kind of content is stored and shown', async () => {
  const media = {
    kind: 'image',
    providerMediaId: 'data:,',
    mediaType: 'image/png',
    fileName: 'a\0.png',
    bytes: 3,
  } as const
  await inbox.receive([
    makeMessage(phone, { kind: 'media', media: [media], caption: 'Mira' }, { providerMessageId: 'a' }),
    makeMessage(phone, { kind: 'location', latitude: 41.4, longitude: 2.1, name: 'Casa', address: null }),
    makeMessage(phone, { kind: 'contacts', contacts: [{ name: 'Eva', phones: ['+34600'], emails: [] }] }),
    makeMessage(phone, { kind: 'choice', id: 'yes', title: 'Sí' }, { replyTo: 'a' }),
    makeMessage(phone, { kind: 'unsupported', description: 'A poll' }),
    makeMessage(phone, 'Hola', { referral: { source: 'ad', url: 'https://ads.example', headline: 'Piso' } }),
  ])
  const stored = await inbox.listMessages()
  expect(stored).toMatchObject([
    { kind: 'media', text: 'Mira' },
    { kind: 'location', text: 'Casa', content: { latitude: 41.4, name: 'Casa', address: null } },
    { kind: 'contacts', content: { contacts: [{ name: 'Eva', phones: ['+34600'] }] } },
    { kind: 'choice', text: 'Sí', content: { id: 'yes' }, reply_to_id: stored[0]!.id },
    { kind: 'unsupported', text: null, content: { description: 'A poll' } },
    { kind: 'text', content: { referral: { source: 'ad', headline: 'Piso' } } },
  ])
  const files = await inbox.tenant.inTenant(tx =>
    tx.selectFrom('message_files').select(['message_id', 'file_name', 'status']).execute(),
  )
  expect(files).toEqual([{ message_id: stored[0]!.id, file_name: 'a.png', status: 'pending' }])
})

describe('hostile input', () => {
  test('the largest texts and ids are stored within bounds, and odd names are ignored', async () => {
    const long = 'á'.repeat(200_000)
    await inbox.receive([
      makeMessage(phone, `${'x'.repeat(65_535)}\u{1f600}${long}`, {
        providerMessageId: long,
        profileName: long,
      }),
      makeMessage([{ kind: 'telegram', value: long }], 'nobody'),
      makeMessage([], 'nobody'),
      makeMessage([{ kind: 'phone', value: 'not a phone' }], 'nobody'),
      makeMessage(phone, 'nul \0 and \ud800', {
        providerMessageId: '\0',
        at: Temporal.Instant.from('2999-01-01T00:00Z'),
      }),
    ])
    await inbox.receive([makeMessage(phone, 'again', { providerMessageId: long })])
    const stored = await inbox.listMessages()
    expect(stored.map(({ text }) => text!.length)).toEqual([65_536, 10])
    expect(stored[0]!.content).toEqual({ isTruncated: true })
    const [conversation] = await inbox.listConversations()
    expect(conversation!.last_inbound_at!.getTime()).toBeLessThanOrEqual(Date.now())
    expect((await inbox.tenant.listAllLeads())[0]!.contact.name).toHaveLength(500)
  })
})
