/** The servers of a mailbox are entered by users: a forbidden address is refused before a connection is made. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { shareTestApp } from '../../../../test/harness.ts'
import { prepareMail } from '../../../../test/mail-account.ts'
import { makeTenant } from '../../../../test/tenant.ts'

const mail = prepareMail()

test.each(['smtp', 'imap'] as const)(
  'a forbidden %s server is refused, and nothing is requested',
  async kind => {
    const app = await shareTestApp('api')
    const tenant = await makeTenant(app, 'live')
    let connections = 0
    const server = createServer(socket => {
      connections++
      socket.destroy()
    }).listen(0, '127.0.0.2')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { smtp, imap } = mail.credentials
    const port = (server.address() as AddressInfo).port
    const credentials = { ...mail.credentials, [kind]: { ...{ smtp, imap }[kind], host: '127.0.0.2', port } }
    const body = { provider: 'email', mode: 'chat', displayName: 'Ana', credentials }
    const reply = await tenant.call<{ message: string }>('POST', '/accounts', { body })
    expect(reply.status).toBe(422)
    if (kind === 'smtp') expect(reply.body.message).toContain('127.0.0.2')
    expect(connections).toBe(0)
  },
)
