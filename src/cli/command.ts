/** Helpers of all commands. Commands import their dependencies only when they run, so that each starts quickly. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Config } from '../config.ts'
import type { Deployment } from '../deployment.ts'

export const environmentOption = () =>
  new Option('--environment <environment>', 'live or test').choices(['live', 'test']).makeOptionMandatory()

/** The author of changes made by commands, who is not a user. */
export const operator = { userId: null }

const nameLengthMax = 255

/** Parses a name: text that is not empty and not too long. */
export function parseName(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw new InvalidArgumentError('it must not be empty.')
  if (trimmed.length > nameLengthMax) throw new InvalidArgumentError(`use up to ${nameLengthMax} characters.`)
  return trimmed
}

/**
 * Creates an action that opens the deployment, beside a running server or alone, and prints its database to stderr.
 * Without `--init` it neither creates a database nor applies migrations.
 */
export function withDeployment<A extends unknown[]>(
  work: (deployment: Deployment, ...input: A) => Promise<void>,
  { migrates = false } = {},
): (...input: [...A, Command]) => Promise<void> {
  return async (...input) => {
    const command = input.pop() as Command
    const { init = false } = command.optsWithGlobals<{ init?: boolean }>()
    const [{ loadConfig }, { openDeployment }, { createLog }] = await Promise.all([
      import('../config.ts'),
      import('../deployment.ts'),
      import('../kit/log.ts'),
    ])
    const config = loadConfig()
    if (!init) checkDatabaseExists(config)
    const deployment = await openDeployment(config, {
      mode: 'join',
      log: createLog('silent'),
      migrates: init || migrates,
    })
    try {
      console.error(`database: ${describeDatabase(config)}`)
      checkMigrated(deployment)
      await warnAboutOtherServer(config, deployment)
      await work(deployment, ...(input as unknown as A))
    } finally {
      await deployment.close()
    }
  }
}

/**
 * Throws if there is no database yet, because a mistyped DATA_DIR is more likely than a command before the first start.
 */
function checkDatabaseExists({ dataDir, databaseUrl, encryptionKey }: Config): void {
  if (databaseUrl && (encryptionKey || existsSync(join(dataDir, 'secrets.json')))) return
  if (!databaseUrl && existsSync(join(dataDir, 'postgres'))) return
  const missing = databaseUrl ? `no encryption key (${join(dataDir, 'secrets.json')})` : 'no database'
  throw new Error(
    `There is ${missing} in ${dataDir}. Set DATA_DIR to the directory of the server, or add --init to create a new one there.`,
  )
}

function checkMigrated({ pending }: Deployment): void {
  if (pending.length === 0) return
  throw new Error(
    `This database is not up to date: ${pending.length} migrations have not been applied. Run \`npx aldaba migrate\`, or start the server, which applies them.`,
  )
}

/** The database for people to read, without user and password. */
function describeDatabase({ databaseUrl, dataDir }: Config): string {
  if (!databaseUrl) return `embedded, in ${dataDir}`
  const { host, pathname } = new URL(databaseUrl)
  return `postgres://${host}${pathname}`
}

const probeTimeoutMs = 500

/** Warns if a server runs on the configured port although no other process uses this database: it uses another one. */
async function warnAboutOtherServer({ host, port }: Config, { embedded }: Deployment): Promise<void> {
  if (!embedded?.owner) return
  const address = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
  const reply = await fetch(`${address}/livez`, { signal: AbortSignal.timeout(probeTimeoutMs) }).catch(
    () => null,
  )
  if (!reply?.headers.has('x-request-id')) return
  console.error(
    `warning: the server at ${address} does not use this database. To work on that server, set DATA_DIR to its directory.`,
  )
}

/** Prints rows as JSON, or as a table with the result of `columns` for each row. */
export function printRows<T>(asJson: boolean, rows: T[], columns: (row: T) => object): void {
  if (asJson) console.log(JSON.stringify(rows, null, 2))
  else if (rows.length === 0) console.log('none')
  else console.table(rows.map(columns))
}
