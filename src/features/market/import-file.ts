/** Imports a file of listings or sales into the market: reads it as a stream, and stores each batch in a transaction. */

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
  /** By reason: the number of rows, and the row numbers of the first of them. */
  skipped: Map<RowReason, { count: number; first: number[] }>
  /** Why the file can't be read beyond these rows, as a sentence; null: it was read to its end. */
  damage: string | null
}

const batchRows = 500
const listedRowsMax = 5
const unreadable: Record<string, string> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory' }

/**
 * Imports a CSV file or a Kyero feed, plain or gzipped, of any length. It is idempotent: another run, also after an
 * interrupted one, adds only what is missing. If the file is damaged, the rows before the damage are stored. `onProgress`
 * gets the share of the file that is read, 0 to 1, and the number of rows stored. Throws an Error with a sentence for people
 * if the file has another format or no row can be read.
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
  const rows = readUntilDamage(
    path,
    readRows(chunks, { ...defaults, now: new Date(machineNow()).toTemporalInstant() }),
    result,
  )
  let batch: FileRow[] = []
  // Batches are stored one after the other; while one is stored, the next is read.
  let storing = Promise.resolve()
  const store = async (batch: FileRow[]) => {
    await storeBatch(database, environment, batch, result)
    onProgress(Math.min(1, bytes.bytesRead / size), result.rows)
  }
  const flush = async () => {
    await storing
    storing = store(batch)
    // The next `await storing` reports the error; this only prevents an unhandled rejection.
    storing.catch(() => {})
    batch = []
  }
  try {
    for await (const row of rows) {
      batch.push(row)
      // Lets the event loop handle the replies of the database.
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

/** Yields the rows before a damage, and records it in `result`. If there are none, it throws the damage with the path. */
async function* readUntilDamage(
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
  return error.code?.startsWith('Z_') ? 'The gzip file is damaged or incomplete.' : null
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
    if (skipped.first.length < listedRowsMax) skipped.first.push(number)
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

/** Reads a file that begins like XML as a Kyero feed, any other as a table. */
async function* readRows(chunks: AsyncIterable<Uint8Array>, defaults: FileDefaults): AsyncGenerator<FileRow> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  const head = new TextDecoder().decode(first.done ? undefined : first.value.subarray(0, 1000))
  async function* readAllChunks() {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  yield* /^\s*</.test(head)
    ? readFeedRows(readAllChunks(), defaults)
    : readTableRows(readAllChunks(), defaults)
}
