/** Chat providers are checked against the contract: what `checkChat` reports. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import {
  linkChat as manual,
  throwError,
  unavailable,
  unreadable,
  validChat as valid,
} from '../../test/small-chat.ts'
import { strictObject, Type } from '../kit/schema.ts'
import { sandbox } from './chat/sandbox.ts'
import type { ChatProvider } from './chat.ts'
import { checkChat } from './check-chat.ts'

const check = (change: object, base = valid) => checkChat({ ...base, ...change } as ChatProvider)
const checkCapability = (change: object) => check({ capabilities: { ...valid.capabilities, ...change } })

test('valid providers have no problems', async () => {
  expect(await checkChat(valid)).toEqual([])
  expect(await checkChat(manual)).toEqual([])
})

test.each([undefined, null, 'chat', 7])('%s is not a provider', async value => {
  expect(await checkChat(value as never)).toEqual(['the provider must be an object'])
})

describe.each<[name: string, change: object]>([
  ['id', { id: 'My-Chat' }],
  ['label', { label: '' }],
  ['baseUrl', { baseUrl: 'https://small.example/' }],
  ['channel', { channel: 'fax' }],
  ['mode', { mode: 'pigeon', webhook: undefined }],
  ['send', { send: undefined }],
  ['createLink', { createLink: () => null }],
  ['webhook', { webhook: undefined }],
  ['webhook', { webhook: { parse: () => [] } }],
  ['mailbox', { mailbox: { parse: () => [] } }],
  ['openMedia', { openMedia: 'file' }],
  ['showTyping', { showTyping: async () => {} }],
  ['templates', { templates: { list: async () => [], submit: async () => ({}) } }],
  ['credentials', { credentials: Type.Object({}) }],
  ['credentials', { credentials: undefined }],
  ['credentials.token', { credentials: strictObject({ token: Type.String() }) }],
  ['credentials.a', { credentials: strictObject({ a: Type.Object({}) }) }],
  [
    'credentials',
    { credentials: strictObject({ a: Type.String({ title: 'A', minLength: 2, examples: ['a'] }) }) },
  ],
])('`%s`', (name, change) => {
  test('is refused, with its name', async () => {
    const problems = await check(change)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`\`${name}\``)
  })
})

test('a provider without an API needs a link, and can only write texts', async () => {
  expect(await check({ createLink: undefined }, manual)).toEqual([
    expect.stringContaining('`createLink` must'),
  ])
  expect(await check({ webhook: sandbox.webhook }, manual)).toEqual([
    expect.stringContaining('`webhook` or `mailbox`'),
  ])
  expect(await check({ capabilities: { ...manual.capabilities, location: true } }, manual)).toEqual([
    expect.stringContaining('`capabilities` must have no media'),
  ])
})

describe.each<[name: string, change: object]>([
  ['capabilities.identities', { identities: ['pager'] }],
  ['capabilities.text', { text: { charactersMax: 0 } }],
  ['capabilities.media', { media: { hologram: { mediaTypes: [], bytesMax: 1 } } }],
  ['capabilities.media', { media: { image: { mediaTypes: ['png'], bytesMax: 1 } } }],
  ['capabilities.media', { media: { image: { mediaTypes: [], bytesMax: 1e12 } } }],
  ['capabilities.buttonsMax', { buttonsMax: -1 }],
  ['capabilities.listRowsMax', { listRowsMax: 1.5 }],
  ['capabilities', { receipts: undefined }],
  ['capabilities.replyWindowHours', { replyWindowHours: 0 }],
  ['capabilities.messagesPerSecond', { messagesPerSecond: 0 }],
  ['capabilities.templates', { templates: 'some' }],
  ['showTyping', { typing: true }],
])('`%s`', (name, change) => {
  test(`is refused as ${JSON.stringify(change)}`, async () => {
    const problems = await checkCapability(change)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`\`${name}\``)
  })
})

test('approved templates need their functions and a reply window', async () => {
  expect(await checkCapability({ templates: 'required' })).toEqual([
    expect.stringContaining('`templates` must have functions'),
    expect.stringContaining('`capabilities.replyWindowHours` must'),
  ])
})

describe('a webhook', () => {
  const checkWebhook = (change: object) => check({ webhook: { ...valid.webhook, ...change } })

  test.each<[what: string, change: object, problem: RegExp]>([
    ['accepts everything', { verify: () => true }, /verify` must refuse a request without/],
    ['throws', { verify: throwError }, /verify` must refuse a request without/],
    [
      'accepts an empty secret',
      {
        verify: (({ headers }, { verifyToken }) => (headers['x-token'] ?? '') === verifyToken) as NonNullable<
          ChatProvider['webhook']
        >['verify'],
      },
      /verify` must refuse every request if its secrets are empty/,
    ],
    [
      'answers every challenge',
      { challenge: (query: URLSearchParams) => query.get('hub.challenge') },
      /challenge` must be null for a wrong/,
    ],
    [
      'answers a challenge without parameters',
      { challenge: (query: URLSearchParams) => (query.size === 0 ? '' : null) },
      /challenge` must be null for a query without/,
    ],
    [
      'throws at bodies',
      { parse: (body: Buffer) => [JSON.parse(body.toString())].slice(1) },
      /parse` must not throw/,
    ],
    ['returns no array', { parse: () => null }, /parse` must return an array/],
    [
      'returns unknown events',
      { parse: () => [{ ...unreadable, type: 'news' }] },
      /parse` must return an array/,
    ],
    [
      'returns times as text',
      { parse: () => [{ ...unreadable, at: '2026' }] },
      /parse` must return an array/,
    ],
    [
      'returns too many events',
      { parse: () => Array(10_002).fill(unreadable) },
      /parse` must return at most 10001/,
    ],
  ])('that %s is refused', async (_what, change, problem) => {
    const problems = await checkWebhook(change)
    expect(problems.filter(one => problem.test(one))).toHaveLength(1)
    expect(problems.filter(one => !one.includes('`webhook.'))).toEqual([])
  })

  test('is tried with damaged bodies of its own', async () => {
    const parse = (body: Buffer) => {
      if (body.toString().includes('"date":null')) throw new Error('no date')
      return [unreadable]
    }
    expect(await checkWebhook({ parse })).toEqual([])
    const bodies = [Buffer.from('{"message":{"date":1}}')]
    expect(await checkChat({ ...valid, webhook: { ...valid.webhook!, parse } }, { bodies })).toEqual([
      expect.stringContaining('must not throw'),
    ])
  })
})

describe('calls', () => {
  const sendReturning = (result: unknown) => ({ send: async () => result })
  test.each<[what: string, change: object, problem: RegExp]>([
    ['send and throw', { send: async () => throwError() }, /^`send` of text with cut must not throw/],
    [
      'send and return nothing',
      sendReturning(undefined),
      /^`send` of text with cut must return sent, failed/,
    ],
    [
      'report every message as sent',
      sendReturning({ status: 'sent', providerMessageId: '1' }),
      /must not be sent/,
    ],
    ['do not know why', sendReturning({ status: 'unknown', reason: '' }), /must have a reason/],
    [
      'would repeat a message that may have been sent',
      sendReturning({ status: 'failed', failure: unavailable }),
      /^`send` of text with cut must be unknown/,
    ],
    [
      'fail without a sentence',
      sendReturning({ status: 'failed', failure: { ...unavailable, message: 'ETIMEDOUT' } }),
      /must fail with a code, a sentence/,
    ],
    [
      'wait for years',
      sendReturning({ status: 'failed', failure: { ...unavailable, retryAfterMs: Infinity } }),
      /a wait of at most a day/,
    ],
    [
      'send after an abort',
      sendReturning({ status: 'sent', providerMessageId: '1' }),
      /must fail, and neither send nor throw, when the signal is aborted/,
    ],
    [
      'throw other errors',
      { connect: async () => throwError() },
      /^`connect` with cut must throw a ChatError/,
    ],
    [
      'read files without a limit of errors',
      { openMedia: async () => Readable.from(['x']).destroy(new Error('cut')) },
      /^`openMedia` with cut must throw a ChatError/,
    ],
  ])('that %s are refused', async (_what, change, problem) => {
    const problems = await check(change)
    expect(
      problems.some(one => problem.test(one)),
      problems.join('\n'),
    ).toBe(true)
  })

  test('mail servers of the credentials are called, and every error must be a ChatError', async () => {
    const port = Type.Integer({ title: 'Port', examples: [993] })
    const credentials = strictObject({ imap: strictObject({ port }) })
    const mailbox = { listen: async () => {}, parse: async () => [unreadable] }
    expect(await check({ credentials, mailbox })).toContain(
      'no call reaches `credentials.imap` with cut mail servers',
    )
    const listen = async ({ credentials: { imap } }: { credentials: { imap?: { port: number } } }) => {
      const socket = connect(imap!.port, '127.0.0.1')
      const greeting = await Promise.race([once(socket, 'data'), once(socket, 'close')])
      socket.destroy()
      if (String(greeting).startsWith('HTTP')) throw new Error('not IMAP')
    }
    const careless = await check({ credentials, mailbox: { ...mailbox, listen } })
    expect(careless.filter(one => one.startsWith('no call reaches'))).toEqual([])
    expect(careless).toContain(
      '`mailbox.listen` with mail servers that speak HTTP must throw a ChatError, if it throws',
    )
  })

  test('links must be URLs', async () => {
    for (const createLink of [() => 'no link', throwError, ([first]: unknown[]) => `sms:${first}`])
      expect(await check({ createLink }, manual)).toEqual([
        expect.stringContaining('`createLink` must return a URL'),
      ])
  })
})
