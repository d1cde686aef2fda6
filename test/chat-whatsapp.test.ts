/** Conversations over WhatsApp from end to end: the whole program in live, against the simulated Graph API. */
import { describe, expect, test } from 'vitest'
import type { Lead } from '../src/features/leads/schemas.ts'
import type { Media } from '../src/features/messaging/media/schemas.ts'
import { listConversations, listEventTypes, listMessages, waitForMessage } from './chat-flow.ts'
import { eventually } from './harness.ts'
import { drawImage, makeVoiceNote } from './media.ts'
import { readMessage, send, waitForStatus } from './messaging.ts'
import { prepareWhatsapp } from './whatsapp-flow.ts'

const flow = prepareWhatsapp()

const upload = async (rawBody: Uint8Array<ArrayBuffer>, contentType: string, query = '') => {
  const reply = await flow.tenant.call<Media>('POST', `/media${query}`, { rawBody, contentType })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.id
}

describe('a person who writes first', () => {
  test('becomes a lead that may be answered, and the answer is delivered and read', async () => {
    const { person, phone, conversation } = await flow.meet()
    expect(conversation).toMatchObject({
      canReply: true,
      contactName: 'Marta Ruiz',
      accountId: flow.accountId,
    })
    const { body: lead } = await flow.tenant.call<Lead>('GET', `/leads/${conversation.leadId}`)
    expect(lead).toMatchObject({ contact: { phone, name: 'Marta Ruiz' } })
    expect((await flow.tenant.call('POST', `/conversations/${conversation.id}/typing`)).status).toBe(204)
    const answer = await send(flow.tenant, conversation.id, { text: 'Sí, ¿quiere verlo?' })
    expect(await waitForStatus(flow.tenant, answer.id, 'read')).toMatchObject({
      sentAt: expect.any(String),
      deliveredAt: expect.any(String),
      readAt: expect.any(String),
    })
    expect(person.received.map(({ body }) => body.text)).toMatchObject([{ body: 'Sí, ¿quiere verlo?' }])
    // Callbacks may overtake each other: a message that was read is not reported as delivered afterwards.
    const types = await listEventTypes(flow.tenant)
    expect(types.filter(type => type !== 'message.delivered').toSorted()).toEqual([
      'account.status_changed',
      'lead.created',
      'lead.replied',
      'message.read',
      'message.received',
      'message.sent',
    ])
  })

  test('is sent every kind of message, in order', async () => {
    const { person, conversation } = await flow.meet()
    const [question] = await listMessages(flow.tenant, conversation.id)
    const image = await upload(await drawImage(40, 20), 'image/png', '?fileName=salon.png')
    const voice = await upload(makeVoiceNote(20_000), 'audio/ogg')
    const list = {
      button: 'Elegir',
      sections: [
        {
          title: 'Jueves',
          rows: [
            { id: 'a', title: '18:00' },
            { id: 'b', title: '19:00' },
          ],
        },
      ],
    }
    const bodies = [
      { text: 'Sí', replyToId: question!.id },
      { mediaId: image, caption: 'El salón' },
      { mediaId: voice },
      {
        text: '¿Le va bien?',
        buttons: [
          { id: 'yes', title: 'Sí' },
          { id: 'no', title: 'No' },
        ],
      },
      { text: '¿Cuándo?', list },
      { location: { latitude: 41.4, longitude: 2.15, name: 'El piso' } },
      { reaction: { messageId: question!.id, emoji: '👍' } },
    ]
    const tooLong = { mediaId: image, caption: 'a'.repeat(1025) }
    const refused = await flow.tenant.call<{ code: string }>(
      'POST',
      `/conversations/${conversation.id}/messages`,
      { body: tooLong },
    )
    expect([refused.status, refused.body.code]).toEqual([422, 'TEXT_TOO_LONG'])
    const ids: string[] = []
    for (const body of bodies) ids.push((await send(flow.tenant, conversation.id, body)).id)
    for (const id of ids) await waitForStatus(flow.tenant, id, 'read')
    const types = person.received.map(({ body }) => [body.type, (body.interactive as { type: string })?.type])
    expect(types).toEqual([
      ['text', undefined],
      ['image', undefined],
      ['audio', undefined],
      ['interactive', 'button'],
      ['interactive', 'list'],
      ['location', undefined],
      ['reaction', undefined],
    ])
    expect(person.received[0]!.body.context).toMatchObject({ message_id: expect.stringMatching(/^wamid/) })
    person.write(
      {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Sí' } },
      },
      { replyTo: person.received[3]!.id },
    )
    person.sendFile('image', Buffer.from(await drawImage(60, 30)), 'image/png', { caption: 'Mi salón' })
    const choice = await waitForMessage(flow.tenant, conversation.id, ({ kind }) => kind === 'choice')
    expect(choice).toMatchObject({ replyToId: ids[3], content: { id: 'yes', title: 'Sí' } })
    const photo = await waitForMessage(
      flow.tenant,
      conversation.id,
      ({ direction, media }) => direction === 'in' && media[0]?.status === 'ready',
    )
    expect(photo).toMatchObject({ text: 'Mi salón', media: [{ kind: 'image', widthPx: 60 }] })
  })

  test('is sent, and sends, a file of 17 MB as it is', async () => {
    const { person, conversation } = await flow.meet()
    const plan = new Uint8Array(17_000_000).map((_, index) => (index * 31) % 251)
    plan.set(Buffer.from('%PDF-1.7\n'))
    const mediaId = await upload(plan, 'application/pdf', '?fileName=plano.pdf')
    const { id } = await send(flow.tenant, conversation.id, { mediaId, caption: 'El plano' })
    await waitForStatus(flow.tenant, id, 'read')
    const { document } = person.received.at(-1)!.body as { document: { id: string; filename: string } }
    expect(document.filename).toBe('plano.pdf')
    const { origin } = new URL(flow.whatsapp.url)
    const authorization = `Bearer ${flow.whatsapp.credentials.accessToken}`
    const sent = await fetch(`${origin}/files/${document.id}`, { headers: { authorization } })
    expect(Buffer.from(await sent.arrayBuffer()).equals(plan)).toBe(true)
    person.sendFile('document', Buffer.from(plan), 'application/pdf', { filename: 'suyo.pdf' })
    const { media } = await waitForMessage(
      flow.tenant,
      conversation.id,
      ({ direction, media }) => direction === 'in' && media[0]?.status === 'ready',
    )
    const received = await fetch(media[0]!.url!, {
      headers: { 'x-api-key': flow.tenant.key },
    })
    expect(Buffer.from(await received.arrayBuffer()).equals(plan)).toBe(true)
  })
})

test('callbacks that are late, repeated and reordered count once, and no status moves back', async () => {
  const { person, conversation } = await flow.meet()
  flow.whatsapp.setCallbackFaults({ late: 0.3, repeated: 1, reordered: 0.5, lateMs: 60 })
  const ids: string[] = []
  for (const text of ['1', '2', '3']) {
    ids.push((await send(flow.tenant, conversation.id, { text })).id)
    person.write(`Respuesta ${text}`)
  }
  for (const id of ids) await waitForStatus(flow.tenant, id, 'read')
  await flow.whatsapp.settle()
  await eventually(
    () =>
      flow.app.database.ownerPool.query(
        'select from aldaba.inbound_bodies where next_attempt_at is not null',
      ),
    ({ rowCount }) => rowCount === 0,
  )
  for (const id of ids) expect((await readMessage(flow.tenant, id)).status).toBe('read')
  const messages = await listMessages(flow.tenant, conversation.id)
  expect(messages.map(({ text }) => text).toSorted()).toEqual([
    '1',
    '2',
    '3',
    'Respuesta 1',
    'Respuesta 2',
    'Respuesta 3',
    '¿Sigue en venta el piso?',
  ])
  const types = await listEventTypes(flow.tenant)
  const count = (type: string) => types.filter(one => one === type).length
  expect(['message.received', 'message.sent', 'message.read'].map(count)).toEqual([4, 3, 3])
})

describe('one person has one conversation', () => {
  test('first without a phone, then with it', async () => {
    const { userId, conversation } = await flow.meet({ phone: null })
    expect(conversation.identities).toEqual([{ kind: 'bsuid', value: userId }])
    flow.whatsapp.addPerson({ name: 'Marta Ruiz', phone: '+34622000001', userId }).write('Este es mi número')
    await waitForMessage(flow.tenant, conversation.id, ({ text }) => text === 'Este es mi número')
    const [only, ...others] = await listConversations(flow.tenant)
    expect(others).toEqual([])
    expect(only!.identities).toHaveLength(2)
    const answer = await send(flow.tenant, conversation.id, { text: 'Gracias' })
    await waitForStatus(flow.tenant, answer.id, 'read')
    expect(flow.whatsapp.accepted.at(-1)!.body).toMatchObject({ to: '+34622000001' })
  })

  test('after a change of number, too', async () => {
    const { person, phone, userId, conversation } = await flow.meet()
    const digits = '34622000002'
    person.write({
      type: 'system',
      system: { body: 'changed', type: 'user_changed_number', wa_id: digits },
    })
    flow.whatsapp
      .addPerson({ name: 'Marta Ruiz', phone: `+${digits}`, userId: `${userId}b` })
      .write('Número nuevo')
    await waitForMessage(flow.tenant, conversation.id, ({ text }) => text === 'Número nuevo')
    const all = await listConversations(flow.tenant)
    expect(all).toHaveLength(1)
    const values = all[0]!.identities.map(({ value }) => value)
    expect(values).toContain(`+${digits}`)
    expect(values).not.toContain(phone)
  })
})
