/** Reads an exclusion list from a file, completely, before anything is changed. */
import type { Identifier } from '../../domain/contact/identifiers.ts'
import type { Upload } from '../../kit/http/upload.ts'
import { invalidInput, Problem } from '../../kit/problem.ts'
import { type Client, createThreadPool, inlineMaxBytes, ThreadFailed } from '../../kit/thread-pool.ts'
import { readOnThread, type StreamPool } from '../../kit/thread-stream.ts'
import { type ExclusionBatch, type ParseExclusionsRequest, parseExclusions } from './parse-exclusions.ts'
import { unreadableRowsMax } from './schemas.ts'

/** Per file; also the maximum of identifiers. They are added in one transaction, about 10,000 per second. */
const rowsMax = 100_000

const exclusionThreads: StreamPool<ParseExclusionsRequest, ExclusionBatch> = createThreadPool({
  name: 'files',
  module: new URL('./parse-exclusions-thread.ts', import.meta.url),
  size: 4,
})

export interface ExclusionFile {
  /** Without duplicates. */
  identifiers: Identifier[]
  /** The number of rows that are not blank. */
  rows: number
  /** The number of rows without an identifier. */
  unreadable: number
  /** The numbers of the first `unreadableRowsMax` such rows, from 1. */
  unreadableRows: number[]
}

/**
 * Throws 400 if the file is no table or contains no identifier; 413 for too many rows or identifiers; the abort
 * reason of the client.
 */
export async function readExclusionFile(
  file: Upload,
  country: string,
  client: Client,
  threads = exclusionThreads,
): Promise<ExclusionFile> {
  const identifiers = new Map<string, Identifier>()
  const counts = { rows: 0, unreadable: 0, unreadableRows: [] as number[] }
  for await (const batch of readBatches(file, country, client, threads)) {
    counts.rows += batch.rows
    if (counts.rows > rowsMax) throw tooMany('rows')
    for (const identifier of batch.identifiers) identifiers.set(identifier.value, identifier)
    if (identifiers.size > rowsMax) throw tooMany('phones, addresses and chats')
    counts.unreadable += batch.unreadableRows.length
    counts.unreadableRows.push(
      ...batch.unreadableRows.slice(0, unreadableRowsMax - counts.unreadableRows.length),
    )
    if (batch.refused) throw invalidInput('', batch.refused.code, batch.refused.message)
  }
  if (identifiers.size === 0)
    throw invalidInput(
      '',
      'NO_IDENTIFIERS',
      'No row of the file contains a phone number, an e-mail address or a chat.',
    )
  return { identifiers: [...identifiers.values()], ...counts }
}

async function* readBatches(
  file: Upload,
  country: string,
  client: Client,
  threads: typeof exclusionThreads,
): AsyncGenerator<ExclusionBatch, void> {
  try {
    if (file.bytes <= inlineMaxBytes) yield* parseExclusions({ country }, file.read())
    else yield* readOnThread(threads, client, { country }, file.read())
  } catch (error) {
    if (!(error instanceof ThreadFailed)) throw error
    throw invalidInput('', 'TOO_COMPLEX', `The file can't be read: ${error.message}.`)
  }
}

function tooMany(unit: string): Problem {
  return new Problem(
    'PAYLOAD_TOO_LARGE',
    `The file has more than ${rowsMax} ${unit}. Send several requests to POST /suppressions/imports, with removeBefore in the last one.`,
  )
}
