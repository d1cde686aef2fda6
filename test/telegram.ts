/** A bot at the simulated Bot API, with a webhook. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { createHttpClient } from '../src/kit/http/client.ts'
import { telegram } from '../src/plugins/chat/telegram/index.ts'
import type {
  ChatContext,
  Connection,
  InboundEvent,
  OutgoingContent,
  OutgoingMessage,
} from '../src/plugins/chat.ts'
import { startTelegram, type TelegramFaults } from '../src/simulator/telegram/index.ts'

export const marta = 123_456_789
const to = [{ kind: 'telegram', value: String(marta) }] as const
export const verifyToken = 'the-secret_of-the-account'

/** A connected bot, to which Marta has written, and the bodies that its webhook accepted. */
export async function startBot({ faults = {}, seed = 1 }: { faults?: TelegramFaults; seed?: number } = {}) {
  const bodies: Buffer[] = []
  const receiver = createServer(async (request, response) => {
    const body = await buffer(request)
    const isValid = telegram.webhook!.verify({ headers: request.headers, body }, { credentials, verifyToken })
    if (isValid) bodies.push(body)
    response.writeHead(isValid ? 200 : 403).end()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const simulator = await startTelegram({ faults, seed })
  const http = createHttpClient({ reach: 'any' })
  onTestFinished(async () => {
    await http.close()
    receiver.close()
    receiver.closeAllConnections()
    await simulator.close()
  })
  const credentials = { token: simulator.token }
  const context: ChatContext = {
    http,
    baseUrl: simulator.url,
    resolveHost: async host => host,
    now: Temporal.Now.instant(),
    webhook: { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`, verifyToken },
    signal: AbortSignal.timeout(20_000),
    log: undefined as never,
  }
  const connection: Connection<{ token: string }> = {
    accountId: 'a',
    externalId: '700000001',
    displayName: 'Bot',
    credentials,
  }
  const send = (
    content: OutgoingContent,
    change: Partial<OutgoingMessage> = {},
    contextChange: Partial<ChatContext> = {},
  ) =>
    telegram.send(
      connection,
      {
        id: 'm-1',
        to: [...to],
        content,
        replyTo: null,
        thread: { subject: null, references: [] },
        unsubscribeUrl: null,
        ...change,
      },
      { ...context, ...contextChange },
    )
  const receivedAt = Temporal.Instant.from('2026-11-26T10:00:00Z')
  const readEvents = () =>
    bodies.flatMap(body => telegram.webhook!.parse(body, receivedAt, 'account') as InboundEvent[])
  const hello = async () => {
    await telegram.connect(credentials, context)
    await simulator.say(marta, { text: '/start flat-123' })
  }
  return { simulator, context, connection, credentials, send, readEvents, bodies, hello, receivedAt }
}
