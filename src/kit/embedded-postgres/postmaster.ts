/** The server process: whether one is running, how it is started and stopped. */
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

/** What postmaster.pid says; the process it names may be long gone. */
interface PostmasterFile {
  pid: number
  port: number
  /** `starting`, `ready`, `stopping`; empty until the server has written it */
  status: string
}

/** Reads postmaster.pid, PostgreSQL's own lock file. */
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

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Whether `pid` is a server of this cluster, and not another process that was given the same id, or one that
 * is dead and that nobody has collected (both usual in containers). Without /proc the id alone has to do.
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
 * Starts a server and waits until it takes connections, however long it needs to recover. It is in a session of its
 * own: a terminal's Ctrl-C does not reach it, so that we can finish our work and stop it last.
 * @returns its pid; undefined if another server, or what is left of one, or a taken port was in the way: try again
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
      // English messages, and nothing of our own environment, where secrets may be.
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
        log(`PostgreSQL is still starting; ${cluster.logFile} tells how far its recovery is`)
      }
      await sleep(pollMs)
    }
  } finally {
    await logHandle.close()
  }
}

/**
 * Stops the server: smart (clients may finish) for 5 s, fast for 10 s, then immediate, from which it recovers at
 * its next start. Resolves when the process is gone.
 * @param onStopping called once no new connection is let in
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
    `PostgreSQL (pid ${pid}) does not stop: end it with "kill -9 ${pid}", it recovers at its next start.`,
  )
}

function signal(cluster: Cluster, pid: number, name: NodeJS.Signals): boolean {
  // Never to a process that has got the id since.
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

async function checkExit(cluster: Cluster, output: string): Promise<undefined> {
  const conflictPattern =
    /lock file "[^"]+" (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets/
  if (!conflictPattern.test(output)) throw await explainOutput(cluster, 'PostgreSQL could not start', output)
}

/**
 * PostgreSQL takes any living process of its user for a server if postmaster.pid names it. Where we know better,
 * the file has to go. Should a server have been left without its parent, PostgreSQL still sees its shared memory.
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
