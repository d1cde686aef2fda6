/** A deployment opens a database only with its encryption key. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { withDatabaseName } from '../test/database.ts'
import { makeDatabase, testEncryptionKey } from '../test/harness.ts'
import { loadConfig } from './config.ts'
import { type Deployment, openDeployment } from './deployment.ts'
import { createLog } from './kit/log.ts'

async function openWith(env: Record<string, string>): Promise<Deployment> {
  const dataDir = mkdtempSync(join(tmpdir(), 'aldaba-deployment-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const config = loadConfig({ DATA_DIR: dataDir, ENCRYPTION_KEY: testEncryptionKey, ...env })
  const deployment = await openDeployment(config, { mode: 'join', log: createLog('silent') })
  onTestFinished(() => deployment.close())
  return deployment
}

const otherKey = Buffer.alloc(32, 9).toString('base64')

it('opens only with the key that first opened the database', async () => {
  const databaseUrl = await makeDatabase()
  const first = await openWith({ DATABASE_URL: databaseUrl })
  const second = await openWith({ DATABASE_URL: databaseUrl })
  expect(await second.cipher.decrypt(first.cipher.encrypt('whsec_1'))).toBe('whsec_1')

  const refusal = await openWith({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: otherKey }).catch(
    error => error,
  )
  expect(refusal).toBeInstanceOf(Error)
  expect(refusal.message).toContain('The encryption key does not fit this database')
  expect(refusal.message).toContain(first.fingerprint)
  expect(refusal.message).not.toContain(otherKey)
  expect(refusal.message).not.toContain(testEncryptionKey)
  // The refused attempt has not replaced the key.
  expect((await openWith({ DATABASE_URL: databaseUrl })).migrated).toEqual([])
})

it('accepts one of two keys that open an empty database concurrently', async () => {
  const databaseUrl = await makeDatabase()
  const opened = await Promise.allSettled([
    openWith({ DATABASE_URL: databaseUrl }),
    openWith({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: otherKey }),
  ])
  expect(opened.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

it('generates a key if none is given, and refuses the database from another data directory', async () => {
  const databaseUrl = await makeDatabase()
  await openWith({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: '' })
  await expect(openWith({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: '' })).rejects.toThrow(
    'Restore DATA_DIR/secrets.json',
  )
})

it.each([
  [
    'no server answers',
    () => 'postgres://aldaba:x@127.0.0.1:1/aldaba',
    'no server answers at its host and port',
  ],
  [
    'the database does not exist',
    () => withDatabaseName(inject('ownerUrl'), 'nowhere'),
    'the database does not exist',
  ],
  [
    'the password is wrong',
    () => inject('ownerUrl').replace(/:[^:@/]*@/, ':wrong@'),
    'the password is wrong',
  ],
])('explains why DATABASE_URL cannot be used: %s', async (_what, url, reason) => {
  await expect(openWith({ DATABASE_URL: url() })).rejects.toThrow(
    `The database of DATABASE_URL can't be used: ${reason}.`,
  )
})
