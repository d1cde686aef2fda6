/** Files of tenants: stored once, kept while somebody refers to them, apart from those of others. On every store. */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blobStores, countFiles, type OpenStore } from '../../../test/blob-stores.ts'
import { type BlobTrial, kind, makeBlobTrial } from '../../../test/blob-trial.ts'
import { makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { newId } from '../id.ts'
import { findBlobs, referToBlobs, releaseBlobs } from './blobs.ts'
import type { BlobStore } from './store.ts'

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

  const countJobs = async () => {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker._private_jobs where payload->>'tenantId' = $1 and run_at <= now()`,
      [trial.tenantId],
    )
    return rows[0]!.count
  }

  test('come back as they were, and are what their bytes show, whatever they are called', async () => {
    // What it says of itself is longer than the head that is looked at.
    const png = await sharp({ create: { width: 90, height: 90, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'x'.repeat(10_000) } })
      .png()
      .toBuffer()
    const blob = await trial.receive(png)
    expect(blob).toMatchObject({ bytes: png.length, mediaType: 'image/png' })
    const objectId = await trial.refer(blob)
    expect((await trial.read(blob.id)).equals(png)).toBe(true)
    const part = await buffer(await trial.blobs.read(trial.tenantId, blob.id, { start: 1, end: 3 }))
    expect(part.toString()).toBe('PNG')
    expect(await trial.inTenant(tx => findBlobs(tx, { kind, objectIds: [objectId] }))).toEqual([
      { objectId, id: blob.id, bytes: png.length, mediaType: 'image/png' },
    ])
    const text = await trial.receive(Buffer.from('<script>alert(1)</script>'))
    expect(text.mediaType).toBe('application/octet-stream')
  })

  test('are stored once in a tenant, and go with the last who refers to them', async () => {
    const before = await opened.count()
    const content = randomBytes(10_000)
    const [first, second] = [await trial.receive(content), await trial.receive(content)]
    expect(second.id).toBe(first.id)
    const [one, other] = [await trial.refer(first), await trial.refer(second)]
    expect(await trial.used()).toBe(10_000)
    expect(await opened.count()).toBe(before + 1)

    await trial.release([one])
    await trial.runJob()
    expect((await trial.read(first.id)).equals(content)).toBe(true)
    await trial.release([other])
    expect(await trial.used()).toBe(0)
    expect(await countJobs()).toBe(1)
    await trial.runJob()
    expect(await opened.count()).toBe(before)
    await expect(trial.blobs.read(trial.tenantId, first.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of equal content that come at one moment are one', async () => {
    const before = await opened.count()
    const content = randomBytes(10_000)
    const received = await Promise.all(Array.from({ length: 6 }, () => trial.receive(content)))
    expect(new Set(received.map(({ id }) => id)).size).toBe(1)
    await Promise.all(received.map(blob => trial.refer(blob)))
    await trial.runJob()
    expect(await opened.count()).toBe(before + 1)
    expect(await trial.used()).toBe(10_000)
    expect((await trial.read(received[0]!.id)).equals(content)).toBe(true)
  })

  test('of one tenant are nothing to another, not even equal ones', async () => {
    const content = randomBytes(1000)
    const ours = await trial.receive(content)
    const theirs = await trial.receive(content, trial.otherTenantId)
    expect(theirs.id).not.toBe(ours.id)
    await expect(trial.blobs.read(trial.otherTenantId, ours.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(trial.refer(ours, trial.otherTenantId)).rejects.toMatchObject({ code: '23503' })
    const objectId = await trial.refer(ours)
    await trial.refer(theirs, trial.otherTenantId)
    await trial.release([objectId], trial.otherTenantId)
    await trial.release([objectId])
    await Promise.all([trial.runJob(), trial.runJob(trial.otherTenantId)])
    expect((await trial.read(theirs.id, trial.otherTenantId)).equals(content)).toBe(true)
    expect([await trial.used(), await trial.used(trial.otherTenantId)]).toEqual([0, 1000])
  })

  test('that come again while they are deleted are there in the end', async () => {
    for (let round = 0; round < 8; round++) {
      const content = randomBytes(1000 + round)
      const objectId = await trial.refer(await trial.receive(content))
      const [again] = await Promise.all([trial.receive(content), trial.release([objectId]), trial.runJob()])
      await Promise.all([trial.refer(again), trial.runJob(), trial.sweep()])
      expect((await trial.read(again.id)).equals(content)).toBe(true)
    }
  })

  test('are released one by one, where an object refers to several', async () => {
    const received = await Promise.all([1, 2, 3].map(size => trial.receive(randomBytes(size))))
    const objectId = newId()
    await trial.inTenant(tx => referToBlobs(tx, { kind, objectId }, received))
    await trial.inTenant(tx => releaseBlobs(tx, { kind, objectIds: [objectId] }, [received[1]!.id]))
    const left = await trial.inTenant(tx => findBlobs(tx, { kind, objectIds: [objectId] }))
    expect(left.map(({ bytes }) => bytes).sort()).toEqual([1, 3])
    expect(await trial.used()).toBe(4)
  })

  test('are not removed while the store is out of order, and are later', async () => {
    const before = await opened.count()
    const received = await Promise.all([1, 2, 3].map(size => trial.receive(randomBytes(size))))
    await trial.release(await Promise.all(received.map(blob => trial.refer(blob))))
    const broken: BlobStore = {
      ...opened.store,
      remove: key =>
        key.endsWith(received[1]!.id) ? Promise.reject(new Error('out of order')) : opened.store.remove(key),
    }
    await expect(trial.runJob(trial.tenantId, broken)).rejects.toThrow('out of order')
    // The others are gone all the same.
    expect(await opened.count()).toBe(before + 1)
    await trial.sweep()
    expect(await opened.count()).toBe(before)
  })
})
