/** Deployments whose encryption key is rotated. */
import pg from 'pg'
import { expect, inject, onTestFinished } from 'vitest'
import { loadConfig } from '../src/config.ts'
import { type Deployment, openDeployment } from '../src/deployment.ts'
import { newConnectionExample } from '../src/features/ads/examples.ts'
import { storeNotices } from '../src/features/ads/service.ts'
import type { Cipher } from '../src/kit/crypto.ts'
import { createLog } from '../src/kit/log.ts'
import { listProcesses } from '../src/kit/processes.ts'
import { beginRotation, finishRotation } from '../src/rotation.ts'
import { withDatabaseName } from './database.ts'
import { eventually, startTestApp, type TestApp } from './harness.ts'
import { findUserId } from './scheduling.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

const stopped = new Set<TestApp>()
/** Stops the app, unless it was stopped before. */
export async function stop(app: TestApp): Promise<void> {
  if (!stopped.has(app)) await app.stop()
  stopped.add(app)
}

/** Opens the app's database with a key, as a command does. */
export async function withDeployment<T>(
  app: TestApp,
  encryptionKey: string,
  work: (opened: Deployment) => T,
): Promise<Awaited<T>> {
  const config = loadConfig({ DATABASE_URL: app.config.databaseUrl!, ENCRYPTION_KEY: encryptionKey })
  const opened = await openDeployment(config, { mode: 'join', log: createLog('silent') })
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

/** Waits until PostgreSQL lists no process with another key. Ended processes are listed for a moment longer. */
export const waitUntilAlone = (app: TestApp, encryptionKey: string) =>
  withDeployment(app, encryptionKey, ({ database, fingerprint }) =>
    eventually(
      () => listProcesses(database.owner),
      processes => processes.every(one => one.fingerprint === fingerprint),
    ),
  )

/** Reads the bytes of a column in every tenant. */
export async function readBytes(
  app: TestApp,
  { table, column }: { table: string; column: string },
): Promise<Buffer[]> {
  const name = new URL(app.config.databaseUrl!).pathname.slice(1)
  const superuser = new pg.Client({ connectionString: withDatabaseName(inject('superuserUrl'), name) })
  await superuser.connect()
  const { rows } = await superuser.query(
    `select ${column} as bytes from aldaba.${table} where ${column} is not null`,
  )
  await superuser.end()
  return rows.map(({ bytes }) => bytes)
}

/** Creates a deployment with three webhook subscriptions, which have six encrypted values. */
export async function makeDeployment() {
  const app = await startTestApp({ env: { ROLE: 'api' } })
  onTestFinished(() => stop(app))
  const tenant = await makeTenant(app)
  const secrets: string[] = []
  for (let nth = 0; nth < 3; nth++) {
    const body = { url: 'https://crm.example/', headers: { 'X-Token': `token ${nth}` } }
    secrets.push((await tenant.call<{ secret: string }>('POST', '/webhooks', { body })).body.secret)
  }
  const begin = (currentKey: string, newKey: string) =>
    withDeployment(app, currentKey, ({ database }) => beginRotation(database, { currentKey, newKey }))
  const finish = (newKey: string) =>
    withDeployment(app, newKey, ({ database, cipher }) => finishRotation(database, { cipher, newKey }))
  const expectReadableWith = (encryptionKey: string) =>
    withDeployment(app, encryptionKey, async ({ cipher }) => {
      const all = await readBytes(app, { table: 'webhook_subscriptions', column: 'secret' })
      expect((await Promise.all(all.map(cipher.decrypt))).sort()).toEqual([...secrets].sort())
    })
  return { app, begin, finish, expectReadableWith }
}

/** Connects a calendar, whose address is a secret. */
export async function connectFeed(tenant: TestTenant): Promise<void> {
  const agentUserId = await findUserId(tenant)
  const agenda = { body: { agentUserId, name: 'Ana', timezone: 'Europe/Madrid' } }
  const { body } = await tenant.call<{ id: string }>('POST', '/scheduling/agendas', agenda)
  const credentials = { url: 'https://calendar.example/secret.ics' }
  const feed = { body: { agendaId: body.id, provider: 'ical_feed', name: 'Private', credentials } }
  expect(await tenant.call('POST', '/scheduling/calendars', feed)).toMatchObject({ status: 201 })
}

/** Connects a page at an ad network, which sends a lead with its webhook. */
export async function connectPage(app: TestApp, tenant: TestTenant, cipher: Cipher): Promise<void> {
  const connected = await tenant.call('POST', '/ads/connections', { body: newConnectionExample })
  expect(connected).toMatchObject({ status: 201 })
  const { pageId } = newConnectionExample.credentials
  const notice = { pageId, formId: '7', leadId: '1', content: '{"answers":[]}' }
  await app.database.withTenant(tenant, tx => storeNotices(tx, { cipher }, 'meta', [notice]))
}
