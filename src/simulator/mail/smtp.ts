/** The SMTP server of the simulated mail provider, with its faults. */
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export const mailFaultKinds = [
  'greylist',
  'busy',
  'slow',
  'cut',
  'lost',
  'full',
  'spam',
  'authentication',
  'basicAuthentication',
] as const

export interface MailFault {
  /**
   * - `greylist`: 451 4.7.1 to the recipient
   * - `busy`: 421 to the sender
   * - `slow`: the last reply comes after `delayMs`
   * - `cut`: the message is delivered, and the connection is cut before the last reply
   * - `lost`: the connection is cut while the message arrives; it is not delivered
   * - `full`: 552 5.2.2 to the recipient
   * - `spam`: 554 5.7.1 to the message
   * - `authentication`: 535 5.7.9, an app password is required
   * - `basicAuthentication`: 535 5.7.139, signing in with a password is disabled
   */
  kind: (typeof mailFaultKinds)[number]
  /** How often; default: always. */
  times?: number
  delayMs?: number
}

export interface AcceptedMail {
  from: string
  to: string[]
  raw: Buffer
}

export interface SmtpOptions {
  secure: boolean
  isPasswordValid(user: string, password: string): boolean
  /** Takes a fault that was set; undefined: none. */
  takeFault(kinds: readonly MailFault['kind'][]): MailFault | undefined
  accept(mail: AcceptedMail, user: string): void
}

/** It brings a certificate for localhost that nobody trusts. */
const imapServer = import.meta.resolve('hoodiecrow-imap')
const mailMaxBytes = 35 * 1024 * 1024
/** Nobody has these addresses. */
const unknownRecipient = /^(?:unknown|nobody)@/i

const replies = {
  greylist: [451, '4.7.1 Greylisted, please try again in 5 minutes'],
  busy: [421, '4.3.2 Service not available, closing transmission channel'],
  full: [552, '5.2.2 Mailbox full'],
  spam: [554, '5.7.1 Message refused as spam'],
  unknown: [550, '5.1.1 No such user here'],
  authentication: [535, '5.7.9 Application-specific password required'],
  basicAuthentication: [535, '5.7.139 Authentication unsuccessful, basic authentication is disabled'],
  password: [535, '5.7.8 Username and password not accepted'],
} as const

export function createSmtpServer(options: SmtpOptions): SMTPServer {
  const sockets = new Map<number, Socket>()
  const cut = (session: SMTPServerSession) => sockets.get(session.remotePort)?.destroy()
  const server = new SMTPServer({
    secure: options.secure,
    key: readFileSync(new URL('../cert/server.key', imapServer)),
    cert: readFileSync(new URL('../cert/server.crt', imapServer)),
    allowInsecureAuth: true,
    hideENHANCEDSTATUSCODES: true,
    hideDSN: false,
    disableReverseLookup: true,
    size: mailMaxBytes,
    closeTimeout: 100,
    onAuth({ username = '', password }, _session, callback) {
      const fault = options.takeFault(['authentication', 'basicAuthentication'])
      if (fault) return callback(toReply(fault.kind as 'authentication'))
      if (!options.isPasswordValid(username, password ?? '')) return callback(toReply('password'))
      callback(null, { user: username })
    },
    onMailFrom(_address, _session, callback) {
      callback(options.takeFault(['busy']) ? toReply('busy') : null)
    },
    onRcptTo({ address }, _session, callback) {
      const fault = options.takeFault(['greylist', 'full'])
      if (fault) return callback(toReply(fault.kind as 'greylist'))
      callback(unknownRecipient.test(address) ? toReply('unknown') : null)
    },
    async onData(stream, session, callback) {
      if (options.takeFault(['lost'])) {
        stream.once('data', () => cut(session))
        return
      }
      const raw = await buffer(stream).catch(() => null)
      // The client closed the connection.
      if (raw === null) return
      if (stream.sizeExceeded)
        return callback(Object.assign(new Error('5.3.4 Too large'), { responseCode: 552 }))
      if (options.takeFault(['spam'])) return callback(toReply('spam'))
      const { mailFrom, rcptTo } = session.envelope
      const from = mailFrom ? mailFrom.address : ''
      options.accept({ from, to: rcptTo.map(({ address }) => address), raw }, String(session.user))
      const slow = options.takeFault(['slow'])
      if (options.takeFault(['cut'])) return cut(session)
      if (slow) setTimeout(callback, slow.delayMs ?? 1000, null, '2.0.0 Accepted')
      else callback(null, '2.0.0 Accepted')
    },
  })
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort!
    sockets.set(port, socket)
    socket.once('close', () => sockets.delete(port))
  })
  server.on('error', () => {})
  return server
}

function toReply(name: keyof typeof replies): Error {
  const [responseCode, message] = replies[name]
  return Object.assign(new Error(message), { responseCode })
}
