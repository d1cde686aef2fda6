/**
 * A rotation of the encryption key loses no stored value, with any mix of keys in running processes and with any
 * interruption.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { runCommand } from '../test/command.ts'
import { withDatabaseName } from '../test/database.ts'
import { startTestApp, startTestAppForTest, type TestApp, testEncryptionKey } from '../test/harness.ts'
import { fillMarket, makeListingsAround } from '../test/market.ts'
import { emitImported, hasValidSignature, startReceiver, waitForDeliveries } from '../test/receiver.ts'
import {
  connectFeed,
  connectPage,
  makeDeployment,
  readBytes,
  stop,
  waitUntilAlone,
  withDeployment,
} from '../test/rotation.ts'
import { makeTenant, type TestTenant } from '../test/tenant.ts'
import { receiveBody } from './features/accounts/service.ts'
import { createCipher, openSecrets } from './kit/crypto.ts'
import { computeFingerprint, deriveKeyring } from './kit/keyring.ts'
import { encryptedColumns, finishRotation, withRotationLock } from './rotation.ts'

const formerKey = testEncryptionKey
const newKey = Buffer.alloc(32, 11).toString('base64')
const thirdKey = Buffer.alloc(32, 12).toString('base64')
const place = { latitude: 41.3917, longitude: 2.1611 }
const phone = '+34612345678'

/** Calls another server with the key of the same tenant. */
const callAt = (app: TestApp, { key }: TestTenant): TestTenant['call'] =>
  ((method: string, path: string, options = {}) => app.call(method, path, { key, ...options })) as never

it('covers every encrypted column; all other bytea columns are listed here with their content', async () => {
  const app = await startTestAppForTest({ env: { ROLE: 'api' } })
  const others: Record<string, string> = {
    'blobs.hash': 'a plain hash of a file',
    'booking_codes.address_hash': 'an e-mail address, hashed, for some minutes',
    'booking_codes.code_hash': 'a code, hashed, for some minutes',
    'use_counts.subject_hash': 'a client address, hashed, for as long as its uses count',
    'idempotency_keys.key': 'a digest',
    'idempotency_keys.request_hash': 'a digest',
    'idempotency_references.key': 'a digest',
    'import_chunks.bytes': 'a chunk of a file',
    'inbound_bodies.digest': 'a plain hash of a body',
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
    const account = await tenant.call<{ id: string }>('POST', '/accounts', {
      body: { provider: 'sandbox', mode: 'chat', displayName: 'Office', credentials: { script: 'viewing' } },
    })
    const written = createCipher(deriveKeyring(formerKey))
    await former.database.withTenant(tenant, tx =>
      receiveBody(tx, written, account.body.id, Buffer.from('[]')),
    )
    await connectFeed(tenant)
    await connectPage(former, tenant, written)
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
    const expectAllReadable = async (app: TestApp) => {
      const call = callAt(app, tenant)
      expect(await replay(app, 'before')).toMatchObject({ body: created.body })
      const shown = await call<{ share: { url: string } }>('GET', `/valuations/${valuation.body.id}`)
      expect(new URL(shown.body.share.url).pathname).toBe(new URL(share.body.url).pathname)
      expect((await call<{ code: string }>('POST', '/leads', lead)).body.code).toBe('PERSON_ERASED')
    }
    await expectAllReadable(former)
    await expectAllReadable(current)
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

    await expectAllReadable(current)
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
    await expect(withDeployment(former, formerKey, () => {})).rejects.toThrow(
      /was rotated out on \d{4}-\d\d-\d\d\. Set ENCRYPTION_KEY/,
    )
  })
})

it('continues after interruptions, and may be followed by another rotation', async () => {
  const { app, begin, finish, expectReadableWith } = await makeDeployment()
  for (let nth = 0; nth < 2; nth++) await begin(formerKey, newKey)
  await expect(finish(formerKey)).rejects.toThrow('Run this with the new one')
  await stop(app)
  await waitUntilAlone(app, newKey)
  for (const written of [0, 1, 2, 4]) {
    await withDeployment(app, newKey, async ({ database, cipher }) => {
      let left = written
      const encrypt = (text: string) => {
        if (left-- === 0) throw new Error('killed')
        return cipher.encrypt(text)
      }
      const killed = finishRotation(database, { cipher: { ...cipher, encrypt }, newKey })
      await expect(killed).rejects.toThrow('killed')
    })
    await expectReadableWith(newKey)
    await expectReadableWith(formerKey)
    await waitUntilAlone(app, newKey)
  }
  // Only three headers were left: the secrets had been rewritten before the fourth attempt was killed.
  expect(await finish(newKey)).toEqual({ rewritten: 3, unreadable: 0 })
  await expectReadableWith(newKey)
  await expect(expectReadableWith(formerKey)).rejects.toThrow('was rotated out')
  await begin(newKey, thirdKey)
  await waitUntilAlone(app, thirdKey)
  expect(await finish(thirdKey)).toEqual({ rewritten: 6, unreadable: 0 })
  await expectReadableWith(thirdKey)
  await expect(expectReadableWith(newKey)).rejects.toThrow('was rotated out')
})

it('reports values that no key can decrypt, and does not change them', async () => {
  const { app, begin, finish } = await makeDeployment()
  await begin(formerKey, newKey)
  await stop(app)
  await waitUntilAlone(app, newKey)
  await withDeployment(app, newKey, ({ database }) =>
    database.ownerPool.query(`
      alter table webhook_subscriptions no force row level security;
      update webhook_subscriptions set headers = '\\x0102' where id = (select min(id::text)::uuid from webhook_subscriptions);
      alter table webhook_subscriptions force row level security`),
  )
  expect(await finish(newKey)).toEqual({ rewritten: 5, unreadable: 1 })
})

it('may begin again with another key if the first was lost and no process uses it', async () => {
  const { app, begin, expectReadableWith } = await makeDeployment()
  await begin(formerKey, thirdKey)
  await withDeployment(app, thirdKey, async ({ database }) => {
    await database.direct.getSession()
    await expect(begin(formerKey, newKey)).rejects.toThrow('A rotation to another key is in progress')
  })
  await waitUntilAlone(app, formerKey)
  await begin(formerKey, newKey)
  await expectReadableWith(newKey)
  await expect(expectReadableWith(thirdKey)).rejects.toThrow('does not fit this database')
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
  await expect(withDeployment(app, before.encryptionKey, () => {})).rejects.toThrow('was rotated out')
})

it('holds its lock until the end, even if the pool closes idle connections', async () => {
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
