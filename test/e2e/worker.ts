/** Starts worker processes that tests kill, and workers that go on with their work. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startTestApp, type TestApp, testEncryptionKey } from '../harness.ts'

export interface WorkerProcess {
  /** Sends a signal and waits for the end. Returns the exit code; null if the signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  hasEnded(): boolean
  /** Resolves when it has ended. */
  waitForEnd(): Promise<unknown>
  /** Its output, for the message of a failed test. */
  output(): string
}

const joinUrls = (urls: Record<string, string>) =>
  Object.entries(urls)
    .map(([id, url]) => `${id}=${url}`)
    .join(',')

/** Starts workers on an app's database like `ROLE=worker npm start`, and stops the remaining ones at the end. */
export function createWorkers(app: TestApp) {
  const children = new Set<ChildProcess>()
  const survivors: TestApp[] = []
  const { dataDir, databaseUrl, databaseDirectUrl, portalUrls, chatUrls, publicUrl } = app.config

  const start = (more: Record<string, string> = {}): WorkerProcess => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../../src/main.ts', import.meta.url))], {
      env: {
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ROLE: 'worker',
        PORT: '0',
        LOG_LEVEL: 'warn',
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl!,
        DATABASE_DIRECT_URL: databaseDirectUrl ?? '',
        ENCRYPTION_KEY: testEncryptionKey,
        ALLOWED_PRIVATE_RANGES: '127.0.0.1/32',
        PORTAL_URLS: joinUrls(portalUrls),
        CHAT_URLS: joinUrls(chatUrls),
        ...(publicUrl ? { PUBLIC_URL: publicUrl } : {}),
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
      })
    const exited = once(child, 'exit').then(([code]) => {
      children.delete(child)
      return code as number | null
    })
    return {
      end(signal) {
        child.kill(signal)
        return exited
      },
      hasEnded: () => !children.has(child),
      waitForEnd: () => exited,
      output: () => output,
    }
  }

  return {
    start,
    /** Starts a worker in this process, in a tenth of the processor time: for what is not killed. */
    async startSurvivor(): Promise<void> {
      const env = { ROLE: 'worker', PORTAL_URLS: joinUrls(portalUrls), CHAT_URLS: joinUrls(chatUrls) }
      survivors.push(await startTestApp({ env, databaseUrl: databaseUrl! }))
    },
    async stop() {
      for (const survivor of survivors) await survivor.stop()
      const exits = [...children].map(child => once(child, 'exit'))
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(exits)
    },
  }
}
