/** Listens to the mailboxes of all accounts in the processes that take jobs. */
import type { BackgroundService, ServiceContext } from '../../../kit/jobs/background-service.ts'
import { createScanner } from '../../../kit/jobs/scanner.ts'
import { createSessionLocks } from '../../../kit/outbox/session-locks.ts'
import { accountsTopic } from '../account-topic.ts'
import { type ListenerContext, listenToMailbox } from './listener.ts'
import { listMailboxes, type MailboxAccount } from './queries.ts'

const scanIntervalMs = 5000
/** The accounts that a process listens to. */
const listenersMax = 200
/** A mailbox that another process reads is not tried again for so long. */
const elsewhereMs = 20_000

const environments = ['live', 'test'] as const

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
      const readable = environments.flatMap(environment =>
        accounts
          .list()
          .flatMap(({ id }) =>
            accounts.getProvider(id, environment)?.mailbox ? { environment, provider: id } : [],
          ),
      )
      if (readable.length === 0) return { stop: async () => {} }
      const stopping = new AbortController()
      const locks = createSessionLocks(database.direct)
      const listeners = new Map<string, Listener>()
      /** The mailboxes that other processes read, with the time until when they are left to them. */
      const elsewhere = new Map<string, number>()
      const context = { accounts, cipher, starter, database, log, locks, reconnectMs }
      const listen = (mailbox: MailboxAccount) => {
        const controller = new AbortController()
        const { accountId } = mailbox
        const ended = listenToMailbox(mailbox, context, controller.signal)
          .then(
            isOurs => {
              if (!isOurs) elsewhere.set(accountId, performance.now() + elsewhereMs)
            },
            error => log.warn({ err: error, accountId }, 'a mailbox could not be read'),
          )
          .finally(() => listeners.delete(accountId))
        listeners.set(accountId, { controller, ended })
      }
      const scan = async () => {
        try {
          for (const [id, untilMs] of elsewhere) if (untilMs <= performance.now()) elsewhere.delete(id)
          const mailboxes = await listMailboxes(database, readable, {
            own: [...listeners.keys()],
            elsewhere: [...elsewhere.keys()],
            limit: listenersMax,
          })
          const ids = new Set(mailboxes.map(({ accountId }) => accountId))
          for (const [id, { controller }] of listeners) if (!ids.has(id)) controller.abort()
          for (const mailbox of mailboxes)
            if (!listeners.has(mailbox.accountId) && !stopping.signal.aborted) listen(mailbox)
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
