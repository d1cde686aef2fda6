/** Files of tenants: within what a tenant may store, and gone if nobody comes back for them. On every store. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blobStores, countFiles, type OpenStore } from '../../../test/blob-stores.ts'
import { type BlobTrial, bytesMax, kind, makeBlobTrial } from '../../../test/blob-trial.ts'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase, sql } from '../db/index.ts'
import { newId } from '../id.ts'
import { referToBlobs } from './blobs.ts'
import { claimRemovals } from './queries.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
})
afterAll(() => database.close())

describe.each(blobStores)('files, kept %s,', (_name, open) => {
  let opened: OpenStore
  let trial: BlobTrial
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.stop())
  beforeEach(async () => {
    trial = await makeBlobTrial(database, opened)
  })
  afterEach(async () => {
    expect(await countFiles(opened.spoolDir)).toBe(0)
  })

  describe('take no more room than the tenant may have:', () => {
    test('one that is too large is refused while it comes, and its source is left', async () => {
      const source = Readable.from(
        (function* () {
          for (;;) yield randomBytes(10_000)
        })(),
      )
      await expect(trial.receive(source, trial.tenantId, 50_000)).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The file is larger than 50 kB.',
      })
      expect(source.destroyed).toBe(true)
      await expect(
        trial.receive(randomBytes(bytesMax + 1), trial.tenantId, 2 * bytesMax),
      ).rejects.toMatchObject({
        code: 'STORAGE_FULL',
        status: 422,
      })
    })

    test('many that come at one moment do not pass it, and what is deleted leaves room', async () => {
      const size = 300_000
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => trial.receive(randomBytes(size))),
      )
      const taken = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
      const codes = results.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))
      expect(taken).toHaveLength(3)
      expect(codes).toEqual(Array(5).fill('STORAGE_FULL'))
      expect(await trial.used()).toBe(3 * size)
      const objectId = await trial.refer(taken[0]!)
      await trial.release([objectId])
      await trial.receive(randomBytes(size))
      await expect(trial.receive(randomBytes(size))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
      // Another tenant is not concerned.
      await trial.receive(randomBytes(size), trial.otherTenantId)
    })

    test('what is there already takes none', async () => {
      const content = randomBytes(600_000)
      await trial.receive(content)
      await expect(trial.receive(randomBytes(600_000))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
      expect(await trial.used()).toBe(600_000)
    })
  })

  describe('that nobody comes back for', () => {
    test('go after an hour, and not before', async () => {
      const before = await opened.count()
      const blob = await trial.receive(randomBytes(5000))
      await trial.sweep()
      expect((await trial.read(blob.id)).length).toBe(5000)
      await trial.expire()
      await trial.sweep()
      expect(await opened.count()).toBe(before)
      expect(await trial.used()).toBe(0)
    })

    test('stay if the transaction that refers to them is undone, until the hour is over', async () => {
      const blob = await trial.receive(randomBytes(5000))
      const undone = trial.inTenant(async tx => {
        await referToBlobs(tx, { kind, objectId: newId() }, [blob])
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      await trial.refer(blob)
      await trial.expire()
      await trial.sweep()
      expect((await trial.read(blob.id)).length).toBe(5000)
    })

    test('leave nothing if the store refuses them, but the room that they take for a minute', async () => {
      const before = await opened.count()
      trial.beforePut = () => Promise.reject(new Error('out of order'))
      await expect(trial.receive(randomBytes(5000))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        status: 503,
      })
      expect(await trial.used()).toBe(5000)
      await trial.sweep()
      expect(await trial.used()).toBe(5000)
      await trial.expire()
      await trial.sweep()
      expect(await trial.used()).toBe(0)
      expect(await opened.count()).toBe(before)
    })

    test.each([
      ['was removed', () => trial.sweep()],
      ['is being removed', () => trial.inTenant(tx => claimRemovals(tx, 10))],
    ])('are not taken from an upload so slow that it %s meanwhile', async (_what, remove) => {
      const before = await opened.count()
      trial.beforePut = async () => {
        await trial.expire()
        await remove()
      }
      await expect(trial.receive(randomBytes(5000))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      const { rows } = await trial.inTenant(tx =>
        sql`select id from blobs where tenant_id = ${trial.tenantId}`.execute(tx),
      )
      expect(rows).toEqual([])
      await trial.runJob()
      expect(await opened.count()).toBe(before)
      expect(await trial.used()).toBe(0)
    })

    test('end with the signal, however long the source waits', async () => {
      const stopping = new AbortController()
      const source = new Readable({ read() {} })
      source.push(randomBytes(1000))
      const receiving = trial.blobs.receive({ tenantId: trial.tenantId }, source, {
        bytesMax,
        signal: stopping.signal,
      })
      await eventually(
        () => countFiles(opened.spoolDir),
        count => count === 1,
      )
      stopping.abort(new Error('gone'))
      await expect(receiving).rejects.toThrow('gone')
      expect(source.destroyed).toBe(true)
    })
  })
})
