/** Parsing large files in threads: same rows as in the main thread, and hostile files do not block the process. */
import { describe, expect, test } from 'vitest'
import { measureLongestBlockMs, measureShortestBlockMs } from '../../../test/event-loop-block.ts'
import { createFailingPool } from '../../../test/threads.ts'
import { parseFile } from './parse-file.ts'
import { type ParsedBatch, type ParseRowsRequest, parseRows } from './parse-rows.ts'
import type { ClaimedImport } from './run-queries.ts'

const makeClaimed = (more: Partial<ClaimedImport> = {}): ClaimedImport => ({
  id: 'i',
  runToken: 't',
  dryRun: false,
  onMatch: 'update',
  keepUnknown: true,
  kind: 'csv',
  hasHeader: true,
  headings: ['Nombre', 'Teléfono', 'Zona'],
  mapping: { Nombre: 'contact.name', Teléfono: 'contact.phone', Zona: 'customFields.Zona' },
  guessedMapping: { Nombre: 'contact.name', Teléfono: 'contact.phone', Zona: null },
  position: 0,
  created: 0,
  country: 'ES',
  currency: 'EUR',
  attestation: null,
  attestedBy: null,
  campaignId: null,
  now: new Date(),
  ...more,
})

async function* toChunks(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 256 * 1024) yield bytes.subarray(at, at + 256 * 1024)
}

interface CollectedRows {
  rows: ParsedBatch['rows']
  error: unknown
}

async function collect(batches: AsyncIterable<ParsedBatch>): Promise<CollectedRows> {
  const rows: ParsedBatch['rows'] = []
  try {
    for await (const batch of batches) rows.push(...batch.rows)
    return { rows, error: null }
  } catch (error) {
    return { rows, error }
  }
}

const makeRows = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `Ana ${at};6${String(at).padStart(8, '0')};${'Centro '.repeat(30)}`,
  )
const makeTable = (rows: string[]) => ['Nombre;Teléfono;Zona', ...rows].join('\n')

test('a thread parses the same rows as the main thread', async () => {
  const file = makeTable(makeRows(3000))
  const { rows, error } = await collect(parseFile(makeClaimed(), toChunks(file), 'tenant'))
  expect(error).toBeNull()
  const now = new Date()
  const parsedHere = await collect(parseRows({ claimed: makeClaimed(), now }, toChunks(file)))
  expect(rows).toEqual(parsedHere.rows)
  expect(rows).toHaveLength(3000)
})

test('processed rows are skipped', async () => {
  const { rows } = await collect(
    parseFile(makeClaimed({ position: 2990 }), toChunks(makeTable(makeRows(3000))), 'tenant'),
  )
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 11 }, (_, at) => 2991 + at))
})

test('the rows before damaged data are returned', async () => {
  const { rows, error } = await collect(
    parseFile(makeClaimed(), toChunks(`${makeTable(makeRows(1000))}\nEva;"612`), 'tenant'),
  )
  expect(rows).toHaveLength(1000)
  expect(error).toMatchObject({ name: 'TableError', code: 'QUOTE_NOT_CLOSED' })
})

test('new names of later lines are added to the mapping of the main thread', async () => {
  const lines = Array.from({ length: 2000 }, (_, at) =>
    JSON.stringify({ name: `Ana ${at}`, [`x${at % 3}`]: 'y' }),
  )
  const claimed = makeClaimed({
    kind: 'ndjson',
    hasHeader: null,
    headings: ['name'],
    mapping: { name: 'contact.name' },
  })
  const { rows } = await collect(parseFile(claimed, toChunks(lines.join('\n')), 'tenant'))
  expect(rows).toHaveLength(2000)
  expect(claimed.mapping).toMatchObject({
    name: 'contact.name',
    x0: 'customFields.x0',
    x2: 'customFields.x2',
  })
})

const length = 200_000
const hostile: [what: string, file: string][] = [
  ['quotes inside text', makeTable([`a;"${'x" y "\n'.repeat(length / 7)}`])],
  ['lines of quotes', makeTable(Array.from({ length: length / 6 }, () => '"a";""'))],
  ['a separator that is a space', `sep= \n${'a b c d e f g h\n'.repeat(length / 16)}`],
  ['empty rows', makeTable(Array.from({ length: length / 2 }, () => ';'))],
  [
    'phones',
    makeTable(
      makeRows(10).concat(Array.from({ length: length / 40 }, () => `;${'612345678 / '.repeat(3)};`)),
    ),
  ],
]

describe('a hostile file', () => {
  test.each(hostile)('of %s does not block the process', async (_what, file) => {
    const parseInThread = () => collect(parseFile(makeClaimed(), toChunks(file), 'tenant'))
    expect(await measureShortestBlockMs(parseInThread, 50)).toBeLessThan(50)
  })

  test('would block it without a thread', async () => {
    const parseHere = () =>
      collect(parseRows({ claimed: makeClaimed(), now: new Date() }, toChunks(hostile[1]![1])))
    expect(await measureLongestBlockMs(parseHere)).toBeGreaterThan(100)
  })

  test('of long names makes neither its columns nor its rows large', async () => {
    const lines = Array.from({ length: 20 }, (_, at) =>
      JSON.stringify({
        name: 'Ana',
        [`${at}`.repeat(100_000)]: Object.fromEntries(
          Array.from({ length: 200 }, (_, key) => [`n${key}`, key]),
        ),
      }),
    )
    const claimed = makeClaimed({
      kind: 'ndjson',
      hasHeader: null,
      headings: ['name'],
      mapping: { name: 'contact.name' },
    })
    const { rows, error } = await collect(parseFile(claimed, toChunks(lines.join('\n')), 'tenant'))
    expect(error).toBeNull()
    expect(Object.keys(claimed.mapping)).toHaveLength(20)
    expect(JSON.stringify([claimed.mapping, rows]).length).toBeLessThan(300_000)
  })

  test('that takes too long is refused', async () => {
    const threads = createFailingPool<ParseRowsRequest, ParsedBatch>('it takes longer than 10 s')
    const { error } = await collect(parseFile(makeClaimed(), toChunks(hostile[1]![1]), 'tenant', threads))
    expect(error).toMatchObject({
      name: 'TableError',
      code: 'TOO_COMPLEX',
      message: "The rest of the file can't be read: it takes longer than 10 s.",
    })
  })
})
