/** One attempt at a delivery: sends the request and records the reply. */
import { machineNow } from '../../../kit/clock/clock.ts'
import { type HttpClient, HttpFailure, type HttpReply, parseRetryAfterMs } from '../../../kit/http/client.ts'
import type { Attempt } from '../../../kit/outbox/outbox.ts'
import { createYielder } from '../../../kit/yielding.ts'
import { sign } from './signature.ts'

/** The destination of a subscription's messages. */
export interface Receiver {
  url: string
  /** The current secret first, then previous ones that still sign. */
  secrets: string[]
  /** Custom headers; the headers that Aldaba sets override them. */
  headers: Record<string, string>
}

/** A message to send. */
export interface Message {
  id: string
  /** The message, JSON. */
  body: string
}

export interface DeliveryAttempt extends Attempt {
  at: Date
  /** Null: no reply arrived. */
  responseStatus: number | null
  durationMs: number
  /** The first 4 KB of the reply, decoded as UTF-8; null: no reply arrived. */
  responseBody: string | null
}

/** Keeps the event loop responsive: a tenant may have a hundred subscriptions with thousands of messages each. */
const nextTurn = createYielder()
/** The timeout for the whole reply of a receiver. */
const receiverTimeoutMs = 15_000
const responseBodyMaxBytes = 4096

/** Posts a message. Failures are returned as attempts; throws only if `signal` is aborted. */
export async function attempt(
  http: HttpClient,
  { url, secrets, headers }: Receiver,
  { id, body }: Message,
  { signal, timeoutMs = receiverTimeoutMs }: { signal: AbortSignal; timeoutMs?: number | undefined },
): Promise<DeliveryAttempt> {
  await nextTurn()
  const at = new Date(machineNow())
  const startedMs = performance.now()
  const timestampSeconds = Math.floor(at.getTime() / 1000)
  const reply = await http
    .fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'user-agent': 'Aldaba-Webhooks/1.0',
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': sign(secrets, { id, timestampSeconds, body }),
      },
      body,
      timeoutMs,
      signal,
      bodyMaxBytes: responseBodyMaxBytes,
      truncateBody: true,
    })
    .catch((error: Error) => {
      if (signal.aborted) throw error
      // An unexpected error counts as a failed attempt; otherwise it would be retried for ever.
      return error instanceof HttpFailure
        ? error
        : new HttpFailure('unreachable', error.message, { cause: error })
    })
  return { at, durationMs: Math.round(performance.now() - startedMs), ...toResult(reply) }
}

/** A 2xx status is a delivery, even if the rest of the reply is too long, too slow or broken. */
function toResult(reply: HttpReply | HttpFailure): Omit<DeliveryAttempt, 'at' | 'durationMs'> {
  const { status } = reply
  const isDelivered = status !== null && status >= 200 && status < 300
  if (reply instanceof HttpFailure) {
    const error = isDelivered ? null : reply.message
    return { responseStatus: status, responseBody: null, error, retryAfterMs: 0 }
  }
  return {
    responseStatus: status,
    // `stream: true` drops a character that the 4 KB limit has cut in two.
    responseBody: new TextDecoder().decode(reply.body, { stream: true }),
    error: isDelivered ? null : `the receiver answered ${status}`,
    retryAfterMs: isDelivered ? 0 : parseRetryAfterMs(reply),
  }
}
