/** What every process stands on: a database brought up to date, and the one key that fits it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { withDatabaseName } from '../test/database.ts'
import { makeDatabase, testEncryptionKey } from '../test/harness.ts'
import { loadConfig } from './config.ts'
import { type Deployment, openDeployment } from './deployment.ts'
import { createLog } from './kit/log.ts'

async function open(env: Record<string, string>): Promise<Deployment> {
  const dataDir = mkdtempSync(join(tmpdir(), 'aldaba-deployment-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const config = loadConfig({ DATA_DIR: dataDir, ENCRYPTION_KEY: testEncryptionKey, ...env })
  const deployment = await openDeployment(config, { mode: 'join', log: createLog('silent') })
  onTestFinished(() => deployment.close())
  return deployment
}

const otherKey = Buffer.alloc(32, 9).toString('base64')

it('opens with the key that the database was first opened with, and with no other', async () => {
  const databaseUrl = await makeDatabase()
  const first = await open({ DATABASE_URL: databaseUrl })
  const second = await open({ DATABASE_URL: databaseUrl })
  expect(await second.cipher.decrypt(first.cipher.encrypt('whsec_1'))).toBe('whsec_1')

  const refusal = await open({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: otherKey }).catch(error => error)
  expect(refusal).toBeInstanceOf(Error)
  expect(refusal.message).toContain('The encryption key does not fit this database')
  expect(refusal.message).toContain(first.fingerprint)
  expect(refusal.message).not.toContain(otherKey)
  expect(refusal.message).not.toContain(testEncryptionKey)
  // The refusal does not make the other key the right one.
  expect((await open({ DATABASE_URL: databaseUrl })).migrated).toEqual([])
})

it('lets one of two keys that open an empty database at once win', async () => {
  const databaseUrl = await makeDatabase()
  const opened = await Promise.allSettled([
    open({ DATABASE_URL: databaseUrl }),
    open({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: otherKey }),
  ])
  expect(opened.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

it('makes a key of its own where none is given, and does not mistake another directory for its own', async () => {
  const databaseUrl = await makeDatabase()
  await open({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: '' })
  await expect(open({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: '' })).rejects.toThrow(
    'Put back DATA_DIR/secrets.json',
  )
})

it.each([
  ['nothing answers', () => 'postgres://aldaba:x@127.0.0.1:1/aldaba', 'nothing answers at its host and port'],
  [
    'there is no such database',
    () => withDatabaseName(inject('ownerUrl'), 'nowhere'),
    'there is no such database',
  ],
  [
    'the password is wrong',
    () => inject('ownerUrl').replace(/:[^:@/]*@/, ':wrong@'),
    'the password is wrong',
  ],
])('says in a sentence why DATABASE_URL can not be used: %s', async (_what, url, reason) => {
  await expect(open({ DATABASE_URL: url() })).rejects.toThrow(
    `The database of DATABASE_URL can't be used: ${reason}.`,
  )
})
