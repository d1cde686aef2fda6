/** The contract of blob stores, on disk and on an S3-compatible server. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blobStores, countFiles, type OpenStore } from '../../../test/blob-stores.ts'
import type { ByteRange } from '../byte-range.ts'
import { newId } from '../id.ts'
import { checkStore } from './open-store.ts'
import { createSpool } from './spool.ts'
import { BlobMissing, toBlobKey } from './store.ts'

const signal = AbortSignal.timeout(60_000)

describe.each(blobStores)('a store %s', (_name, open) => {
  let opened: OpenStore
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.stop())

  const put = async (bytes: Buffer, key = toBlobKey(newId(), newId())) => {
    const limits = { bytesMax: bytes.length, tooLarge: () => new Error('too large'), signal }
    await createSpool(opened.spoolDir).receive(Readable.from([bytes]), limits, file =>
      opened.store.put(key, file, signal),
    )
    return key
  }
  const read = async (key: string, range?: ByteRange) => buffer(await opened.store.read(key, range))

  test.each([0, 1, 65_536, 17_000_000])('returns the %d bytes that were stored', async size => {
    const bytes = randomBytes(size)
    const key = await put(bytes)
    expect((await read(key)).equals(bytes)).toBe(true)
    expect(await countFiles(opened.spoolDir)).toBe(0)
  })

  test('reads a range', async () => {
    const bytes = randomBytes(200_000)
    const key = await put(bytes)
    for (const range of [
      { start: 0, end: 1 },
      { start: 70_000, end: 140_000 },
      { start: 199_999, end: 199_999 },
    ])
      expect((await read(key, range)).equals(bytes.subarray(range.start, range.end + 1))).toBe(true)
  })

  test('has no object under another key, nor after removal', async () => {
    const key = await put(Buffer.from('once'))
    const [tenantId, id] = key.split('/') as [string, string]
    for (const other of [toBlobKey(newId(), id), toBlobKey(tenantId, newId())])
      await expect(opened.store.read(other)).rejects.toBeInstanceOf(BlobMissing)
    await opened.store.remove(key)
    await expect(opened.store.read(key)).rejects.toBeInstanceOf(BlobMissing)
    await opened.store.remove(key)
    await opened.store.remove(toBlobKey(newId(), newId()))
  })

  test('accepts many objects concurrently', async () => {
    const all = Array.from({ length: 40 }, (_, index) => randomBytes(10_000 + index))
    const tenantId = newId()
    const keys = await Promise.all(all.map(bytes => put(bytes, toBlobKey(tenantId, newId()))))
    const found = await Promise.all(keys.map(key => read(key)))
    expect(found.map((bytes, index) => bytes.equals(all[index]!))).not.toContain(false)
    await Promise.all(keys.map(key => opened.store.remove(key)))
  })

  test('passes checkStore, which leaves no object behind', async () => {
    const before = await opened.count()
    await checkStore(opened.store, opened.spoolDir)
    expect(await opened.count()).toBe(before)
  })
})
