/** Messages above the bound: their text is read, and their files are opened one by one. */
import { expect, test } from 'vitest'
import { createContext, getOnly, origin, ownAddress, prepareMail } from '../../../../test/mail-account.ts'
import { withImap } from './imap.ts'
import { email } from './index.ts'
import { readMail } from './mailbox.ts'
import { formatStoredMail } from './stored-mail.ts'

const fixture = prepareMail()

/** Delivers a message and reads it as one that is too large. */
async function receive(mail: string): Promise<Buffer> {
  fixture.mailbox.deliver(mail)
  const context = createContext()
  const stored = await withImap(fixture.credentials, context, async client => {
    const { uidNext } = await client.mailboxOpen('INBOX', { readOnly: true })
    const { uid, ...place } = { ...origin, uidValidity: '1', uid: uidNext - 1 }
    return readMail(client, uid, place, { isHead: false, signal: context.signal, maxBytes: 50_000 })
  })
  return formatStoredMail(stored!.origin, stored!.bytes)
}

test('the text is shown, and each file is opened from the mailbox', async () => {
  const film = Buffer.alloc(200_000, 'film')
  const part = (head: string, content: string) => `--a\r\n${head}\r\n\r\n${content}`
  const base64 = film.toString('base64').replace(/.{76}/g, '$&\r\n')
  const body = await receive(
    [
      `From: Marta <marta@mail.example>\r\nTo: ${ownAddress}\r\nSubject: =?utf-8?Q?V=C3=ADdeo?=\r\nMessage-ID: <v@mail.example>`,
      'MIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary="a"\r\n',
      '--a\r\nContent-Type: multipart/alternative; boundary="b"\r\n',
      '--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nLe env=EDo el v=EDdeo.',
      '--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Le envío el vídeo.</p>\r\n--b--',
      part(
        `Content-Type: video/mp4; name="piso.mp4"\r\nContent-Disposition: attachment; filename*=UTF-8''sal%C3%B3n.mp4\r\nContent-Transfer-Encoding: base64`,
        base64,
      ),
      part('Content-Type: text/plain; name=notas.txt\r\nContent-Disposition: attachment', 'Notas'),
      part(
        'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64',
        'SGFzdGEgcHJvbnRv',
      ),
      '--a--\r\n',
    ].join('\r\n'),
  )
  expect(body.length).toBeLessThan(5000)
  const event = getOnly(await email.mailbox!.parse(body), 'message')
  expect(event).toMatchObject({ providerMessageId: '<v@mail.example>', email: { subject: 'Vídeo' } })
  const { content } = event
  if (content.kind !== 'media') throw new Error(content.kind)
  expect(content.caption?.split(/\s*\n\s*/)).toEqual(['Le envío el vídeo.', 'Hasta pronto'])
  expect(content.media).toMatchObject([
    { kind: 'video', mediaType: 'video/mp4', fileName: 'salón.mp4', bytes: null },
    { kind: 'document', mediaType: 'text/plain', fileName: 'notas.txt' },
  ])
  const stream = await email.openMedia!(fixture.connection, content.media[0]!, createContext())
  expect(Buffer.concat(await stream.toArray()).equals(film)).toBe(true)
})

test('a message of one part is read up to a bound', async () => {
  const head = `From: marta@mail.example\r\nTo: ${ownAddress}\r\nSubject: planos\r\nMessage-ID: <p@mail.example>`
  const body = await receive(`${head}\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(10_000)}`)
  expect(body.length).toBeLessThan(600_000)
  const { content, email: mail } = getOnly(await email.mailbox!.parse(body), 'message')
  expect(content).toMatchObject({ kind: 'text', text: expect.stringMatching(/^x{76}\nx{76}/) })
  expect(mail).toMatchObject({ subject: 'planos' })
})

test('a large file without a text is shown with its subject', async () => {
  const head = `From: marta@mail.example\r\nSubject: plano\r\nMessage-ID: <q@mail.example>\r\nMIME-Version: 1.0`
  const type = 'Content-Type: application/pdf; name=plano.pdf\r\nContent-Transfer-Encoding: base64'
  const body = await receive(
    `${head}\r\n${type}\r\n\r\n${Buffer.alloc(60_000, 'pdf').toString('base64')}\r\n`,
  )
  const { content } = getOnly(await email.mailbox!.parse(body), 'message')
  if (content.kind !== 'media') throw new Error(content.kind)
  expect(content).toMatchObject({ caption: null, media: [{ fileName: 'plano.pdf', kind: 'document' }] })
  const stream = await email.openMedia!(fixture.connection, content.media[0]!, createContext())
  expect(Buffer.concat(await stream.toArray())).toEqual(Buffer.alloc(60_000, 'pdf'))
})
