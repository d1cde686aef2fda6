/**
 * Large files pass through in pieces. Counted is what is read from the source while the other side reads nothing: what the
 * connection holds, and not the file.
 */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createContext, createMessage } from '../../../test/mail-account.ts'
import { createHttpClient } from '../../kit/http/client.ts'
import type { ChatContext, OutgoingContent, OutgoingMessage } from '../chat.ts'
import { composeMail } from './email/compose.ts'
import { telegram } from './telegram/index.ts'
import { whatsappCloud } from './whatsapp-cloud/index.ts'

const bytes = 24 * 1024 * 1024
/** A connection buffers 4 MB to send, and little to receive as long as nothing is read. */
const connectionMaxBytes = 8 * 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, 'x')

/** The bytes on their way, and the most that there were at a time. */
function createGauge() {
  const gauge = { read: 0, arrived: 0, most: 0 }
  return Object.assign(gauge, {
    /** A file whose reader is counted. */
    open: async () =>
      Readable.from(
        (function* () {
          for (let left = bytes; left > 0; left -= chunk.length) {
            gauge.read += chunk.length
            gauge.most = Math.max(gauge.most, gauge.read - gauge.arrived)
            yield chunk
          }
        })(),
      ),
  })
}

/** Waits until the source is read no further. Returns how much of it was read. */
async function measureStall(gauge: { read: number }): Promise<number> {
  for (let turns = 0, before = -1; turns < 200; turns = gauge.read === before ? turns + 1 : 0) {
    before = gauge.read
    await setImmediate()
  }
  return gauge.read
}

const credentials = {
  whatsapp: {
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    accessToken: 'x'.repeat(30),
    appSecret: '0'.repeat(32),
  },
  telegram: { token: '700000001:simulated-token-of-the-bot' },
}
const toConnection = <C>(values: C) => ({
  accountId: 'a',
  externalId: '1',
  displayName: 'x',
  credentials: values,
})

/** A context whose provider is this server. */
async function serve(listener: RequestListener): Promise<ChatContext> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const http = createHttpClient({ reach: 'any' })
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await http.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { ...createContext(), http, baseUrl }
}

const toMessage = (open: () => Promise<Readable>): OutgoingMessage & { content: OutgoingContent } =>
  createMessage({
    to: [
      { kind: 'phone', value: '+34612345678' },
      { kind: 'telegram', value: '123456789' },
    ],
    content: {
      kind: 'media',
      media: { kind: 'document', mediaType: 'application/pdf', fileName: 'a.pdf', bytes, open },
      caption: null,
    },
  })

test.each([
  [
    'WhatsApp',
    (message: OutgoingMessage, context: ChatContext) =>
      whatsappCloud.send(toConnection(credentials.whatsapp), message, context),
  ],
  [
    'Telegram',
    (message: OutgoingMessage, context: ChatContext) =>
      telegram.send(toConnection(credentials.telegram), message, context),
  ],
])('a file is sent to %s as fast as it is accepted', async (_name, send) => {
  const gauge = createGauge()
  let readAhead = 0
  const context = await serve(async (request, response) => {
    readAhead ||= await measureStall(gauge)
    for await (const piece of request as AsyncIterable<Buffer>) gauge.arrived += piece.length
    response.end(JSON.stringify({ ok: true, id: '5', messages: [{ id: '6' }], result: { message_id: 7 } }))
  })
  expect(await send(toMessage(gauge.open), context)).toMatchObject({ status: 'sent' })
  expect(gauge.arrived).toBeGreaterThan(bytes)
  expect(readAhead).toBeLessThan(connectionMaxBytes)
})

test('a file is written to an e-mail piece by piece', async () => {
  const gauge = createGauge()
  const now = createContext().now
  const account = { address: 'ana@agency.example' } as Parameters<typeof composeMail>[0]
  const { stream } = composeMail(account, { message: toMessage(gauge.open), to: 'marta@mail.example', now })
  // Four letters for three bytes, and a line break after 76.
  for await (const piece of stream) gauge.arrived += (piece.length * 3 * 76) / (4 * 78)
  expect(gauge.read).toBe(bytes)
  expect(gauge.most).toBeLessThan(1024 * 1024)
})

test('a file of WhatsApp is fetched as fast as it is read', async () => {
  const gauge = createGauge()
  const context = await serve(async (request, response) => {
    if (request.url!.startsWith('/file')) return (await gauge.open()).pipe(response)
    return response.end(JSON.stringify({ url: `http://${request.headers.host}/file` }))
  })
  const media = {
    kind: 'document' as const,
    providerMediaId: '5',
    mediaType: null,
    fileName: null,
    bytes: null,
  }
  const file = await whatsappCloud.openMedia!(toConnection(credentials.whatsapp), media, context)
  expect(await measureStall(gauge)).toBeLessThan(connectionMaxBytes)
  for await (const piece of file) gauge.arrived += piece.length
  expect(gauge.arrived).toBe(bytes)
})
