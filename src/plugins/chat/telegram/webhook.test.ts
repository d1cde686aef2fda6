/** Updates of Telegram as events. The bodies are written after the documentation of the Bot API. */
import { describe, expect, test } from 'vitest'
import type { InboundEvent } from '../../chat.ts'
import { checkChat } from '../../check-chat.ts'
import { telegram } from './index.ts'

const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')
const date = 1_795_687_200
const at = Temporal.Instant.fromEpochMilliseconds(date * 1000)
const user = { id: 42, is_bot: false, first_name: 'Marta', last_name: 'Soler', language_code: 'es' }
const chat = { id: 42, type: 'private', first_name: 'Marta' }
const from = [{ kind: 'telegram', value: '42' }]
const message = (content: object) => ({
  update_id: 1,
  message: { message_id: 7, date, chat, from: user, ...content },
})
const parse = (update: unknown) =>
  telegram.webhook!.parse(Buffer.from(JSON.stringify(update)), receivedAt, 'account') as InboundEvent[]
const file = { file_id: 'AgACAgQ', file_unique_id: 'u', file_size: 1234 }
const media = (kind: string, mediaType: string | null, change: object = {}) => ({
  kind: 'media',
  media: [{ kind, providerMediaId: 'AgACAgQ', mediaType, fileName: null, bytes: 1234, ...change }],
  caption: null,
})

describe('a message', () => {
  test.each<[what: string, sent: object, content: object]>([
    ['text', { text: 'Hola' }, { kind: 'text', text: 'Hola' }],
    [
      'photo',
      { photo: [{ ...file, file_id: 'small' }, file], caption: 'La cocina' },
      { ...media('image', 'image/jpeg'), caption: 'La cocina' },
    ],
    ['voice note', { voice: { ...file, duration: 3 } }, media('voice', 'audio/ogg')],
    ['video note', { video_note: { ...file, length: 240 } }, media('video', 'video/mp4')],
    ['video', { video: { ...file, mime_type: 'video/quicktime' } }, media('video', 'video/quicktime')],
    ['animation', { animation: file, document: file }, media('video', 'video/mp4')],
    ['audio', { audio: { ...file, mime_type: 'audio/mpeg' } }, media('audio', 'audio/mpeg')],
    ['sticker', { sticker: { ...file, is_animated: false } }, media('sticker', 'image/webp')],
    [
      'document',
      { document: { ...file, file_name: 'plano.pdf', mime_type: 'application/pdf' } },
      media('document', 'application/pdf', { fileName: 'plano.pdf' }),
    ],
    [
      'location',
      { location: { latitude: 41.4, longitude: 2.2 } },
      { kind: 'location', latitude: 41.4, longitude: 2.2, name: null, address: null },
    ],
    [
      'venue',
      {
        location: { latitude: 41.4, longitude: 2.2 },
        venue: { location: { latitude: 41.4, longitude: 2.2 }, title: 'Bar', address: 'Gran Via 1' },
      },
      { kind: 'location', latitude: 41.4, longitude: 2.2, name: 'Bar', address: 'Gran Via 1' },
    ],
    [
      'poll',
      { poll: { id: '1', question: '¿Visita el lunes?' } },
      { kind: 'unsupported', description: 'A poll: ¿Visita el lunes?' },
    ],
    ['photo without a file', { photo: [{}] }, { kind: 'unsupported', description: 'A photo' }],
  ])('%s', (_what, sent, content) => {
    expect(parse(message(sent))).toEqual([
      {
        type: 'message',
        externalId: null,
        at,
        from,
        providerMessageId: '42:7',
        profileName: 'Marta Soler',
        content,
        replyTo: null,
        email: null,
        referral: null,
        nature: 'person',
        isEcho: false,
      },
    ])
  })

  test('has the number that the person shared as their own', () => {
    const contact = { phone_number: '34 612 345 678', first_name: 'Marta', user_id: 42 }
    const [own] = parse(message({ contact }))
    expect(own).toMatchObject({
      from: [...from, { kind: 'phone', value: '+34612345678' }],
      content: { kind: 'contacts', contacts: [{ name: 'Marta', phones: ['34 612 345 678'], emails: [] }] },
    })
    const [other] = parse(message({ contact: { ...contact, user_id: 43 } }))
    expect(other).toMatchObject({ from })
  })

  test('names what it answers, and the link that the person came from', () => {
    expect(parse(message({ text: 'Sí', reply_to_message: { message_id: 5, chat, date } }))[0]).toMatchObject({
      replyTo: '42:5',
    })
    expect(parse(message({ text: '/start flat-123' }))[0]).toMatchObject({
      referral: { source: 'telegram_link', url: null, headline: 'flat-123' },
    })
  })

  test('without a valid time happened at the receipt', () => {
    for (const wrong of [null, -1, 1e300, '7'])
      expect(parse(message({ text: 'x', date: wrong }))[0]!.at).toBe(receivedAt)
  })
})

test('an edited message, a reaction and a block', () => {
  const edited = { message_id: 7, date, edit_date: date + 60, chat, from: user, text: 'Hola, Ana' }
  expect(parse({ update_id: 1, edited_message: edited })).toEqual([
    {
      type: 'edited',
      externalId: null,
      at: at.add({ seconds: 60 }),
      from,
      providerMessageId: '42:7',
      content: { kind: 'text', text: 'Hola, Ana' },
    },
  ])
  const react = (reactions: object[]) =>
    parse({ update_id: 1, message_reaction: { chat, user, message_id: 7, date, new_reaction: reactions } })[0]
  expect(react([{ type: 'emoji', emoji: '👍' }])).toMatchObject({
    type: 'reaction',
    emoji: '👍',
    providerMessageId: '42:7',
  })
  expect(react([])).toMatchObject({ type: 'reaction', emoji: null })
  expect(react([{ type: 'custom_emoji', custom_emoji_id: '1' }])).toMatchObject({ type: 'ignored' })
  const member = (status: string) =>
    parse({ update_id: 1, my_chat_member: { chat, from: user, date, new_chat_member: { status } } })[0]
  expect(member('kicked')).toMatchObject({ type: 'marketing_preference', accepts: false, from, at })
  expect(member('member')).toMatchObject({ type: 'marketing_preference', accepts: true })
  expect(member('left')).toMatchObject({ type: 'ignored', what: 'my_chat_member' })
})

test.each<[what: string, update: object]>([
  ['a group', message({ text: 'x', chat: { id: -1, type: 'group' } })],
  ['a supergroup', message({ text: 'x', chat: { id: -100, type: 'supergroup' } })],
  ['a channel', { update_id: 1, channel_post: { message_id: 1, date, chat: { id: -100, type: 'channel' } } }],
  ['a bot', message({ text: 'x', from: { ...user, is_bot: true } })],
  ['a chat of another person', message({ text: 'x', from: { ...user, id: 43 } })],
  ['a notice', message({ pinned_message: { message_id: 1 } })],
  ['an update of another kind', { update_id: 1, poll_answer: {} }],
  ['an update without a kind', { update_id: 1 }],
])('%s is ignored', (_what, update) => {
  expect(parse(update)).toEqual([expect.objectContaining({ type: 'ignored', at: receivedAt })])
})

test.each(['', '{', 'null', '[]', '{}', '{"update_id":"1"}', '['.repeat(1e5)])('%# is unreadable', body => {
  expect(telegram.webhook!.parse(Buffer.from(body), receivedAt, 'account')).toMatchObject([
    { type: 'unreadable' },
  ])
})

test('damaged updates never throw', async () => {
  const updates = [
    message({ text: 'Hola', reply_to_message: { message_id: 5 } }),
    message({ photo: [file], caption: 'x' }),
    message({ contact: { phone_number: '34612345678', user_id: 42 } }),
    message({ venue: { location: { latitude: 1, longitude: 2 }, title: 'x' } }),
    {
      update_id: 1,
      callback_query: {
        id: '9',
        from: user,
        data: 'yes',
        message: {
          message_id: 7,
          chat,
          reply_markup: { inline_keyboard: [[{ text: 'Sí', callback_data: 'yes' }]] },
        },
      },
    },
    { update_id: 1, message_reaction: { chat, user, message_id: 7, date, new_reaction: [{ emoji: '👍' }] } },
  ]
  const bodies = updates.map(update => Buffer.from(JSON.stringify(update)))
  expect(await checkChat(telegram, { bodies })).toEqual([])
})
