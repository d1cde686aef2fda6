/** Listens to the inboxes of all accounts, such as mailboxes, in the processes that take jobs. */
import type { BackgroundService, ServiceContext } from '../../../kit/jobs/background-service.ts'
import { createScanner } from '../../../kit/jobs/scanner.ts'
import { createSessionLocks } from '../../../kit/outbox/session-locks.ts'
import { accountsTopic } from '../account-topic.ts'
import { type ListenerContext, listenToInbox } from './listener.ts'
import { type InboxAccount, listReceivingAccounts } from './queries.ts'

const scanIntervalMs = 5000
/** The accounts that a process listens to. */
const listenersMax = 200

interface Listener {
  controller: AbortController
  ended: Promise<void>
}

export function inboxService({
  accounts,
  cipher,
  starter,
  reconnectMs = 1000,
}: Pick<ListenerContext, 'accounts' | 'cipher' | 'starter'> & { reconnectMs?: number }): BackgroundService {
  return {
    start({ database, log }: ServiceContext) {
      const providerIds = accounts.list().flatMap(({ id, inbox }) => (inbox ? id : []))
      if (providerIds.length === 0) return { stop: async () => {} }
      const stopping = new AbortController()
      const locks = createSessionLocks(database.direct)
      const listeners = new Map<string, Listener>()
      const context = { accounts, cipher, starter, database, log, locks, reconnectMs }
      const listen = (inbox: InboxAccount) => {
        const controller = new AbortController()
        const ended = listenToInbox(inbox, context, controller.signal)
          .catch(error => log.warn({ err: error, accountId: inbox.accountId }, 'an inbox could not be read'))
          .finally(() => listeners.delete(inbox.accountId))
        listeners.set(inbox.accountId, { controller, ended })
      }
      const scan = async () => {
        try {
          const found = await listReceivingAccounts(database, providerIds, 5 * listenersMax)
          const receiving = found.filter(
            ({ provider, environment }) => accounts.getProvider(provider, environment)?.inbox,
          )
          const ids = new Set(receiving.map(({ accountId }) => accountId))
          for (const [id, { controller }] of listeners) if (!ids.has(id)) controller.abort()
          for (const inbox of receiving)
            if (listeners.size < listenersMax && !listeners.has(inbox.accountId) && !stopping.signal.aborted)
              listen(inbox)
        } catch (error) {
          log.debug({ err: error }, 'the inboxes could not be listed')
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
