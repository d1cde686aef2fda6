/** The rows of long files: what a thread reads is what would be read here, and hostile ones stop nobody. */
import { describe, expect, test } from 'vitest'
import { leastTurnMs, longestTurnMs } from '../../../test/longest-turn.ts'
import { threadsThatFail } from '../../../test/threads.ts'
import { type DraftBatch, type DraftsBegin, readDrafts } from './draft-reading.ts'
import { readDraftBatches } from './file-drafts.ts'
import type { ClaimedImport } from './run-queries.ts'

const claimedOf = (more: Partial<ClaimedImport> = {}): ClaimedImport => ({
  ...{ id: 'i', runToken: 't', dryRun: false, onMatch: 'update', keepUnknown: true },
  ...{ kind: 'csv', hasHeader: true, headings: ['Nombre', 'Teléfono', 'Zona'] },
  mapping: { Nombre: 'contact.name', Teléfono: 'contact.phone', Zona: 'customFields.Zona' },
  guessedMapping: { Nombre: 'contact.name', Teléfono: 'contact.phone', Zona: null },
  ...{ position: 0, created: 0, country: 'ES', currency: 'EUR', attestation: null, attestedBy: null },
  now: new Date(),
  ...more,
})

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 256 * 1024) yield bytes.subarray(at, at + 256 * 1024)
}

interface Read {
  rows: DraftBatch['rows']
  error: unknown
}

async function collect(batches: AsyncIterable<DraftBatch>): Promise<Read> {
  const rows: DraftBatch['rows'] = []
  try {
    for await (const batch of batches) rows.push(...batch.rows)
    return { rows, error: null }
  } catch (error) {
    return { rows, error }
  }
}

const rowsOf = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `Ana ${at};6${String(at).padStart(8, '0')};${'Centro '.repeat(30)}`,
  )
const table = (rows: string[]) => ['Nombre;Teléfono;Zona', ...rows].join('\n')

test('a thread reads what would be read here', async () => {
  const file = table(rowsOf(3000))
  const { rows, error } = await collect(readDraftBatches(claimedOf(), piecesOf(file), 'tenant'))
  expect(error).toBeNull()
  const now = new Date()
  const here = await collect(readDrafts({ claimed: claimedOf(), now }, piecesOf(file)))
  expect(rows).toEqual(here.rows)
  expect(rows).toHaveLength(3000)
})

test('rows that are dealt with are passed over', async () => {
  const { rows } = await collect(
    readDraftBatches(claimedOf({ position: 2990 }), piecesOf(table(rowsOf(3000))), 'tenant'),
  )
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 11 }, (_, at) => 2991 + at))
})

test('what stood before the place where a file can not be read on is there', async () => {
  const { rows, error } = await collect(
    readDraftBatches(claimedOf(), piecesOf(`${table(rowsOf(1000))}\nEva;"612`), 'tenant'),
  )
  expect(rows).toHaveLength(1000)
  expect(error).toMatchObject({ name: 'TableRefused', code: 'QUOTE_NOT_CLOSED' })
})

test('names that come up below are known here as well', async () => {
  const lines = Array.from({ length: 2000 }, (_, at) =>
    JSON.stringify({ name: `Ana ${at}`, [`x${at % 3}`]: 'y' }),
  )
  const claimed = claimedOf({
    kind: 'ndjson',
    hasHeader: null,
    headings: ['name'],
    mapping: { name: 'contact.name' },
  })
  const { rows } = await collect(readDraftBatches(claimed, piecesOf(lines.join('\n')), 'tenant'))
  expect(rows).toHaveLength(2000)
  expect(claimed.mapping).toMatchObject({
    name: 'contact.name',
    x0: 'customFields.x0',
    x2: 'customFields.x2',
  })
})

const length = 400_000
const hostile: [what: string, file: string][] = [
  ['quotes in the midst of text', table([`a;"${'x" y "\n'.repeat(length / 7)}`])],
  ['lines of quotes', table(Array.from({ length: length / 6 }, () => '"a";""'))],
  ['a separator that is a space', `sep= \n${'a b c d e f g h\n'.repeat(length / 16)}`],
  ['rows of nothing', table(Array.from({ length: length / 2 }, () => ';'))],
  [
    'telephones',
    table(rowsOf(10).concat(Array.from({ length: length / 40 }, () => `;${'612345678 / '.repeat(3)};`))),
  ],
]

describe('a hostile file', () => {
  test.each(hostile)('of %s stops nobody', async (_what, file) => {
    const reading = () => collect(readDraftBatches(claimedOf(), piecesOf(file), 'tenant'))
    expect(await leastTurnMs(reading, 50)).toBeLessThan(50)
  })

  test('would, if it were read here', async () => {
    const here = () =>
      collect(readDrafts({ claimed: claimedOf(), now: new Date() }, piecesOf(hostile[1]![1])))
    expect(await longestTurnMs(here)).toBeGreaterThan(100)
  })

  test('of long names makes neither its columns nor its rows long', async () => {
    const lines = Array.from({ length: 20 }, (_, at) =>
      JSON.stringify({
        name: 'Ana',
        [`${at}`.repeat(100_000)]: Object.fromEntries(Array.from({ length: 200 }, (_, of) => [`n${of}`, of])),
      }),
    )
    const claimed = claimedOf({
      ...{ kind: 'ndjson', hasHeader: null, headings: ['name'] },
      mapping: { name: 'contact.name' },
    })
    const { rows, error } = await collect(readDraftBatches(claimed, piecesOf(lines.join('\n')), 'tenant'))
    expect(error).toBeNull()
    expect(Object.keys(claimed.mapping)).toHaveLength(20)
    expect(JSON.stringify([claimed.mapping, rows]).length).toBeLessThan(300_000)
  })

  test('that takes too long is refused', async () => {
    const threads = threadsThatFail<DraftsBegin, DraftBatch>('it takes longer than 10 s')
    const { error } = await collect(
      readDraftBatches(claimedOf(), piecesOf(hostile[1]![1]), 'tenant', threads),
    )
    expect(error).toMatchObject({
      ...{ name: 'TableRefused', code: 'TOO_COSTLY' },
      message: "The file can't be read on: it takes longer than 10 s.",
    })
  })
})
