/** The directory of a test run. It is removed with the run, even if the run is killed or its output is closed. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryDir = '/dev/shm'
/** In bytes. The databases of a run take 2 GB, which must be a small part of the memory. */
const memoryNeededBytes = 8e9
const prefix = 'aldaba-test-'

/** Kills the servers below $1, since their data is not needed, and removes the directory. */
const cleanUp = `
find "$1" -name postmaster.pid -exec sh -c '
  pid=$(head -n 1 "$1") && kill -QUIT "$pid"
  for attempt in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" || break; sleep 0.5; done
' sh {} ";"
rm -rf "$1"`

/** The parent directory: in memory if there is enough, which halves the time to copy databases. */
function scratchDir(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryDir)
    if (bavail * bsize > memoryNeededBytes) return memoryDir
  } catch {
    // The system has no such directory.
  }
  return tmpdir()
}

/** Makes the directory, and starts a process that removes it after the run. Also removes directories of ended runs. */
export async function makeRunDirectory(parent = scratchDir()): Promise<string> {
  for (const one of new Set([memoryDir, tmpdir()])) await removeDeadRuns(one)
  const directory = await mkdtemp(join(parent, `${prefix}${process.pid}-`))
  // As root, PostgreSQL runs as another user, who may not enter a directory of mkdtemp.
  await chmod(directory, 0o755)
  // Its input closes when this process ends.
  const watcher = spawn('sh', ['-c', `cat >/dev/null; ${cleanUp}`, 'sh', directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  ;(watcher.stdin as unknown as { unref(): void }).unref()
  return directory
}

/** Removes directories that the watcher process could not remove. */
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
