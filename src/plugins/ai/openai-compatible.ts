/**
 * Any endpoint with the chat completions of OpenAI: https://platform.openai.com/docs/api-reference/chat. Whatever it replies is
 * checked, and its size is bounded.
 */
import { type HttpClient, HttpFailure, type HttpReply, parseRetryAfterMs } from '../../kit/http/client.ts'
import { parseJson } from '../../kit/json-limits.ts'
import {
  type AiCompletion,
  AiError,
  type AiMessage,
  type AiProvider,
  type AiRequest,
  type AiToolCall,
  textMaxLength,
  toolCallsMax,
} from '../ai.ts'

export interface OpenAiCompatibleOptions {
  /** Its base URL, such as `https://api.openai.com/v1`. */
  url: string
  /** Null: it needs none. */
  key: string | null
  /** Reaches what the operator configured. */
  http: Pick<HttpClient, 'fetch'>
  /** How long one request may take. */
  timeoutMs?: number
}

const defaultTimeoutMs = 45_000
const bodyMaxBytes = 1_000_000
const restartingStatuses = [502, 503, 504]
/** Newer models refuse `max_tokens`. */
const limitFields = ['max_tokens', 'max_completion_tokens'] as const

export function createOpenAiCompatible({
  url,
  key,
  http,
  timeoutMs = defaultTimeoutMs,
}: OpenAiCompatibleOptions): AiProvider {
  const post = (body: string, signal: AbortSignal) =>
    http.fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body,
      timeoutMs,
      bodyMaxBytes,
      signal,
    })

  /** Once more, if the connection failed or the server is restarting: a completion changes nothing. */
  const postTwice = async (body: string, signal: AbortSignal): Promise<HttpReply> => {
    try {
      const reply = await post(body, signal)
      return restartingStatuses.includes(reply.status) ? await post(body, signal) : reply
    } catch (error) {
      if (error instanceof HttpFailure && error.kind === 'unreachable') return post(body, signal)
      throw error
    }
  }

  const request = async (
    { model, messages, tools, outputTokensMax }: AiRequest,
    limitField: (typeof limitFields)[number],
    signal: AbortSignal,
  ): Promise<HttpReply> => {
    const body = JSON.stringify({
      model,
      messages: messages.map(toMessage),
      [limitField]: outputTokensMax,
      ...(tools.length === 0
        ? {}
        : { tools: tools.map(tool => ({ type: 'function', function: tool })), tool_choice: 'auto' }),
    })
    return postTwice(body, signal).catch(rethrowFailure)
  }

  return {
    async complete(wanted, signal) {
      const [first, second] = limitFields
      const reply = await request(wanted, first, signal)
      const isRefused = reply.status === 400 && reply.body.includes(second)
      return parseReply(isRefused ? await request(wanted, second, signal) : reply)
    },
  }
}

function rethrowFailure(error: unknown): never {
  if (!(error instanceof HttpFailure)) throw error
  if (error.kind === 'too-large')
    throw new AiError('TOO_LARGE', 'The reply of the AI endpoint is too large.', { cause: error })
  throw new AiError('UNAVAILABLE', `The AI endpoint does not answer: ${error.message}.`, { cause: error })
}

function toMessage(message: AiMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role !== 'assistant') return message
  const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))
  return {
    role: 'assistant',
    content: message.content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function parseReply(reply: HttpReply): AiCompletion {
  const { status } = reply
  if (status !== 200) throw toError(reply)
  const value = parseObject(reply.body)
  const choice = (Array.isArray(value?.choices) ? value.choices[0] : null) as Record<string, unknown> | null
  const message = choice?.message as Record<string, unknown> | undefined
  if (typeof message !== 'object' || message === null) throw invalidReply('it has no message')
  const text = message.content ?? null
  if (text !== null && typeof text !== 'string') throw invalidReply('its content is no text')
  const toolCalls = parseToolCalls(message.tool_calls)
  if (!text && toolCalls.length === 0) throw invalidReply('it is empty')
  if ((text?.length ?? 0) > textMaxLength || toolCalls.some(call => call.arguments.length > textMaxLength))
    throw new AiError('TOO_LARGE', `The AI endpoint answered with more than ${textMaxLength} characters.`)
  const usage = value?.usage as Record<string, unknown> | undefined
  return {
    text,
    toolCalls,
    isTruncated: choice?.finish_reason === 'length',
    model: typeof value?.model === 'string' ? value.model.slice(0, 200) : null,
    inputTokens: toCount(usage?.prompt_tokens),
    outputTokens: toCount(usage?.completion_tokens),
  }
}

function parseToolCalls(value: unknown): AiToolCall[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalidReply('its tool calls are no list')
  if (value.length > toolCallsMax) throw invalidReply(`it calls more than ${toolCallsMax} tools`)
  return value.map(
    (call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } } | null, index) => {
      const { name, arguments: given } = call?.function ?? {}
      // Some servers send the object instead of its text.
      const text = typeof given === 'object' && given !== null ? JSON.stringify(given) : given
      if (typeof name !== 'string' || name === '' || name.length > 100 || typeof text !== 'string')
        throw invalidReply('a tool call has no name or no arguments')
      const id =
        typeof call?.id === 'string' && call.id !== '' && call.id.length <= 200 ? call.id : `call_${index}`
      return { id, name, arguments: text }
    },
  )
}

const toCount = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
    ? (value as number)
    : null

const invalidReply = (why: string): AiError =>
  new AiError('INVALID_REPLY', `The reply of the AI endpoint is no completion: ${why}.`)

/** The error never repeats what the endpoint says, which may contain the prompt or the key. */
function toError(reply: HttpReply): AiError {
  const { status } = reply
  if (status === 401 || status === 403)
    return new AiError('INVALID_CREDENTIALS', `The AI endpoint refused the key with ${status}. Check AI_KEY.`)
  if (status === 429)
    return new AiError(
      'RATE_LIMITED',
      'The AI endpoint limits the rate of requests. It is tried again later.',
      {
        retryAfterMs: parseRetryAfterMs(reply),
      },
    )
  if (status >= 500 || status === 408)
    return new AiError('UNAVAILABLE', `The AI endpoint answered ${status}. It is tried again later.`, {
      retryAfterMs: parseRetryAfterMs(reply),
    })
  return new AiError(
    'REJECTED',
    `The AI endpoint answered ${status}. Check AI_URL, and that the model exists and can call tools.`,
  )
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = parseJson(body.toString())
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {}
  throw invalidReply('it is not a JSON object')
}
