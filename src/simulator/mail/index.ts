/** A mail provider on loopback: one SMTP server, and an IMAP server for each mailbox. */

import { startImapMailbox } from './imap.ts'
import { type AcceptedMail, createSmtpServer, type MailFault } from './smtp.ts'

export type { AcceptedMail, MailFault } from './smtp.ts'

export interface SimulatedMailbox {
  address: string
  password: string
  imap: { host: string; port: number }
  /** Delivers a message as it is. */
  deliver(raw: string | Uint8Array, at?: Date): void
  /** The messages of the inbox. */
  list(): { uid: number; raw: Buffer; flags: string[] }[]
  disconnectClients(): void
}

export interface SimulatedMail {
  smtp: { host: string; port: number }
  /** Everything that was accepted, the oldest first. */
  accepted: AcceptedMail[]
  /** Messages to this address are delivered to it. `keepsSent`: a copy of what it sends is in its folder Sent. */
  createMailbox(options: {
    address: string
    password: string
    keepsSent?: boolean
    port?: number
    uidValidity?: number
  }): Promise<SimulatedMailbox>
  addFault(fault: MailFault): void
  clearFaults(): void
  close(): Promise<void>
}

const host = '127.0.0.1'

/** `secure`: TLS from the beginning, with a certificate of nobody. Otherwise STARTTLS is offered. */
export async function startSimulatedMail({ port = 0, secure = false } = {}): Promise<SimulatedMail> {
  const mailboxes = new Map<
    string,
    SimulatedMailbox & { keepSent(raw: Buffer): void; close(): Promise<void> }
  >()
  const accepted: AcceptedMail[] = []
  let faults: (MailFault & { left: number })[] = []
  const server = createSmtpServer({
    secure,
    isPasswordValid: (user, password) => mailboxes.get(user.toLowerCase())?.password === password,
    takeFault(kinds) {
      const fault = faults.find(({ kind }) => kinds.includes(kind))
      if (fault && --fault.left <= 0) faults = faults.filter(other => other !== fault)
      return fault
    },
    accept(mail, user) {
      accepted.push(mail)
      for (const address of mail.to) mailboxes.get(address.toLowerCase())?.deliver(mail.raw)
      mailboxes.get(user.toLowerCase())?.keepSent(mail.raw)
    },
  })
  await new Promise<void>(resolve => server.listen(port, host, () => resolve()))
  return {
    smtp: { host, port: (server.server.address() as { port: number }).port },
    accepted,
    async createMailbox({ address, password, keepsSent = false, port: imapPort = 0, uidValidity = 1 }) {
      const imap = await startImapMailbox({ user: address, password, port: imapPort, secure, uidValidity })
      const mailbox = {
        address,
        password,
        imap: { host, port: imap.port },
        deliver(raw: string | Uint8Array, at = new Date()) {
          imap.append(Buffer.from(raw), { folder: 'INBOX', at })
        },
        keepSent(raw: Buffer) {
          if (keepsSent) imap.append(raw, { folder: 'Sent', at: new Date() })
        },
        list: imap.list,
        disconnectClients: imap.disconnectClients,
        close: imap.close,
      }
      mailboxes.set(address.toLowerCase(), mailbox)
      return mailbox
    },
    addFault(fault) {
      faults.push({ ...fault, left: fault.times ?? Number.POSITIVE_INFINITY })
    },
    clearFaults() {
      faults = []
    },
    async close() {
      await Promise.all([
        new Promise<void>(resolve => server.close(() => resolve())),
        ...[...mailboxes.values()].map(mailbox => mailbox.close()),
      ])
    },
  }
}
