/** The test environment's provider: outcomes, bodies and files, without a network. */
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { strictObject, Type } from '../../kit/schema.ts'
import { sandbox } from '../chat/sandbox.ts'
import {
  type ChatContext,
  type Connection,
  type InboundEvent,
  interruptedResult,
  noParts,
  type OutgoingContent,
  type OutgoingMessage,
} from '../chat.ts'
import { parseSandboxBody, toSandboxBody } from './body.ts'
import { sandboxRecipients, toSandboxIdentities } from './recipients.ts'
import { sandboxSignatureHeader, simulateProvider } from './simulate-provider.ts'

const connection: Connection = { accountId: 'a', externalId: 'x', displayName: 'Ana', credentials: {} }
/** The time of the message id below. */
const now = Temporal.Instant.fromEpochMilliseconds(0x019a_0000_0000)
const context = { signal: new AbortController().signal, now } as ChatContext
const at = Temporal.Instant.from('2026-11-26T10:00:00Z')
const message = (change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: '019a0000-0000-7000-8000-000000000001',
  to: [{ kind: 'phone', value: '+34612345678' }],
  content: { kind: 'text', text: 'Hola' },
  replyTo: null,
  thread: { subject: null, references: [] },
  unsubscribeUrl: null,
  ...change,
})
const said: InboundEvent = {
  type: 'message',
  externalId: null,
  at,
  from: [{ kind: 'sandbox', value: 'marta' }],
  providerMessageId: 'm1',
  profileName: 'Marta',
  content: { kind: 'text', text: '¿Quién eres?' },
  replyTo: null,
  email: null,
  referral: null,
  nature: 'person',
  isEcho: false,
}

describe('sending', () => {
  test('delivers at once, and a repeated message is the same one', async () => {
    const result = await sandbox.send(connection, message(), context)
    expect(result).toEqual({
      status: 'sent',
      providerMessageId: 'sandbox-019a0000-0000-7000-8000-000000000001',
      isDelivered: true,
    })
    expect(await sandbox.send(connection, message(), context)).toEqual(result)
  })

  test.each(
    sandboxRecipients.flatMap(recipient =>
      toSandboxIdentities(recipient).map(to => [recipient, to] as const),
    ),
  )('has the fixed outcome of %j', async ({ name, failure }, to) => {
    const result = await sandbox.send(connection, message({ to: [to] }), context)
    expect(result).toMatchObject(
      failure ? { status: 'failed', failure: { ...failure, providerCode: name } } : { status: 'unknown' },
    )
  })

  test('arrives after a minute where only the rate is limited', async () => {
    const later = { ...context, now: now.add({ minutes: 1 }) }
    const to = toSandboxIdentities({ name: 'rate_limited', number: '04' })
    expect(await sandbox.send(connection, message({ to }), later)).toMatchObject({ status: 'sent' })
  })

  test('reads a file to its end, and reports one that breaks', async () => {
    const media = (open: () => Promise<Readable>): OutgoingContent => ({
      kind: 'media',
      media: { kind: 'image', mediaType: 'image/png', fileName: null, bytes: 3, open },
      caption: null,
    })
    const file = Readable.from([Buffer.from('abc')])
    expect(
      await sandbox.send(connection, message({ content: media(async () => file) }), context),
    ).toMatchObject({
      status: 'sent',
    })
    expect(file.readableEnded).toBe(true)
    const broken = async () =>
      new Readable({ read: stream => (stream as never as Readable).destroy() }).destroy(new Error('gone'))
    expect(await sandbox.send(connection, message({ content: media(broken) }), context)).toMatchObject({
      status: 'failed',
      failure: { code: 'MEDIA_REJECTED', retryable: true },
    })
  })

  test('stops when the signal is aborted', async () => {
    const aborted = { ...context, signal: AbortSignal.abort(new Error('stop')) }
    expect(await sandbox.send(connection, message(), aborted)).toEqual(interruptedResult)
  })
})

describe('a simulated provider', () => {
  const credentials = strictObject({ phone: Type.String(), token: Type.String() })
  const real = simulateProvider<typeof credentials>({
    id: 'real',
    label: 'Real',
    channel: 'chat',
    mode: 'chat',
    credentials,
    capabilities: { ...sandbox.capabilities, templates: 'required', replyWindowHours: 24, typing: false },
    templates: { list: async () => [], submit: async () => Promise.reject(new Error('not called')) },
  })

  test('keeps the facts of the real one', () => {
    expect(real).toMatchObject({ id: 'real', capabilities: { replyWindowHours: 24, templates: 'required' } })
    expect(real.showTyping).toBeUndefined()
  })

  test('checks the credentials by their schema', async () => {
    await expect(real.connect({ phone: '+34612345678' } as never, context)).rejects.toMatchObject({
      failure: { code: 'INVALID_CREDENTIALS', scope: 'account' },
    })
    const one = await real.connect({ phone: '+34612345678', token: 'a' }, context)
    expect(one).toMatchObject({ status: 'CONNECTED', phone: '+34612345678' })
    expect(await real.connect({ phone: '+34612345678', token: 'b' }, context)).toEqual(one)
    expect((await sandbox.connect({}, context)).externalId).toBe('')
    expect(await real.connect({ phone: '+34612345679', token: 'a' }, context)).not.toEqual(one)
  })

  test('knows the bot of a token by the number in it', async () => {
    const bot = simulateProvider({
      id: 'bot',
      label: 'Bot',
      channel: 'chat',
      mode: 'chat',
      credentials: strictObject({ token: Type.String() }),
      capabilities: sandbox.capabilities,
    })
    const find = async (token: string) => (await bot.connect({ token }, context)).externalId
    expect(await find('1234567890:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0')).not.toBe('')
    expect(await find('1234567890:BBHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0')).toBe(
      await find('1234567890:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0'),
    )
    expect(await find('1234567891:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0')).not.toBe(
      await find('1234567890:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0'),
    )
    expect(await find('secret')).toBe('')
  })

  test('approves a template unless its name says otherwise', async () => {
    const submit = (providerName: string) =>
      real.templates!.submit(
        connection as never,
        {
          providerName,
          language: 'es',
          category: 'marketing',
          body: 'Hola {{1}}',
          examples: ['Ana'],
          parts: noParts,
        },
        context,
      )
    expect(await submit('first_contact')).toMatchObject({ status: 'approved' })
    expect(await submit('rejected_contact')).toMatchObject({ status: 'rejected' })
    expect(await submit('pending_contact')).toMatchObject({ status: 'pending' })
  })
})

describe('a posted body', () => {
  const body = toSandboxBody(said)
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const verify = (header: string | undefined, verifyToken: string) =>
    sandbox.webhook!.verify(
      { headers: { [sandboxSignatureHeader]: header }, body },
      { credentials: {}, verifyToken },
    )

  test('is accepted with the signature of the account only', () => {
    expect(verify(sign('secret'), 'secret')).toBe(true)
    expect(verify(sign('other'), 'secret')).toBe(false)
    expect(verify(undefined, 'secret')).toBe(false)
    expect(verify(sign(''), '')).toBe(false)
  })

  test('is read as the events that were written', () => {
    const status: InboundEvent = {
      type: 'status',
      externalId: null,
      at,
      providerMessageId: 'sandbox-1',
      messageId: null,
      to: [],
      status: 'read',
      failure: null,
    }
    const events = parseSandboxBody(toSandboxBody(said, status), at)
    expect(JSON.stringify(events)).toBe(JSON.stringify([said, status]))
    expect(events[0]!.at).toBeInstanceOf(Temporal.Instant)
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"events":[{"type":"message"}]}',
    JSON.stringify({ events: [{ ...said, at, typo: 1 }] }),
    JSON.stringify({ events: [{ ...said, at: '2026-13-01T00:00:00Z' }] }),
    JSON.stringify({ events: Array(101).fill(said) }),
    '['.repeat(100_000),
  ])('is unreadable if it has another format (%#)', text => {
    expect(parseSandboxBody(Buffer.from(text), at)).toEqual([
      expect.objectContaining({ type: 'unreadable', reason: expect.stringContaining('sandbox') }),
    ])
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        expect(parseSandboxBody(Buffer.from(text), at).length).toBeLessThanOrEqual(100)
      }),
    )
  })

  test('has files as data: URLs', async () => {
    const open = (providerMediaId: string) =>
      sandbox.openMedia!(
        connection,
        { kind: 'voice', providerMediaId, mediaType: null, fileName: null, bytes: null },
        context,
      )
    expect((await buffer(await open('data:audio/ogg;base64,T2dnUw=='))).toString()).toBe('OggS')
    await expect(open('voice-1')).rejects.toMatchObject({ failure: { code: 'MEDIA_REJECTED' } })
  })
})
