/** Mails made to take time or memory, and texts made to add headers. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '../../../../test/characters.ts'
import { createContext, createMessage, prepareMail, toBody } from '../../../../test/mail-account.ts'
import type { InboundEvent } from '../../chat.ts'
import { composeMail } from './compose.ts'
import { email } from './index.ts'
import { readMail } from './read-mail.ts'

const head = 'From: a@b.example\r\nSubject: Hola\r\nMessage-ID: <1@b>\r\nMIME-Version: 1.0\r\n'

function nest(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  )
  return `${open.join('')}\r\nHola\r\n`
}

const html = (body: string) => `${head}Content-Type: text/html\r\n\r\n${body}`
const hostile: [name: string, mail: () => string | Buffer][] = [
  ['10,000 nested parts', () => head + nest(10_000)],
  ['100 nested parts', () => head + nest(100)],
  ['100,000 headers', () => `${head}${'X-A: b\r\n'.repeat(100_000)}\r\nHola`],
  ['a header of 5 MB', () => `${head}References: ${'<a@b> '.repeat(900_000)}\r\n\r\nHola`],
  ['one long line of 20 MB', () => `${head}\r\n${'x'.repeat(20_000_000)}`],
  [
    'a boundary in every line',
    () => `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(200_000)}`,
  ],
  [
    'boundaries that never end',
    () => `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${'--bb\r\n'.repeat(1_000_000)}`,
  ],
  [
    'a boundary of 100 KB',
    () =>
      `${head}Content-Type: multipart/mixed; boundary=${'b'.repeat(100_000)}\r\n\r\n${'--b\r\n'.repeat(100_000)}`,
  ],
  ['100,000 addresses', () => `To: ${'a@b.example, '.repeat(100_000)}\r\n${head}\r\nHola`],
  ['10,000 addresses within groups', () => `To: ${'g: a@b.example, '.repeat(10_000)}\r\n${head}\r\nHola`],
  ['encoded words of 200 KB', () => `${head}X-B: ${'=?utf-8?B?aG9sYQ==?= '.repeat(10_000)}\r\n\r\nHola`],
  [
    'a subject of 10,000 encoded words',
    () => `From: a@b.example\r\nSubject: ${'=?utf-8?B?aG9sYQ==?= '.repeat(10_000)}\r\n\r\nHola`,
  ],
  ['100,000 nested elements', () => html('<div>'.repeat(100_000))],
  ['elements that close others', () => html('<b>'.repeat(400) + '</i>'.repeat(120_000))],
  ['10 MB of HTML', () => html('<p>Hola &amp; adiós</p>\r\n'.repeat(450_000))],
  ['an attribute of 5 MB', () => html(`<p class="${'a '.repeat(2_500_000)}">Hola`)],
  ['comments that never end', () => html('<!--'.repeat(1_000_000))],
  ['20 MB of quoted lines', () => `${head}\r\n${'> Hola\r\n'.repeat(2_500_000)}`],
  [
    '20 MB of quoted-printable',
    () => `${head}Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=C3=A9=\r\n'.repeat(2_000_000)}`,
  ],
  [
    'a file of 20 MB',
    () =>
      `${head}Content-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${randomBytes(15_000_000).toString('base64').replace(/.{76}/g, '$&\r\n')}`,
  ],
  [
    'a name of a file with a path',
    () => `${head}Content-Type: application/zip; name="${'../'.repeat(1000)}a.zip"\r\n\r\nx`,
  ],
  [
    'format=flowed of 10 MB',
    () => `${head}Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${'Hola \r\n'.repeat(1_400_000)}`,
  ],
  [
    'continued parameters',
    () =>
      `${head}Content-Type: application/zip;${Array.from({ length: 20_000 }, (_, n) => `\r\n name*${n}=a`).join(';')}\r\n\r\nx`,
  ],
  ['only null bytes', () => Buffer.alloc(20_000_000)],
  ['random bytes', () => randomBytes(5_000_000)],
]

test.each(hostile)('%s', async (_name, create) => {
  const body = toBody(Buffer.from(create()))
  // The thread starts and its modules are loaded before.
  await email.mailbox!.parse(toBody(Buffer.from(`${head}\r\n${'Hola\r\n'.repeat(5000)}`)))
  const start = process.cpuUsage()
  const events = await email.mailbox!.parse(body)
  const { user, system } = process.cpuUsage(start)
  expect(events).toHaveLength(1)
  expect((user + system) / 1000).toBeLessThan(20_000)
  expect(JSON.stringify(events).length).toBeLessThan(500_000)
})

test('while a hostile mail is read, the event loop goes on', async () => {
  const body = toBody(Buffer.from(html('<p>Hola &amp; adiós</p>\r\n'.repeat(450_000))))
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  await email.mailbox!.parse(body)
  clearInterval(timer)
  expect(longest).toBeLessThan(3000)
})

const allowed = new Set(
  'from to subject message-id in-reply-to references date mime-version content-type content-transfer-encoding content-disposition list-unsubscribe list-unsubscribe-post'.split(
    ' ',
  ),
)

test('no text adds a header, a recipient or a part', async () => {
  const evil = fc.oneof(
    fc.constantFrom(
      '\r\nBcc: x@y.example',
      '\nX: y',
      '\r\n\r\n--b\r\n',
      '<a@b>\r\nX: y',
      '" <x@y.example>',
      '\u0000',
      '\u2028X: y',
      '=?utf-8?Q?=0D=0AX:_y?=',
    ),
    fc.string({ unit: anyCharacter, maxLength: 300 }),
  )
  await fc.assert(
    fc.asyncProperty(evil, evil, evil, evil, evil, async (name, subject, fileName, url, id) => {
      const message = createMessage({
        thread: { subject, references: [id, `<${id}>`] },
        replyTo: id,
        unsubscribeUrl: `https://a.example/${url}`,
        content: {
          kind: 'media',
          caption: subject,
          media: {
            kind: 'document',
            mediaType: id,
            fileName,
            bytes: 3,
            open: async () => Readable.from([Buffer.from('abc')]),
          },
        },
      })
      const draft = { message, to: 'marta@mail.example', now: createContext().now }
      const credentials = { address: 'ana@agency.example', name } as never
      const raw = Buffer.concat(await composeMail(credentials, draft).stream.toArray())
      const lines = raw.toString('latin1').split('\r\n\r\n', 1)[0]!.split('\r\n')
      const names = lines
        .filter(line => !/^[ \t]/.test(line))
        .map(line => line.split(':', 1)[0]!.toLowerCase())
      expect(names.filter(header => !allowed.has(header))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
      const mail = await readMail(raw)
      expect(mail.from.map(({ address }) => address)).toEqual(['ana@agency.example'])
      expect(mail.to.map(({ address }) => address)).toEqual(['marta@mail.example'])
      expect(mail.files).toHaveLength(1)
    }),
    { numRuns: 80 },
  )
})

const fixture = prepareMail()

test('a reply that the server makes endless does not hold memory', async () => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    const flood = () => {
      while (socket.writable && socket.write('220-'.padEnd(65_536, 'x')));
    }
    socket.on('drain', flood)
    flood()
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const connection = {
    ...fixture.connection,
    credentials: {
      ...fixture.credentials,
      smtp: { ...fixture.credentials.smtp, port },
      imap: { ...fixture.credentials.imap, port },
    },
  }
  const before = process.memoryUsage().rss
  const result = await email.send(connection, createMessage(), createContext())
  expect(result).toMatchObject({ status: 'failed', failure: { code: 'PROVIDER_UNAVAILABLE' } })
  const events: InboundEvent[] = []
  await expect(
    email.mailbox!.listen(
      connection,
      { cursor: null, onBody: async body => void events.push(...(await email.mailbox!.parse(body))) },
      createContext(),
    ),
  ).rejects.toMatchObject({ failure: { code: 'PROVIDER_UNAVAILABLE' } })
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
  await new Promise(resolve => server.close(resolve))
})
