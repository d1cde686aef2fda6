/** NDJSON with blank lines, broken lines, and endless lines. */
import { expect, test } from 'vitest'
import { type JsonRow, openJsonLines } from './json-lines.ts'
import { toChunks } from './table-test-helpers.ts'

async function read(text: string, size?: number): Promise<JsonRow[]> {
  const { rows } = await openJsonLines(toChunks(new TextEncoder().encode(text), size))
  return Array.fromAsync(rows)
}

test('each object is a row; other lines are a problem of their row', async () => {
  const text = '{"name":"Núñez"}\r\n\n{"name":\n[1]\n"x"\nnull\n{"a":{"b":[1]}}'
  const rows: JsonRow[] = [
    { number: 1, value: { name: 'Núñez' } },
    { number: 3, problem: expect.stringContaining('not valid JSON') },
    { number: 4, problem: expect.stringContaining('not a JSON object') },
    { number: 5, problem: expect.stringContaining('not a JSON object') },
    { number: 6, problem: expect.stringContaining('not a JSON object') },
    { number: 7, value: { a: { b: [1] } } },
  ]
  expect(await read(text)).toEqual(rows)
  for (const size of [1, 2, 5]) expect(await read(text, size)).toEqual(rows)
})

test('a line that the parser refuses is a problem with the message of the parser', async () => {
  const parse = (line: string) => {
    if (line.includes('[[')) throw new RangeError('Too deep.')
    return JSON.parse(line)
  }
  const { rows } = await openJsonLines(toChunks(new TextEncoder().encode('{"a":[[]]}\n{"a":1}')), parse)
  expect(await Array.fromAsync(rows)).toEqual([
    { number: 1, problem: 'Too deep.' },
    { number: 2, value: { a: 1 } },
  ])
})

test('a line over 1 MiB is skipped, and the next one is read', async () => {
  const rows = await read(
    `{"a":"${'x'.repeat(1_048_576)}"}\n{"a":"${'x'.repeat(1_048_000)}"}\n{"a":1}\n`,
    50_000,
  )
  expect(rows.map(row => ('problem' in row ? row.problem : Object.keys(row.value)))).toEqual([
    'The line is longer than 1 MiB.',
    ['a'],
    ['a'],
  ])
})

test.each([
  ['', 'The file is empty.'],
  [' \n', 'The file is empty.'],
  ['[{"a":1}]', 'one JSON array'],
  ['<!doctype html><p>', 'HTML page'],
  ['%PDF-1.7', 'PDF'],
])('%j is refused', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})
