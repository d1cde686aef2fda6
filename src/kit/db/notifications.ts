/** News between processes: who waits for something to change hears of it when the transaction that changed it commits. */
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { getContext } from './context.ts'
import type { DirectConnection, Session } from './direct-connection.ts'
import type { DB } from './tables.generated.ts'

const channel = 'aldaba_changes'

/**
 * Notices by topic, such as `extraction:<id>`. A notice says that something may have changed, not what: read it anew.
 * None is lost between a subscription and the notice's commit, but for those sent while the connection to the database
 * is down: when it is back, every listener is called once. Who can not wait that long also asks from time to time.
 */
export interface Notifications {
  /**
   * Calls the listener at every notice of the topic, with its detail; without one if notices may have been missed. Returns
   * how to end that.
   */
  on(topic: string, listener: (detail: string) => void): () => void
  /** Begins to remember notices of the topic: do so before reading the state whose change is waited for. */
  watch(topic: string): Watch
  /** Sends the notices of a transaction that was committed. */
  send(messages: Iterable<string>): void
  /** Sends what is left to be sent. */
  close(): Promise<void>
}

export interface Watch {
  /**
   * Waits for a notice, at most `timeoutMs` and not beyond the signal; one that came since the last `next`, or since the
   * watch began, counts at once. Returns whether there was one.
   */
  next(options: { timeoutMs: number; signal: AbortSignal }): Promise<boolean>
  stop(): void
}

/**
 * Notifies every process of a change, with the commit: a notice gets lost only where nobody is connected. Commits that notify wait
 * for each other (ADR 29): for what is rare. A notice is its topic, or its topic, a blank and a detail.
 */
export async function notifyOnCommit(db: Kysely<DB>, topic: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${topic})`.execute(db)
}

/**
 * Notifies every process of a change, right after the commit and together with the notices of other transactions. A process that is
 * killed in between notifies nobody: for listeners that also look from time to time.
 */
export function notifyAfterCommit(tx: Kysely<DB>, topic: string): void {
  getContext(tx).messages.add(topic)
}

/** Listens on the direct connection from the first listener on. Sends notices through `pool`. */
export function createNotifications(
  direct: DirectConnection,
  pool: pg.Pool,
  onError: (error: Error) => void,
): Notifications {
  const listeners = new Map<string, Set<(detail: string) => void>>()
  let isListening = false
  const call = (some: Iterable<(detail: string) => void> = [], detail = '') => {
    for (const listener of [...some]) listener(detail)
  }
  const listen = async (session: Session) => {
    session.onNotification(channel, ({ payload = '' }) => {
      const [topic, detail] = payload.split(' ', 2)
      call(listeners.get(topic!), detail)
    })
    await session.query(`listen ${channel}`)
    // Something may have been missed until now.
    call([...listeners.values()].flatMap(some => [...some]))
  }

  const on: Notifications['on'] = (topic, listener) => {
    // A function of its own, so that one listener may be there twice.
    const own = (detail: string) => listener(detail)
    listeners.set(topic, (listeners.get(topic) ?? new Set()).add(own))
    if (!isListening) direct.onSession(listen)
    isListening = true
    return () => {
      const some = listeners.get(topic)
      some?.delete(own)
      if (some?.size === 0) listeners.delete(topic)
    }
  }
  const waiting = new Set<string>()
  let sending: Promise<void> | null = null
  // One statement at a time, with all that came meanwhile.
  const sendWaiting = async () => {
    while (waiting.size > 0) {
      const messages = [...waiting]
      waiting.clear()
      await sendNotices(pool, messages).catch(onError)
    }
    sending = null
  }
  return {
    on,
    watch: topic => watch(listener => on(topic, listener)),
    send(messages) {
      for (const notice of messages) waiting.add(notice)
      if (waiting.size > 0) sending ??= sendWaiting()
    },
    async close() {
      await sending
    },
  }
}

/** Nothing is written but the notices: whether the disk has heard of them does not matter. */
async function sendNotices(pool: pg.Pool, messages: string[]): Promise<void> {
  await pool.query(
    `select pg_notify('${channel}', notice)
     from unnest($1::text[]) notice, (select set_config('synchronous_commit', 'off', true)) careless`,
    [messages],
  )
}

function watch(listen: (listener: () => void) => () => void): Watch {
  let isNotified = false
  let wake = () => {}
  const stop = listen(() => {
    isNotified = true
    wake()
  })
  return {
    stop,
    async next({ timeoutMs, signal }) {
      if (!isNotified && !signal.aborted) {
        await new Promise<void>(resolve => {
          const timer = setTimeout(() => wake(), timeoutMs)
          wake = () => {
            clearTimeout(timer)
            signal.removeEventListener('abort', wake)
            resolve()
          }
          signal.addEventListener('abort', wake, { once: true })
        })
      }
      const wasNotified = isNotified
      isNotified = false
      return wasNotified
    },
  }
}
