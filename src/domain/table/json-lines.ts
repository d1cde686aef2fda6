/** Reads NDJSON as a stream: one JSON object per line (https://github.com/ndjson/ndjson-spec). */
import { decodeText, type Encoding } from './decode.ts'
import { rejectMarkup } from './signatures.ts'
import { TableError } from './table-error.ts'
import { readTextHead } from './text-head.ts'

export interface JsonLines {
  format: { encoding: Encoding }
  /** Can be read once. */
  rows: AsyncIterable<JsonRow>
}

/** `number` is the line number, counting blank lines. */
export type JsonRow =
  | { number: number; value: Record<string, unknown> }
  | { number: number; problem: string; isTooLong?: true }

const lineLengthMax = 1_048_576

/**
 * Parses one line. Throws SyntaxError for invalid JSON, or another error whose message states why the line is refused.
 */
export type ParseLine = (line: string) => unknown

/**
 * Reads the lines of a file with `parse`. A line that is not a JSON object, or is longer than 1 MiB, is a problem of
 * its row.
 * @throws {TableError} if the file is not text, is one JSON array, or is empty.
 */
export async function openJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  parse: ParseLine = JSON.parse,
): Promise<JsonLines> {
  const { encoding, texts } = await decodeText(chunks)
  const { head, rest } = await readTextHead(texts)
  try {
    if (head.trim() === '') throw new TableError('FILE_EMPTY', 'The file is empty.')
    rejectMarkup(head)
    if (/^\s*\[/.test(head)) {
      const message =
        'This is one JSON array. NDJSON has one object per line, without brackets or commas around them.'
      throw new TableError('JSON_ARRAY', message)
    }
    return { format: { encoding }, rows: readRows(rest(0), parse) }
  } catch (error) {
    await texts[Symbol.asyncIterator]().return?.()
    throw error
  }
}

async function* readRows(texts: AsyncIterable<string>, parse: ParseLine): AsyncGenerator<JsonRow> {
  let number = 0
  for await (const line of splitLines(texts)) {
    number += 1
    if (line === null) yield { number, problem: 'The line is longer than 1 MiB.', isTooLong: true }
    else if (line.trim() !== '') yield readLine(line, number, parse)
  }
}

function readLine(line: string, number: number, parse: ParseLine): JsonRow {
  let value: unknown
  try {
    value = parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return { number, problem: 'The line is not valid JSON.' }
    return { number, problem: (error as Error).message }
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject
    ? { number, value: value as Record<string, unknown> }
    : { number, problem: 'The line is not a JSON object such as {"contact": {"name": "Ana"}}.' }
}

/** Lines without their ends; null for one that is too long. */
async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<string | null> {
  let parts: string[] = []
  let length = 0
  const close = () => {
    const line = length > lineLengthMax ? null : parts.join('')
    parts = []
    length = 0
    return line
  }
  const add = (part: string) => {
    length += part.length
    if (length > lineLengthMax) parts = []
    else parts.push(part)
  }
  for await (const text of texts) {
    const [first = '', ...otherLines] = text.split('\n')
    add(first)
    for (const other of otherLines) {
      yield close()
      add(other)
    }
  }
  if (length > 0) yield close()
}
