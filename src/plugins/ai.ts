/**
 * The contract of AI endpoints: chat completion with tools. `check-ai` holds every implementation to it. Implementations keep no
 * state, and never run a tool: what a model calls is a proposal.
 */

export interface AiProvider {
  /** One completion. Throws AiError, or the reason of the signal. */
  complete(request: AiRequest, signal: AbortSignal): Promise<AiCompletion>
}

export interface AiRequest {
  model: string
  messages: readonly AiMessage[]
  tools: readonly AiTool[]
  outputTokensMax: number
}

export type AiMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; toolCalls: readonly AiToolCall[] }
  | { role: 'tool'; callId: string; content: string }

export interface AiTool {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: object
}

export interface AiToolCall {
  id: string
  name: string
  /** JSON, as the model wrote it: it may be malformed. */
  arguments: string
}

export interface AiCompletion {
  /** Null: the model only calls tools. */
  text: string | null
  toolCalls: AiToolCall[]
  /** The output was cut at `outputTokensMax`. */
  isTruncated: boolean
  /** The model that answered, as the endpoint names it; null: it does not. */
  model: string | null
  /** Null: not stated. */
  inputTokens: number | null
  /** Null: not stated. */
  outputTokens: number | null
}

/** Longer texts and arguments are refused as TOO_LARGE. */
export const textMaxLength = 20_000
export const toolCallsMax = 16

/**
 * `UNAVAILABLE`: no reply, or an error of the server. `RATE_LIMITED`: wait. `INVALID_CREDENTIALS`: the operator has to change the key.
 * `REJECTED`: the endpoint does not accept the request. `INVALID_REPLY`: the reply is no completion. `TOO_LARGE`: it is larger than
 * any answer to a person.
 */
export const aiErrorCodes = [
  'UNAVAILABLE',
  'RATE_LIMITED',
  'INVALID_CREDENTIALS',
  'REJECTED',
  'INVALID_REPLY',
  'TOO_LARGE',
] as const
export type AiErrorCode = (typeof aiErrorCodes)[number]

/** The same request may succeed later. */
const retryableCodes: readonly AiErrorCode[] = ['UNAVAILABLE', 'RATE_LIMITED', 'INVALID_REPLY', 'TOO_LARGE']

export class AiError extends Error {
  readonly code: AiErrorCode
  /** How long the endpoint wants to be left alone; 0: it does not say. At most an hour. */
  readonly retryAfterMs: number

  /** `message`: a sentence for people, without anything of the prompt and the key. */
  constructor(
    code: AiErrorCode,
    message: string,
    { retryAfterMs = 0, cause }: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.retryAfterMs = Math.min(retryAfterMs, 3_600_000)
  }

  get isRetryable(): boolean {
    return retryableCodes.includes(this.code)
  }
}
