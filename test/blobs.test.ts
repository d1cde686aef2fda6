/**
 * Files in the whole program, on disk and in a bucket: erased with the person, consistent after a crash, checked by
 * doctor.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeFeatures } from '../src/app.ts'
import { erasePersonData } from '../src/features/privacy/service.ts'
import { addBlobReferences, createBlobs, getUsage, releaseBlobs } from '../src/kit/blobs/blobs.ts'
import { createDiskStore } from '../src/kit/blobs/disk-store.ts'
import { openBlobStore, toSpoolDir } from '../src/kit/blobs/open-store.ts'
import { cleanUpBlobs, removeBlobs } from '../src/kit/blobs/removal.ts'
import { createSpool } from '../src/kit/blobs/spool.ts'
import { toBlobKey } from '../src/kit/blobs/store.ts'
import { type Database, openDatabase, sql } from '../src/kit/db/index.ts'
import type { Feature } from '../src/kit/feature.ts'
import { on } from '../src/kit/hook.ts'
import type { JobContext } from '../src/kit/jobs/job.ts'
import { createLog } from '../src/kit/log.ts'
import { countFiles } from './blob-stores.ts'
import { runCommand } from './command.ts'
import { makeDatabase, startTestAppForTest } from './harness.ts'
import { waitUntilIdle } from './jobs.ts'
import { makeWorkspace } from './make.ts'
import { startS3Server } from './s3-server.ts'
import { findStored } from './stored-values.ts'
import { makeTenant } from './tenant.ts'

const log = createLog('silent')

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'aldaba-files-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** A feature that keeps photos of leads, and releases them when the person is erased. */
const photos: Feature = {
  name: 'photos',
  routes: [],
  jobs: [],
  events: [],
  hooks: [
    on(erasePersonData, async (tx, { leadIds }) => {
      await releaseBlobs(tx, { kind: 'photo', objectIds: leadIds })
      return {}
    }),
  ],
}

const startS3ServerForTest = async () => {
  const server = await startS3Server()
  onTestFinished(() => server.stop())
  return server
}

describe.each([['on disk'], ['in a bucket']])('a file %s', where => {
  test('is removed with the erased person, and no other file is', async () => {
    const server = where === 'on disk' ? null : await startS3ServerForTest()
    const dataDir = makeDirectory()
    const app = await startTestAppForTest({
      env: { DATA_DIR: dataDir, ...(server ? { BLOBS_S3_URL: server.url } : {}) },
      extraFeatures: [photos],
    })
    const { database, config } = app
    const blobs = createBlobs({
      database,
      store: openBlobStore(config),
      spoolDir: toSpoolDir(config),
      bytesMax: config.blobBytesMax,
      log,
    })
    const tenant = await makeTenant(app)
    const { tenantId } = tenant
    const addPhoto = async (name: string, phone: string) => {
      const { body } = await tenant.call<{ id: string }>('POST', '/leads', {
        body: { contact: { name, phone } },
      })
      const blob = await blobs.receive({ tenantId }, Readable.from([Buffer.from(`A photo of ${name}`)]), {
        bytesMax: 1000,
        signal: AbortSignal.timeout(10_000),
      })
      await tenant.inTenant(tx => addBlobReferences(tx, { kind: 'photo', objectId: body.id }, [blob]))
      return body.id
    }
    const blobDir = server?.directory ?? join(dataDir, 'blobs')
    const find = async (name: string) => [
      ...(await findStored(app, [name])),
      ...(await findStored({ ...app, config: { ...config, dataDir: blobDir } }, [name])),
    ]
    const marta = await addPhoto('Marta Quintanilla', '+34655555555')
    await addPhoto('Eva Mas', '+34688888888')
    const isFile = (place: string) => !place.startsWith('aldaba.') && !place.startsWith('graphile_worker.')
    expect((await find('Marta Quintanilla')).some(isFile)).toBe(true)

    expect((await tenant.call('DELETE', `/leads/${marta}?erase=true`)).status).toBe(204)
    await waitUntilIdle(database, tenantId)
    expect(await find('Marta Quintanilla')).toEqual([])
    expect((await find('Eva Mas')).some(isFile)).toBe(true)
    expect(await tenant.inTenant(getUsage)).toBe('A photo of Eva Mas'.length)
  })

  test('is written and read by doctor, which reports faults', async () => {
    const server = where === 'on disk' ? null : await startS3ServerForTest()
    const dataDir = makeDirectory()
    const app = await startTestAppForTest({ env: { ROLE: 'api', DATA_DIR: dataDir } })
    const find = async (env: Record<string, string> = {}) => {
      const { stdout } = await runCommand(app, ['doctor'], { DATA_DIR: dataDir, ...env })
      return stdout.split('\n').find(line => /^\S+ +files /.test(line))
    }
    if (!server) {
      expect(await find()).toMatch(/^ok .*\/blobs, not tested: the first start creates the directory$/)
      mkdirSync(join(dataDir, 'blobs'))
      expect(await find()).toMatch(/^ok .*\/blobs can be written and read$/)
      rmSync(join(dataDir, 'blobs'), { recursive: true })
      writeFileSync(join(dataDir, 'blobs'), 'no directory')
      return expect(await find()).toMatch(/^FAIL .*\/blobs: ENOTDIR/)
    }
    expect(await find({ BLOBS_S3_URL: server.url })).toMatch(
      /^ok .*127.*\/files\/aldaba can be written and read$/,
    )
    const wrong = server.url.replace(':S3RVER@', ':hunter2@')
    const line = await find({ BLOBS_S3_URL: wrong })
    expect(line).toMatch(/^FAIL .*replied to PUT with 403 SignatureDoesNotMatch/)
    expect(line).not.toContain('hunter2')
  })
})

test('the program runs the jobs of files', () => {
  const blobs = describeFeatures().find(({ name }) => name === 'blobs')!
  expect(blobs.jobs.map(({ name }) => name)).toEqual(['remove-blobs'])
  expect(blobs.deploymentJobs).toEqual([cleanUpBlobs])
})

const moments = [
  ['while it is received', false],
  ['before it is put', false],
  ['after it was put', false],
  ['after it was received', true],
  ['after it was referenced', true],
  ['after it was released', false],
  ['before it is removed', false],
  ['after it was removed', false],
] as const

describe('a process that is killed', () => {
  test.each(moments)(
    '%s leaves no record without its bytes, and no orphaned bytes',
    async (moment, isRecorded) => {
      const directory = makeDirectory()
      const databaseUrl = await makeDatabase()
      const database = openDatabase(databaseUrl, { onError: () => {} })
      onTestFinished(() => database.close())
      const { testTenantId: tenantId } = await makeWorkspace(database)
      const script = fileURLToPath(new URL('killed-upload.ts', import.meta.url))
      const child = spawn(process.execPath, [script, databaseUrl, directory, tenantId, moment], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      expect((await once(child, 'exit'))[1]).toBe('SIGKILL')

      const store = createDiskStore(directory)
      const ids = await listBlobs(database, tenantId)
      expect(ids).toHaveLength(isRecorded ? 1 : 0)
      for (const id of ids) (await store.read(toBlobKey(tenantId, id))).destroy()
      await expireAll(database, tenantId)
      const context = {
        database,
        log,
        tenantId,
        signal: AbortSignal.timeout(30_000),
      } as unknown as JobContext
      await cleanUpBlobs.run(context)
      await removeBlobs({ store }).run({} as never, context)
      await createSpool(join(directory, 'incoming')).cleanUp(0)
      const isKept = moment === 'after it was referenced'
      expect(await countFiles(directory)).toBe(isKept ? 1 : 0)
      expect(await database.withTenant({ tenantId }, getUsage)).toBe(isKept ? 200_000 : 0)
      expect(await listBlobs(database, tenantId)).toHaveLength(isKept ? 1 : 0)
    },
  )
})

const listBlobs = (database: Database, tenantId: string) =>
  database.withTenant({ tenantId }, async tx => {
    const { rows } = await sql<{ id: string }>`select id from blobs where tenant_id = ${tenantId}`.execute(tx)
    return rows.map(({ id }) => id)
  })

/** Sets the expiry times to the past. */
const expireAll = (database: Database, tenantId: string) =>
  database.withTenant({ tenantId }, async tx => {
    for (const table of ['blob_references', 'blob_removals'])
      await sql`
        update ${sql.table(table)} set expires_at = ${new Date(0)}
        where tenant_id = ${tenantId} and expires_at is not null`.execute(tx)
  })
