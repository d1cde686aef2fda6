/** An exclusion list as a file, read whole before anything is changed. */
import { setImmediate } from 'node:timers/promises'
import type { Identifier } from '../../domain/dedupe/identifiers.ts'
import { readExclusionList } from '../../domain/table/exclusion-list.ts'
import { TableRefused } from '../../domain/table/refused.ts'
import type { Upload } from '../../kit/http/upload.ts'
import { invalidInput, Problem } from '../../kit/problem.ts'
import { unreadRowsMax } from './schemas.ts'

/** Of one file, and as many identifiers: they are added in one transaction, some 10,000 in a second. */
const rowsMax = 100_000
/** So long it reads before others get their turn: how long a row takes is the file's to say. */
const turnMs = 10

export interface ExclusionFile {
  /** Each once. */
  identifiers: Identifier[]
  /** Those that are not blank. */
  rows: number
  unreadable: number
  /** Numbers of the first of these rows. */
  unreadRows: number[]
}

/** Throws 400 for what is no table, or names nobody; 413 for too many rows or identifiers; the reason of `signal`. */
export async function readExclusionFile(
  file: Upload,
  country: string,
  signal: AbortSignal,
): Promise<ExclusionFile> {
  const identifiers = new Map<string, Identifier>()
  let turnEndsMs = performance.now() + turnMs
  const counted = { rows: 0, unreadable: 0, unreadRows: [] as number[] }
  try {
    for await (const row of readExclusionList(file.read(), country)) {
      if (++counted.rows > rowsMax) throw tooMany('rows')
      for (const identifier of row.identifiers) identifiers.set(identifier.value, identifier)
      if (identifiers.size > rowsMax) throw tooMany('phones, addresses and chats')
      if (row.identifiers.length === 0 && ++counted.unreadable <= unreadRowsMax)
        counted.unreadRows.push(row.number)
      if (performance.now() < turnEndsMs) continue
      await setImmediate(undefined, { signal })
      turnEndsMs = performance.now() + turnMs
    }
  } catch (error) {
    throw error instanceof TableRefused ? invalidInput('', error.code, error.message) : error
  }
  if (identifiers.size === 0)
    throw invalidInput(
      '',
      'NOBODY_NAMED',
      'No row of the file contains a phone number, an e-mail address or a chat.',
    )
  return { identifiers: [...identifiers.values()], ...counted }
}

function tooMany(what: string): Problem {
  return new Problem(
    'PAYLOAD_TOO_LARGE',
    `The file has more than ${rowsMax} ${what}. Send it in several, and see removeBefore.`,
  )
}
