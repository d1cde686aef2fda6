/** The WhatsApp provider against the simulated WhatsApp over HTTP. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createHttpClient } from '../src/kit/http/client.ts'
import type { capabilities } from '../src/plugins/chat/whatsapp-cloud/capabilities.ts'
import type { CredentialValues } from '../src/plugins/chat/whatsapp-cloud/graph.ts'
import { whatsappCloud } from '../src/plugins/chat/whatsapp-cloud/index.ts'
import type {
  ChatContext,
  ChatIdentity,
  Connection,
  InboundEvent,
  OutgoingContent,
  OutgoingMessage,
  SendResult,
} from '../src/plugins/chat.ts'
import { type Person, startWhatsapp, type WhatsappSimulator } from '../src/simulator/whatsapp/index.ts'

export const verifyToken = 'the-token-of-the-account'
export const phone: ChatIdentity = { kind: 'phone', value: '+34612345678' }
export const userId: ChatIdentity = { kind: 'bsuid', value: 'ES.1234567890' }
export const text = (value = 'Hola'): OutgoingContent => ({ kind: 'text', text: value })
const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')

export interface WhatsappProvider {
  /** A new one for each test. */
  simulator: WhatsappSimulator
  webhookUrl: string
  /** What the webhook has read. */
  events: InboundEvent[]
  createContext(change?: Partial<ChatContext>): ChatContext
  connect(): Connection<CredentialValues>
  send(
    content: OutgoingContent,
    change?: Partial<OutgoingMessage>,
    context?: Partial<ChatContext>,
  ): Promise<SendResult>
  addMarta(change?: object): Person
}

export const toMessage = (
  content: OutgoingContent,
  change: Partial<OutgoingMessage> = {},
): OutgoingMessage => ({
  id: '019a0000-0000-7000-8000-000000000001',
  to: [phone],
  content,
  replyTo: null,
  thread: { subject: null, references: [] },
  unsubscribeUrl: null,
  ...change,
})

/** Starts a webhook before the tests of a file, and a simulator before each test. */
export function prepareWhatsappProvider(): WhatsappProvider {
  const http = createHttpClient({ reach: 'any' })
  const provider: WhatsappProvider = {
    simulator: undefined as unknown as WhatsappSimulator,
    webhookUrl: '',
    events: [],
    createContext: change => ({
      http,
      baseUrl: provider.simulator.url,
      resolveHost: async host => host,
      now: receivedAt,
      webhook: { url: provider.webhookUrl, verifyToken },
      signal: new AbortController().signal,
      log: { warn() {} } as unknown as ChatContext['log'],
      ...change,
    }),
    connect: () => ({
      accountId: 'a',
      externalId: provider.simulator.credentials.phoneNumberId,
      displayName: 'Agencia',
      credentials: provider.simulator.credentials,
    }),
    send: (content, change, context) =>
      whatsappCloud.send(provider.connect(), toMessage(content, change), provider.createContext(context)),
    addMarta: change =>
      provider.simulator.addPerson({ name: 'Marta', phone: phone.value, userId: userId.value, ...change }),
  }
  const receiver = createReceiver(provider)
  beforeAll(() => new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve)))
  afterAll(async () => {
    receiver.closeAllConnections()
    receiver.close()
    await http.close()
  })
  beforeEach(async () => {
    provider.events.length = 0
    provider.simulator = await startWhatsapp({ seed: 7 })
    provider.webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/a`
    provider.simulator.setWebhook(provider.webhookUrl)
  })
  afterEach(() => provider.simulator.close())
  return provider
}

/** The webhook of the program: verifies and reads what the simulator posts. */
function createReceiver(provider: WhatsappProvider) {
  const { challenge, verify, parse } = whatsappCloud.webhook!
  return createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://localhost')
    if (request.method === 'GET') {
      const answer = challenge!(url.searchParams, verifyToken)
      response.writeHead(answer === null ? 403 : 200).end(answer)
      return
    }
    const body = await buffer(request)
    const secrets = { credentials: provider.simulator.credentials, verifyToken }
    if (!verify({ headers: request.headers, body }, secrets)) {
      response.writeHead(401).end()
      return
    }
    provider.events.push(...(await parse(body, receivedAt, 'account')))
    response.end()
  })
}

export const file = (
  kind: keyof typeof capabilities.media,
  bytes: Buffer,
  mediaType: string,
  caption: string | null = null,
) =>
  ({
    kind: 'media',
    media: {
      kind,
      mediaType,
      fileName: 'piso "1".pdf',
      bytes: bytes.length,
      open: async () => Readable.from([bytes]),
    },
    caption,
  }) satisfies OutgoingContent
