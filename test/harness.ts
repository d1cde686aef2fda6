/** Starts the whole program on a new database and calls it over HTTP; every reply is checked against its schema. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { type Config, loadConfig } from '../src/config.ts'
import type { Deployment } from '../src/deployment.ts'
import { createCipher } from '../src/kit/crypto.ts'
import { type Database, openDatabase } from '../src/kit/db/index.ts'
import { collectProblemFields, type Feature } from '../src/kit/feature.ts'
import type { Resolve } from '../src/kit/http/client.ts'
import { toIdentifierKey } from '../src/kit/identifier-hash.ts'
import { computeFingerprint, deriveKeyring } from '../src/kit/keyring.ts'
import { findKeyring, findKeyringAt } from '../src/kit/keyring-store.ts'
import { createLog } from '../src/kit/log.ts'
import { problemSchema } from '../src/kit/problem-schema.ts'
import { nameConnections } from '../src/kit/processes.ts'
import { compile, type TSchema, type Validate } from '../src/kit/schema.ts'
import { type App, type AppOptions, createApp } from '../src/server.ts'
import { templateName, toDatabaseUrls, withDatabaseName } from './database.ts'
import { assertEventsValid } from './emitted-events.ts'
import { makeKey, makeWorkspace, type TestWorkspace } from './make.ts'
import { assertHashesValid } from './stored-hashes.ts'

export interface Reply<T = Record<string, unknown>> {
  status: number
  headers: Headers
  body: T
  text: string
}

export interface CallOptions {
  key?: string | null
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer>
  /** Media type of the body; default `application/json`. */
  contentType?: string
  headers?: Record<string, string>
}

export interface TestApp {
  url: string
  app: App
  config: Config
  database: Database
  deployment: Deployment
  /** A workspace with full-access keys of both environments. */
  workspace: TestWorkspace & { testKey: string; liveKey: string }
  /** Calls a path below `/public/v1`, by default with the test key. */
  call<T = Record<string, never>>(method: string, path: string, options?: CallOptions): Promise<Reply<T>>
  /** Stops the program. Throws if an emitted event does not match its schema. */
  stop(): Promise<void>
}

export interface TestAppOptions extends AppOptions {
  env?: Record<string, string>
  /** URL of another app's database, for a second process of one deployment. */
  databaseUrl?: string
  encryptionKey?: string
}

/** Makes a migrated database in milliseconds. Returns the URL of its owner. */
export const makeDatabase = () => copyDatabase(templateName)

/** Makes a database without migrations. Returns the URL of its owner. */
export const makeEmptyDatabase = () => copyDatabase('template0')

async function copyDatabase(template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const superuser = new pg.Client({ connectionString: inject('superuserUrl') })
  await superuser.connect()
  await superuser.query(`create database ${name} template ${template} owner aldaba strategy file_copy`)
  await superuser.end()
  return withDatabaseName(inject('ownerUrl'), name)
}

export const testEncryptionKey = Buffer.alloc(32, 7).toString('base64')
export const testIdentifierKey = toIdentifierKey(deriveKeyring(testEncryptionKey))

/** Makes the data directory of a database. Several programs of one deployment share it. */
function makeDataDir(databaseUrl: string): string {
  const directory = join(inject('runDir'), 'data', new URL(databaseUrl).pathname)
  mkdirSync(directory, { recursive: true })
  return directory
}

/** Each worker polls the database, and tests start many programs. */
const jobConcurrency = { main: 3, remote: 2, long: 4 }

/** Starts the program. Stop it in `afterAll`. */
export async function startTestApp({
  env = {},
  databaseUrl,
  encryptionKey = testEncryptionKey,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const databaseUrls = toDatabaseUrls(databaseUrl ?? (await makeDatabase()))
  const config = loadConfig({
    PORT: '0',
    LOG_LEVEL: 'fatal',
    DATA_DIR: makeDataDir(databaseUrls.databaseUrl),
    DATABASE_URL: databaseUrls.databaseUrl,
    DATABASE_DIRECT_URL: databaseUrls.directUrl ?? '',
    ALLOWED_PRIVATE_RANGES: '127.0.0.1/32',
    ...env,
  })
  const fingerprint = computeFingerprint(encryptionKey)
  const connectionUrls = nameConnections(databaseUrls.databaseUrl, databaseUrls.directUrl, fingerprint)
  const keyring =
    (await findKeyringAt(connectionUrls.directUrl, encryptionKey)) ?? deriveKeyring(encryptionKey)
  const database = openDatabase(connectionUrls.databaseUrl, {
    directUrl: connectionUrls.directUrl,
    identifierKey: toIdentifierKey(keyring),
    connectionWaitMaxMs: options.slotWaitMaxMs,
    onError: () => {},
  })
  const deployment: Deployment = {
    database,
    cipher: createCipher(keyring, () => findKeyring(database.owner, encryptionKey)),
    fingerprint,
    migrated: [],
    pending: [],
    embedded: null,
    close: () => database.close(),
  }
  const app = createApp(config, deployment, createLog(config.logLevel), {
    inspectReply: inspectReply(),
    resolve: resolveLocalhost,
    jobConcurrency,
    openapi: 'when read',
    ...options,
  })
  const address = await app.start()
  return {
    url: address,
    app,
    config,
    database,
    deployment,
    ...(await makeClient(address, database, options.extraFeatures)),
    async stop() {
      await app.stop()
      await database.close()
      await assertEventsValid(databaseUrls.databaseUrl, { extraFeatures: options.extraFeatures })
      await assertHashesValid(databaseUrls.databaseUrl, { key: toIdentifierKey(keyring) })
    },
  }
}

/** Makes a workspace, and a client with its keys. */
async function makeClient(
  address: string,
  database: Database,
  extraFeatures: Feature[] = [],
): Promise<Pick<TestApp, 'workspace' | 'call'>> {
  const validateProblem =
    extraFeatures.length === 0 ? validateBuiltInProblem : compileProblemValidator(extraFeatures)
  const workspace = await makeWorkspace(database)
  const testKey = await makeKey(database, { workspace: workspace.slug, environment: 'test' })
  const liveKey = await makeKey(database, { workspace: workspace.slug, environment: 'live' })
  return {
    workspace: { ...workspace, testKey, liveKey },
    call: (method, path, { key = testKey, ...rest } = {}) =>
      call(`${address}/public/v1${path}`, method, { key, ...rest }, validateProblem),
  }
}

const sharedApps = new Map<Config['role'], Promise<TestApp>>()

/**
 * Returns a program that the test files of a process share, with a new workspace. For files that stay in their own
 * tenants and change nothing global (settings, clocks, the market, the simulator's faults, spies). The program ends
 * with the process; `stop` only checks the events and the hashes of identifiers.
 */
export async function shareTestApp(role: 'api' | 'all' = 'all'): Promise<TestApp> {
  const env = { ROLE: role, TRUSTED_PROXIES: '127.0.0.1/32' }
  if (!sharedApps.has(role)) sharedApps.set(role, startTestApp({ env }))
  const shared = await sharedApps.get(role)!
  const since = new Date()
  return {
    ...shared,
    ...(await makeClient(shared.url, shared.database)),
    async stop() {
      await assertEventsValid(shared.config.databaseUrl!, { since })
      await assertHashesValid(shared.config.databaseUrl!, { key: testIdentifierKey, since })
    },
  }
}

/**
 * Stops the shared programs. Call it before faking timers, which a running program would lose. The next file that
 * shares one starts a new program.
 */
export async function stopSharedApps(): Promise<void> {
  const apps = [...sharedApps.values()]
  sharedApps.clear()
  for (const app of apps) await (await app).stop()
}

/** Tests do not use a name server. */
const resolveLocalhost: Resolve = async name => {
  if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}

async function call<T>(
  url: string,
  method: string,
  { key, body, rawBody, contentType = 'application/json', headers = {} }: CallOptions,
  validateProblem: Validate,
): Promise<Reply<T>> {
  const reply = await fetch(url, {
    method,
    headers: {
      ...(key ? { 'x-api-key': key } : {}),
      ...(body === undefined && rawBody === undefined ? {} : { 'content-type': contentType }),
      // Compression of replies has its own tests.
      'accept-encoding': 'identity',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(rawBody === undefined ? {} : { body: rawBody }),
  })
  // A stream may never end: the open connection is the result.
  const isStream = reply.headers.get('content-type') === 'text/event-stream'
  const text = isStream ? '' : await reply.text()
  if (isStream) await reply.body?.cancel()
  // A downloaded file is not parsed.
  const isFile = reply.headers.has('content-disposition')
  const parsed = text === '' || isFile ? null : JSON.parse(text)
  if (reply.status >= 400) assertProblemValid(parsed, reply, validateProblem)
  return { status: reply.status, headers: reply.headers, body: parsed, text }
}

const compileProblemValidator = (extraFeatures: Feature[]) =>
  compile(problemSchema(collectProblemFields([...describeFeatures(), ...extraFeatures])))
const validateBuiltInProblem = compileProblemValidator([])

function assertProblemValid(
  problem: { statusCode?: number; requestId?: string },
  reply: Response,
  validateProblem: Validate,
): void {
  const errors = validateProblem(problem)
  const { statusCode, requestId } = problem
  if (errors.length === 0 && statusCode === reply.status && requestId === reply.headers.get('x-request-id'))
    return
  throw new Error(`an error reply does not match the problem schema: ${JSON.stringify({ problem, errors })}`)
}

/** Fails a request if its reply does not match the schema or the statuses of its route. */
function inspectReply(): NonNullable<AppOptions['inspectReply']> {
  const validators = new Map<TSchema, Validate>()
  return (route, status, body, { isPartial } = { isPartial: false }) => {
    const validate = validators.get(route.reply) ?? compile(route.reply)
    validators.set(route.reply, validate)
    const errors = validate(JSON.parse(body)).filter(({ code }) => !(isPartial && code === 'REQUIRED'))
    const statuses: (number | undefined)[] = [route.status, route.createdStatus]
    if (errors.length > 0 || !statuses.includes(status)) {
      throw new Error(
        `the reply of ${route.method} ${route.path} does not fit its schema: ${JSON.stringify(errors)} ${body.slice(0, 500)}`,
      )
    }
  }
}

/** Polls every 20 ms until the answer satisfies the condition. Throws after `timeoutMs`. */
export async function eventually<T>(
  read: () => Promise<T>,
  satisfies: (answer: T) => boolean,
  timeoutMs = 150_000,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const answer = await read()
    if (satisfies(answer)) return answer
    if (performance.now() > deadlineMs)
      throw new Error(`not within ${timeoutMs} ms; last answer: ${JSON.stringify(answer).slice(0, 2000)}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Counts the transactions that wait for an advisory lock. */
export async function countAdvisoryLockWaiters({ ownerPool }: Database): Promise<number> {
  const { rows } = await ownerPool.query(
    `select from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
  )
  return rows.length
}

/** Starts an app that stops when the test ends. */
export async function startTestAppForTest(options?: TestAppOptions): Promise<TestApp> {
  const app = await startTestApp(options)
  onTestFinished(() => app.stop())
  return app
}
