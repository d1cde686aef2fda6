/** Reading a real mailbox over IMAP: what is new, as it arrives, without changing anything. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createContext, getOnly, ownAddress, prepareMail } from '../../../../test/mail-account.ts'
import { startSimulatedMail } from '../../../simulator/mail/index.ts'
import { ChatError, type InboundEvent } from '../../chat.ts'
import { email } from './index.ts'

const fixture = prepareMail()
let ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ends) await end()
  ends = []
})

const start = createContext().now

interface Listening {
  bodies: Buffer[]
  cursors: string[]
  ended: Promise<unknown>
  stop(): Promise<unknown>
}

function listen(cursor: string | null, connection = fixture.connection, now = start): Listening {
  const controller = new AbortController()
  const bodies: Buffer[] = []
  const cursors: string[] = []
  const ended = email
    .mailbox!.listen(
      connection,
      {
        cursor,
        async onBody(body, next) {
          bodies.push(body)
          cursors.push(next)
        },
      },
      createContext({ signal: controller.signal, now }),
    )
    .then(
      () => 'ended',
      (error: unknown) => error,
    )
  const stop = async () => {
    controller.abort(new Error('stopped'))
    return ended
  }
  ends.push(stop)
  return { bodies, cursors, ended, stop }
}

async function waitFor(isDone: () => boolean): Promise<void> {
  const end = performance.now() + 10_000
  while (!isDone()) {
    if (performance.now() > end) throw new Error('waited 10 s')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

function toMail(subject: string, body = 'Hola'): string {
  return `From: Marta Soler <marta@mail.example>\r\nTo: ${ownAddress}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@mail.example>\r\n\r\n${body}\r\n`
}

async function parseAll(bodies: Buffer[]): Promise<InboundEvent[]> {
  return (await Promise.all(bodies.map(body => email.mailbox!.parse(body)))).flat()
}

test('reading begins with what arrives, at once, and continues from the cursor', async () => {
  fixture.mailbox.deliver(toMail('older'))
  const first = listen(null)
  await waitFor(() => first.bodies.length === 1)
  expect(getOnly(await parseAll(first.bodies), 'ignored').what).toBe('The mailbox is read from here on.')
  fixture.mailbox.deliver(toMail('one'))
  await waitFor(() => first.bodies.length === 2)
  expect(await first.stop()).toBe('ended')
  // Arrives while nobody listens.
  fixture.mailbox.deliver(toMail('two'), new Date('2026-11-26T04:30:00Z'))
  const second = listen(first.cursors.at(-1)!)
  await waitFor(() => second.bodies.length === 1)
  fixture.mailbox.deliver(toMail('three'))
  await waitFor(() => second.bodies.length === 2)
  const events = await parseAll([...first.bodies.slice(1), ...second.bodies])
  expect(events).toMatchObject(
    ['one', 'two', 'three'].map(subject => ({
      type: 'message',
      providerMessageId: `<${subject}@mail.example>`,
      from: [{ kind: 'email', value: 'marta@mail.example' }],
      profileName: 'Marta Soler',
      content: { kind: 'text', text: 'Hola' },
      email: { subject },
    })),
  )
  expect(events[1]!.at.toString()).toBe('2026-11-26T04:30:00Z')
  expect(events[1]!.externalId).toBe(ownAddress)
  // Nothing is marked.
  expect(fixture.mailbox.list().every(({ flags }) => !flags.includes('\\Seen'))).toBe(true)
})

test('a cursor from before the first message reads it after a restart', async () => {
  const first = listen(null)
  await waitFor(() => first.cursors.length === 1)
  await first.stop()
  fixture.mailbox.deliver(toMail('meanwhile'))
  const second = listen(first.cursors[0]!)
  await waitFor(() => second.bodies.length === 1)
  expect(await parseAll(second.bodies)).toMatchObject([{ email: { subject: 'meanwhile' } }])
})

test('a connection that the server ends is reported; the caller connects again', async () => {
  const listening = listen(null)
  await waitFor(() => listening.bodies.length === 1)
  fixture.mailbox.disconnectClients()
  const error = await listening.ended
  expect(error).toBeInstanceOf(ChatError)
  expect((error as ChatError).failure).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true })
})

test('a mailbox that numbers its messages anew is read again from two days before the last message', async () => {
  const mail = await startSimulatedMail()
  ends.push(() => mail.close())
  const mailbox = await mail.createMailbox({ address: ownAddress, password: 'secret', uidValidity: 9 })
  mailbox.deliver(toMail('years-ago'), new Date('2020-01-01T00:00:00Z'))
  mailbox.deliver(toMail('yesterday'), new Date('2026-11-25T12:00:00Z'))
  const { credentials } = fixture.connection
  const listening = listen(`1:50:${Date.parse('2026-11-26T00:00:00Z')}`, {
    ...fixture.connection,
    credentials: { ...credentials, imap: { ...credentials.imap, ...mailbox.imap } },
  })
  await waitFor(() => listening.bodies.length === 1)
  expect(await parseAll(listening.bodies)).toMatchObject([{ email: { subject: 'yesterday' } }])
  expect(listening.cursors[0]).toMatch(/^9:2:/)
  mailbox.deliver(toMail('today'))
  await waitFor(() => listening.bodies.length === 2)
})

test('files are opened from the mailbox', async () => {
  const listening = listen(null)
  await waitFor(() => listening.bodies.length === 1)
  const photo = Buffer.alloc(300_000, 'jpeg')
  const base64 = photo.toString('base64').replace(/.{76}/g, '$&\r\n')
  fixture.mailbox.deliver(
    [
      `From: marta@mail.example\r\nTo: ${ownAddress}\r\nSubject: Fotos\r\nMessage-ID: <f@mail.example>\r\nMIME-Version: 1.0`,
      'Content-Type: multipart/mixed; boundary="a"\r\n',
      '--a\r\nContent-Type: multipart/alternative; boundary="b"\r\n',
      '--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nLe envío las fotos.',
      '--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Le envío las fotos.</p>\r\n--b--',
      `--a\r\nContent-Type: image/jpeg; name="sal%C3%B3n.jpg"\r\nContent-Disposition: attachment; filename*=UTF-8''sal%C3%B3n.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}`,
      `--a\r\nContent-Type: text/plain; name=notas.txt; charset=iso-8859-1\r\nContent-Disposition: attachment; filename=notas.txt\r\n\r\nNotas\r\n--a--\r\n`,
    ].join('\r\n'),
  )
  await waitFor(() => listening.bodies.length === 2)
  const { content } = getOnly(await parseAll(listening.bodies.slice(1)), 'message')
  if (content.kind !== 'media') throw new Error(content.kind)
  expect(content.caption).toBe('Le envío las fotos.')
  expect(content.media).toMatchObject([
    { kind: 'image', mediaType: 'image/jpeg', fileName: 'salón.jpg', bytes: 300_000 },
    { kind: 'document', mediaType: 'text/plain', fileName: 'notas.txt' },
  ])
  const stream = await email.openMedia!(fixture.connection, content.media[0]!, createContext())
  expect(Buffer.concat(await stream.toArray()).equals(photo)).toBe(true)
  const lost = {
    ...content.media[0]!,
    providerMediaId: content.media[0]!.providerMediaId.replace(/^\d+/, '99'),
  }
  await expect(email.openMedia!(fixture.connection, lost, createContext())).rejects.toMatchObject({
    failure: { code: 'MEDIA_REJECTED' },
  })
})

/** A server that fails when the text of message 2 is fetched: it ends the connection, or answers with `refusal`. */
async function startPoisonedServer(port: number, refusal?: string): Promise<number> {
  const server = createServer(client => {
    const imap = connect(port, '127.0.0.1')
    client.on('data', (data: Buffer) => {
      const [, tag, length] = /^(\S+) UID FETCH 2 .*<0\.(\d+)>/s.exec(data.toString()) ?? []
      if (tag !== undefined && refusal) client.write(`${tag} ${refusal}\r\n`)
      else if (length?.length === 8) client.destroy()
      else imap.write(data)
    })
    imap.pipe(client)
    for (const socket of [client, imap])
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy()
          imap.destroy()
        })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ends.unshift(async () => server.close())
  return (server.address() as AddressInfo).port
}

/** A mailbox whose second message the server does not hand out. Returns the connection, and the cursor before it. */
async function deliverPoisoned(refusal?: string) {
  const mailbox = await fixture.mail.createMailbox({ address: ownAddress, password: 'secret' })
  const port = await startPoisonedServer(mailbox.imap.port, refusal)
  const credentials = { ...fixture.credentials, imap: { ...fixture.credentials.imap, port } }
  const connection = { ...fixture.connection, accountId: randomUUID(), credentials }
  mailbox.deliver(toMail('read'))
  const first = listen(null, connection)
  await waitFor(() => first.bodies.length === 1)
  await first.stop()
  mailbox.deliver(toMail('poisoned'))
  mailbox.deliver(toMail('after'))
  return { cursor: first.cursors[0]!, connection }
}

const unreadable = {
  from: [{ kind: 'email', value: 'marta@mail.example' }],
  providerMessageId: '<poisoned@mail.example>',
  content: {
    kind: 'unsupported',
    description: "The message can't be read. Open it in the mailbox. Subject: poisoned",
  },
}
const after = { content: { kind: 'text', text: 'Hola' }, email: { subject: 'after' } }

test('a message at which the server ends the connection for hours blocks no other one; trouble of a minute takes none', async () => {
  const { cursor, connection } = await deliverPoisoned()
  const hoursOfFailures = [0, 0, 0, 0, 1, 2, 3]
  for (const hours of hoursOfFailures)
    expect(await listen(cursor, connection, start.add({ hours })).ended).toBeInstanceOf(ChatError)
  const last = listen(cursor, connection, start.add({ hours: 4 }))
  await waitFor(() => last.bodies.length === 2)
  expect(await parseAll(last.bodies)).toMatchObject([unreadable, after])
})

test('a message that the server refuses is kept with its sender and subject', async () => {
  const { cursor, connection } = await deliverPoisoned('NO [SERVERBUG] The message is damaged.')
  for (let times = 0; times < 6; times++)
    expect(await listen(cursor, connection).ended).toBeInstanceOf(ChatError)
  const last = listen(cursor, connection)
  await waitFor(() => last.bodies.length === 2)
  expect(await parseAll(last.bodies)).toMatchObject([unreadable, after])
})
