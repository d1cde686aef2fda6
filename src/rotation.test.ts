/**
 * Rotating the encryption key loses no stored value, whichever key processes run with and wherever the rotation is
 * interrupted.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { runCommand } from '../test/command.ts'
import { withDatabaseName } from '../test/database.ts'
import {
  eventually,
  startTestApp,
  startTestAppForTest,
  type TestApp,
  testEncryptionKey,
} from '../test/harness.ts'
import { fillMarket, makeListingsAround } from '../test/market.ts'
import { emitImported, hasValidSignature, startReceiver, waitForDeliveries } from '../test/receiver.ts'
import { makeTenant, type TestTenant } from '../test/tenant.ts'
import { loadConfig } from './config.ts'
import { type Deployment, openDeployment } from './deployment.ts'
import { createCipher, openSecrets } from './kit/crypto.ts'
import { computeFingerprint, deriveKeyring } from './kit/keyring.ts'
import { createLog } from './kit/log.ts'
import { listProcesses } from './kit/processes.ts'
import { beginRotation, encryptedColumns, finishRotation, withRotationLock } from './rotation.ts'

const formerKey = testEncryptionKey
const newKey = Buffer.alloc(32, 11).toString('base64')
const thirdKey = Buffer.alloc(32, 12).toString('base64')
const place = { latitude: 41.3917, longitude: 2.1611 }
const phone = '+34612345678'

const stopped = new Set<TestApp>()
async function stop(app: TestApp): Promise<void> {
  if (!stopped.has(app)) await app.stop()
  stopped.add(app)
}

/** Opens the app's database with a key, as a command does. */
async function withDeploymentOf<T>(
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
const waitUntilAlone = (app: TestApp, encryptionKey: string) =>
  withDeploymentOf(app, encryptionKey, ({ database, fingerprint }) =>
    eventually(
      () => listProcesses(database.owner),
      processes => processes.every(one => one.fingerprint === fingerprint),
    ),
  )

/** Reads the bytes of a column in every tenant. */
async function readBytes(
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

/** Calls another server with the key of the same tenant. */
const callAt = (app: TestApp, { key }: TestTenant): TestTenant['call'] =>
  ((method: string, path: string, options = {}) => app.call(method, path, { key, ...options })) as never

it('covers every encrypted column; all other bytea columns are listed here with their content', async () => {
  const app = await startTestAppForTest({ env: { ROLE: 'api' } })
  const others: Record<string, string> = {
    'blobs.hash': 'a plain hash of a file',
    'idempotency_keys.key': 'a digest',
    'idempotency_keys.request_hash': 'a digest',
    'idempotency_references.key': 'a digest',
    'import_chunks.bytes': 'a chunk of a file',
    'key_hashes.hash': 'a plain hash of a key',
    'market_listings.listing_key': 'a key of a listing',
    'market_models.body': 'a price model',
    'password_tokens.token_hash': 'a plain hash of a token',
    'sessions.token_hash': 'a plain hash of a token',
    'sign_in_attempts.account': 'an e-mail address, hashed, for as long as attempts count',
    'suppressions.hash': 'an identifier, hashed',
    'lead_identifiers.hash': 'an identifier, hashed',
    'former_identifiers.hash': 'an identifier, hashed',
    'share_tokens.token_hash': 'a plain hash of a token',
    'shares.token_hash': 'a plain hash of a token',
  }
  const { rows } = await app.database.ownerPool.query<{ name: string }>(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'aldaba' and c.data_type = 'bytea' and t.table_type = 'BASE TABLE' order by 1`,
  )
  const encrypted = encryptedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name)).toEqual([...encrypted, ...Object.keys(others)].sort())
})

describe('a rotation', () => {
  let former: TestApp
  let tenant: TestTenant
  beforeAll(async () => {
    former = await startTestApp({ env: { ROLE: 'api' } })
    await fillMarket(former.database, 'test', makeListingsAround(place))
    tenant = await makeTenant(former)
  })
  afterAll(() => stop(former))

  it('keeps every secret readable for all processes before, during and after', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.stop())
    const created = await tenant.call<{ id: string; secret: string }>('POST', '/webhooks', {
      body: { url: receiver.url, headers: { 'X-Token': 'secret of a header' } },
      headers: { 'idempotency-key': 'before' },
    })
    const { id } = created.body
    const rotated = await tenant.call<{ secret: string }>('POST', `/webhooks/${id}/rotate-secret`, {
      body: { overlapHours: 24 },
    })
    const valuation = await tenant.call<{ id: string }>('POST', '/valuations', {
      body: {
        ...place,
        squareMeters: 80,
        bedrooms: 3,
        bathrooms: 2,
        propertyType: 'homes',
        operation: 'sale',
      },
    })
    expect(valuation.status, valuation.text).toBe(201)
    const share = await tenant.call<{ url: string }>('POST', `/valuations/${valuation.body.id}/share`, {
      body: {},
    })
    const lead = { body: { contact: { name: 'Marta', phone } } }
    const { body } = await tenant.call<{ id: string }>('POST', '/leads', lead)
    await tenant.call('DELETE', `/leads/${body.id}?erase=true`)

    const startedRun = await runCommand(former, ['encryption', 'rotate'], { NEW_ENCRYPTION_KEY: newKey })
    expect(startedRun).toMatchObject({ code: 0 })
    expect(startedRun.stdout).toContain(computeFingerprint(newKey))
    expect(startedRun.stdout).not.toContain(newKey)
    const current = await startTestApp({ databaseUrl: former.config.databaseUrl!, encryptionKey: newKey })
    onTestFinished(() => stop(current))

    const replay = (app: TestApp, key: string) =>
      callAt(app, tenant)<{ secret: string }>('POST', '/webhooks', {
        body: { url: receiver.url, headers: { 'X-Token': 'secret of a header' } },
        headers: { 'idempotency-key': key },
      })
    const isAllThere = async (app: TestApp) => {
      const call = callAt(app, tenant)
      expect(await replay(app, 'before')).toMatchObject({ body: created.body })
      const shown = await call<{ share: { url: string } }>('GET', `/valuations/${valuation.body.id}`)
      expect(new URL(shown.body.share.url).pathname).toBe(new URL(share.body.url).pathname)
      expect((await call<{ code: string }>('POST', '/leads', lead)).body.code).toBe('PERSON_ERASED')
    }
    await isAllThere(former)
    await isAllThere(current)
    // The former process, started before the key was added, reads values that the new process writes.
    const writtenByNew = await replay(current, 'during')
    expect(writtenByNew.headers.has('idempotent-replayed')).toBe(false)
    const replayed = await replay(former, 'during')
    expect([replayed.headers.get('idempotent-replayed'), replayed.body]).toEqual(['true', writtenByNew.body])

    const finish = () => runCommand(former, ['encryption', 'finish'], { ENCRYPTION_KEY: newKey })
    expect(await finish()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/still run with the former encryption key: \d+/),
    })
    await stop(former)
    await waitUntilAlone(former, newKey)
    const finished = await finish()
    expect(finished).toMatchObject({ code: 0 })
    expect(finished.stdout).toMatch(/^[1-9]\d* values were encrypted again/)

    await isAllThere(current)
    await emitImported({ ...tenant, inTenant: work => current.database.withTenant(tenant, work) })
    const [delivery] = await waitForDeliveries(receiver)
    expect(delivery!.headers['x-token']).toBe('secret of a header')
    for (const { secret } of [created.body, rotated.body])
      expect(receiver.deliveries.some(one => hasValidSignature(secret, one))).toBe(true)

    // The former key decrypts nothing any more, and opens no deployment.
    const old = createCipher(deriveKeyring(formerKey))
    for (const column of encryptedColumns) {
      const all = await readBytes(former, column)
      expect(all.length, column.column).toBeGreaterThan(0)
      for (const bytes of all) await expect(old.decrypt(bytes), column.column).rejects.toThrow()
    }
    await expect(withDeploymentOf(former, formerKey, () => {})).rejects.toThrow(
      /was rotated out on \d{4}-\d\d-\d\d\. Set ENCRYPTION_KEY/,
    )
  })
})

/** Creates a deployment with webhook subscriptions, whose secrets are known. */
async function makeDeployment() {
  const app = await startTestApp({ env: { ROLE: 'api' } })
  onTestFinished(() => stop(app))
  const tenant = await makeTenant(app)
  const secrets: string[] = []
  for (let nth = 0; nth < 3; nth++) {
    const body = { url: 'https://crm.example/', headers: { 'X-Token': `token ${nth}` } }
    secrets.push((await tenant.call<{ secret: string }>('POST', '/webhooks', { body })).body.secret)
  }
  const begin = (currentKey: string, newKey: string) =>
    withDeploymentOf(app, currentKey, ({ database }) => beginRotation(database, { currentKey, newKey }))
  const finish = (newKey: string) =>
    withDeploymentOf(app, newKey, ({ database, cipher }) => finishRotation(database, { cipher, newKey }))
  const readWith = (encryptionKey: string) =>
    withDeploymentOf(app, encryptionKey, async ({ cipher }) => {
      const all = await readBytes(app, { table: 'webhook_subscriptions', column: 'secret' })
      expect((await Promise.all(all.map(cipher.decrypt))).sort()).toEqual([...secrets].sort())
    })
  return { app, begin, finish, readWith }
}

it('continues after interruptions, and may be followed by another rotation', async () => {
  const { app, begin, finish, readWith } = await makeDeployment()
  for (let nth = 0; nth < 2; nth++) await begin(formerKey, newKey)
  await expect(finish(formerKey)).rejects.toThrow('Run this with the new one')
  await stop(app)
  await waitUntilAlone(app, newKey)
  for (const written of [0, 1, 2, 4]) {
    await withDeploymentOf(app, newKey, async ({ database, cipher }) => {
      let left = written
      const encrypt = (text: string) => {
        if (left-- === 0) throw new Error('killed')
        return cipher.encrypt(text)
      }
      const killed = finishRotation(database, { cipher: { ...cipher, encrypt }, newKey })
      await expect(killed).rejects.toThrow('killed')
    })
    await readWith(newKey)
    await readWith(formerKey)
    await waitUntilAlone(app, newKey)
  }
  // Only three headers were left: the secrets had been rewritten before the fourth attempt was killed.
  expect(await finish(newKey)).toEqual({ rewritten: 3, unreadable: 0 })
  await readWith(newKey)
  await expect(readWith(formerKey)).rejects.toThrow('was rotated out')
  await begin(newKey, thirdKey)
  await waitUntilAlone(app, thirdKey)
  expect(await finish(thirdKey)).toEqual({ rewritten: 6, unreadable: 0 })
  await readWith(thirdKey)
  await expect(readWith(newKey)).rejects.toThrow('was rotated out')
})

it('reports values that no key can decrypt, and does not change them', async () => {
  const { app, begin, finish } = await makeDeployment()
  await begin(formerKey, newKey)
  await stop(app)
  await waitUntilAlone(app, newKey)
  await withDeploymentOf(app, newKey, ({ database }) =>
    database.ownerPool.query(`
      alter table webhook_subscriptions no force row level security;
      update webhook_subscriptions set headers = '\\x0102' where id = (select min(id::text)::uuid from webhook_subscriptions);
      alter table webhook_subscriptions force row level security`),
  )
  expect(await finish(newKey)).toEqual({ rewritten: 5, unreadable: 1 })
})

it('may begin again with another key if the first was lost and no process uses it', async () => {
  const { app, begin, readWith } = await makeDeployment()
  await begin(formerKey, thirdKey)
  await withDeploymentOf(app, thirdKey, async ({ database }) => {
    await database.direct.session()
    await expect(begin(formerKey, newKey)).rejects.toThrow('A rotation to another key is in progress')
  })
  await waitUntilAlone(app, formerKey)
  await begin(formerKey, newKey)
  await readWith(newKey)
  await expect(readWith(thirdKey)).rejects.toThrow('does not fit this database')
})

it('cannot finish before a rotation begins, nor rotate to the same key', async () => {
  const { app, begin, finish } = await makeDeployment()
  await expect(finish(formerKey)).rejects.toThrow('No rotation is in progress')
  await expect(begin(formerKey, formerKey)).rejects.toThrow('is the current one')
  expect((await runCommand(app, ['encryption', 'rotate'])).stderr).toContain('Set NEW_ENCRYPTION_KEY')
})

it('writes the new key to secrets.json if the key comes from that file', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'aldaba-rotation-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const before = await openSecrets(dataDir)
  const app = await startTestApp({ env: { ROLE: 'api' }, encryptionKey: before.encryptionKey })
  onTestFinished(() => stop(app))
  const run = (...args: string[]) => runCommand(app, args, { DATA_DIR: dataDir, ENCRYPTION_KEY: '' })
  await withRotationLock(app.database, async () => {
    expect((await run('encryption', 'rotate')).stderr).toContain('Another command is beginning a rotation')
  })
  expect(await openSecrets(dataDir)).toEqual(before)
  const startedRun = await run('encryption', 'rotate')
  expect(startedRun).toMatchObject({ code: 0 })
  expect(startedRun.stdout).toContain(`${dataDir}/secrets.json holds the new key`)
  const { encryptionKey } = await openSecrets(dataDir)
  expect(encryptionKey).not.toBe(before.encryptionKey)
  // A second attempt changes nothing.
  expect((await run('encryption', 'rotate')).stderr).toContain('A rotation to another key is in progress')
  expect(await openSecrets(dataDir)).toMatchObject({ encryptionKey })
  await stop(app)
  await waitUntilAlone(app, encryptionKey)
  expect(await run('encryption', 'finish')).toMatchObject({ code: 0 })
  await expect(withDeploymentOf(app, before.encryptionKey, () => {})).rejects.toThrow('was rotated out')
})

it('prevents concurrent rotations for as long as it takes, even if the pool closes idle connections', async () => {
  const connectionString = withDatabaseName(inject('ownerUrl'), 'postgres')
  const withSessionPool = async <T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> => {
    const pool = new pg.Pool({ connectionString, idleTimeoutMillis: 1 })
    try {
      return await work(pool)
    } finally {
      await pool.end()
    }
  }
  await withRotationLock({ withSessionPool }, async () => {
    await sleep(200)
    await expect(withRotationLock({ withSessionPool }, async () => {})).rejects.toThrow(
      'Another command is beginning',
    )
  })
  await withRotationLock({ withSessionPool }, async () => {})
})
