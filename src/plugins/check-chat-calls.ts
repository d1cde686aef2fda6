/** Checks the calls of a chat provider with servers that answer badly: bounded, typed, and never "sent" by mistake. */
import type { Readable } from 'node:stream'
import { createHttpClient } from '../kit/http/client.ts'
import {
  type ChatContext,
  ChatError,
  type ChatFailure,
  type ChatIdentity,
  type ChatProvider,
  type Connection,
  chatFailureCodes,
  noParts,
  type OutgoingContent,
  type OutgoingMessage,
  type SendResult,
} from './chat.ts'
import { listContents, textContent } from './check-chat-contents.ts'
import { hostileMail, serveHostileMail } from './hostile-mail.ts'
import { hostileAnswers, serveHostile } from './hostile-server.ts'
import { isTrue } from './rules.ts'

type Credentials = Record<string, unknown>

const deadlineMs = 15_000
const dayMs = 86_400_000
const closedUrl = 'http://127.0.0.1:1'
const to: ChatIdentity[] = [
  { kind: 'phone', value: '+34612345678' },
  { kind: 'bsuid', value: 'ES.13491208655302741918' },
  { kind: 'telegram', value: '123456789' },
  { kind: 'email', value: 'marta@example.org' },
  { kind: 'sandbox', value: 'marta' },
]
/** A host of a user leads nowhere: the check calls only servers of its own. */
const hostRefused: ChatFailure = {
  code: 'FORBIDDEN_HOST',
  providerCode: null,
  message: 'The host is inside a private network.',
  retryable: false,
  retryAfterMs: 0,
  scope: 'account',
}

const refuseHost = async () => {
  throw new ChatError(hostRefused)
}

/** One sentence per problem. */
export async function checkChatCalls(provider: ChatProvider, credentials: Credentials): Promise<string[]> {
  const http = createHttpClient({ reach: 'any' })
  const createContext = (
    baseUrl: string,
    signal: AbortSignal,
    resolveHost: ChatContext['resolveHost'] = refuseHost,
  ): ChatContext => ({
    http,
    baseUrl,
    resolveHost,
    now: Temporal.Instant.from('2026-11-26T10:00:00Z'),
    webhook: { url: 'https://aldaba.example/webhooks/a', verifyToken: 'the-token-of-the-account' },
    signal,
    log: silentLog,
  })
  try {
    const problems = [
      ...checkLink(provider),
      ...(await checkAbort(provider, credentials, signal => createContext(closedUrl, signal))),
      ...(await checkServer('a refused connection', provider, credentials, signal =>
        createContext(closedUrl, signal),
      )),
    ]
    for (const [name, answer] of provider.mailbox ? Object.entries(hostileMail) : []) {
      const servers = await serveHostileMail(answer)
      problems.push(
        ...(await checkServer(name, provider, servers.aim(credentials), signal =>
          createContext(closedUrl, signal, async () => '127.0.0.1'),
        )),
        ...(['smtp', 'imap'] as const)
          .filter(protocol => protocol in credentials && !servers.wasReached(protocol))
          .map(protocol => `no call reaches \`credentials.${protocol}\` with ${name}`),
      )
      await servers.close()
    }
    if (provider.baseUrl === null) return problems
    for (const [name, listener] of Object.entries(hostileAnswers)) {
      const server = await serveHostile(listener)
      problems.push(
        ...(await checkServer(name, provider, credentials, signal => createContext(server.url, signal))),
      )
      await server.close()
    }
    return problems
  } finally {
    await http.close()
  }
}

const silentLog = new Proxy({} as ChatContext['log'], { get: () => () => {} })

function checkLink({ createLink }: ChatProvider): string[] {
  if (!createLink) return []
  const isLink = (value: unknown) => value === null || isTrue(() => new URL(value as string))
  const texts = ['Hola, ¿cómo estás? 50 % & más #1 + 👋', '', '\n', '\ud800', 'x'.repeat(10_000)]
  const isValid = isTrue(
    () =>
      createLink([], 'Hola', null) === null &&
      texts.every(text => isLink(createLink(to, text, null)) && isLink(createLink(to, 'Hola', text))) &&
      to.every(({ kind }) => isLink(createLink([{ kind, value: '" <&?#' }], 'Hola', null))),
  )
  return isValid ? [] : ['`createLink` must return a URL or null for any text and recipient, and not throw']
}

/** Before a call has begun, an abort means that nothing was sent. */
async function checkAbort(
  provider: ChatProvider,
  credentials: Credentials,
  createContext: (signal: AbortSignal) => ChatContext,
): Promise<string[]> {
  const context = createContext(AbortSignal.abort(new Error('stopped')))
  const outcome = await settle(provider.send(connect(credentials), toMessage(textContent), context), 2000)
  if (outcome.kind === 'late') return ['`send` must end when the signal is aborted']
  return outcome.kind === 'returned' && (outcome.value as SendResult)?.status === 'failed'
    ? []
    : ['`send` must fail, and neither send nor throw, when the signal is aborted before it']
}

async function checkServer(
  name: string,
  provider: ChatProvider,
  credentials: Credentials,
  createContext: (signal: AbortSignal) => ChatContext,
): Promise<string[]> {
  const problems: string[] = []
  for (const [what, content] of listContents(provider)) {
    const context = createContext(AbortSignal.timeout(deadlineMs))
    const sent = await settle(provider.send(connect(credentials), toMessage(content), context))
    const problem = findSendProblem(sent, name, content, provider)
    if (problem) problems.push(`\`send\` of ${what} with ${name} ${problem}`)
  }
  const connection = connect(credentials)
  const calls: [string, (context: ChatContext) => Promise<unknown> | undefined][] = [
    ['connect', context => provider.connect(credentials, context)],
    ['checkHealth', context => provider.checkHealth(connection, context)],
    ['reconcile', context => provider.reconcile?.(connection, { id: messageId, to }, context)],
    ['markRead', context => provider.markRead?.(connection, { providerMessageId: '1:1', to }, context)],
    ['showTyping', context => provider.showTyping?.(connection, { providerMessageId: '1:1', to }, context)],
    ['templates.list', context => provider.templates?.list(connection, context)],
    ['templates.submit', context => provider.templates?.submit(connection, template, context)],
    ['mailbox.listen', context => listen(provider, connection, context)],
    ['openMedia', context => provider.openMedia?.(connection, media, context).then(drain)],
  ]
  for (const [call, run] of calls) {
    const outcome = await settle(run(createContext(AbortSignal.timeout(deadlineMs))))
    const problem = findCallProblem(outcome)
    if (problem) problems.push(`\`${call}\` with ${name} ${problem}`)
  }
  return problems
}

const listenMs = 1000

/** Listens for a moment. How it ends after that does not matter, but it ends. */
async function listen(
  { mailbox }: ChatProvider,
  connection: Connection,
  context: ChatContext,
): Promise<void> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(listenMs)])
  await mailbox
    ?.listen(connection, { cursor: null, onBody: async () => {} }, { ...context, signal })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

type Outcome = { kind: 'returned'; value: unknown } | { kind: 'thrown'; error: unknown } | { kind: 'late' }

async function settle(call: Promise<unknown> | undefined, ms = deadlineMs): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Outcome>(resolve => {
    timer = setTimeout(() => resolve({ kind: 'late' }), ms)
  })
  const settled = (async (): Promise<Outcome> => ({ kind: 'returned', value: await call }))()
  const outcome = await Promise.race([
    settled.catch((error: unknown): Outcome => ({ kind: 'thrown', error })),
    late,
  ])
  clearTimeout(timer)
  return outcome
}

function findSendProblem(
  outcome: Outcome,
  name: string,
  { kind }: OutgoingContent,
  { capabilities, baseUrl }: ChatProvider,
): string | null {
  if (outcome.kind === 'late') return 'must end: limit its time and the size of the reply'
  if (outcome.kind === 'thrown') return 'must not throw'
  const result = outcome.value as SendResult
  if (result?.status === 'failed') {
    if (!isFailure(result.failure))
      return 'must fail with a code, a sentence, a scope and a wait of at most a day'
    // A file may be uploaded before the message is sent.
    const maySucceed = kind !== 'media' && (name.startsWith('cut') || name === 'an endless reply')
    return maySucceed && result.failure.retryable && !capabilities.idempotent
      ? 'must be unknown, because the message may have been sent'
      : null
  }
  if (result?.status === 'unknown') return result.reason ? null : 'must have a reason'
  if (result?.status !== 'sent') return 'must return sent, failed or unknown'
  if (baseUrl !== null) return 'must not be sent'
  return result.providerMessageId ? null : 'must have an id'
}

function findCallProblem(outcome: Outcome): string | null {
  if (outcome.kind === 'late') return 'must end: limit its time and the size of the reply'
  if (outcome.kind === 'returned') return null
  if (!(outcome.error instanceof ChatError)) return 'must throw a ChatError, if it throws'
  return isFailure(outcome.error.failure)
    ? null
    : 'must fail with a code, a sentence, a scope and a wait of at most a day'
}

function isFailure({ code, message, retryable, retryAfterMs, scope, providerCode }: ChatFailure): boolean {
  return (
    chatFailureCodes.includes(code) &&
    /^\p{Lu}.*[.?!]$/su.test(message) &&
    typeof retryable === 'boolean' &&
    retryAfterMs >= 0 &&
    retryAfterMs <= dayMs &&
    ['message', 'recipient', 'template', 'account'].includes(scope) &&
    (providerCode === null || typeof providerCode === 'string')
  )
}

const messageId = '019a0000-0000-7000-8000-000000000001'
const media = {
  kind: 'image',
  providerMediaId: 'file-1',
  mediaType: 'image/png',
  fileName: null,
  bytes: null,
} as const
const template = {
  providerName: 'first_contact',
  language: 'es',
  category: 'marketing' as const,
  body: 'Hola {{1}}',
  examples: ['Marta'],
  parts: noParts,
}

function connect(credentials: Credentials): Connection {
  return { accountId: messageId, externalId: '1', displayName: 'Ana', credentials }
}

function toMessage(content: OutgoingContent): OutgoingMessage {
  return {
    id: messageId,
    to,
    content,
    replyTo: null,
    thread: { subject: null, references: [] },
    unsubscribeUrl: null,
  }
}

async function drain(stream: Readable): Promise<void> {
  for await (const _chunk of stream);
}
