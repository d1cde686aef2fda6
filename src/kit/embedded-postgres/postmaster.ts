/** Detects, starts and stops the server process. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, socketPort } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import { explainOutput, readLog } from './explain.ts'
import { postgresArguments } from './settings.ts'

const pollMs = 5
const logSizeMax = 10_000_000
const slowStartMs = 5000

/** The content of postmaster.pid. The process may no longer exist. */
interface PostmasterFile {
  pid: number
  port: number
  /** `starting`, `ready` or `stopping`; empty until the server has written it. */
  status: string
}

/** Reads postmaster.pid, PostgreSQL's lock file. */
export function readPostmasterFile({ directory }: Cluster): PostmasterFile | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const pid = Number(lines[0])
  return pid > 0 ? { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? '' } : undefined
}

/** Returns whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Returns whether `pid` is a server of this cluster, and not another process with a reused id or a zombie (both are
 * common in containers). Without /proc, only the id is checked.
 */
export function isServing(pid: number, { directory }: Cluster): boolean {
  if (!isAlive(pid)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(directory)
  } catch {
    return !existsSync('/proc/self/cmdline')
  }
}

/**
 * Starts a server and waits until it accepts connections, without a time limit for its recovery. The server runs in its
 * own session, so that Ctrl-C in a terminal does not reach it; Aldaba stops it last.
 * @returns its pid; undefined if another server, its remains or a used port caused a conflict: then try again
 */
export async function launchPostmaster(
  cluster: Cluster,
  settings: Record<string, string> | undefined,
  log: (message: string) => void,
): Promise<number | undefined> {
  await clearReusedPid(cluster)
  const port = cluster.hasSocket ? socketPort : await findFreePort()
  const logHandle = await openLog(cluster)
  try {
    const logStart = (await logHandle.stat()).size
    const child = spawn(cluster.postgres, postgresArguments(cluster, port, settings), {
      ...cluster.user,
      cwd: cluster.directory,
      // English messages. Pass nothing else of our environment, which may hold secrets.
      env: { LC_ALL: 'C' },
      detached: true,
      stdio: ['ignore', logHandle.fd, logHandle.fd],
    })
    let spawnError: Error | undefined
    child.once('error', error => {
      spawnError = error
    })
    child.unref()
    const slowAt = performance.now() + slowStartMs
    for (let isSlow = false; ; ) {
      if (spawnError) throw spawnError
      if (child.exitCode !== null || child.signalCode !== null) {
        return await checkExit(cluster, await readLog(cluster, logStart))
      }
      const file = readPostmasterFile(cluster)
      if (file?.pid === child.pid && file?.status === 'ready') return child.pid
      if (!isSlow && performance.now() > slowAt) {
        isSlow = true
        log(`PostgreSQL is still starting; ${cluster.logFile} shows the progress of its recovery`)
      }
      await sleep(pollMs)
    }
  } finally {
    await logHandle.close()
  }
}

/**
 * Stops the server: smart (clients may finish) for 5 s, fast for 10 s, then immediate, after which it recovers at its
 * next start. Resolves when the process has exited.
 * @param onStopping called once the server accepts no new connections
 */
export async function stopPostmaster(
  cluster: Cluster,
  pid: number,
  onStopping: () => Promise<void> = async () => {},
): Promise<void> {
  if (!signal(cluster, pid, 'SIGTERM')) return await onStopping()
  await waitUntil(() => !isServing(pid, cluster) || readPostmasterFile(cluster)?.status === 'stopping', 5000)
  await onStopping()
  if (await waitUntil(() => !isServing(pid, cluster), 5000)) return
  signal(cluster, pid, 'SIGINT')
  if (await waitUntil(() => !isServing(pid, cluster), 10_000)) return
  signal(cluster, pid, 'SIGQUIT')
  if (await waitUntil(() => !isServing(pid, cluster), 10_000)) return
  throw new EmbeddedPostgresError(
    `PostgreSQL (pid ${pid}) does not stop: end it with "kill -9 ${pid}"; it recovers at its next start.`,
  )
}

function signal(cluster: Cluster, pid: number, name: NodeJS.Signals): boolean {
  // Never signal another process that reuses the id.
  if (!isServing(pid, cluster)) return false
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!condition()) {
    if (performance.now() > deadline) return false
    await sleep(pollMs)
  }
  return true
}

/** Throws unless the exit was caused by a conflict with another server or a used port. */
async function checkExit(cluster: Cluster, output: string): Promise<undefined> {
  const conflictPattern =
    /lock file "[^"]+" (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets/
  if (!conflictPattern.test(output)) throw await explainOutput(cluster, 'PostgreSQL could not start', output)
}

/**
 * Removes postmaster.pid if its process is not a server of this cluster. PostgreSQL would take any living process of
 * its user for a server. If child processes of a dead server remain, PostgreSQL still detects their shared memory.
 */
async function clearReusedPid(cluster: Cluster): Promise<void> {
  const file = readPostmasterFile(cluster)
  if (!file || !isAlive(file.pid) || isServing(file.pid, cluster)) return
  const locks = (await readdir(cluster.directory)).filter(name => /^\.s\.PGSQL\.\d+\.lock$/.test(name))
  if (readPostmasterFile(cluster)?.pid !== file.pid) return
  for (const name of ['postmaster.pid', ...locks]) await rm(join(cluster.directory, name), { force: true })
}

async function openLog({ logFile }: Cluster): Promise<FileHandle> {
  const handle = await open(logFile, 'a', 0o600)
  if ((await handle.stat()).size > logSizeMax) await handle.truncate()
  return handle
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}
