/** Opens files that people sent: WhatsApp first returns an address that works for five minutes, then the bytes. */
import { Readable } from 'node:stream'
import { HttpFailure, type HttpStream } from '../../../kit/http/client.ts'
import { type ChatContext, ChatError, type Connection, type InboundMedia } from '../../chat.ts'
import { asNumber, asText } from '../../graph-kit/json.ts'
import { toConnectionFailure } from './errors.ts'
import { type CredentialValues, callGraph } from './graph.ts'
import { refuse } from './message-body.ts'

const mediaMaxBytes = 100 * 1024 * 1024
const downloadTimeoutMs = 10 * 60_000
const idleTimeoutMs = 30_000

export async function openMedia(
  { credentials }: Connection<CredentialValues>,
  { providerMediaId }: InboundMedia,
  context: ChatContext,
): Promise<Readable> {
  if (!/^\w{1,200}$/.test(providerMediaId)) throw reject('The message names no valid file.')
  const query = { phone_number_id: credentials.phoneNumberId }
  const media = await callGraph(credentials, { path: providerMediaId, query }, context)
  const url = asText(media.url)
  if (!url || !isMediaUrl(url, context.baseUrl)) throw reject('WhatsApp returned no address for the file.')
  if ((asNumber(media.file_size) ?? 0) > mediaMaxBytes)
    throw reject(`The file is larger than ${mediaMaxBytes} bytes.`)
  const stream = await download(url, credentials.accessToken, context)
  return Readable.from(stream.body, { objectMode: false })
}

/**
 * The token goes with the request, so the address must be one of Meta's: its media hosts over HTTPS, or the host of the
 * base URL.
 */
export function isMediaUrl(text: string, baseUrl: string): boolean {
  const url = URL.parse(text)
  if (!url) return false
  if (url.origin === URL.parse(baseUrl)?.origin) return true
  const isMeta = /^([a-z0-9-]+\.)*(fbsbx\.com|facebook\.com|whatsapp\.net)$/.test(url.hostname)
  return url.protocol === 'https:' && url.port === '' && isMeta
}

async function download(url: string, accessToken: string, context: ChatContext): Promise<HttpStream> {
  const { http, signal } = context
  let stream: HttpStream
  try {
    stream = await http.stream(url, {
      // The media host refuses requests without a user agent.
      headers: { authorization: `Bearer ${accessToken}`, 'user-agent': 'Aldaba' },
      timeoutMs: downloadTimeoutMs,
      idleTimeoutMs,
      bodyMaxBytes: mediaMaxBytes,
      signal,
    })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    throw new ChatError(toConnectionFailure(error).failure, { cause: error })
  }
  if (stream.status === 200) return stream
  await stream.body[Symbol.asyncIterator]().return?.()
  const isGone = stream.status === 404 || stream.status === 410
  const sentence = isGone
    ? 'WhatsApp no longer has the file. It keeps files for 7 to 30 days.'
    : `WhatsApp answered ${stream.status} instead of the file.`
  throw new ChatError({
    ...reject(sentence).failure,
    retryable: stream.status >= 500 || stream.status === 429,
  })
}

const reject = (sentence: string): ChatError => new ChatError(refuse('MEDIA_REJECTED', sentence))
