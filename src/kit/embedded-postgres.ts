/**
 * The embedded database: PostgreSQL 18 from npm, in Aldaba's data directory. The first start creates it. All Aldaba
 * processes on the directory share one server. If the process that started it was killed, the others keep using it; the
 * last one to exit stops it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, hasCluster, locateCluster } from './embedded-postgres/cluster.ts'
import { EmbeddedPostgresError } from './embedded-postgres/error.ts'
import { explainError, explainLoss } from './embedded-postgres/explain.ts'
import { ensureDatabase, initializeCluster, removeUnfinished } from './embedded-postgres/initialize.ts'
import {
  isServing,
  launchPostmaster,
  readPostmasterFile,
  stopPostmaster,
} from './embedded-postgres/postmaster.ts'
import {
  announcePresence,
  claimOwnership,
  connectSession,
  hasOtherProcesses,
  withdrawPresence,
} from './embedded-postgres/session.ts'
import { connectionUrl } from './embedded-postgres/settings.ts'

export { EmbeddedPostgresError }

const retryMs = 20
const answerTimeoutMs = 60_000

export interface EmbeddedPostgres {
  /** Connection string of the role `aldaba`, which owns the database `aldaba` and is not a superuser. */
  databaseUrl: string
  /** Connection string of the superuser, to the database `postgres`. */
  superuserUrl: string
  /** False if another live Aldaba process was already using the server. */
  owner: boolean
  /** Resolves with a message for the log if the server exits before stop(). Never rejects. */
  lost: Promise<string>
  /** Detaches, and stops the server if no other Aldaba process uses it. Close all other connections first. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** PostgreSQL's files are in `<dataDir>/postgres`, its log is `<dataDir>/postgres.log`. */
  dataDir: string
  passwords: { superuser: string; owner: string }
  /** own: for an Aldaba server; only one may run at a time. join: for a command, which may run beside it or alone. */
  mode: 'own' | 'join'
  log: (message: string) => void
  /** More PostgreSQL settings. They apply only if this process starts the server. */
  settings?: Record<string, string>
  /** How long `own` waits for another Aldaba server to exit, in milliseconds. Default: 5000. */
  ownerWaitMs?: number
}

/** The connection of this process to the running server. */
interface Attachment {
  cluster: Cluster
  pid: number
  port: number
  session: pg.Client
}

/**
 * Creates, starts or joins the server of a data directory.
 * @throws EmbeddedPostgresError with a message that says what is wrong and what to do
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  let cluster: Cluster | undefined
  try {
    cluster = await locateCluster(options.dataDir)
    return await openCluster(cluster, options)
  } catch (error) {
    throw await explainError(error, options.dataDir, cluster)
  }
}

async function openCluster(cluster: Cluster, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { passwords, mode, log } = options
  await removeUnfinished(cluster)
  if (!(await hasCluster(cluster))) {
    log(`creating the PostgreSQL database in ${cluster.directory}`)
    await initializeCluster(cluster, passwords.superuser)
  }
  const attachment = await attach(cluster, options)
  const superuserUrl = (database: string) =>
    toSuperuserUrl(cluster, attachment.port, passwords.superuser, database)
  try {
    if (mode === 'own') await claimOwnership(attachment.session, options.ownerWaitMs ?? 5000, cluster.dataDir)
    await ensureDatabase(attachment.session, passwords.owner, superuserUrl)
    return {
      databaseUrl: connectionUrl(cluster, attachment.port, {
        role: 'aldaba',
        password: passwords.owner,
        database: 'aldaba',
      }),
      superuserUrl: superuserUrl('postgres'),
      owner: mode === 'own' || !(await hasOtherProcesses(attachment.session)),
      ...keepAttached(attachment, superuserUrl('postgres'), mode),
    }
  } catch (error) {
    await detach(attachment)
    throw error
  }
}

/** Connects to the server of the directory. Starts it if none is running. */
async function attach(cluster: Cluster, options: EmbeddedPostgresOptions): Promise<Attachment> {
  const deadline = performance.now() + answerTimeoutMs
  let launchedPid: number | undefined
  for (;;) {
    const file = readPostmasterFile(cluster)
    const isRunning = file !== undefined && isServing(file.pid, cluster)
    try {
      // Try the socket even if the process is not visible: it may run in another container on the same volume.
      const session =
        file && (isRunning || cluster.hasSocket)
          ? await connectIfUp(
              toSuperuserUrl(cluster, file.port, options.passwords.superuser, 'postgres'),
              cluster,
            )
          : undefined
      if (file && session) {
        if (await isAccepted(session, cluster)) return { cluster, pid: file.pid, port: file.port, session }
      } else if (!isRunning) {
        launchedPid = await launchPostmaster(cluster, options.settings, options.log)
        if (launchedPid) continue
      }
    } catch (error) {
      if (launchedPid) await stopPostmaster(cluster, launchedPid)
      throw error
    }
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL${file ? ` (pid ${file.pid})` : ''} in ${cluster.directory} was not ready within ${answerTimeoutMs / 1000} s: read the end of ${cluster.logFile}, end that process if it hangs, and start again.`,
      )
    }
    await sleep(retryMs)
  }
}

/** Returns undefined if no server listens, or if it is starting or stopping. */
async function connectIfUp(url: string, { directory }: Cluster): Promise<pg.Client | undefined> {
  try {
    return await connectSession(url)
  } catch (error) {
    const state = error instanceof pg.DatabaseError ? error.code : undefined
    if (state === '28P01' || state === '28000') {
      throw new EmbeddedPostgresError(
        `The PostgreSQL database in ${directory} does not accept the stored password: the secrets were lost or replaced since the database was created. Restore the old ones, or choose another DATA_DIR.`,
        { cause: error },
      )
    }
    // 57P01 to 57P03: the server is starting, recovering or stopping.
    if (state !== undefined && !state.startsWith('57P')) throw error
    return undefined
  }
}

/** Announces this process, then checks that the server stays: another process may just be stopping it. */
async function isAccepted(session: pg.Client, cluster: Cluster): Promise<boolean> {
  try {
    await announcePresence(session)
    if (readPostmasterFile(cluster)?.status === 'ready') return true
  } catch {
    // The server closed the connection while we waited.
  }
  await session.end().catch(() => {})
  return false
}

/** Watches the connection until stop(), and connects again when the server restarts itself after a crash. */
function keepAttached(
  attachment: Attachment,
  url: string,
  mode: 'own' | 'join',
): { lost: Promise<string>; stop(): Promise<void> } {
  let isStopping = false
  let detaching: Promise<void> | undefined
  const { promise: lost, resolve: resolveLost } = Promise.withResolvers<string>()

  const watch = () => attachment.session.once('end', () => void reattach())
  const reattach = async () => {
    while (!isStopping && isServing(attachment.pid, attachment.cluster)) {
      const session = await connectIfUp(url, attachment.cluster).catch(() => undefined)
      if (session && (await isAccepted(session, attachment.cluster))) {
        attachment.session = session
        watch()
        if (mode === 'own') await claimOwnership(session, 0, attachment.cluster.dataDir).catch(() => {})
        return
      }
      await sleep(retryMs)
    }
    if (!isStopping) resolveLost(await explainLoss(attachment.cluster, attachment.pid))
  }
  watch()
  return {
    lost,
    stop() {
      isStopping = true
      detaching ??= detach(attachment)
      return detaching
    },
  }
}

async function detach({ cluster, pid, session }: Attachment): Promise<void> {
  // If the server no longer answers, no other process uses it either.
  const isLast = await withdrawPresence(session).catch(() => true)
  const endSession = () => session.end().catch(() => {})
  if (isLast) await stopPostmaster(cluster, pid, endSession)
  else await endSession()
}

function toSuperuserUrl(cluster: Cluster, port: number, password: string, database: string): string {
  return connectionUrl(cluster, port, { role: 'postgres', password, database })
}
