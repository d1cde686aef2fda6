/** Cases of the fault table for Telegram and for mail: the provider refuses for some seconds, and then accepts again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { simpleParser } from 'mailparser'
import { startSimulatedMail } from '../src/simulator/mail/index.ts'
import { startTelegram } from '../src/simulator/telegram/index.ts'
import { type ChatAccount, callApi } from './chat-accounts.ts'
import { people } from './chat-fault-cases.ts'
import {
  countSent,
  queueMessages,
  type Row,
  readStatuses,
  waitForConversations,
  waitUntilSent,
} from './chat-fault-messages.ts'
import { openFaultDeployment } from './fault-deployment.ts'

const greeting = 'Buenos días'
const faultMs = 2000

interface ProviderCase {
  fault: string
  provider: 'telegram' | 'email'
  credentials: object
  /** Each person writes the greeting. */
  greet(): Promise<void>
  begin(): Promise<void>
  end(): Promise<void>
  /** Reads the texts that people were sent. */
  readTexts(): Promise<string[]>
}

async function withStack<T>(work: (stack: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const stack = new AsyncDisposableStack()
  try {
    return await work(stack)
  } finally {
    await stack.disposeAsync()
  }
}

/** Telegram refuses each call with 429 and `retry_after` 1. */
export const runTelegramCase = () => withStack(runTelegram)

async function runTelegram(stack: AsyncDisposableStack): Promise<Row> {
  const telegram = await startTelegram({ seed: 20 })
  stack.defer(() => telegram.close())
  return runProviderCase(
    stack,
    {
      fault: `Telegram: 429 with retry_after, for ${faultMs / 1000} s`,
      provider: 'telegram',
      credentials: { token: telegram.token },
      async greet() {
        for (let n = 1; n <= people; n++) await telegram.say(600_000_000 + n, { text: greeting })
      },
      begin: async () => telegram.setFaults({ rateLimited: 1 }),
      end: async () => telegram.setFaults({}),
      readTexts: async () => telegram.received.map(({ fields }) => String(fields.text)),
    },
    { CHAT_URLS: `telegram=${telegram.url}` },
  )
}

/** The SMTP server accepts no connections. */
export const runMailCase = () => withStack(runMail)

async function runMail(stack: AsyncDisposableStack): Promise<Row> {
  const mailbox = { address: 'ana@agency.example', password: 'a-password' }
  const received = await startSimulatedMail()
  stack.defer(() => received.close())
  const inbox = await received.createMailbox(mailbox)
  const startSmtp = async (port = 0) => {
    const started = await startSimulatedMail({ port })
    await started.createMailbox(mailbox)
    return started
  }
  const first = await startSmtp()
  let second = first
  stack.defer(() => second.close())
  const server = { security: 'none', user: mailbox.address, password: mailbox.password }
  return runProviderCase(
    stack,
    {
      fault: `mail: SMTP server down for ${faultMs / 1000} s`,
      provider: 'email',
      credentials: {
        address: mailbox.address,
        smtp: { ...first.smtp, ...server },
        imap: { ...inbox.imap, ...server },
      },
      async greet() {
        for (let n = 1; n <= people; n++) inbox.deliver(formatGreeting(n, mailbox.address))
      },
      begin: () => first.close(),
      async end() {
        second = await startSmtp(first.smtp.port)
      },
      async readTexts() {
        const mails = await Promise.all(
          [first, second].flatMap(({ accepted }) => accepted).map(({ raw }) => simpleParser(raw)),
        )
        return mails.map(({ text = '' }) => /^Mensaje .*$/m.exec(text)?.[0] ?? '')
      },
    },
    { ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' },
  )
}

const formatGreeting = (n: number, to: string): string =>
  [
    `Message-ID: <greeting-${n}@mail.example>`,
    `From: Persona ${n} <persona-${n}@mail.example>`,
    `To: <${to}>`,
    'Subject: Piso',
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    greeting,
    '',
  ].join('\r\n')

async function runProviderCase(
  stack: AsyncDisposableStack,
  one: ProviderCase,
  env: Record<string, string>,
): Promise<Row> {
  const deployment = await openFaultDeployment(stack, {}, env)
  const startedMs = performance.now()
  const context = { deployment, key: await deployment.createKey('live'), apiWasRestarted: false }
  const account = await callApi<ChatAccount>(deployment.url, context.key, 'POST', '/accounts', {
    provider: one.provider,
    mode: 'chat',
    displayName: 'Faults',
    credentials: one.credentials,
    messagesPerSecond: 20,
  })
  await one.greet()
  const conversations = await waitForConversations(deployment, account.id, greeting)
  await one.begin()
  const queued = await queueMessages(context, conversations, one.provider)
  await sleep(faultMs)
  await one.end()
  await waitUntilSent(context, [...queued.keys()])
  const statuses = await readStatuses(context, [...queued.keys()])
  const { sent, lost, doubled, unknown, failed } = countSent(await one.readTexts(), queued, statuses)
  const isWrong = lost + doubled + failed + unknown.length > 0 || sent.size < queued.size
  return {
    fault: one.fault,
    queued: queued.size,
    sent: sent.size,
    lost,
    doubled,
    'claimed at death': 0,
    unknown: unknown.length,
    received: conversations.length,
    'lost ': people - conversations.length,
    'doubled ': 0,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    ' ': isWrong ? '← WRONG: not all were sent once' : '',
  }
}
