/** A file of adverts or sales brought to the market: read as a stream, a transaction for each batch. */

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { setImmediate as immediate } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { TableError } from '../../domain/table/table-error.ts'
import { machineNow } from '../../kit/clock/clock.ts'
import { analyzeGrownTables } from '../../kit/db/analyze.ts'
import type { Database, Environment } from '../../kit/db/index.ts'
import { isGzip } from '../../kit/gzip.ts'
import {
  type FileDefaults,
  type FileRow,
  type RowReason,
  readFeedRows,
  readTableRows,
} from './import-rows.ts'
import type { SourceListing } from './market-listing.ts'
import { type StoreCounts, storeMarketListings } from './store.ts'

export interface MarketFile extends Omit<FileDefaults, 'now'> {
  path: string
  environment: Environment
}

export interface MarketImport extends Omit<StoreCounts, 'skipped'> {
  rows: number
  /** By reason: how many rows, and the numbers of the first of them. */
  skipped: Map<RowReason, { count: number; first: number[] }>
  /** Why the file can't be read beyond these rows, in a sentence; null: it was read to its end. */
  damage: string | null
}

const batchRows = 500
const firstMax = 5
const unreadable: Record<string, string> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory' }

/**
 * Imports a CSV file or a Kyero feed, plain or gzipped, of any length. Run again, whether it was broken off or not, it brings
 * what is missing and nothing twice. Of a damaged file the rows before the damage are stored. `onProgress` hears which part of
 * the file is read, 0 to 1, and how many rows are stored. Throws an Error that says why if the file is neither, or no row of it
 * can be read.
 */
export async function importMarketFile(
  database: Pick<Database, 'unscoped'>,
  { path, environment, ...defaults }: MarketFile,
  onProgress: (share: number, rows: number) => void = () => {},
): Promise<MarketImport> {
  const { bytes, size, isGzipped } = await openFile(path)
  const result: MarketImport = {
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    joined: 0,
    skipped: new Map(),
    damage: null,
  }
  const chunks = isGzipped ? pipeline(bytes, createGunzip(), () => {}) : bytes
  const rows = untilDamaged(
    path,
    readRows(chunks, { ...defaults, now: new Date(machineNow()).toTemporalInstant() }),
    result,
  )
  let batch: FileRow[] = []
  // One batch after the other; while one is written, the next is read.
  let storing = Promise.resolve()
  const store = async (batch: FileRow[]) => {
    await storeBatch(database, environment, batch, result)
    onProgress(Math.min(1, bytes.bytesRead / size), result.rows)
  }
  const flush = async () => {
    await storing
    storing = store(batch)
    // It is heard of when it is waited for.
    storing.catch(() => {})
    batch = []
  }
  try {
    for await (const row of rows) {
      batch.push(row)
      // So that what the database answers meanwhile is answered.
      if (batch.length % 50 === 0) await immediate()
      if (batch.length === batchRows) await flush()
    }
    await flush()
    await storing
    return result
  } finally {
    await storing.catch(() => {})
    bytes.destroy()
  }
}

/** The rows before the damage if there is one, which is noted. Throws it with the path if there are none. */
async function* untilDamaged(
  path: string,
  rows: AsyncIterable<FileRow>,
  result: Pick<MarketImport, 'damage'>,
): AsyncGenerator<FileRow> {
  let isFirst = true
  try {
    for await (const row of rows) {
      isFirst = false
      yield row
    }
  } catch (error) {
    const damage = toDamageMessage(error as NodeJS.ErrnoException)
    if (damage === null) throw error
    if (isFirst) throw new Error(`${path}: ${damage}`, { cause: error })
    result.damage = damage
  }
}

function toDamageMessage(error: NodeJS.ErrnoException): string | null {
  if (error instanceof TableError) return error.message
  return error.code?.startsWith('Z_') ? 'The file is packed by gzip, and damaged or cut.' : null
}

async function openFile(path: string) {
  const { size, head } = await readHead(path).catch(error => {
    throw new Error(`${path} can't be read: ${unreadable[error.code] ?? error.message}.`)
  })
  return { bytes: createReadStream(path), size, isGzipped: isGzip(head) }
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
  database: Pick<Database, 'unscoped'>,
  environment: Environment,
  batch: FileRow[],
  result: MarketImport,
): Promise<void> {
  const skip = (reason: RowReason, { number }: FileRow) => {
    const skipped = result.skipped.get(reason) ?? { count: 0, first: [] }
    skipped.count += 1
    if (skipped.first.length < firstMax) skipped.first.push(number)
    result.skipped.set(reason, skipped)
  }
  const parsed = batch.filter(row => {
    if (typeof row.parsed === 'string') skip(row.parsed, row)
    return typeof row.parsed !== 'string'
  })
  const listings = parsed.map(row => row.parsed as SourceListing)
  const { skipped, ...counts } = await database.unscoped
    .transaction()
    .execute(tx => storeMarketListings(tx, { environment, listings }))
  for (const { index, reason } of skipped) skip(reason, parsed[index]!)
  result.rows += batch.length
  for (const name of ['created', 'updated', 'unchanged', 'joined'] as const) result[name] += counts[name]
  await analyzeGrownTables(database)
}

/** What begins like XML is a feed. */
async function* readRows(chunks: AsyncIterable<Uint8Array>, defaults: FileDefaults): AsyncGenerator<FileRow> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  const head = new TextDecoder().decode(first.done ? undefined : first.value.subarray(0, 1000))
  async function* all() {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  yield* /^\s*</.test(head) ? readFeedRows(all(), defaults) : readTableRows(all(), defaults)
}
