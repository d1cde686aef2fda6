/** The provider against the simulated WhatsApp over HTTP. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHttpClient } from '../../../kit/http/client.ts'
import {
  startWhatsapp,
  type WhatsappFault,
  type WhatsappSimulator,
} from '../../../simulator/whatsapp/index.ts'
import {
  type ChatContext,
  ChatError,
  type ChatIdentity,
  type Connection,
  type InboundEvent,
  interruptedResult,
  type OutgoingContent,
  type OutgoingMessage,
} from '../../chat.ts'
import type { capabilities } from './capabilities.ts'
import type { CredentialValues } from './graph.ts'
import { whatsappCloud } from './index.ts'
import { isMediaUrl } from './media.ts'

const http = createHttpClient({ reach: 'any' })
afterAll(() => http.close())
const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')
const verifyToken = 'the-token-of-the-account'
const events: InboundEvent[] = []

/** The webhook of the program: verifies and reads what the simulator posts. */
const receiver = createServer(async (request, response) => {
  const url = new URL(request.url!, 'http://localhost')
  if (request.method === 'GET') {
    const answer = whatsappCloud.webhook!.challenge!(url.searchParams, verifyToken)
    response.writeHead(answer === null ? 403 : 200).end(answer)
    return
  }
  const body = await buffer(request)
  const secrets = { credentials: simulator.credentials, verifyToken }
  if (!whatsappCloud.webhook!.verify({ headers: request.headers, body }, secrets)) {
    response.writeHead(401).end()
    return
  }
  events.push(...(await whatsappCloud.webhook!.parse(body, receivedAt, 'account')))
  response.end()
})
beforeAll(() => new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

let simulator: WhatsappSimulator
let webhookUrl: string
beforeEach(async () => {
  events.length = 0
  simulator = await startWhatsapp({ seed: 7 })
  webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/a`
  simulator.setWebhook(webhookUrl)
})
afterEach(() => simulator.close())

const createContext = (change: Partial<ChatContext> = {}): ChatContext => ({
  http,
  baseUrl: simulator.url,
  resolveHost: async host => host,
  now: receivedAt,
  webhook: { url: webhookUrl, verifyToken },
  signal: new AbortController().signal,
  log: { warn() {} } as unknown as ChatContext['log'],
  ...change,
})
const connect = (): Connection<CredentialValues> => ({
  accountId: 'a',
  externalId: simulator.credentials.phoneNumberId,
  displayName: 'Agencia',
  credentials: simulator.credentials,
})
const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
const userId: ChatIdentity = { kind: 'bsuid', value: 'ES.1234567890' }
const toMessage = (content: OutgoingContent, change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: '019a0000-0000-7000-8000-000000000001',
  to: [phone],
  content,
  replyTo: null,
  thread: { subject: null, references: [] },
  unsubscribeUrl: null,
  ...change,
})
const send = (
  content: OutgoingContent,
  change: Partial<OutgoingMessage> = {},
  context: Partial<ChatContext> = {},
) => whatsappCloud.send(connect(), toMessage(content, change), createContext(context))
const text = (value = 'Hola'): OutgoingContent => ({ kind: 'text', text: value })
const getFailure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    error => (error instanceof ChatError ? error.failure : error),
  )
const addMarta = (change: object = {}) =>
  simulator.addPerson({ name: 'Marta', phone: phone.value, userId: userId.value, ...change })
const file = (
  kind: keyof typeof capabilities.media,
  bytes: Buffer,
  mediaType: string,
  caption: string | null = null,
) =>
  ({
    kind: 'media',
    media: {
      kind,
      mediaType,
      fileName: 'piso "1".pdf',
      bytes: bytes.length,
      open: async () => Readable.from([bytes]),
    },
    caption,
  }) satisfies OutgoingContent

describe('sending', () => {
  const list: OutgoingContent = {
    kind: 'list',
    text: '¿Cuándo?',
    button: 'Elegir',
    sections: [{ title: null, rows: [{ id: 'mon', title: 'Lunes', description: null }] }],
  }
  test.each<[string, OutgoingContent, object]>([
    [
      'a text',
      text('Mire https://ejemplo.es'),
      { text: { body: 'Mire https://ejemplo.es', preview_url: true } },
    ],
    [
      'a template',
      {
        kind: 'template',
        text: 'x',
        template: { providerName: 'first_contact', language: 'es', values: ['Marta\n', 'Gràcia'] },
      },
      {
        template: {
          name: 'first_contact',
          language: { code: 'es' },
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'Marta' },
                { type: 'text', text: 'Gràcia' },
              ],
            },
          ],
        },
      },
    ],
    [
      'buttons',
      { kind: 'buttons', text: '¿Sí?', buttons: [{ id: 'yes', title: 'Sí' }] },
      { interactive: { action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Sí' } }] } } },
    ],
    ['a list', list, { interactive: { type: 'list', action: { button: 'Elegir' } } }],
    [
      'a place',
      { kind: 'location', latitude: 41.4, longitude: 2.2, name: 'Piso', address: null },
      { location: { latitude: 41.4, longitude: 2.2, name: 'Piso' } },
    ],
    [
      'a removed reaction',
      { kind: 'reaction', emoji: null, providerMessageId: 'wamid.1' },
      { reaction: { message_id: 'wamid.1', emoji: '' } },
    ],
  ])('%s arrives as WhatsApp writes it', async (_what, content, body) => {
    const replyTo = content.kind === 'reaction' ? null : 'wamid.0'
    const result = await send(content, { replyTo })
    expect(result).toMatchObject({ status: 'sent', providerMessageId: simulator.accepted[0]!.id })
    expect(simulator.accepted[0]!.body).toMatchObject({
      to: '+34612345678',
      ...(replyTo && { context: { message_id: replyTo } }),
      biz_opaque_callback_data: '019a0000-0000-7000-8000-000000000001',
      ...body,
    })
  })

  test('a person without a phone gets it by user id', async () => {
    expect(await send(text(), { to: [userId] })).toMatchObject({ status: 'sent' })
    expect(simulator.accepted[0]!.body).toMatchObject({ recipient: 'ES.1234567890' })
    expect(simulator.accepted[0]!.body).not.toHaveProperty('to')
    const nobody = await send(text(), { to: [{ kind: 'email', value: 'a@b.es' }] })
    expect(nobody).toMatchObject({ failure: { code: 'RECIPIENT_UNREACHABLE', scope: 'recipient' } })
  })

  test('a file is uploaded first, in parts', async () => {
    const bytes = Buffer.alloc(3_000_000, 'ñ')
    expect(await send(file('document', bytes, 'application/pdf', 'El plano'))).toMatchObject({
      status: 'sent',
    })
    const { document } = simulator.accepted[0]!.body as { document: { id: string } }
    expect(document).toMatchObject({ caption: 'El plano', filename: 'piso "1".pdf' })
    const stream = await whatsappCloud.openMedia!(
      connect(),
      { kind: 'document', providerMediaId: document.id, mediaType: null, fileName: null, bytes: null },
      createContext(),
    )
    expect(await buffer(stream)).toEqual(bytes)
  })

  test('a voice message is an audio with a mark', async () => {
    await send(file('voice', Buffer.from('ogg'), 'audio/ogg; codecs=opus'))
    expect(simulator.accepted[0]!.body).toMatchObject({ type: 'audio', audio: { voice: true } })
  })

  test.each<[string, OutgoingContent, string]>([
    ['an empty text', text(''), 'MESSAGE_REJECTED'],
    ['a long text', text('x'.repeat(4097)), 'MESSAGE_REJECTED'],
    [
      'four buttons',
      { kind: 'buttons', text: 'x', buttons: ['1', '2', '3', '4'].map(id => ({ id, title: id })) },
      'MESSAGE_REJECTED',
    ],
    [
      'a long row',
      { ...list, sections: [{ title: null, rows: [{ id: 'a', title: 'x'.repeat(25), description: null }] }] },
      'MESSAGE_REJECTED',
    ],
    [
      'a local template',
      { kind: 'template', text: 'x', template: { providerName: null, language: 'es', values: [] } },
      'TEMPLATE_NOT_FOUND',
    ],
    ['a file of another type', file('image', Buffer.from('x'), 'image/gif'), 'MEDIA_REJECTED'],
    ['a large file', file('image', Buffer.alloc(5 * 1024 * 1024 + 1), 'image/png'), 'MEDIA_REJECTED'],
    ['a caption of a voice message', file('voice', Buffer.from('x'), 'audio/ogg', 'x'), 'UNSUPPORTED'],
  ])('%s is refused before it is sent', async (_what, content, code) => {
    expect(await send(content)).toMatchObject({ status: 'failed', failure: { code, retryable: false } })
    expect(simulator.accepted).toEqual([])
  })

  test('what WhatsApp refuses has our code', async () => {
    const template = (providerName: string, values: string[]): OutgoingContent => ({
      kind: 'template',
      text: 'x',
      template: { providerName, language: 'es', values },
    })
    expect(await send(template('unknown', []))).toMatchObject({ failure: { code: 'TEMPLATE_NOT_FOUND' } })
    expect(await send(template('first_contact', []))).toMatchObject({
      failure: {
        code: 'TEMPLATE_MISMATCH',
        scope: 'template',
        message: expect.stringContaining('WhatsApp says: body'),
      },
    })
    simulator.setAccessToken('another')
    expect(await send(text())).toMatchObject({ failure: { code: 'INVALID_CREDENTIALS', scope: 'account' } })
  })
})

describe('without a clear answer', () => {
  test.each<[string, WhatsappFault, object]>([
    ['a cut connection', { kind: 'cut' }, { status: 'unknown' }],
    [
      'a cut connection after the message was accepted',
      { kind: 'cut', isAccepted: true },
      { status: 'unknown' },
    ],
    ['a gateway error', { kind: 'page', status: 502, isAccepted: true }, { status: 'unknown' }],
    ['an unknown error', { kind: 'error', status: 500, code: 131_000 }, { status: 'unknown' }],
    [
      'a service that is not available',
      { kind: 'page', status: 503, retryAfterSeconds: 7 },
      { status: 'failed', failure: { code: 'PROVIDER_UNAVAILABLE', retryable: true, retryAfterMs: 7000 } },
    ],
    [
      'a temporary error',
      { kind: 'error', status: 500, code: 2, isTransient: true },
      { status: 'failed', failure: { code: 'PROVIDER_UNAVAILABLE', retryable: true } },
    ],
    [
      'a rate limit',
      { kind: 'error', status: 429, code: 130_429, retryAfterSeconds: 3 },
      {
        status: 'failed',
        failure: { code: 'RATE_LIMITED', scope: 'account', retryable: true, retryAfterMs: 3000 },
      },
    ],
  ])('%s', async (_what, fault, result) => {
    simulator.faults.add(fault)
    expect(await send(text())).toMatchObject(result)
  })

  test('a refused connection: nothing was sent', async () => {
    await simulator.setReachable(false)
    expect(await send(text())).toMatchObject({ status: 'failed', failure: { retryable: true } })
    await simulator.setReachable(true)
    expect(await send(text())).toMatchObject({ status: 'sent' })
  })

  test('an upload that was cut sends nothing', async () => {
    simulator.faults.add({ kind: 'cut', path: '/media' })
    const result = await send(file('image', Buffer.from('x'), 'image/png'))
    expect(result).toMatchObject({ status: 'failed', failure: { retryable: true } })
  })

  test('an aborted call throws; an aborted upload has sent nothing', async () => {
    simulator.faults.add({ kind: 'hang' })
    const image = file('image', Buffer.from('x'), 'image/png')
    expect(await send(image, {}, { signal: AbortSignal.timeout(50) })).toEqual(interruptedResult)
    expect(await send(text(), {}, { signal: AbortSignal.abort() })).toEqual(interruptedResult)
    simulator.faults.add({ kind: 'hang' })
    await expect(send(text(), {}, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/i)
  })
})

describe('callbacks', () => {
  test('report each status with our id', async () => {
    addMarta()
    await send(text())
    await simulator.settle()
    expect(events.map(event => event.type === 'status' && [event.status, event.messageId])).toEqual([
      ['sent', '019a0000-0000-7000-8000-000000000001'],
      ['delivered', '019a0000-0000-7000-8000-000000000001'],
      ['read', '019a0000-0000-7000-8000-000000000001'],
    ])
  })

  test('report a failure in our words', async () => {
    addMarta({ isReachable: false })
    await send(text())
    await simulator.settle()
    expect(events).toMatchObject([{ status: 'failed', failure: { code: 'RECIPIENT_UNREACHABLE' } }])
  })

  test('report a closed window, which a template and an answer open', async () => {
    const marta = addMarta({ isWindowClosed: true })
    await send(text())
    await simulator.settle()
    expect(events).toMatchObject([{ status: 'failed', failure: { code: 'WINDOW_CLOSED' } }])
    marta.write('Hola')
    await send(text())
    expect(marta.received).toHaveLength(1)
  })

  test('bring what a person writes and answers', async () => {
    const marta = addMarta({ phone: null, answer: () => 'Sí, el lunes' })
    const id = marta.write('¿Sigue en venta?')
    await simulator.settle()
    expect(events).toMatchObject([
      { type: 'message', providerMessageId: id, from: [userId], content: { text: '¿Sigue en venta?' } },
    ])
    await send(text('Sí'), { to: [userId], replyTo: id })
    await simulator.settle()
    expect(events.filter(({ type }) => type === 'message')).toMatchObject([
      {},
      { content: { text: 'Sí, el lunes' } },
    ])
  })

  test('are late, repeated, reordered and lost, the same for a seed', async () => {
    const run = async () => {
      const own = await startWhatsapp({ seed: 3 })
      own.setWebhook(webhookUrl)
      own.setCallbackFaults({ late: 0.2, repeated: 0.3, reordered: 0.3, lost: 0.2 })
      for (let index = 0; index < 10; index += 1)
        await whatsappCloud.send(
          connect(),
          toMessage(text(), { id: `message-${index}` }),
          createContext({ baseUrl: own.url }),
        )
      await own.settle()
      const seen = own.posted.map(({ body }) =>
        /"id":"(wamid[^"]+)".*"status":"(\w+)"/.exec(body)!.slice(1).join(' '),
      )
      await own.close()
      return seen.sort()
    }
    const seen = await run()
    expect(await run()).toEqual(seen)
    const once = new Set(seen)
    expect(once.size).toBeLessThan(30)
    expect(seen.length).toBeGreaterThan(once.size)
  })
})

describe('an account', () => {
  test('is connected with its number and limit', async () => {
    simulator.setWebhook(null)
    expect(await whatsappCloud.connect(simulator.credentials, createContext())).toEqual({
      externalId: '106540352242922',
      groupId: '102290129340398',
      phone: '+34910000000',
      name: 'Agencia Simulada',
      status: 'CONNECTED',
      reason: null,
      quality: 'high',
      dailyLimit: 1000,
      tier: 'TIER_1K',
    })
  })

  test('gets its webhook by the first check of its health', async () => {
    simulator.setWebhook(null)
    const check = () => whatsappCloud.checkHealth(connect(), createContext())
    expect(await check()).toMatchObject({ status: 'CONNECTED' })
    addMarta().write('Hola')
    await simulator.settle()
    expect(events).toHaveLength(1)
    expect(await check()).toMatchObject({ status: 'CONNECTED' })
  })

  test('keeps its webhook when it is connected again', async () => {
    await whatsappCloud.checkHealth(connect(), createContext())
    await whatsappCloud.connect(simulator.credentials, createContext())
    expect(simulator.callbackUrl).toBe(webhookUrl)
  })

  test('keeps its webhook when another address can’t be verified', async () => {
    await whatsappCloud.checkHealth(connect(), createContext())
    const webhook = { url: `${webhookUrl}b`, verifyToken: 'another' }
    await whatsappCloud.checkHealth(connect(), createContext({ webhook }))
    expect(simulator.callbackUrl).toBe(webhookUrl)
  })

  test('says that its webhook can’t be verified', async () => {
    const webhook = { url: webhookUrl, verifyToken: 'another' }
    const health = await whatsappCloud.checkHealth(connect(), createContext({ webhook }))
    expect(health).toMatchObject({ status: 'DEGRADED', reason: expect.stringContaining('webhook address') })
    expect(simulator.isSubscribed).toBe(true)
  })

  test.each<[string, object, object]>([
    ['token', { accessToken: 'x'.repeat(30) }, { code: 'INVALID_CREDENTIALS', providerCode: '190' }],
    [
      'app secret',
      { appSecret: 'f'.repeat(32) },
      { code: 'INVALID_CREDENTIALS', message: expect.stringContaining('app secret') },
    ],
    [
      'number',
      { phoneNumberId: '999999' },
      { code: 'INVALID_CREDENTIALS', message: expect.stringContaining('phone number id') },
    ],
    [
      'business account',
      { businessAccountId: '999999' },
      { code: 'INVALID_CREDENTIALS', message: expect.stringContaining('business account id') },
    ],
  ])('with a wrong %s is not connected', async (_what, change, failure) => {
    const call = whatsappCloud.connect({ ...simulator.credentials, ...change }, createContext())
    expect(await getFailure(call)).toMatchObject(failure)
  })

  test.each<[object, object]>([
    [
      { status: 'FLAGGED', quality_rating: 'RED' },
      { status: 'DEGRADED', quality: 'low' },
    ],
    [{ status: 'BANNED' }, { status: 'BANNED' }],
    [{ name_status: 'DECLINED' }, { status: 'DEGRADED', reason: expect.stringContaining('display name') }],
    [{ account_mode: 'SANDBOX' }, { status: 'DEGRADED' }],
    [{ messaging_limit_tier: 'TIER_UNLIMITED' }, { dailyLimit: null, tier: 'TIER_UNLIMITED' }],
    [{ whatsapp_business_manager_messaging_limit: 'TIER_250' }, { dailyLimit: 250, tier: 'TIER_250' }],
    [
      {
        health_status: {
          can_send_message: 'BLOCKED',
          entities: [
            { entity_type: 'APP', can_send_message: 'AVAILABLE' },
            {
              entity_type: 'WABA',
              can_send_message: 'BLOCKED',
              errors: [
                {
                  error_code: 141_014,
                  error_description: 'The WABA is banned.',
                  possible_solution: 'Appeal.',
                },
              ],
            },
          ],
        },
      },
      { status: 'BANNED', reason: 'The WABA is banned. Appeal.' },
    ],
  ])('%j is the health %j', async (fields, health) => {
    Object.assign(simulator.number, fields)
    expect(await whatsappCloud.checkHealth(connect(), createContext())).toMatchObject(health)
  })

  test('with a revoked token is logged out; without an answer its state is unknown', async () => {
    simulator.setAccessToken('another')
    expect(await whatsappCloud.checkHealth(connect(), createContext())).toMatchObject({
      status: 'LOGGED_OUT',
    })
    simulator.faults.add({ kind: 'page', status: 503 })
    expect(await getFailure(whatsappCloud.checkHealth(connect(), createContext()))).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
  })

  test('lists at most 1,000 templates and submits new ones', async () => {
    const { list, submit } = whatsappCloud.templates!
    const template = { providerName: 'visita', language: 'pt-BR', category: 'utility' as const }
    const values = { body: 'Olá {{1}}', examples: ['Ana'] }
    expect(await submit(connect(), { ...template, ...values }, createContext())).toMatchObject({
      status: 'pending',
    })
    expect(await list(connect(), createContext())).toMatchObject([
      { providerName: 'first_contact', status: 'approved', category: 'marketing', language: 'es' },
      {
        providerName: 'visita',
        status: 'pending',
        category: 'utility',
        language: 'pt-BR',
        body: 'Olá {{1}}',
      },
    ])
    const [first] = simulator.templates
    simulator.templates.push(
      ...Array.from({ length: 1200 }, (_, index) => ({ ...first!, name: `n${index}` })),
    )
    expect(await list(connect(), createContext())).toHaveLength(1000)
  })

  test('shows that somebody reads and types', async () => {
    const message = { providerMessageId: 'wamid.1', to: [phone] }
    await whatsappCloud.markRead!(connect(), message, createContext())
    await whatsappCloud.showTyping!(connect(), message, createContext())
    await whatsappCloud.showTyping!(connect(), { ...message, providerMessageId: null }, createContext())
    expect(simulator.accepted).toEqual([])
  })
})

test('the token goes only to hosts of Meta, or to the base URL', () => {
  const base = 'https://graph.facebook.com/v23.0'
  const isAllowed = (url: string) => isMediaUrl(url, base)
  expect(isAllowed('https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1')).toBe(true)
  expect(isAllowed('https://graph.facebook.com/x')).toBe(true)
  for (const url of [
    'http://lookaside.fbsbx.com/x',
    'https://lookaside.fbsbx.com.evil.example/x',
    'https://evilfbsbx.com/x',
    'https://lookaside.fbsbx.com:8443/x',
    'https://lookaside.fbsbx.com@evil.example/x',
    'file:///etc/passwd',
    'x',
  ])
    expect(isAllowed(url)).toBe(false)
})
