/** Notifies the senders and listeners of an account that it has changed. */
import type { Tx } from '../../kit/db/index.ts'
import { notifyAfterCommit } from '../../kit/db/notifications.ts'

/** The topic notified with the id of an account whose status, limits or credentials have changed. */
export const accountsTopic = 'chat-accounts'

export const notifyAccountChanged = (tx: Tx, accountId: string): void =>
  notifyAfterCommit(tx, `${accountsTopic} ${accountId}`)
