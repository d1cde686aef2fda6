/** The webhook of WhatsApp: the check of the address, the signature, and the events of a body. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isSignatureValid } from '../../../kit/http/hub-signature.ts'
import { createThreadPool, inlineMaxBytes, ThreadFailed, type ThreadPool } from '../../../kit/thread-pool.ts'
import type { ChatWebhook, InboundEvent } from '../../chat.ts'
import { type BodyTask, type ParsedEvent, toEvent } from './body-task.ts'
import type { CredentialValues } from './graph.ts'
import { parseBody } from './parse-body.ts'

export const webhook: ChatWebhook<CredentialValues> = {
  challenge(query, verifyToken) {
    const token = query.get('hub.verify_token') || null
    const challenge = query.get('hub.challenge')
    const isRight = query.get('hub.mode') === 'subscribe' && token !== null && isSame(token, verifyToken)
    return isRight && challenge !== null && challenge.length <= 1000 ? challenge : null
  },
  verify: ({ headers, body }, { credentials }) =>
    isSignatureValid(body, headers['x-hub-signature-256'], credentials.appSecret),
  parse: (body, receivedAt, accountId) =>
    body.length <= inlineMaxBytes ? parseBody(body, receivedAt) : parseOnThread(body, receivedAt, accountId),
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

const threads: ThreadPool<BodyTask, ParsedEvent[]> = createThreadPool({
  name: 'webhook bodies',
  module: new URL('./body-thread.ts', import.meta.url),
  size: 2,
  taskMaxMs: 3000,
  memoryMaxMb: 256,
})
const waitMaxMs = 5 * 60_000

/**
 * A long body would block the event loop. Accounts take turns. Throws if no thread was free: the body is read later.
 */
async function parseOnThread(
  body: Buffer,
  receivedAt: Temporal.Instant,
  accountId: string,
): Promise<InboundEvent[]> {
  // The thread takes its copy over.
  const copy = new Uint8Array(body)
  const task = { body: copy, receivedAtMs: receivedAt.epochMilliseconds }
  const client = { tenantId: accountId, signal: AbortSignal.timeout(waitMaxMs) }
  try {
    return (await threads.run(client, task, [copy.buffer])).map(toEvent)
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    return [
      {
        type: 'unreadable',
        externalId: null,
        at: receivedAt,
        reason: `The body can't be read: ${error.message}.`,
      },
    ]
  }
}
