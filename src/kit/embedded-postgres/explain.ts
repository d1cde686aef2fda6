/** Turns failures of PostgreSQL or the operating system into one message for the operator. */
import { open, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Cluster, ServerUser } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'

const tailBytes = 8192

/**
 * Explains a program's failure from its output; if the cause is unknown, quotes its last lines.
 * @param failure the start of the message, such as `PostgreSQL could not start`
 */
export async function explainOutput(
  cluster: Cluster,
  failure: string,
  output: string,
): Promise<EmbeddedPostgresError> {
  // On a full disk, even the log may lack the error.
  if (/No space left on device|Disk quota exceeded/.test(output) || (await isFull(cluster.dataDir))) {
    return new EmbeddedPostgresError(fullDisk(failure, cluster.dataDir))
  }
  if (/error while loading shared libraries/.test(output)) {
    return new EmbeddedPostgresError(
      `${failure}, because its installation is incomplete: run "npm ci" with install scripts allowed, or set DATABASE_URL (${lastLines(output, 1)}).`,
    )
  }
  if (cluster.user && /permission denied/i.test(output)) return explainNoAccess(cluster, cluster.user)
  return new EmbeddedPostgresError(
    `${failure} in ${cluster.directory}: fix the error in its last lines, or set DATABASE_URL to use another PostgreSQL.\n${lastLines(output, 8)}`,
  )
}

/** Explains an error that was thrown during the start. Returns other errors unchanged. */
export async function explainError(error: unknown, dataDir: string, cluster?: Cluster): Promise<unknown> {
  if (error instanceof EmbeddedPostgresError || !(error instanceof Error)) return error
  const { code, syscall, path } = error as NodeJS.ErrnoException
  // 53100 is PostgreSQL's code for a full disk.
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100') {
    return new EmbeddedPostgresError(fullDisk('PostgreSQL could not start', dataDir), { cause: error })
  }
  if (cluster && syscall?.startsWith('spawn')) return explainSpawn(error, cluster)
  if (code !== undefined && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code)) {
    return new EmbeddedPostgresError(
      `The data directory ${dataDir} cannot be used (${code} at ${path ?? dataDir}): make it a directory that this user may write, choose another DATA_DIR, or set DATABASE_URL.`,
      { cause: error },
    )
  }
  return error
}

/** Explains why a running server has exited, from the end of its log. */
export async function explainLoss(cluster: Cluster, pid: number): Promise<string> {
  const end = await readLog(cluster, 0).catch(() => '')
  if (await isFull(cluster.dataDir)) return fullDisk(`PostgreSQL (pid ${pid}) has stopped`, cluster.dataDir)
  return `PostgreSQL (pid ${pid}) has stopped while it was in use: start Aldaba again, no committed data is lost. The last lines of ${cluster.logFile}:\n${lastLines(end, 5)}`
}

/** Reads the log from byte `start` on, at most its last 8 KB. */
export async function readLog({ logFile }: Cluster, start: number): Promise<string> {
  const file = await open(logFile)
  try {
    const { size } = await file.stat()
    const from = Math.max(start, size - tailBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, tailBytes, from)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

function fullDisk(failure: string, dataDir: string): string {
  return `${failure}, because the disk that holds ${dataDir} is full: free some space and start again, no committed data is lost.`
}

async function isFull(dataDir: string): Promise<boolean> {
  const space = await statfs(dataDir).catch(() => undefined)
  return space !== undefined && space.bavail * space.bsize < 1_000_000
}

async function explainSpawn(error: NodeJS.ErrnoException, cluster: Cluster): Promise<EmbeddedPostgresError> {
  if (cluster.user && error.code === 'EACCES') return explainNoAccess(cluster, cluster.user)
  const advice = cluster.user
    ? 'run Aldaba as an ordinary user instead of root'
    : 'the binaries need a system with glibc (not Alpine) and a file system that allows execution'
  return new EmbeddedPostgresError(
    `PostgreSQL could not be run (${error.message}): ${advice}, or set DATABASE_URL to an existing PostgreSQL.`,
    { cause: error },
  )
}

async function explainNoAccess(cluster: Cluster, user: ServerUser): Promise<EmbeddedPostgresError> {
  const inaccessible =
    (await findInaccessibleDirectory(cluster.postgres, user)) ??
    (await findInaccessibleDirectory(cluster.directory, user))
  return new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root, and the user it runs as instead (${user.name}) may not enter ${inaccessible ?? cluster.directory}: run Aldaba as an ordinary user, put the checkout and DATA_DIR where every user may enter, or set DATABASE_URL.`,
  )
}

/** Returns the outermost directory above `path` that `user` may not enter. */
async function findInaccessibleDirectory(path: string, user: ServerUser): Promise<string | undefined> {
  const parent = dirname(path)
  if (parent === path) return undefined
  const inaccessible = await findInaccessibleDirectory(parent, user)
  if (inaccessible !== undefined) return inaccessible
  const { mode, uid, gid } = await stat(parent)
  const right = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return mode & right ? undefined : parent
}

function lastLines(text: string, count: number): string {
  return text.trim().split('\n').slice(-count).join('\n')
}
