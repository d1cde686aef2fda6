/** Sending: what arrives at a real SMTP server, and what each of its refusals means. */
import { Readable } from 'node:stream'
import { simpleParser } from 'mailparser'
import { afterEach, describe, expect, test } from 'vitest'
import { createContext, createMessage, personAddress, prepareMail } from '../../../../test/mail-account.ts'
import type { MailFault } from '../../../simulator/mail/index.ts'
import { interruptedResult, type OutgoingMessage, type SendResult } from '../../chat.ts'
import { email } from './index.ts'

const fixture = prepareMail({ keepsSent: true })
const send = (message: OutgoingMessage, signal = AbortSignal.timeout(20_000)): Promise<SendResult> =>
  email.send(fixture.connection, message, createContext({ signal }))

function getLast() {
  return fixture.mail.accepted.at(-1)!
}

afterEach(() => fixture.mail.clearFaults())

test('a message arrives with its sender, subject, text and an id that has ours', async () => {
  const message = createMessage()
  const result = await send(message)
  expect(result).toEqual({ status: 'sent', providerMessageId: `<m.${message.id}@agency.example>` })
  const { from, to, raw } = getLast()
  expect({ from, to }).toEqual({ from: 'ana@agency.example', to: [personAddress] })
  const mail = await simpleParser(raw)
  expect(mail.subject).toBe('Piso en Gràcia')
  expect(mail.from!.value).toEqual([{ name: 'Ana · Agencia Ñ', address: 'ana@agency.example' }])
  expect(mail.text!.trim()).toBe('Buenos días, ¿sigue a la venta el piso?')
  expect(mail.messageId).toBe(`<m.${message.id}@agency.example>`)
  expect(mail.headers.has('auto-submitted')).toBe(false)
  expect(mail.headers.has('list-unsubscribe')).toBe(false)
  expect(mail.date).toEqual(new Date('2026-11-26T05:00:00Z'))
  expect(
    raw
      .toString('latin1')
      .split('\r\n')
      .every(line => line.length <= 998),
  ).toBe(true)
})

test.each(['generated', 'replied'] as const)('an automatic message says so: %s', async automatic => {
  await send(createMessage({ automatic }))
  expect((await simpleParser(getLast().raw)).headers.get('auto-submitted')).toBe(`auto-${automatic}`)
})

test('an invitation arrives as an alternative that mail programs show, and as a file', async () => {
  const text = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n'
  const content = { kind: 'text', text: 'Visita el martes', calendar: { method: 'REQUEST', text } } as const
  await send(createMessage({ content }))
  const { raw } = getLast()
  const { attachments, text: shown } = await simpleParser(raw)
  expect(shown!.trim()).toBe('Visita el martes')
  expect(raw.toString('latin1')).toMatch(
    /multipart\/alternative[\s\S]+text\/calendar; charset=utf-8; method=REQUEST/,
  )
  const types = attachments.map(({ contentType, filename }) => [contentType, filename])
  expect(types).toContainEqual(['application/ics', 'invite.ics'])
  for (const { content } of attachments) expect(content.toString()).toBe(text)
})

test('an answer continues the thread', async () => {
  await send(
    createMessage({
      replyTo: '<b@x.example>',
      thread: { subject: 'Piso', references: ['<a@x.example>', '<b@x.example>'] },
    }),
  )
  const mail = await simpleParser(getLast().raw)
  expect(mail.inReplyTo).toBe('<b@x.example>')
  expect(mail.references).toEqual(['<a@x.example>', '<b@x.example>'])
  expect(mail.subject).toBe('Re: Piso')
  await send(createMessage({ replyTo: '<b@x.example>', thread: { subject: 'RE: Piso', references: [] } }))
  expect((await simpleParser(getLast().raw)).subject).toBe('RE: Piso')
})

test('a first message without a subject takes it from its first line, and can be unsubscribed with one click', async () => {
  await send(
    createMessage({
      content: { kind: 'text', text: 'Hola Marta\n\n¿Vende su piso?' },
      thread: { subject: null, references: [] },
      unsubscribeUrl: 'https://aldaba.example/u/abc',
    }),
  )
  const raw = getLast().raw.toString('latin1')
  expect((await simpleParser(getLast().raw)).subject).toBe('Hola Marta')
  expect(raw.replaceAll(/\r\n[ \t]+/g, ' ')).toContain(
    'List-Unsubscribe: <https://aldaba.example/u/abc>, <mailto:ana@agency.example?subject=STOP&body=STOP>\r\n',
  )
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
})

test('a file is streamed as an attachment', async () => {
  const bytes = Buffer.alloc(3_000_000, 'pdf ')
  await send(createMessage({ content: toMedia(bytes.length, () => Readable.from([bytes])) }))
  const mail = await simpleParser(getLast().raw)
  expect(mail.text!.trim()).toBe('El plano')
  expect(mail.attachments[0]).toMatchObject({ filename: 'plano año.pdf', contentType: 'application/pdf' })
  expect(mail.attachments[0]!.content.equals(bytes)).toBe(true)
})

test.each([
  ['longer', () => Readable.from([Buffer.alloc(50), Buffer.alloc(60)])],
  ['shorter', () => Readable.from([Buffer.alloc(10)])],
  [
    'broken',
    () =>
      new Readable({
        read() {
          this.destroy(new Error('disk'))
        },
      }),
  ],
])('a file that is %s than stated is not sent', async (_name, open) => {
  const count = fixture.mail.accepted.length
  const result = await send(createMessage({ content: toMedia(100, open) }))
  expect(result).toMatchObject({ status: 'failed', failure: { code: 'MEDIA_REJECTED', retryable: false } })
  expect(fixture.mail.accepted).toHaveLength(count)
})

function toMedia(bytes: number, open: () => Readable) {
  return {
    kind: 'media' as const,
    caption: 'El plano',
    media: {
      kind: 'document' as const,
      mediaType: 'application/pdf',
      fileName: 'plano año.pdf',
      bytes,
      open: async () => open(),
    },
  }
}

describe('refusals', () => {
  const cases: [MailFault['kind'], object][] = [
    [
      'greylist',
      { code: 'PROVIDER_UNAVAILABLE', providerCode: '4.7.1', retryable: true, retryAfterMs: 300_000 },
    ],
    ['busy', { code: 'PROVIDER_UNAVAILABLE', providerCode: '4.3.2', retryable: true }],
    ['full', { code: 'RECIPIENT_LIMIT', providerCode: '5.2.2', retryable: false, scope: 'message' }],
    ['spam', { code: 'MESSAGE_REJECTED', providerCode: '5.7.1', retryable: false, scope: 'message' }],
    ['authentication', { code: 'INVALID_CREDENTIALS', providerCode: '5.7.9', scope: 'account' }],
    ['basicAuthentication', { code: 'PERMISSION_MISSING', providerCode: '5.7.139', scope: 'account' }],
    ['lost', { code: 'PROVIDER_UNAVAILABLE', retryable: true }],
  ]
  test.each(cases)('%s', async (kind, failure) => {
    fixture.mail.addFault({ kind })
    // Larger than the buffers of the connection.
    const bytes = Buffer.alloc(8_000_000)
    const content =
      kind === 'lost' ? toMedia(bytes.length, () => Readable.from([bytes])) : createMessage().content
    expect(await send(createMessage({ content }))).toMatchObject({ status: 'failed', failure })
  })

  test('an address that does not exist is unreachable, and so is every other message to it', async () => {
    const result = await send(createMessage({ to: [{ kind: 'email', value: 'unknown@mail.example' }] }))
    expect(result).toMatchObject({
      status: 'failed',
      failure: { code: 'RECIPIENT_UNREACHABLE', scope: 'recipient', providerCode: '5.1.1', retryable: false },
    })
  })

  test('a connection that is cut after the last line leaves the message unknown', async () => {
    fixture.mail.addFault({ kind: 'cut' })
    expect(await send(createMessage())).toMatchObject({ status: 'unknown' })
  })

  test('an abort after the last line leaves it unknown too; one before means that nothing was sent', async () => {
    fixture.mail.addFault({ kind: 'slow', delayMs: 5000 })
    const controller = new AbortController()
    const count = fixture.mail.accepted.length
    const sending = send(createMessage(), controller.signal)
    while (fixture.mail.accepted.length === count) await new Promise(resolve => setTimeout(resolve, 10))
    controller.abort(new Error('the process stops'))
    expect(await sending).toMatchObject({ status: 'unknown' })
    expect(await send(createMessage(), controller.signal)).toEqual(interruptedResult)
  })

  test('an abort while a file is read means that nothing was sent', async () => {
    const controller = new AbortController()
    const open = () =>
      new Readable({
        read() {
          controller.abort(new Error('the process stops'))
        },
      })
    const count = fixture.mail.accepted.length
    expect(await send(createMessage({ content: toMedia(10, open) }), controller.signal)).toEqual(
      interruptedResult,
    )
    expect(fixture.mail.accepted.length).toBe(count)
  })

  test('a person without an address and a kind that mail does not have', async () => {
    expect(await send(createMessage({ to: [{ kind: 'phone', value: '+34600000001' }] }))).toMatchObject({
      failure: { code: 'RECIPIENT_UNREACHABLE' },
    })
    const content = { kind: 'location', latitude: 41, longitude: 2, name: null, address: null } as const
    expect(await send(createMessage({ content }))).toMatchObject({ failure: { code: 'UNSUPPORTED' } })
  })
})

test('a lost result is found in the folder of sent messages', async () => {
  fixture.mail.addFault({ kind: 'cut', times: 1 })
  const message = createMessage()
  expect(await send(message)).toMatchObject({ status: 'unknown' })
  expect(await email.reconcile!(fixture.connection, message, createContext())).toEqual({
    status: 'sent',
    providerMessageId: `<m.${message.id}@agency.example>`,
  })
  expect(await email.reconcile!(fixture.connection, createMessage(), createContext())).toBeNull()
})
