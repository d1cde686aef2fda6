/** Opens files that people sent. */
import { Readable } from 'node:stream'
import { HttpFailure } from '../../../kit/http/client.ts'
import { asNumber, asObject, asText } from '../../../kit/json-values.ts'
import { type ChatContext, ChatError, type Connection, type InboundMedia } from '../../chat.ts'
import { call } from './api.ts'
import type { BotCredentials } from './credentials.ts'
import { refuse, toConnectionFailure } from './failures.ts'

/** Bots can't download larger files. */
const megabytesMax = 20
const bytesMax = megabytesMax * 1024 * 1024
const idleTimeoutMs = 30_000
const timeoutMs = 10 * 60_000

export async function openFile(
  { credentials }: Connection<BotCredentials>,
  { providerMediaId, bytes }: InboundMedia,
  context: ChatContext,
): Promise<Readable> {
  if ((bytes ?? 0) > bytesMax) throw tooLarge()
  const fields = { file_id: providerMediaId }
  const file = asObject(await call(credentials, { method: 'getFile', fields }, context))
  const path = asText(file?.file_path)
  if (!path || !/^[\w./-]{1,300}$/.test(path) || path.includes('..'))
    throw reject('Telegram returned no address for the file. Request it from the person again.')
  if ((asNumber(file?.file_size) ?? 0) > bytesMax) throw tooLarge()
  const url = `${context.baseUrl}/file/bot${credentials.token}/${path}`
  const { status, body } = await openStream(url, context)
  if (status === 200) return Readable.from(withChatErrors(body), { objectMode: false })
  await body[Symbol.asyncIterator]().return?.()
  throw reject(`Telegram answered ${status} in place of the file.`, status >= 500 || status === 429)
}

async function openStream(url: string, { http, signal }: ChatContext) {
  try {
    return await http.stream(url, { timeoutMs, idleTimeoutMs, bodyMaxBytes: bytesMax, signal })
  } catch (error) {
    throw toChatError(error)
  }
}

async function* withChatErrors(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw toChatError(error)
  }
}

function toChatError(error: unknown): unknown {
  if (!(error instanceof HttpFailure)) return error
  if (error.kind === 'too-large') return tooLarge()
  return new ChatError(toConnectionFailure(error).failure, { cause: error })
}

function reject(sentence: string, retryable = false): ChatError {
  return new ChatError({ ...refuse('MEDIA_REJECTED', sentence), retryable })
}

const tooLarge = () =>
  reject(`The file has more than ${megabytesMax} MB, which bots can’t download. Request it in another way.`)
