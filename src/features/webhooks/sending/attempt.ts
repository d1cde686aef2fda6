/** One attempt at a delivery: the request, and what is kept of its reply. */
import { machineNow } from '../../../kit/clock/clock.ts'
import { type HttpClient, HttpFailure, type HttpReply, retryAfterMs } from '../../../kit/http/client.ts'
import type { Attempt } from '../../../kit/outbox/outbox.ts'
import { createYielder } from '../../../kit/yielding.ts'
import { sign } from './signature.ts'

/** Where a subscription's events go. */
export interface Receiver {
  url: string
  /** The present one first, then those that were rotated and still sign. */
  secrets: string[]
  /** Custom headers; ours win. */
  headers: Record<string, string>
}

/** An event as it is sent. */
export interface Message {
  id: string
  /** JSON. */
  body: string
}

export interface DeliveryAttempt extends Attempt {
  at: Date
  /** Null: none came. */
  responseStatus: number | null
  durationMs: number
  /** The first 4 KB of the reply, as UTF-8; null: none came. */
  responseBody: string | null
}

/** A tenant may have a hundred subscriptions with thousands of messages each. */
const nextTurn = createYielder()
/** So long a receiver may take, with its whole reply. */
const receiverTimeoutMs = 15_000
const responseBodyMaxBytes = 4096

/** Posts a message. Throws only if the signal is aborted. */
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
      // What nobody foresaw fails like the rest, or it would be tried for ever.
      return error instanceof HttpFailure
        ? error
        : new HttpFailure('unreachable', error.message, { cause: error })
    })
  return { at, durationMs: Math.round(performance.now() - startedMs), ...toResult(reply) }
}

/** Only 2xx is a delivery, however long or slow the rest of the reply. */
function toResult(reply: HttpReply | HttpFailure): Omit<DeliveryAttempt, 'at' | 'durationMs'> {
  const { status } = reply
  const isDelivered = status !== null && status >= 200 && status < 300
  if (reply instanceof HttpFailure) {
    const error = isDelivered ? null : reply.message
    return { responseStatus: status, responseBody: null, error, retryAfterMs: 0 }
  }
  return {
    responseStatus: status,
    // A letter that was cut in two is left out.
    responseBody: new TextDecoder().decode(reply.body, { stream: true }),
    error: isDelivered ? null : `the receiver answered ${status}`,
    retryAfterMs: isDelivered ? 0 : retryAfterMs(reply),
  }
}
