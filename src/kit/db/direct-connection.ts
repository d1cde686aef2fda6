/**
 * The one connection of a process that keeps its session: it listens and holds advisory locks. It goes to the server itself, past
 * any pooler, and opens again whenever it breaks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionConfig, prepareConnection } from './connection.ts'
import { openPool } from './pools.ts'

const firstBackoffMs = 100
const backoffMaxMs = 1000

/** The server drops the locks of a process that lost its power after 25 s of silence; the system's own default is two hours. */
const settings = { tcp_keepalives_idle: '10', tcp_keepalives_interval: '5', tcp_keepalives_count: '3' }
/** The process gives a session up before the server does: after 20 s of silence nobody believes in its locks any more. */
const defaultHeartbeat = { everyMs: 5000, replyMaxMs: 15_000 }
/** So pg_stat_activity tells which connection it is. */
const heartbeatText = "select 'heartbeat of the direct connection'"

/** The connection as long as it lasts. Locks and LISTENs of a session are gone once `lost` is aborted. */
export interface Session {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>
  lost: AbortSignal
  /** Calls the listener at every notification of the channel. Returns how to end that. */
  onNotification(channel: string, listener: (message: pg.Notification) => void): () => void
}

export interface DirectConnection {
  /** The present session; opens it when first called. Throws if the database is away: it is tried anew in the background. */
  session(): Promise<Session>
  /** Runs `work` at once if there is a session, and anew in every later one. Opens the connection. */
  onSession(work: (session: Session) => Promise<void>): void
  close(): Promise<void>
}

export function createDirectConnection(
  directUrl: string,
  onError: (error: Error) => void,
  heartbeat = defaultHeartbeat,
): DirectConnection {
  const closing = new AbortController()
  const sessionHandlers = new Set<(session: Session) => Promise<void>>()
  let running: Promise<void> | null = null
  let open: Session | null = null
  /** The present session, or the next one; rejected: why there is none. */
  let pendingSession = createPendingSession()

  const serve = async (session: Session) => {
    open = session
    session.lost.addEventListener('abort', () => {
      open = null
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
    session() {
      start()
      return pendingSession.promise
    },
    onSession(work) {
      sessionHandlers.add(work)
      start()
      if (open) void work(open).catch(onError)
    },
    async close() {
      closing.abort()
      await running
    },
  }
}

/** Nobody need wait for it. */
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
  // Without a reply in time the client closes the connection. The types of pg lack the option.
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

/** Runs `work` with a pool of its own at the server itself, which is closed behind it. */
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
