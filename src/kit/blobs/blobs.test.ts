/** Files of tenants: stored once, kept while somebody refers to them, within what a tenant may store. On every store. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blobStores, countFiles, type OpenStore } from '../../../test/blob-stores.ts'
import { eventually, makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase, sql, type Tx } from '../db/index.ts'
import { newId } from '../id.ts'
import type { JobContext } from '../jobs/job.ts'
import { createLog } from '../log.ts'
import {
  type Blobs,
  createBlobs,
  findBlobs,
  findUsage,
  type HeldBlob,
  referToBlobs,
  releaseBlobs,
} from './blobs.ts'
import { claimRemovals } from './queries.ts'
import { removeBlobs, sweepBlobs } from './removal.ts'
import type { BlobStore } from './store.ts'

const bytesMax = 1_000_000
const kind = 'ficha'

let database: Database
beforeAll(async () => {
  database = openDatabase(await makeDatabase(), { onError: () => {} })
})
afterAll(() => database.close())

describe.each(blobStores)('files, kept %s,', (_name, open) => {
  let opened: OpenStore
  let store: BlobStore
  let blobs: Blobs
  let tenantId: string
  let otherTenantId: string
  /** What the store does first when it is to put something. */
  let beforePut: () => Promise<void>
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.stop())
  beforeEach(async () => {
    beforePut = async () => {}
    store = {
      ...opened.store,
      async put(...input) {
        await beforePut()
        return opened.store.put(...input)
      },
    }
    blobs = createBlobs({ database, store, spoolDir: opened.spoolDir, bytesMax, log: createLog('silent') })
    const workspace = await makeWorkspace(database)
    tenantId = workspace.testTenantId
    otherTenantId = workspace.liveTenantId
  })
  afterEach(async () => {
    expect(await countFiles(opened.spoolDir)).toBe(0)
  })

  const inTenant = <T>(work: (tx: Tx) => Promise<T>, of = tenantId) =>
    database.withTenant({ tenantId: of }, work)
  const receive = (content: Buffer | Readable, of = tenantId, fileMax = bytesMax) =>
    blobs.receive({ tenantId: of }, Readable.from(content), {
      bytesMax: fileMax,
      signal: AbortSignal.timeout(20_000),
    })
  const refer = (blob: HeldBlob, of = tenantId) => {
    const objectId = newId()
    return inTenant(tx => referToBlobs(tx, { kind, objectId }, [blob]), of).then(() => objectId)
  }
  const release = (objectIds: string[], of = tenantId) =>
    inTenant(tx => releaseBlobs(tx, { kind, objectIds }), of)
  const read = async (id: string, of = tenantId) => buffer(await blobs.read(of, id))
  const used = (of = tenantId) => inTenant(findUsage, of)
  const context = { signal: new AbortController().signal, log: createLog('silent') }
  /** What the queue would do for the tenant. */
  const runJob = (of = tenantId) =>
    removeBlobs(opened).run({} as never, { ...context, database, tenantId: of } as JobContext)
  const sweep = async () => {
    await sweepBlobs.run({ ...context, database } as JobContext)
    await Promise.all([runJob(), runJob(otherTenantId)])
  }
  const countJobs = async () => {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker._private_jobs where payload->>'tenantId' = $1 and run_at <= now()`,
      [tenantId],
    )
    return rows[0]!.count
  }
  /** As if an hour had passed since then. */
  const expire = () =>
    inTenant(async tx => {
      const past = new Date(0)
      await sql`
        update blob_references set expires_at = ${past}
        where tenant_id = ${tenantId} and expires_at is not null`.execute(tx)
      await sql`
        update blob_removals set expires_at = ${past}
        where tenant_id = ${tenantId} and expires_at is not null`.execute(tx)
    })

  test('come back as they were, and are what their bytes show, whatever they are called', async () => {
    // What it says of itself is longer than the head that is looked at.
    const png = await sharp({ create: { width: 90, height: 90, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'x'.repeat(10_000) } })
      .png()
      .toBuffer()
    const blob = await receive(png)
    expect(blob).toMatchObject({ bytes: png.length, mediaType: 'image/png' })
    const objectId = await refer(blob)
    expect((await read(blob.id)).equals(png)).toBe(true)
    const part = await buffer(await blobs.read(tenantId, blob.id, { start: 1, end: 3 }))
    expect(part.toString()).toBe('PNG')
    expect(await inTenant(tx => findBlobs(tx, { kind, objectIds: [objectId] }))).toEqual([
      { objectId, id: blob.id, bytes: png.length, mediaType: 'image/png' },
    ])
    const text = await receive(Buffer.from('<script>alert(1)</script>'))
    expect(text.mediaType).toBe('application/octet-stream')
  })

  test('are stored once in a tenant, and go with the last who refers to them', async () => {
    const before = await opened.count()
    const content = randomBytes(10_000)
    const [first, second] = [await receive(content), await receive(content)]
    expect(second.id).toBe(first.id)
    const [one, other] = [await refer(first), await refer(second)]
    expect(await used()).toBe(10_000)
    expect(await opened.count()).toBe(before + 1)

    await release([one])
    await runJob()
    expect((await read(first.id)).equals(content)).toBe(true)
    await release([other])
    expect(await used()).toBe(0)
    expect(await countJobs()).toBe(1)
    await runJob()
    expect(await opened.count()).toBe(before)
    await expect(blobs.read(tenantId, first.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of equal content that come at one moment are one', async () => {
    const before = await opened.count()
    const content = randomBytes(10_000)
    const received = await Promise.all(Array.from({ length: 6 }, () => receive(content)))
    expect(new Set(received.map(({ id }) => id)).size).toBe(1)
    await Promise.all(received.map(blob => refer(blob)))
    await runJob()
    expect(await opened.count()).toBe(before + 1)
    expect(await used()).toBe(10_000)
    expect((await read(received[0]!.id)).equals(content)).toBe(true)
  })

  test('of one tenant are nothing to another, not even equal ones', async () => {
    const content = randomBytes(1000)
    const ours = await receive(content)
    const theirs = await receive(content, otherTenantId)
    expect(theirs.id).not.toBe(ours.id)
    await expect(blobs.read(otherTenantId, ours.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(refer(ours, otherTenantId)).rejects.toMatchObject({ code: '23503' })
    const objectId = await refer(ours)
    await refer(theirs, otherTenantId)
    await release([objectId], otherTenantId)
    await release([objectId])
    await Promise.all([runJob(), runJob(otherTenantId)])
    expect((await read(theirs.id, otherTenantId)).equals(content)).toBe(true)
    expect([await used(), await used(otherTenantId)]).toEqual([0, 1000])
  })

  test('that come again while they are deleted are there in the end', async () => {
    for (let round = 0; round < 8; round++) {
      const content = randomBytes(1000 + round)
      const objectId = await refer(await receive(content))
      const [again] = await Promise.all([receive(content), release([objectId]), runJob()])
      await Promise.all([refer(again), runJob(), sweep()])
      expect((await read(again.id)).equals(content)).toBe(true)
    }
  })

  test('are released one by one, where an object refers to several', async () => {
    const received = await Promise.all([1, 2, 3].map(size => receive(randomBytes(size))))
    const objectId = newId()
    await inTenant(tx => referToBlobs(tx, { kind, objectId }, received))
    await inTenant(tx => releaseBlobs(tx, { kind, objectIds: [objectId] }, [received[1]!.id]))
    const left = await inTenant(tx => findBlobs(tx, { kind, objectIds: [objectId] }))
    expect(left.map(({ bytes }) => bytes).sort()).toEqual([1, 3])
    expect(await used()).toBe(4)
  })

  describe('take no more room than the tenant may have:', () => {
    test('one that is too large is refused while it comes, and its source is left', async () => {
      const source = Readable.from(
        (function* () {
          for (;;) yield randomBytes(10_000)
        })(),
      )
      await expect(receive(source, tenantId, 50_000)).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The file is larger than 50 kB.',
      })
      expect(source.destroyed).toBe(true)
      await expect(receive(randomBytes(bytesMax + 1), tenantId, 2 * bytesMax)).rejects.toMatchObject({
        code: 'STORAGE_FULL',
        status: 422,
      })
    })

    test('many that come at one moment do not pass it, and what is deleted leaves room', async () => {
      const size = 300_000
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => receive(randomBytes(size))))
      const taken = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
      const codes = results.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))
      expect(taken).toHaveLength(3)
      expect(codes).toEqual(Array(5).fill('STORAGE_FULL'))
      expect(await used()).toBe(3 * size)
      const objectId = await refer(taken[0]!)
      await release([objectId])
      await receive(randomBytes(size))
      await expect(receive(randomBytes(size))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
      // Another tenant is not concerned.
      await receive(randomBytes(size), otherTenantId)
    })

    test('what is there already takes none', async () => {
      const content = randomBytes(600_000)
      await receive(content)
      await expect(receive(randomBytes(600_000))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
      expect(await used()).toBe(600_000)
    })
  })

  describe('that nobody comes back for', () => {
    test('go after an hour, and not before', async () => {
      const before = await opened.count()
      const blob = await receive(randomBytes(5000))
      await sweep()
      expect((await read(blob.id)).length).toBe(5000)
      await expire()
      await sweep()
      expect(await opened.count()).toBe(before)
      expect(await used()).toBe(0)
    })

    test('stay if the transaction that refers to them is undone, until the hour is over', async () => {
      const blob = await receive(randomBytes(5000))
      const undone = inTenant(async tx => {
        await referToBlobs(tx, { kind, objectId: newId() }, [blob])
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      await refer(blob)
      await expire()
      await sweep()
      expect((await read(blob.id)).length).toBe(5000)
    })

    test('leave nothing if the store refuses them, but the room that they take for a minute', async () => {
      const before = await opened.count()
      beforePut = () => Promise.reject(new Error('out of order'))
      await expect(receive(randomBytes(5000))).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
      expect(await used()).toBe(5000)
      await sweep()
      expect(await used()).toBe(5000)
      await expire()
      await sweep()
      expect(await used()).toBe(0)
      expect(await opened.count()).toBe(before)
    })

    test.each([
      ['was removed', sweep],
      ['is being removed', () => inTenant(tx => claimRemovals(tx, 10))],
    ])('are not taken from an upload so slow that it %s meanwhile', async (_what, remove) => {
      const before = await opened.count()
      beforePut = async () => {
        await expire()
        await remove()
      }
      await expect(receive(randomBytes(5000))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      const { rows } = await inTenant(tx =>
        sql`select id from blobs where tenant_id = ${tenantId}`.execute(tx),
      )
      expect(rows).toEqual([])
      await runJob()
      expect(await opened.count()).toBe(before)
      expect(await used()).toBe(0)
    })

    test('end with the signal, however long the source waits', async () => {
      const stopping = new AbortController()
      const source = new Readable({ read() {} })
      source.push(randomBytes(1000))
      const receiving = blobs.receive({ tenantId }, source, { bytesMax, signal: stopping.signal })
      await eventually(
        () => countFiles(opened.spoolDir),
        count => count === 1,
      )
      stopping.abort(new Error('gone'))
      await expect(receiving).rejects.toThrow('gone')
      expect(source.destroyed).toBe(true)
    })
  })

  test('are not removed while the store is out of order, and are later', async () => {
    const before = await opened.count()
    const received = await Promise.all([1, 2, 3].map(size => receive(randomBytes(size))))
    await release(await Promise.all(received.map(blob => refer(blob))))
    const broken: BlobStore = {
      ...opened.store,
      remove: key =>
        key.endsWith(received[1]!.id) ? Promise.reject(new Error('out of order')) : opened.store.remove(key),
    }
    const job = { ...context, database, tenantId } as JobContext
    await expect(removeBlobs({ store: broken }).run({} as never, job)).rejects.toThrow('out of order')
    // The others are gone all the same.
    expect(await opened.count()).toBe(before + 1)
    await sweep()
    expect(await opened.count()).toBe(before)
  })
})
