/** Runs `npx aldaba …` commands beside a running server. */
import { execFile } from 'node:child_process'
import { Console } from 'node:console'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, CommanderError } from 'commander'
import { expect } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { type TestApp, testEncryptionKey } from './harness.ts'

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

const program = new URL('../bin/aldaba.js', import.meta.url).pathname

/** The first line on stderr of every command on the app's database. */
export function toDatabaseLine(app: TestApp): string {
  const { host, pathname } = new URL(app.config.databaseUrl!)
  return `database: postgres://${host}${pathname}\n`
}

/** Runs a command on the app's database, in a separate data directory and in this process, one at a time. */
export function runCommand(
  app: TestApp,
  args: string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const outcome = previousCommand.then(() =>
    withDataDirectory(app, env, settings => runInProcess(args, settings)),
  )
  previousCommand = outcome.catch(() => {})
  return outcome
}

/** Runs a command that must succeed, with `--json`, and returns the parsed output. */
export async function runJsonCommand(app: TestApp, args: string[]) {
  const { code, stdout, stderr } = await runCommand(app, [...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: toDatabaseLine(app) })
  return JSON.parse(stdout)
}

/** The result of a command that was refused with this message. */
export const toRefusal = (stderr: unknown) => ({ code: 1, stdout: '', stderr })

/** Runs a command in a separate process, like an operator. */
export function spawnCommand(
  app: TestApp,
  args: string[],
  nodeOptions: string[] = [],
): Promise<CommandResult> {
  return withDataDirectory(
    app,
    {},
    env =>
      new Promise(resolve => {
        execFile(process.execPath, [...nodeOptions, program, ...args], { env }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        )
      }),
  )
}

const printPackages = `
  import { registerHooks } from 'node:module'
  const packages = new Set()
  registerHooks({
    load(url, context, next) {
      packages.add(/.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1])
      return next(url, context)
    },
  })
  process.on('exit', () => console.error([...packages].join('\\n')))`

/** Returns the packages whose code a command loads. */
export async function listLoadedPackages(app: TestApp, args: string[]): Promise<string[]> {
  const preload = `data:text/javascript,${encodeURIComponent(printPackages)}`
  const { stderr } = await spawnCommand(app, args, ['--import', preload])
  return stderr.split('\n')
}

let previousCommand: Promise<unknown> = Promise.resolve()

async function withDataDirectory(
  app: TestApp,
  env: Record<string, string>,
  work: (env: Record<string, string>) => Promise<CommandResult>,
): Promise<CommandResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'aldaba-command-'))
  const settings = {
    PATH: process.env.PATH!,
    DATABASE_URL: app.config.databaseUrl!,
    DATABASE_DIRECT_URL: app.config.databaseDirectUrl ?? '',
    DATA_DIR: dataDir,
    ENCRYPTION_KEY: testEncryptionKey,
    PORT: new URL(app.url).port,
  }
  try {
    return await work({ ...settings, ...env })
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

/** Runs a command in this process with its own environment and outputs. */
async function runInProcess(args: string[], env: Record<string, string>): Promise<CommandResult> {
  const { env: ownEnv, exitCode } = process
  const { console: ourConsole } = globalThis
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  process.env = env
  process.exitCode = undefined
  globalThis.console = new Console(process.stdout, process.stderr)
  try {
    await withoutExit(createProgram())
      .parseAsync(args, { from: 'user' })
      .catch(error => {
        process.exitCode = error instanceof CommanderError ? error.exitCode : 1
        if (!(error instanceof CommanderError)) console.error((error as Error).message)
      })
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.env = ownEnv
    process.exitCode = exitCode
    globalThis.console = ourConsole
    stdout.release()
    stderr.release()
  }
}

/** Makes the program throw instead of ending the process when it refuses arguments. */
function withoutExit(command: Command): Command {
  for (const each of command.commands) withoutExit(each)
  return command.exitOverride()
}

/** Captures what is written until it is released. */
function capture(stream: NodeJS.WriteStream): { text(): string; release(): void } {
  const { write } = stream
  let written = ''
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    written += chunk
    const done = rest.find(each => typeof each === 'function')
    done?.()
    return true
  }) as typeof stream.write
  return {
    text: () => written,
    release() {
      stream.write = write
    },
  }
}
