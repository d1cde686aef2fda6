/** Telegram against the simulated Bot API: accounts, and what is sent, with faults. */
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { marta, startBot as start, verifyToken } from '../../../../test/telegram.ts'
import type { TelegramFaults } from '../../../simulator/telegram/index.ts'
import {
  type ChatContext,
  interruptedResult,
  type OutgoingContent,
  type OutgoingMessage,
  type SendResult,
} from '../../chat.ts'
import { telegram } from './index.ts'

const to = [{ kind: 'telegram', value: String(marta) }] as const
const toFailure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    error => error.failure,
  )

describe('an account', () => {
  test('is connected with its webhook, and is healthy', async () => {
    const { credentials, context, connection } = await start()
    expect(await telegram.connect(credentials, context)).toMatchObject({
      status: 'CONNECTED',
      externalId: '700000001',
      name: '@agency_bot',
      phone: null,
    })
    expect(await telegram.checkHealth(connection, context)).toMatchObject({
      status: 'CONNECTED',
      reason: null,
    })
  })

  test('that ends has no webhook any more, unless it is that of another program', async () => {
    const { credentials, context, connection, simulator, bodies } = await start()
    await telegram.connect(credentials, context)
    const webhook = { url: 'https://another.example/', verifyToken: 'x' }
    await telegram.disconnect!(connection, { ...context, webhook })
    await simulator.say(marta, { text: 'Hola' })
    expect(bodies).toHaveLength(1)
    await telegram.disconnect!(connection, context)
    await simulator.say(marta, { text: 'Hola' })
    expect(bodies).toHaveLength(1)
  })

  test('is refused with a wrong token, and with an address that Telegram can’t call', async () => {
    const { credentials, context } = await start()
    expect(await toFailure(telegram.connect({ token: '1:wrong' }, context))).toMatchObject({
      code: 'INVALID_CREDENTIALS',
      scope: 'account',
    })
    const webhook = { url: 'http://agency.example/hook', verifyToken }
    expect(await toFailure(telegram.connect(credentials, { ...context, webhook }))).toMatchObject({
      code: 'UNSUPPORTED',
      message:
        'Telegram can’t post messages to http://agency.example/hook. It says: Bad Request: bad webhook: An HTTPS URL must be provided for webhook. Set PUBLIC_URL to a public https address, with one of the ports 443, 80, 88 and 8443.',
    })
  })

  test('says why it is unhealthy', async () => {
    const { credentials, context, connection, simulator, hello } = await start()
    await hello()
    const check = (change: Partial<ChatContext> = {}) =>
      telegram.checkHealth(connection, { ...context, ...change })
    expect(await check({ webhook: { url: 'https://new.example/hook', verifyToken } })).toMatchObject({
      status: 'DEGRADED',
      reason: expect.stringContaining('another program'),
    })
    await telegram.connect(credentials, {
      ...context,
      webhook: { ...context.webhook!, verifyToken: 'other' },
    })
    await simulator.say(marta, { text: 'Hola' })
    expect(await check()).toMatchObject({
      status: 'DEGRADED',
      reason: expect.stringContaining('Wrong response from the webhook: 403'),
    })
    const later = context.now.add({ hours: 2 })
    expect(await check({ now: later })).toMatchObject({ status: 'CONNECTED' })
    simulator.revokeToken()
    expect(await check()).toMatchObject({
      status: 'LOGGED_OUT',
      reason: expect.stringContaining('@BotFather'),
    })
    await expect(check({ baseUrl: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      failure: { code: 'PROVIDER_UNAVAILABLE', retryable: true },
    })
  })
})

describe('sending', () => {
  const file = Buffer.from('the bytes of a file')
  const media = (kind: 'image' | 'voice' | 'document', change: object = {}): OutgoingContent => ({
    kind: 'media',
    media: {
      kind,
      mediaType: kind === 'voice' ? 'audio/ogg' : 'image/jpeg',
      fileName: null,
      bytes: file.length,
      open: async () => Readable.from([file]),
      ...change,
    },
    caption: 'La nota',
  })

  test.each<[what: string, content: OutgoingContent, method: string, fields: object]>([
    ['a text', { kind: 'text', text: 'Hola 👋' }, 'sendMessage', { text: 'Hola 👋' }],
    [
      'a template',
      { kind: 'template', text: 'Hola', template: { providerName: null, language: 'es', values: [] } },
      'sendMessage',
      { text: 'Hola' },
    ],
    [
      'buttons',
      { kind: 'buttons', text: '¿Le interesa?', buttons: [{ id: 'yes', title: 'Sí' }] },
      'sendMessage',
      { reply_markup: { inline_keyboard: [[{ text: 'Sí', callback_data: 'yes' }]] } },
    ],
    [
      'a location',
      { kind: 'location', latitude: 41.4, longitude: 2.2, name: null, address: null },
      'sendLocation',
      { latitude: 41.4, longitude: 2.2 },
    ],
    [
      'a place',
      { kind: 'location', latitude: 41.4, longitude: 2.2, name: 'Oficina', address: 'Gran Via 1' },
      'sendVenue',
      { title: 'Oficina', address: 'Gran Via 1' },
    ],
    ['a photo', media('image'), 'sendPhoto', { caption: 'La nota' }],
    ['a voice note', media('voice'), 'sendVoice', { caption: 'La nota' }],
  ])('%s arrives', async (_what, content, method, fields) => {
    const { send, simulator, hello } = await start()
    await hello()
    const result = await send(content, { replyTo: `${marta}:1` })
    const [received] = simulator.received
    expect(result).toEqual({ status: 'sent', providerMessageId: `${marta}:${received!.messageId}` })
    expect(received).toMatchObject({ method, fields })
    expect(received!.file).toEqual(content.kind === 'media' ? file : null)
    const reply = received!.fields.reply_parameters
    expect(typeof reply === 'string' ? JSON.parse(reply) : reply).toEqual({
      message_id: 1,
      allow_sending_without_reply: true,
    })
  })

  test('a reaction arrives, and has an id of its own', async () => {
    const { send, simulator, hello } = await start()
    await hello()
    const reaction = { kind: 'reaction', emoji: '👍', providerMessageId: `${marta}:1` } as const
    expect(await send(reaction)).toEqual({ status: 'sent', providerMessageId: `${marta}:1:m-1` })
    expect(simulator.received[0]!.fields).toMatchObject({
      message_id: 1,
      reaction: [{ type: 'emoji', emoji: '👍' }],
    })
  })

  test.each<[what: string, content: OutgoingContent, code: string, change?: Partial<OutgoingMessage>]>([
    ['a text of 4,097 characters', { kind: 'text', text: 'x'.repeat(4097) }, 'MESSAGE_REJECTED'],
    ['a list', { kind: 'list', text: 'x', button: 'x', sections: [] }, 'UNSUPPORTED'],
    [
      'a long id of a button',
      { kind: 'buttons', text: 'x', buttons: [{ id: 'ñ'.repeat(33), title: 'x' }] },
      'MESSAGE_REJECTED',
    ],
    ['a large file', media('document', { bytes: 60_000_000 }), 'MEDIA_REJECTED'],
    ['a file of another length', media('document', { bytes: 7 }), 'MEDIA_REJECTED'],
    ['a person without Telegram', { kind: 'text', text: 'x' }, 'RECIPIENT_UNREACHABLE', { to: [] }],
    [
      'a person who has not written',
      { kind: 'text', text: 'x' },
      'RECIPIENT_UNREACHABLE',
      { to: [{ kind: 'telegram', value: '5' }] },
    ],
  ])('%s fails, and nothing arrives', async (_what, content, code, change) => {
    const { send, simulator, hello } = await start()
    await hello()
    expect(await send(content, change)).toMatchObject({ status: 'failed', failure: { code } })
    expect(simulator.received).toEqual([])
  })

  test('to a person who blocked the bot fails for this person', async () => {
    const { send, simulator, hello, readEvents } = await start()
    await hello()
    await simulator.block(marta, true)
    expect(await send({ kind: 'text', text: 'x' })).toMatchObject({
      status: 'failed',
      failure: { code: 'RECIPIENT_BLOCKED', providerCode: '403', retryable: false, scope: 'recipient' },
    })
    expect(readEvents().at(-1)).toMatchObject({ type: 'marketing_preference', accepts: false, from: to })
  })

  test.each<[faults: TelegramFaults, result: object, received: number]>([
    [
      { rateLimited: 1 },
      { status: 'failed', failure: { code: 'RATE_LIMITED', retryable: true, retryAfterMs: 1000 } },
      0,
    ],
    [{ replyLost: 1 }, { status: 'unknown', reason: expect.stringMatching(/./) }, 1],
  ])('with the fault %j is never reported as sent', async (faults, result, received) => {
    const { send, simulator } = await start({ faults })
    await simulator.say(marta, { text: 'Hola' })
    expect(await send({ kind: 'text', text: 'x' })).toMatchObject(result)
    expect(simulator.received).toHaveLength(received)
  })

  test('that is aborted before its file was read to the end has sent nothing', async () => {
    const { send, simulator } = await start()
    const controller = new AbortController()
    const { signal } = controller
    const open = async () => new Readable({ read: () => controller.abort(new Error('the process stops')) })
    expect(await send(media('image', { open }), {}, { signal })).toEqual(interruptedResult)
    expect(await send({ kind: 'text', text: 'x' }, {}, { signal })).toEqual(interruptedResult)
    expect(simulator.received).toEqual([])
  })

  test('with many faults, each message arrives as it is reported', async () => {
    const faults = { rateLimited: 0.1, unavailable: 0.2, replyLost: 0.1 }
    const { send, simulator } = await start({ faults, seed: 7 })
    await simulator.say(marta, { text: 'Hola' })
    const counts = { sent: 0, failed: 0, unknown: 0 }
    for (let index = 0; index < 200; index += 1) {
      const text = `Mensaje ${index}`
      let result: SendResult
      do result = await send({ kind: 'text', text })
      while (result.status === 'failed' && result.failure.retryable)
      counts[result.status] += 1
      const copies = simulator.received.filter(({ fields }) => fields.text === text).length
      if (result.status === 'sent') expect(copies).toBe(1)
      else expect(copies).toBeLessThanOrEqual(1)
    }
    expect(counts).toMatchObject({ sent: expect.any(Number), failed: 0 })
    expect(counts.sent).toBeGreaterThan(100)
    expect(counts.unknown).toBeGreaterThan(20)
  })

  test('typing is shown, and a pressed button is answered', async () => {
    const { context, connection, simulator, hello } = await start()
    await hello()
    await telegram.showTyping!(connection, { providerMessageId: null, to: [...to] }, context)
    await telegram.markRead!(connection, { providerMessageId: `${marta}:1`, to: [...to] }, context)
    await telegram.markRead!(connection, { providerMessageId: 'callback:9', to: [...to] }, context)
    expect(simulator.answered).toEqual(['9'])
  })
})
