/** Written CSV can be read again in any chunks, and no spreadsheet executes it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { formatCsvCell, formatCsvLine } from './csv-line.ts'
import { escapeFormula, unescapeFormula } from './formula.ts'
import { readTable } from './table-test-helpers.ts'

test.each([
  ['Ana', 'Ana'],
  ['', ''],
  [null, ''],
  [-12.5, '-12.5'],
  [true, 'true'],
  ['-12.5', '-12.5'],
  ['-12,5', '"-12,5"'],
  ['a;b', '"a;b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  [' space', '" space"'],
  ['+34612345678', `"'+34612345678"`],
  ["'+34", `"''+34"`],
  ["l'Hospitalet", `"l'Hospitalet"`],
  ['=HYPERLINK("http://x";"y")', `"'=HYPERLINK(""http://x"";""y"")"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['-1+2', `"'-1+2"`],
  ['＝1', `"'＝1"`],
  ['x;=cmd', `"x;'=cmd"`],
  ['x,"=cmd', `"x,""'=cmd"`],
  ['x\n=cmd', `"x\n'=cmd"`],
  ['\t=1', `"'\t'=1"`],
  [' =1', `"' =1"`],
  ['\u200b=1', `"'\u200b=1"`],
  ['\u00a0\ufeff @SUM(A1)', `"'\u00a0\ufeff @SUM(A1)"`],
  ["|cmd|' /C calc'!A0", `"'|cmd|' /C calc'!A0"`],
  ['a; =1', `"a;' =1"`],
  ["x\n- cmd|'/C calc'!A0", `"x\n'- cmd|'/C calc'!A0"`],
  ['x;-SUM(1)', `"x;'-SUM(1)"`],
  ['Incluye:\n- garaje\n- trastero', '"Incluye:\n- garaje\n- trastero"'],
  ['piscina | - garaje', '"piscina | - garaje"'],
  ['- garaje', `"'- garaje"`],
  ['Planta 2, +3 m', '"Planta 2, +3 m"'],
])('%j is written as %s', (value, cell) => {
  expect(formatCsvCell(value, ',')).toBe(cell)
})

test('a line', () => {
  expect(formatCsvLine(['a', null, 3, '1,5'], ';')).toBe('a;;3;"1,5"\r\n')
  expect(formatCsvLine([null], ';')).toBe('""\r\n')
})

// The database cannot store NUL, and UTF-8 cannot encode a lone surrogate.
const text = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'\'"=+-@,;|:\t\r\n \\a1é(!\u200b\u00a0'), maxLength: 12 }),
    fc.constantFrom('+34612345678', '-12,5', 'sep=;', '="x"', "''=1", 'Piso "nuevo"\ncon patio'),
  )
  .map(value => value.replaceAll('\0', ''))
const testHeadings = ['Nombre', 'Teléfono', 'Descripción']
const separator = fc.constantFrom(',', ';', '\t')

describe('reading what was written', () => {
  const table = fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 12 })

  test('returns any strings unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(table, separator, async (rows, separator) => {
        const csv = [testHeadings, ...rows].map(row => formatCsvLine(row, separator)).join('')
        const read = await readTable(csv)
        const filled = rows.filter(row => row.some(cell => cell.trim() !== ''))
        expect(read.headings).toEqual(testHeadings)
        expect(read.rows.map(({ cells }) => cells)).toEqual(filled)
        expect(read.rows.every(({ warning }) => warning === null)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('gives the same rows for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(table, separator, fc.integer({ min: 1, max: 40 }), async (rows, separator, size) => {
        const csv = [testHeadings, ...rows].map(row => formatCsvLine(row, separator)).join('')
        expect(await readTable(csv, size)).toEqual(await readTable(csv))
      }),
      { numRuns: 200 },
    )
  })

  test('gives the same rows for a file that is longer than its head', async () => {
    const line = formatCsvLine(['García "Núñez"', '+34612345678', 'dos\r\nlíneas; y más 🏠'], ';')
    const csv = formatCsvLine(testHeadings, ';') + line.repeat(3000)
    const whole = await readTable(csv)
    expect(whole.rows).toHaveLength(3000)
    for (const size of [1009, 65_535, 65_537]) expect(await readTable(csv, size)).toEqual(whole)
  })
})

test('no written cell begins as a formula, for any separator', () => {
  const starts = /^[\s\u200b]*[=+\-@|\t\r]|[,;|\t"\r\n][ \u200b\u00a0]*(?:=|[+\-@][^\r\n]*[(!])/
  fc.assert(
    fc.property(text, value => {
      const cell = formatCsvCell(value, ';')
      const written = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
      expect(unescapeFormula(escapeFormula(value))).toBe(value)
      expect(unescapeFormula(written)).toBe(value)
      if (!/^-\d+(?:[.,]\d+)?$/.test(value)) expect(written).not.toMatch(starts)
    }),
  )
})

test.each([',-', ',- (', "',=", ' ', "'", '- ', '|"', `,${' '.repeat(50)}-`])(
  'long repetitions of %j are processed in one pass',
  part => {
    const long = part.repeat(Math.floor(1_000_000 / part.length))
    expect(unescapeFormula(escapeFormula(long)) === long).toBe(true)
  },
)
