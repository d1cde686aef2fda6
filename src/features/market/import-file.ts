/** A file of adverts or sales brought to the market: read as a stream, a transaction for each batch. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { setImmediate as immediate } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import type { Database, Environment } from '../../kit/db/index.ts'
import { keepStatistics } from '../../kit/db/statistics.ts'
import type { OfferedAdvert } from './advert.ts'
import {
  type FileDefaults,
  type FileRow,
  type RowReason,
  readFeedRows,
  readTableRows,
} from './import-rows.ts'
import { type StoredAdverts, storeMarketAdverts } from './store.ts'

export interface MarketFile extends Omit<FileDefaults, 'now'> {
  path: string
  environment: Environment
}

export interface MarketImport extends Omit<StoredAdverts, 'skipped'> {
  rows: number
  /** By reason: how many rows, and the numbers of the first of them. */
  skipped: Map<RowReason, { count: number; first: number[] }>
  /** The file breaks off behind these rows, and had more. */
  isCut: boolean
}

const batchRows = 500
const firstMax = 5

/**
 * Imports a CSV file or a Kyero feed, plain or gzipped, of any length. Run again, whether it was broken off or not, it brings
 * what is missing and nothing twice. `onProgress` hears which part of the file is read, 0 to 1, and how many rows are stored.
 * Throws TableRefused for what is neither, and an Error if the file can't be read.
 */
export async function importMarketFile(
  database: Pick<Database, 'outside'>,
  { path, environment, ...defaults }: MarketFile,
  onProgress: (share: number, rows: number) => void = () => {},
): Promise<MarketImport> {
  const { bytes, size, isPacked } = await openFile(path)
  const done: MarketImport = {
    ...{ rows: 0, created: 0, updated: 0, unchanged: 0, joined: 0 },
    ...{ skipped: new Map(), isCut: false },
  }
  const rows = await rowsOf(isPacked ? pipeline(bytes, createGunzip(), () => {}) : bytes, {
    ...defaults,
    now: Temporal.Now.instant(),
  })
  const store = async (batch: FileRow[]) => {
    await storeBatch(database, environment, batch, done)
    onProgress(Math.min(1, bytes.bytesRead / size), done.rows)
  }
  let batch: FileRow[] = []
  // One batch after the other; while one is written, the next is read.
  let storing = Promise.resolve()
  try {
    for (let next = await rows.next(); ; next = await rows.next()) {
      if (next.done) done.isCut = !next.value
      else batch.push(next.value)
      // So that what the database answers meanwhile is answered.
      if (batch.length % 50 === 0) await immediate()
      if (batch.length < batchRows && !next.done) continue
      await storing
      storing = store(batch)
      // It is heard of when it is waited for.
      storing.catch(() => {})
      batch = []
      if (next.done) break
    }
    await storing
    return done
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw new Error(`${path} is packed by gzip, and damaged or cut.`, { cause: error })
    throw error
  } finally {
    await storing.catch(() => {})
    bytes.destroy()
  }
}

async function openFile(path: string) {
  const { size, head } = await readHead(path).catch(error => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new Error(`${path} can't be read: ${why}.`)
  })
  return { bytes: createReadStream(path), size, isPacked: head[0] === 0x1f && head[1] === 0x8b }
}

async function readHead(path: string): Promise<{ size: number; head: Buffer }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return { size, head: (await file.read(Buffer.alloc(2), 0, 2, 0)).buffer }
  } finally {
    await file.close()
  }
}

async function storeBatch(
  database: Pick<Database, 'outside'>,
  environment: Environment,
  batch: FileRow[],
  done: MarketImport,
): Promise<void> {
  const skip = (reason: RowReason, { number }: FileRow) => {
    const skipped = done.skipped.get(reason) ?? { count: 0, first: [] }
    skipped.count += 1
    if (skipped.first.length < firstMax) skipped.first.push(number)
    done.skipped.set(reason, skipped)
  }
  const offered = batch.filter(row => {
    if (typeof row.offered === 'string') skip(row.offered, row)
    return typeof row.offered !== 'string'
  })
  const adverts = offered.map(row => row.offered as OfferedAdvert)
  const { skipped, ...counts } = await database.outside
    .transaction()
    .execute(tx => storeMarketAdverts(tx, { environment, adverts }))
  for (const { at, reason } of skipped) skip(reason, offered[at]!)
  done.rows += batch.length
  for (const name of ['created', 'updated', 'unchanged', 'joined'] as const) done[name] += counts[name]
  await keepStatistics(database)
}

/** What begins like XML is a feed. */
async function rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  defaults: FileDefaults,
): Promise<AsyncGenerator<FileRow, boolean>> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  const head = new TextDecoder().decode(first.done ? undefined : first.value.subarray(0, 1000))
  async function* all() {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return /^\s*</.test(head) ? readFeedRows(all(), defaults) : readTableRows(all(), defaults)
}
