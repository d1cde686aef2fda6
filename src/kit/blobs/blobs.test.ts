/** Blobs: stored once per tenant, kept while an object refers to them, isolated between tenants. On every store. */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BlobHarness, kind, makeBlobHarness } from '../../../test/blob-harness.ts'
import { blobStores, countFiles, type OpenStore } from '../../../test/blob-stores.ts'
import { makeDatabase } from '../../../test/harness.ts'
import { type Database, openDatabase } from '../db/index.ts'
import { newId } from '../id.ts'
import { addBlobReferences, findBlobs, releaseBlobs } from './blobs.ts'
import type { BlobStore } from './store.ts'

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

  const countJobs = async () => {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker._private_jobs where payload->>'tenantId' = $1 and run_at <= now()`,
      [harness.tenantId],
    )
    return rows[0]!.count
  }

  test('are read back unchanged, with the media type of their content', async () => {
    // The metadata is longer than the part of the file that is inspected.
    const png = await sharp({ create: { width: 90, height: 90, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'x'.repeat(10_000) } })
      .png()
      .toBuffer()
    const blob = await harness.receive(png)
    expect(blob).toMatchObject({ bytes: png.length, mediaType: 'image/png' })
    const objectId = await harness.addReference(blob)
    expect((await harness.read(blob.id)).equals(png)).toBe(true)
    const part = await buffer(await harness.blobs.read(harness.tenantId, blob.id, { start: 1, end: 3 }))
    expect(part.toString()).toBe('PNG')
    expect(await harness.inTenant(tx => findBlobs(tx, { kind, objectIds: [objectId] }))).toEqual([
      { objectId, id: blob.id, bytes: png.length, mediaType: 'image/png' },
    ])
    const text = await harness.receive(Buffer.from('<script>alert(1)</script>'))
    expect(text.mediaType).toBe('application/octet-stream')
  })

  test('are stored once per tenant, and deleted with the last reference', async () => {
    const before = await opened.count()
    const content = randomBytes(10_000)
    const [first, second] = [await harness.receive(content), await harness.receive(content)]
    expect(second.id).toBe(first.id)
    const [one, other] = [await harness.addReference(first), await harness.addReference(second)]
    expect(await harness.readUsage()).toBe(10_000)
    expect(await opened.count()).toBe(before + 1)

    await harness.release([one])
    await harness.runRemoval()
    expect((await harness.read(first.id)).equals(content)).toBe(true)
    await harness.release([other])
    expect(await harness.readUsage()).toBe(0)
    expect(await countJobs()).toBe(1)
    await harness.runRemoval()
    expect(await opened.count()).toBe(before)
    await expect(harness.blobs.read(harness.tenantId, first.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('with equal content received concurrently are stored once', async () => {
    const before = await opened.count()
    const content = randomBytes(10_000)
    const received = await Promise.all(Array.from({ length: 6 }, () => harness.receive(content)))
    expect(new Set(received.map(({ id }) => id)).size).toBe(1)
    await Promise.all(received.map(blob => harness.addReference(blob)))
    await harness.runRemoval()
    expect(await opened.count()).toBe(before + 1)
    expect(await harness.readUsage()).toBe(10_000)
    expect((await harness.read(received[0]!.id)).equals(content)).toBe(true)
  })

  test('are isolated between tenants, even with equal content', async () => {
    const content = randomBytes(1000)
    const ours = await harness.receive(content)
    const theirs = await harness.receive(content, harness.otherTenantId)
    expect(theirs.id).not.toBe(ours.id)
    await expect(harness.blobs.read(harness.otherTenantId, ours.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(harness.addReference(ours, harness.otherTenantId)).rejects.toMatchObject({ code: '23503' })
    const objectId = await harness.addReference(ours)
    await harness.addReference(theirs, harness.otherTenantId)
    await harness.release([objectId], harness.otherTenantId)
    await harness.release([objectId])
    await Promise.all([harness.runRemoval(), harness.runRemoval(harness.otherTenantId)])
    expect((await harness.read(theirs.id, harness.otherTenantId)).equals(content)).toBe(true)
    expect([await harness.readUsage(), await harness.readUsage(harness.otherTenantId)]).toEqual([0, 1000])
  })

  test('received again while they are being deleted are kept', async () => {
    for (let round = 0; round < 8; round++) {
      const content = randomBytes(1000 + round)
      const objectId = await harness.addReference(await harness.receive(content))
      const [again] = await Promise.all([
        harness.receive(content),
        harness.release([objectId]),
        harness.runRemoval(),
      ])
      await Promise.all([harness.addReference(again), harness.runRemoval(), harness.cleanUp()])
      expect((await harness.read(again.id)).equals(content)).toBe(true)
    }
  })

  test('can be released one by one if an object refers to several', async () => {
    const received = await Promise.all([1, 2, 3].map(size => harness.receive(randomBytes(size))))
    const objectId = newId()
    await harness.inTenant(tx => addBlobReferences(tx, { kind, objectId }, received))
    await harness.inTenant(tx => releaseBlobs(tx, { kind, objectIds: [objectId] }, [received[1]!.id]))
    const remaining = await harness.inTenant(tx => findBlobs(tx, { kind, objectIds: [objectId] }))
    expect(remaining.map(({ bytes }) => bytes).sort()).toEqual([1, 3])
    expect(await harness.readUsage()).toBe(4)
  })

  test('are removed later if the store fails', async () => {
    const before = await opened.count()
    const received = await Promise.all([1, 2, 3].map(size => harness.receive(randomBytes(size))))
    await harness.release(await Promise.all(received.map(blob => harness.addReference(blob))))
    const broken: BlobStore = {
      ...opened.store,
      remove: key =>
        key.endsWith(received[1]!.id) ? Promise.reject(new Error('out of order')) : opened.store.remove(key),
    }
    await expect(harness.runRemoval(harness.tenantId, broken)).rejects.toThrow('out of order')
    // The others were removed.
    expect(await opened.count()).toBe(before + 1)
    await harness.cleanUp()
    expect(await opened.count()).toBe(before)
  })
})
