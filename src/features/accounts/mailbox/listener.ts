/** Listens to the mailbox of one account, and connects again when the connection ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cipher } from '../../../kit/crypto.ts'
import type { Database } from '../../../kit/db/index.ts'
import type { Log } from '../../../kit/log.ts'
import type { SessionLocks } from '../../../kit/outbox/session-locks.ts'
import { ChatError } from '../../../plugins/chat.ts'
import type { ChatAccounts, OpenAccount } from '../chat-accounts.ts'
import type { ProcessingStarter } from '../intake/processing-starter.ts'
import { storeBodies } from '../intake/store-body.ts'
import { recordHealth, toStatus } from '../status.ts'
import { type MailboxAccount, storeCursor } from './queries.ts'

export interface ListenerContext {
  accounts: ChatAccounts
  cipher: Cipher
  starter: ProcessingStarter
  database: Database
  log: Log
  locks: SessionLocks
  /** The first wait before a new connection; it doubles with each failure. */
  reconnectMs: number
}

const reconnectMaxMs = 300_000
/** A larger body is not stored. */
const bodyMaxBytes = 64 * 1024 * 1024

/**
 * Listens until the signal is aborted or the account ends. One process at a time listens to an account: returns false if
 * it is another one.
 */
export async function listenToMailbox(
  mailbox: MailboxAccount,
  context: ListenerContext,
  signal: AbortSignal,
): Promise<boolean> {
  const { accounts, database, locks, log, reconnectMs } = context
  const { tenantId, accountId } = mailbox
  const lockName = `chat mailbox ${accountId}`
  if (!(await locks.acquire(lockName))) return false
  try {
    for (let failures = 0; !signal.aborted && locks.isHeld(lockName); ) {
      const opened = await database.readTenant({ tenantId }, tx => accounts.findConnection(tx, accountId))
      if (!opened?.provider.mailbox || isEnded(opened)) return true
      const startedMs = performance.now()
      const error = await listenOnce(opened, mailbox, { ...context, lockName }, signal)
      if (signal.aborted) return true
      failures = performance.now() - startedMs > reconnectMaxMs ? 1 : failures + 1
      if (error) {
        log.warn({ err: error, accountId, failures }, 'the connection to a mailbox failed')
        await recordFailure(context, opened, { mailbox, error })
      }
      const waitMs = Math.min(reconnectMaxMs, reconnectMs * 2 ** (failures - 1))
      await sleep(waitMs * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => {})
    }
    return true
  } finally {
    await locks.release(lockName).catch(() => {})
  }
}

const isEnded = ({ account }: OpenAccount) =>
  account.status === 'DISCONNECTED' || account.status === 'LOGGED_OUT' || account.status === 'BANNED'

/** Returns the error that ended the connection; null: it ended by itself. */
async function listenOnce(
  opened: OpenAccount,
  { tenantId, accountId }: MailboxAccount,
  context: ListenerContext & { lockName: string },
  signal: AbortSignal,
): Promise<unknown> {
  const { accounts, cipher, starter, database, locks, log, lockName } = context
  const onBody = async (body: Buffer, cursor: string) => {
    signal.throwIfAborted()
    // The lock was lost with its connection, so another process may read the same.
    if (!locks.isHeld(lockName)) throw new Error('the lock of the mailbox was lost')
    const isTooLarge = body.length > bodyMaxBytes
    if (isTooLarge)
      log.warn({ accountId, bytes: body.length }, 'a body of a mailbox is too large and was skipped')
    await database.withTenant({ tenantId }, async tx => {
      if (!isTooLarge) await storeBodies(tx, cipher, [{ accountId, body }])
      await storeCursor(tx, accountId, cursor)
    })
    starter.start({ database, tenantId, accountId })
  }
  try {
    const options = { cursor: opened.account.mailboxCursor, onBody }
    await opened.provider.mailbox!.listen(opened.connection, options, accounts.createContext(opened, signal))
    return null
  } catch (error) {
    return error
  }
}

/** A refusal of the account changes its status. Everything else is tried again, and the hourly check reports it. */
async function recordFailure(
  { database }: ListenerContext,
  { account: { credentials } }: OpenAccount,
  { mailbox: { tenantId, accountId }, error }: { mailbox: MailboxAccount; error: unknown },
): Promise<void> {
  const status = error instanceof ChatError ? toStatus(error.failure) : null
  if (!status) return
  const reason = (error as ChatError).failure.message
  await database.withTenant({ tenantId }, tx =>
    recordHealth(tx, accountId, { status, reason }, { at: null, credentials }),
  )
}
