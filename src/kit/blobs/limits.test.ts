/** Blobs: the storage limit of a tenant, and the removal of unreferenced files. On every store. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BlobHarness, bytesMax, kind, makeBlobHarness } from '../../../test/blob-harness.ts'
import { blobStores, countFiles, type OpenStore } from '../../../test/blob-stores.ts'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase, sql } from '../db/index.ts'
import { newId } from '../id.ts'
import { addBlobReferences } from './blobs.ts'
import { claimRemovals } from './queries.ts'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
})
afterAll(() => database.close())

describe.each(blobStores)('blobs stored %s', (_name, open) => {
  let opened: OpenStore
  let harness: BlobHarness
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.stop())
  beforeEach(async () => {
    harness = await makeBlobHarness(database, opened)
  })
  afterEach(async () => {
    expect(await countFiles(opened.spoolDir)).toBe(0)
  })

  describe('stay within the storage limit:', () => {
    test('a file that is too large is rejected while it arrives, and its source is destroyed', async () => {
      const source = Readable.from(
        (function* () {
          for (;;) yield randomBytes(10_000)
        })(),
      )
      await expect(harness.receive(source, harness.tenantId, 50_000)).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The file is larger than 50 kB.',
      })
      expect(source.destroyed).toBe(true)
      await expect(
        harness.receive(randomBytes(bytesMax + 1), harness.tenantId, 2 * bytesMax),
      ).rejects.toMatchObject({
        code: 'STORAGE_FULL',
        status: 422,
      })
    })

    test('concurrent files do not exceed it, and deleted files free space', async () => {
      const size = 300_000
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => harness.receive(randomBytes(size))),
      )
      const accepted = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
      const codes = results.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))
      expect(accepted).toHaveLength(3)
      expect(codes).toEqual(Array(5).fill('STORAGE_FULL'))
      expect(await harness.readUsage()).toBe(3 * size)
      const objectId = await harness.addReference(accepted[0]!)
      await harness.release([objectId])
      await harness.receive(randomBytes(size))
      await expect(harness.receive(randomBytes(size))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
      // Another tenant has its own limit.
      await harness.receive(randomBytes(size), harness.otherTenantId)
    })

    test('a rejected file does not count', async () => {
      const content = randomBytes(600_000)
      await harness.receive(content)
      await expect(harness.receive(randomBytes(600_000))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
      expect(await harness.readUsage()).toBe(600_000)
    })
  })

  describe('without a reference', () => {
    test('are removed after an hour, not before', async () => {
      const before = await opened.count()
      const blob = await harness.receive(randomBytes(5000))
      await harness.cleanUp()
      expect((await harness.read(blob.id)).length).toBe(5000)
      await harness.expireAll()
      await harness.cleanUp()
      expect(await opened.count()).toBe(before)
      expect(await harness.readUsage()).toBe(0)
    })

    test('remain held for the hour if the transaction that refers to them is rolled back', async () => {
      const blob = await harness.receive(randomBytes(5000))
      const undone = harness.inTenant(async tx => {
        await addBlobReferences(tx, { kind, objectId: newId() }, [blob])
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      await harness.addReference(blob)
      await harness.expireAll()
      await harness.cleanUp()
      expect((await harness.read(blob.id)).length).toBe(5000)
    })

    test('leave nothing if the store fails; their bytes are freed a minute later', async () => {
      const before = await opened.count()
      harness.beforePut = () => Promise.reject(new Error('out of order'))
      await expect(harness.receive(randomBytes(5000))).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        status: 503,
      })
      expect(await harness.readUsage()).toBe(5000)
      await harness.cleanUp()
      expect(await harness.readUsage()).toBe(5000)
      await harness.expireAll()
      await harness.cleanUp()
      expect(await harness.readUsage()).toBe(0)
      expect(await opened.count()).toBe(before)
    })

    test.each([
      ['was removed', () => harness.cleanUp()],
      ['is being removed', () => harness.inTenant(tx => claimRemovals(tx, 10))],
    ])('are not created from an upload so slow that it %s meanwhile', async (_what, remove) => {
      const before = await opened.count()
      harness.beforePut = async () => {
        await harness.expireAll()
        await remove()
      }
      await expect(harness.receive(randomBytes(5000))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      const { rows } = await harness.inTenant(tx =>
        sql`select id from blobs where tenant_id = ${harness.tenantId}`.execute(tx),
      )
      expect(rows).toEqual([])
      await harness.runRemoval()
      expect(await opened.count()).toBe(before)
      expect(await harness.readUsage()).toBe(0)
    })

    test('are no longer received once the signal is aborted, even if the source stalls', async () => {
      const stopping = new AbortController()
      const source = new Readable({ read() {} })
      source.push(randomBytes(1000))
      const receiving = harness.blobs.receive({ tenantId: harness.tenantId }, source, {
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
