/** Calls of the Bot API. */
import { HttpFailure } from '../../../kit/http/client.ts'
import type { Form } from '../../../kit/http/multipart.ts'
import { parseJson } from '../../../kit/json-limits.ts'
import { asObject } from '../../../kit/json-values.ts'
import { type ChatContext, ChatError, interruptedResult, uploadBytesPerMs } from '../../chat.ts'
import type { BotCredentials } from './credentials.ts'
import { type CallFailure, toConnectionFailure, toReplyFailure } from './failures.ts'

export interface Call {
  method: string
  fields?: Record<string, unknown>
  /** In place of the fields. */
  form?: Form
}

const timeoutMs = 20_000
const replyMaxBytes = 1_000_000

/** Throws only the signal's reason, if Telegram may have acted on the call. */
export async function tryCall(
  { token }: BotCredentials,
  { method, fields = {}, form }: Call,
  { http, baseUrl, signal }: ChatContext,
): Promise<{ result: unknown } | CallFailure> {
  const interrupted: CallFailure = { failure: interruptedResult.failure, isCertain: true, description: '' }
  if (signal.aborted) return interrupted
  try {
    const reply = await http.fetch(`${baseUrl}/bot${token}/${method}`, {
      method: 'POST',
      headers: form
        ? { 'content-type': form.contentType, 'content-length': String(form.bytes) }
        : { 'content-type': 'application/json' },
      body: form ? form.stream : JSON.stringify(fields),
      timeoutMs: timeoutMs + (form ? Math.ceil(form.bytes / uploadBytesPerMs) : 0),
      bodyMaxBytes: replyMaxBytes,
      signal,
    })
    const result = reply.status === 200 ? findResult(reply.body) : undefined
    return result === undefined ? toReplyFailure(reply) : { result }
  } catch (error) {
    const isIncomplete = form !== undefined && !form.isComplete()
    if (signal.aborted && isIncomplete) return interrupted
    signal.throwIfAborted()
    if (!(error instanceof HttpFailure)) throw error
    const failed = toConnectionFailure(error)
    return { ...failed, isCertain: failed.isCertain || isIncomplete }
  }
}

function findResult(body: Buffer): unknown {
  try {
    const reply = asObject(parseJson(body.toString()))
    return reply?.ok === true ? reply.result : undefined
  } catch {
    return undefined
  }
}

/** Throws ChatError. */
export async function call(
  credentials: BotCredentials,
  request: Call,
  context: ChatContext,
): Promise<unknown> {
  const outcome = await tryCall(credentials, request, context)
  if ('failure' in outcome) throw new ChatError(outcome.failure)
  return outcome.result
}
