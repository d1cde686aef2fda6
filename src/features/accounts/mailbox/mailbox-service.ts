/** Listens to the mailboxes of all accounts in the processes that take jobs. */
import type { BackgroundService, ServiceContext } from '../../../kit/jobs/background-service.ts'
import { createScanner } from '../../../kit/jobs/scanner.ts'
import { createSessionLocks } from '../../../kit/outbox/session-locks.ts'
import { accountsTopic } from '../account-topic.ts'
import { type ListenerContext, listenToMailbox } from './listener.ts'
import { listReceivingAccounts, type MailboxAccount } from './queries.ts'

const scanIntervalMs = 5000
/** The accounts that a process listens to. */
const listenersMax = 200

interface Listener {
  controller: AbortController
  ended: Promise<void>
}

export function mailboxService({
  accounts,
  cipher,
  starter,
  reconnectMs = 1000,
}: Pick<ListenerContext, 'accounts' | 'cipher' | 'starter'> & { reconnectMs?: number }): BackgroundService {
  return {
    start({ database, log }: ServiceContext) {
      const providerIds = accounts.list().flatMap(({ id, mailbox }) => (mailbox ? id : []))
      if (providerIds.length === 0) return { stop: async () => {} }
      const stopping = new AbortController()
      const locks = createSessionLocks(database.direct)
      const listeners = new Map<string, Listener>()
      const context = { accounts, cipher, starter, database, log, locks, reconnectMs }
      const listen = (mailbox: MailboxAccount) => {
        const controller = new AbortController()
        const ended = listenToMailbox(mailbox, context, controller.signal)
          .catch(error =>
            log.warn({ err: error, accountId: mailbox.accountId }, 'a mailbox could not be read'),
          )
          .finally(() => listeners.delete(mailbox.accountId))
        listeners.set(mailbox.accountId, { controller, ended })
      }
      const scan = async () => {
        try {
          const found = await listReceivingAccounts(database, providerIds, 5 * listenersMax)
          const receiving = found.filter(
            ({ provider, environment }) => accounts.getProvider(provider, environment)?.mailbox,
          )
          const ids = new Set(receiving.map(({ accountId }) => accountId))
          for (const [id, { controller }] of listeners) if (!ids.has(id)) controller.abort()
          for (const mailbox of receiving)
            if (
              listeners.size < listenersMax &&
              !listeners.has(mailbox.accountId) &&
              !stopping.signal.aborted
            )
              listen(mailbox)
        } catch (error) {
          log.debug({ err: error }, 'the mailboxes could not be listed')
        }
      }
      const scanner = createScanner(scan, stopping.signal)
      // The credentials may have changed: connect again.
      const restart = async (accountId: string) => {
        const listener = listeners.get(accountId)
        listener?.controller.abort()
        await listener?.ended
        scanner.request(null)
      }
      const unlisten = database.notifications.on(accountsTopic, accountId => void restart(accountId))
      const timer = setInterval(() => scanner.request(null), scanIntervalMs)
      scanner.request(null)
      return {
        async stop() {
          stopping.abort()
          unlisten()
          clearInterval(timer)
          await scanner.idle()
          for (const { controller } of listeners.values()) controller.abort()
          await Promise.all([...listeners.values()].map(({ ended }) => ended))
          await locks.close()
        },
      }
    },
  }
}
