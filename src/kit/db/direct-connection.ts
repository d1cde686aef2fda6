/**
 * The connection of a process with a lasting session, for LISTEN and advisory locks. It bypasses any pooler, and
 * reconnects when it breaks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionConfig, prepareConnection } from './connection.ts'
import { openPool } from './pools.ts'

const firstBackoffMs = 100
const backoffMaxMs = 1000

/**
 * After 25 s of silence, the server closes the connection of a machine that lost power, which releases its locks. The
 * system's default is two hours.
 */
const settings = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' }
/** The process gives up a session before the server does: after 20 s of silence it no longer relies on its locks. */
const defaultHeartbeat = { everyMs: 5000, replyMaxMs: 15_000 }
/** Identifies the connection in pg_stat_activity. */
const heartbeatText = "select 'heartbeat of the direct connection'"

/** A session on the connection. Its locks and LISTENs are lost once `lost` is aborted. */
export interface Session {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>
  lost: AbortSignal
  /** Calls the listener for each notification of the channel. Returns a stop function. */
  onNotification(channel: string, listener: (message: pg.Notification) => void): () => void
}

export interface DirectConnection {
  /**
   * Returns the current session; the first call opens it. Throws if the database is unavailable; retries in the
   * background.
   */
  getSession(): Promise<Session>
  /** Opens the connection, and runs `work` in the current session and again in each later one. */
  onSession(work: (session: Session) => Promise<void>): void
  close(): Promise<void>
}

/** Creates the connection. It is opened on first use. */
export function createDirectConnection(
  directUrl: string,
  onError: (error: Error) => void,
  heartbeat = defaultHeartbeat,
): DirectConnection {
  const closing = new AbortController()
  const sessionHandlers = new Set<(session: Session) => Promise<void>>()
  let running: Promise<void> | null = null
  let currentSession: Session | null = null
  /** Resolves to the current or next session; rejects with the reason why there is none. */
  let pendingSession = createPendingSession()

  const serve = async (session: Session) => {
    currentSession = session
    session.lost.addEventListener('abort', () => {
      currentSession = null
      pendingSession = createPendingSession()
    })
    pendingSession.resolve(session)
    for (const work of sessionHandlers) void work(session).catch(onError)
    await waitUntilAborted([session.lost, closing.signal])
  }
  const keepOpen = async () => {
    let backoffMs = firstBackoffMs
    while (!closing.signal.aborted) {
      const client = new pg.Client({ ...connectionConfig(directUrl), pipeline: true } as pg.ClientConfig)
      client.on('error', onError)
      try {
        await serve(await openSession(client, heartbeat))
        backoffMs = firstBackoffMs
        await client.end().catch(onError)
        await pause(backoffMs)
      } catch (error) {
        onError(error as Error)
        pendingSession.reject(error)
        await client.end().catch(onError)
        await pause(backoffMs)
        pendingSession = createPendingSession()
        backoffMs = Math.min(backoffMs * 2, backoffMaxMs)
      }
    }
    pendingSession.reject(new Error('the direct connection is closed'))
  }
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => {})
  const start = () => {
    running ??= keepOpen()
  }
  return {
    getSession() {
      start()
      return pendingSession.promise
    },
    onSession(work) {
      sessionHandlers.add(work)
      start()
      if (currentSession) void work(currentSession).catch(onError)
    },
    async close() {
      closing.abort()
      await running
    },
  }
}

/** Creates a promise whose rejection may stay unhandled. */
function createPendingSession(): PromiseWithResolvers<Session> {
  const pendingSession = Promise.withResolvers<Session>()
  pendingSession.promise.catch(() => {})
  return pendingSession
}

async function openSession(
  client: pg.Client,
  { everyMs, replyMaxMs }: typeof defaultHeartbeat,
): Promise<Session> {
  const lost = new AbortController()
  client.once('error', () => lost.abort())
  client.once('end', () => lost.abort())
  await client.connect()
  await prepareConnection(client, { settings })
  // Without a reply in time, the client closes the connection. The types of pg lack this option.
  const heartbeatQuery: pg.QueryConfig = Object.assign({ text: heartbeatText }, { query_timeout: replyMaxMs })
  const timer = setInterval(() => void client.query(heartbeatQuery).catch(() => {}), everyMs)
  lost.signal.addEventListener('abort', () => clearInterval(timer))
  return {
    query: (text, values) => client.query(text, values),
    lost: lost.signal,
    onNotification(channel, listener) {
      const own = (message: pg.Notification) => {
        if (message.channel === channel) listener(message)
      }
      client.on('notification', own)
      return () => client.off('notification', own)
    },
  }
}

function waitUntilAborted(signals: AbortSignal[]): Promise<void> {
  const any = AbortSignal.any(signals)
  return new Promise(resolve => {
    if (any.aborted) resolve()
    else any.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Runs `work` with a separate pool that bypasses any pooler, and closes it afterwards. */
export async function withSessionPool<T>(
  directUrl: string,
  onError: (error: Error) => void,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const prepare = (client: pg.ClientBase) => prepareConnection(client, { settings })
  const pool = openPool(directUrl, { max: 2, pipeline: false, prepare, onError })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
