/** Reads a stored body. Long messages are read on a thread, because they would block the event loop. */
import { createThreadPool, inlineMaxBytes, ThreadFailed, type ThreadPool } from '../../../kit/thread-pool.ts'
import type { InboundEvent } from '../../chat.ts'
import { type ReadMail, readHead, readMail } from './read-mail.ts'
import { type MailOrigin, parseStoredMail } from './stored-mail.ts'
import { toEvents, toOwnAddress } from './to-events.ts'

const threads: ThreadPool<Uint8Array<ArrayBuffer>, ReadMail> = createThreadPool({
  name: 'e-mails',
  module: new URL('./mail-thread.ts', import.meta.url),
  size: 2,
  taskMaxMs: 3000,
  memoryMaxMb: 256,
})
const waitMaxMs = 5 * 60_000

/**
 * What can't be read becomes `unsupported` with its subject, or `unreadable`. Throws only for a message of which the server
 * handed out nothing.
 */
export async function parseMailboxBody(body: Buffer): Promise<InboundEvent[]> {
  const stored = parseStoredMail(body)
  const base = { externalId: stored ? toOwnAddress(stored.origin) : null, at: toInstant(stored?.origin) }
  if (!stored) return [{ ...base, type: 'unreadable', reason: 'The body is not a message of a mailbox.' }]
  if (stored.origin.part === 'start')
    return [{ ...base, type: 'ignored', what: 'The mailbox is read from here on.' }]
  if (stored.mail.length === 0)
    throw new Error('The mail server did not hand out a message. Open it in the mailbox.')
  try {
    const mail = await read(stored)
    const { files = mail.files } = stored.origin
    return toEvents({ ...mail, files }, stored.origin)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ ...base, type: 'unreadable', reason: `The message can't be read: ${reason}` }]
  }
}

async function read({ origin, mail }: { origin: MailOrigin; mail: Buffer }): Promise<ReadMail> {
  if (origin.part === 'head') return readHead(mail)
  if (mail.length <= inlineMaxBytes) return readMail(mail)
  try {
    return await readOnThread(origin, mail)
  } catch (error) {
    // It takes too much time or memory. Any other error is the thread's, not the message's.
    return error instanceof ThreadFailed ? readHead(mail) : readOnThread(origin, mail)
  }
}

function readOnThread({ accountId }: MailOrigin, mail: Buffer): Promise<ReadMail> {
  // The thread takes its copy over.
  const copy = new Uint8Array(mail)
  return threads.run({ tenantId: accountId, signal: AbortSignal.timeout(waitMaxMs) }, copy, [copy.buffer])
}

function toInstant(origin: MailOrigin | undefined): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(origin?.receivedAt ?? 0)
}
