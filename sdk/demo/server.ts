/** Starts the real server for the demo, in a separate process. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execFileAsync = promisify(execFile)
const toSourcePath = (file: string) => fileURLToPath(new URL(`../../src/${file}`, import.meta.url))
const warnLevel = 40

export interface DemoServer extends AsyncDisposable {
  /** The base URL, such as `http://127.0.0.1:3000`. */
  address: string
  /** Resolves when the process has ended for any reason. */
  ended: Promise<void>
  /** Creates a key for the test environment of the demo's workspace. */
  createTestKey(): Promise<string>
}

/**
 * Starts the server with an environment and waits until it is ready. Throws with the server's own message if it cannot
 * start. `warn` receives later warnings and errors of the server.
 */
export async function startServer(
  env: NodeJS.ProcessEnv,
  { signal, warn }: { signal: AbortSignal; warn: (line: string) => void },
): Promise<DemoServer> {
  const child = spawn(process.execPath, [toSourcePath('main.ts')], {
    env: { ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Detached from the terminal's Ctrl-C, because the demo has to end its subscription first.
    detached: true,
  })
  const closed = once(child, 'close').then(() => {})
  const kill = () => void child.kill()
  process.once('exit', kill)
  const stop = async () => {
    kill()
    await closed
    process.off('exit', kill)
  }
  const warnings: string[] = []
  let onLine = (line: string): void => void warnings.push(line)
  forwardErrors(child.stderr, line => onLine(line))
  const ready = followLog(child, line => onLine(line))
  const aborted = once(signal, 'abort').then(() => {})
  const address = await Promise.race([ready, closed, aborted])
  if (address === undefined) {
    await stop()
    signal.throwIfAborted()
    throw new Error(
      warnings.join('\n') || `The server ended at once (${child.exitCode ?? child.signalCode}).`,
    )
  }
  onLine = warn
  return {
    address,
    ended: closed,
    async createTestKey() {
      const command = ['keys', 'create', '--workspace', 'demo', '--environment', 'test', '--name', 'demo']
      const running = execFileAsync(process.execPath, [toSourcePath('cli.ts'), ...command], { env, signal })
      const { stdout } = await running.catch(error => {
        throw new Error(error.stderr?.trim() || error.message, { cause: error })
      })
      return stdout.trim()
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** Resolves with the address when the log has the entry `ready`. Only this server writes to the log. */
function followLog(
  child: ChildProcess & { stdout: Readable },
  warn: (line: string) => void,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', line => {
    const entry = parseLogEntry(line)
    if (entry?.msg === 'ready' && entry.address) resolve(entry.address)
    else if (!entry) warn(line)
    else if (entry.level >= warnLevel) warn([entry.msg, entry.err?.message].filter(Boolean).join(': '))
  })
  return promise
}

function forwardErrors(stderr: Readable, warn: (line: string) => void): void {
  createInterface({ input: stderr }).on('line', warn)
}

interface LogEntry {
  level: number
  msg: string
  address?: string
  err?: { message: string }
}

function parseLogEntry(line: string): LogEntry | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
