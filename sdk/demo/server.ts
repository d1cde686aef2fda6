/** The server that the demo shows: the real one, as a process of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)
const source = (file: string) => new URL(`../../src/${file}`, import.meta.url).pathname
const warnLevel = 40

export interface DemoServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:3000`. */
  address: string
  /** Resolves when the process is gone. */
  gone: Promise<void>
  /** A new key to the test environment of the demo's workspace. */
  createTestKey(): Promise<string>
}

/** Starts the server under an environment and waits until it is ready. Throws with its own words if it can't start. */
export async function startServer(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<DemoServer> {
  const child = spawn(process.execPath, [source('main.ts')], {
    // Its log says when it is ready, and where.
    env: { ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Out of reach of the terminal's Ctrl-C: the demo stops it in its turn, after the subscription has ended.
    detached: true,
  })
  const gone = once(child, 'exit').then(() => {})
  const killOnExit = () => child.kill()
  process.once('exit', killOnExit)
  const stop = async () => {
    child.kill()
    await gone
    process.off('exit', killOnExit)
  }
  signal.addEventListener('abort', killOnExit, { once: true })
  try {
    const address = await Promise.race([waitUntilReady(child), gone.then(() => null)])
    if (address === null) throw new Error('')
    return {
      address,
      gone,
      async createTestKey() {
        const command = ['keys', 'create', '--workspace', 'demo', '--environment', 'test', '--name', 'demo']
        return (await run(process.execPath, [source('cli.ts'), ...command], { env, signal })).stdout.trim()
      },
      [Symbol.asyncDispose]: stop,
    }
  } finally {
    signal.removeEventListener('abort', killOnExit)
  }
}
