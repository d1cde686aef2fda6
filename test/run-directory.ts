/** The directory of a test run, which ends with the run however that ends: killed, or with its output closed. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryDir = '/dev/shm'
/** In bytes: the databases of a run take 2 GB, and are to be a small part of it. */
const memoryNeededBytes = 8e9
const prefix = 'aldaba-test-'

/** Ends the servers below $1 at once, as nobody misses their data, and removes the directory when they are gone. */
const cleanUp = `
find "$1" -name postmaster.pid -exec sh -c '
  pid=$(head -n 1 "$1") && kill -QUIT "$pid"
  for attempt in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" || break; sleep 0.5; done
' sh {} ";"
rm -rf "$1"`

/** Where databases go that nobody misses: into memory if there is plenty, as copying them there is half the work. */
function scratchDir(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryDir)
    if (bavail * bsize > memoryNeededBytes) return memoryDir
  } catch {
    // No such directory on this system.
  }
  return tmpdir()
}

/** Makes it, and a process beside this one that cleans up behind it. Removes those of runs that are dead, if any are left. */
export async function makeRunDirectory(parent = scratchDir()): Promise<string> {
  for (const one of new Set([memoryDir, tmpdir()])) await removeDeadRuns(one)
  const directory = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  // mkdtemp closes it to the user that PostgreSQL runs as when we are root.
  await chmod(directory, 0o755)
  // Its input ends when we do.
  const watcher = spawn('sh', ['-c', `cat >/dev/null; ${cleanUp}`, 'sh', directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  ;(watcher.stdin as unknown as { unref(): void }).unref()
  return directory
}

/** For what even the watcher did not survive. */
export async function removeDeadRuns(parent: string): Promise<void> {
  if (!existsSync(parent)) return
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const cleaner = spawn('sh', ['-c', cleanUp, 'sh', join(parent, name)], { stdio: 'ignore' })
    await new Promise(resolve => cleaner.once('exit', resolve))
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
