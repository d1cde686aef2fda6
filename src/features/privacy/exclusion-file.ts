/** An exclusion list as a file, read whole before anything is changed. */
import type { Identifier } from '../../domain/contact/identifiers.ts'
import type { Upload } from '../../kit/http/upload.ts'
import { invalidInput, Problem } from '../../kit/problem.ts'
import { type Client, createThreadPool, inlineMaxBytes, ThreadFailed } from '../../kit/thread-pool.ts'
import { readOnThread, type StreamPool } from '../../kit/thread-stream.ts'
import { type ExclusionBatch, type ParseExclusionsRequest, parseExclusions } from './parse-exclusions.ts'
import { unreadableRowsMax } from './schemas.ts'

/** Of one file, and as many identifiers: they are added in one transaction, some 10,000 in a second. */
const rowsMax = 100_000

const exclusionThreads: StreamPool<ParseExclusionsRequest, ExclusionBatch> = createThreadPool({
  name: 'files',
  module: new URL('./parse-exclusions-thread.ts', import.meta.url),
  size: 4,
})

export interface ExclusionFile {
  /** Each once. */
  identifiers: Identifier[]
  /** Those that are not blank. */
  rows: number
  unreadable: number
  /** Numbers of the first of these rows. */
  unreadableRows: number[]
}

/** Throws 400 for what is no table, or names nobody; 413 for too many rows or identifiers; the reason of the client's signal. */
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
    `The file has more than ${rowsMax} ${unit}. Send it in several, and see removeBefore.`,
  )
}
