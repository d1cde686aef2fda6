/** The mailbox of a real IMAP server: Dovecot of Debian. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dovecot, dovecotMissing, startDovecot } from '../../../../test/dovecot.ts'
import {
  createContext,
  getOnly,
  ownAddress,
  prepareMail,
  toConnection,
} from '../../../../test/mail-account.ts'
import { withImap } from './imap.ts'
import { email } from './index.ts'
import { readLargeMail } from './large-mail.ts'
import { readMail } from './read-mail.ts'

const mail = `From: Marta <marta@mail.example>
To: ${ownAddress}
Subject: Fotos
Message-ID: <1@mail.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="a"

--a
Content-Type: text/plain; charset=utf-8

Las fotos
--a
Content-Type: image/png; name="a.png"
Content-Disposition: attachment; filename="a.png"
Content-Transfer-Encoding: base64

aG9sYQ==
--a--
`

describe.skipIf(dovecotMissing !== null)(
  `with Dovecot${dovecotMissing ? ` (skipped: ${dovecotMissing})` : ''}`,
  () => {
    const fixture = prepareMail()
    let dovecot: Dovecot
    beforeAll(async () => {
      dovecot = await startDovecot()
    })
    afterAll(() => dovecot.close())

    const connect = (password = 'secret') => {
      const { credentials } = fixture
      return toConnection({ ...credentials, imap: { ...credentials.imap, port: dovecot.port, password } })
    }

    test('messages arrive by IDLE, files are opened, sent messages are found, nothing is marked', async () => {
      const connection = connect()
      dovecot.deliver(ownAddress, 'INBOX', mail.replaceAll('Fotos', 'Antes').replaceAll('<1@', '<0@'))
      const controller = new AbortController()
      const bodies: Buffer[] = []
      const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const listening = email.mailbox!.listen(
        connection,
        {
          cursor: null,
          async onBody(body) {
            bodies.push(body)
            arrivals[bodies.length - 1]!.resolve()
          },
        },
        createContext({ signal: controller.signal }),
      )
      await Promise.race([arrivals[0]!.promise, listening])
      dovecot.deliver(ownAddress, 'INBOX', mail)
      await Promise.race([arrivals[1]!.promise, listening])
      controller.abort(new Error('stopped'))
      await listening
      const { content } = getOnly(await email.mailbox!.parse(bodies[1]!), 'message')
      if (content.kind !== 'media') throw new Error(content.kind)
      expect(content).toMatchObject({ caption: 'Las fotos', media: [{ fileName: 'a.png', bytes: 4 }] })
      const stream = await email.openMedia!(connection, content.media[0]!, createContext())
      expect(Buffer.concat(await stream.toArray()).toString()).toBe('hola')
      expect(dovecot.countUntouched(ownAddress)).toBe(2)
      const id = '019a0000-0000-7000-8000-000000000001'
      const message = { id, to: [] }
      expect(await email.reconcile!(connection, message, createContext())).toBeNull()
      dovecot.deliver(ownAddress, 'Sent', `Message-ID: <m.${id}@agency.example>\n\nHola\n`)
      expect(await email.reconcile!(connection, message, createContext())).toMatchObject({ status: 'sent' })
    })

    test('the text and the files of a large message are found by its structure', async () => {
      dovecot.deliver(ownAddress, 'INBOX', mail.replace('<1@', '<2@'))
      const large = await withImap(connect().credentials, createContext(), async client => {
        const { uidNext } = await client.mailboxOpen('INBOX', { readOnly: true })
        return readLargeMail(client, uidNext - 1)
      })
      expect(large!.files).toMatchObject([{ partId: '2', mediaType: 'image/png', fileName: 'a.png' }])
      expect(await readMail(large!.bytes)).toMatchObject({
        subject: 'Fotos',
        text: expect.stringContaining('Las fotos'),
        files: [],
      })
    })

    test('a wrong password', async () => {
      expect(await email.checkHealth(connect('wrong'), createContext())).toMatchObject({
        status: 'LOGGED_OUT',
      })
    })
  },
)
