/** `npx aldaba …`, as an operator meets it beside a running server. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestApp, testEncryptionKey } from './harness.ts'

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

const program = new URL('../bin/aldaba.js', import.meta.url).pathname

/** What every command on the app's database says first on stderr. */
export function databaseLine(app: TestApp): string {
  const { host, pathname } = new URL(app.config.databaseUrl!)
  return `database: postgres://${host}${pathname}\n`
}

/** Runs a command on the app's database, in a data directory of its own. */
export function runCommand(app: TestApp, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'aldaba-command-'))
  const settings = {
    PATH: process.env.PATH,
    DATABASE_URL: app.config.databaseUrl!,
    DATA_DIR: dataDir,
    ENCRYPTION_KEY: testEncryptionKey,
    PORT: new URL(app.url).port,
  }
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { ...settings, ...env } },
      (error, stdout, stderr) => {
        rmSync(dataDir, { recursive: true })
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
      },
    )
  })
}
