/** Notifications between processes with LISTEN and NOTIFY, sent when a transaction commits. */
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { getContext } from './context.ts'
import type { DirectConnection, Session } from './direct-connection.ts'
import type { DB } from './tables.generated.ts'

const channel = 'aldaba_changes'

/**
 * Notifications by topic, such as `extraction:<id>`. A notification says that something may have changed; read the
 * state again. None is lost after a listener was added, except while the connection is down; when it is back, every
 * listener is called once. If that may be too late, also poll.
 */
export interface Notifications {
  /**
   * Calls the listener for each notification of the topic, with its detail; with an empty detail if some may have been
   * missed. Returns a stop function.
   */
  on(topic: string, listener: (detail: string) => void): () => void
  /** Starts to record notifications of the topic. Call it before reading the state whose change you wait for. */
  watch(topic: string): Watch
  /** Sends the notifications of a committed transaction. */
  send(messages: Iterable<string>): void
  /** Waits until all notifications are sent. */
  close(): Promise<void>
}

export interface Watch {
  /**
   * Waits for a notification until the timeout or the signal's abort. Returns at once if one was received since the
   * last call. Returns whether there was one.
   */
  next(options: { timeoutMs: number; signal: AbortSignal }): Promise<boolean>
  stop(): void
}

/**
 * Notifies all processes on commit. A notification is lost only in a process that is not connected. Such commits wait
 * for each other (decision 29), so use it for rare changes. `topic`: may be followed by a space and a detail.
 */
export async function notifyOnCommit(db: Kysely<DB>, topic: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${topic})`.execute(db)
}

/**
 * Notifies all processes right after the commit, together with the notifications of other transactions. If the process
 * is killed in between, the notification is lost; so use it for listeners that also poll.
 */
export function notifyAfterCommit(tx: Kysely<DB>, topic: string): void {
  getContext(tx).messages.add(topic)
}

/** Creates the notifications. Opens the direct connection with the first listener. Sends through `pool`. */
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
    // Some notifications may have been missed until now.
    call([...listeners.values()].flatMap(some => [...some]))
  }

  const on: Notifications['on'] = (topic, listener) => {
    // A separate function allows the same listener to be added twice.
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
  // One statement at a time, with all notifications that have accumulated.
  const sendWaiting = async () => {
    while (waiting.size > 0) {
      const messages = [...waiting]
      waiting.clear()
      await sendMessages(pool, messages).catch(onError)
    }
    sending = null
  }
  return {
    on,
    watch: topic => watch(listener => on(topic, listener)),
    send(messages) {
      for (const message of messages) waiting.add(message)
      if (waiting.size > 0) sending ??= sendWaiting()
    },
    async close() {
      await sending
    },
  }
}

/** Sends notifications without waiting for the disk, because nothing else is written. */
async function sendMessages(pool: pg.Pool, messages: string[]): Promise<void> {
  await pool.query(
    `select pg_notify('${channel}', message)
     from unnest($1::text[]) message, (select set_config('synchronous_commit', 'off', true)) setting`,
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
