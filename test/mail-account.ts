/** A mail provider on loopback and a connected account, for tests. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { EmailCredentials } from '../src/plugins/chat/email/credentials.ts'
import { formatStoredMail, type MailOrigin } from '../src/plugins/chat/email/stored-mail.ts'
import type { ChatContext, Connection, InboundEvent, OutgoingMessage } from '../src/plugins/chat.ts'
import { type SimulatedMail, type SimulatedMailbox, startSimulatedMail } from '../src/simulator/mail/index.ts'

export const ownAddress = 'ana@agency.example'
export const personAddress = 'marta@mail.example'

export interface MailFixture {
  mail: SimulatedMail
  mailbox: SimulatedMailbox
  credentials: EmailCredentials
  connection: Connection<EmailCredentials>
}

/** Starts the servers before the tests of a file, and stops them after. */
export function prepareMail(options: { secure?: boolean; keepsSent?: boolean } = {}): MailFixture {
  const fixture = {} as MailFixture
  beforeAll(async () => {
    const mail = await startSimulatedMail({ secure: options.secure ?? false })
    const mailbox = await mail.createMailbox({
      address: ownAddress,
      password: 'secret',
      keepsSent: options.keepsSent ?? false,
    })
    Object.assign(fixture, toFixture(mail, mailbox, options.secure ? 'tls' : 'none'))
  })
  afterAll(() => fixture.mail.close())
  return fixture
}

export function toFixture(
  mail: SimulatedMail,
  mailbox: SimulatedMailbox,
  security: EmailCredentials['smtp']['security'],
): MailFixture {
  const server = { security, user: mailbox.address, password: mailbox.password }
  const credentials: EmailCredentials = {
    address: mailbox.address,
    name: 'Ana · Agencia Ñ',
    smtp: { ...mail.smtp, ...server },
    imap: { ...mailbox.imap, ...server },
  }
  return { mail, mailbox, credentials, connection: toConnection(credentials) }
}

export function toConnection(credentials: EmailCredentials): Connection<EmailCredentials> {
  return {
    accountId: 'fda1e0a5-6f3c-4d0e-9a8e-2f7f6d1c0b11',
    externalId: credentials.address,
    displayName: 'Ana',
    credentials,
  }
}

export function createContext(overrides: Partial<ChatContext> = {}): ChatContext {
  return {
    http: null as never,
    baseUrl: '',
    resolveHost: async host => host,
    now: Temporal.Instant.from('2026-11-26T05:00:00Z'),
    webhook: null,
    signal: AbortSignal.timeout(30_000),
    log: null as never,
    ...overrides,
  }
}

export function createMessage(overrides: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    id: randomUUID(),
    to: [{ kind: 'email', value: personAddress }],
    content: { kind: 'text', text: 'Buenos días, ¿sigue a la venta el piso?' },
    replyTo: null,
    thread: { subject: 'Piso en Gràcia', references: [] },
    unsubscribeUrl: null,
    ...overrides,
  }
}

export const origin: MailOrigin = {
  accountId: 'fda1e0a5-6f3c-4d0e-9a8e-2f7f6d1c0b11',
  address: ownAddress,
  host: 'imap.agency.example',
  uidValidity: '7',
  uid: 42,
  receivedAt: Date.parse('2026-11-26T04:00:00Z'),
  bytes: 1000,
  part: 'all',
}

/** A stored body of lines. */
export function toBody(lines: string | Uint8Array, overrides: Partial<MailOrigin> = {}): Buffer {
  const raw = typeof lines === 'string' ? Buffer.from(lines.replace(/\r?\n/g, '\r\n')) : lines
  return formatStoredMail({ ...origin, ...overrides }, raw)
}

type OfType<Type extends InboundEvent['type']> = Extract<InboundEvent, { type: Type }>

/** The only event. Fails if it has another type. */
export function getOnly<Type extends InboundEvent['type']>(events: InboundEvent[], type: Type): OfType<Type> {
  const [event] = events
  if (events.length !== 1 || event!.type !== type)
    throw new Error(`expected ${type}: ${JSON.stringify(events)}`)
  return event as OfType<Type>
}
