/** Every sample file is read, or refused with a message. */
import { expect, test } from 'vitest'
import { listShared, readSharedBytes } from '../../../test/shared.ts'
import { describeShared } from '../../../test/shared-tests.ts'
import { readTable } from './table-test-helpers.ts'

const readBytes = (name: string) => readSharedBytes(`fixtures/csv/${name}`)

interface Expected {
  encoding?: string
  separator?: string
  headerRow?: number | null
  headings: string[]
  rows: number
  first?: string[]
  last?: { number: number; cell: string }
}

const sampleFiles: Record<string, Expected> = {
  'clevercsv-airedale.csv': {
    headings:
      'Department Family,Entity,Payment Date,Expense Type,Expense Area,Supplier,Transaction No.,Amount'.split(
        ',',
      ),
    rows: 54,
    last: { number: 56, cell: 'Report created October 10 - RX7 RWW' },
  },
  'contacts-import.csv': {
    headings: ['id', 'first_name', 'last_name', 'email', 'gender', 'ip_address', 'identifier'],
    rows: 12,
    first: [
      '1',
      'Clarice',
      'Uzzell',
      'cuzzell0@mozilla.org',
      'Genderfluid',
      '70.61.11.201',
      'bb4e11cd-0f23-49da-a123-dcc1fec6852c',
    ],
  },
  'frictionless-accent.csv': {
    separator: ';',
    headings:
      `n_amenageur;n_operateur;n_enseigne;id_station;n_station;ad_station;code_insee;Xlongitude;Ylatitude;nbre_pdc;id_pdc;puiss_max;type_prise;acces_recharge;accessibilité;observations;date_maj`.split(
        ';',
      ),
    rows: 2,
  },
  'frictionless-blank-headers.csv': {
    headings: ['id', 'column 2', 'age'],
    rows: 2,
    first: ['1101', 'John', '30'],
  },
  'frictionless-blank-rows-multiple.csv': { headings: ['id', 'name', 'age'], rows: 2 },
  'frictionless-bom.csv': { headings: ['id', 'name'], rows: 2, first: ['1', 'english'] },
  'frictionless-defective-rows.csv': {
    headings: ['id', 'name', 'age'],
    rows: 2,
    first: ['1101', 'John', ''],
  },
  'frictionless-encoding-issue-274.csv': {
    headings:
      'id,name,abbreviation,other_names,description,classification,parent_id,founding_date,dissolution_date,image,url,jurisdiction_code,email,address,contact,tags,source_url'.split(
        ',',
      ),
    rows: 507,
    last: { number: 508, cell: 'nz/world-buskers-festival-trust' },
  },
  'frictionless-escaping.csv': { headings: ['ID', 'Test'], rows: 3, first: ['1', 'Test line 1'] },
  'frictionless-issue-1009-semicolon.csv': {
    separator: ';',
    headings: ['fieldNameA', 'fieldNameB'],
    rows: 1,
    first: ['0123', 'c'],
  },
  'frictionless-leading-zeros.csv': { headings: ['value'], rows: 3, first: ['01'] },
  'frictionless-without-headers.csv': {
    headerRow: null,
    headings: ['column 1', 'column 2'],
    rows: 3,
    first: ['1', 'english'],
  },
  'messy-complex.csv': {
    headings: ['date', 'another date', 'temperature', 'place'],
    rows: 3,
    last: { number: 4, cell: '2011-01-03' },
  },
  'messy-excel_pasting.csv': {
    headerRow: 4,
    headings: ['Year', '2000', '2001', '2002', '2003', '2004', '2005', '2006', '2007'],
    rows: 16,
    first: ['Timber', '2,666', '2,274', '1,877', '1,999', '2,055', '1,632', '1,687', '1,751'],
  },
  'messy-null.csv': {
    headerRow: null,
    headings: ['column 1', 'column 2', 'column 3', 'column 4'],
    rows: 10,
    first: ['1', 'null', '0', '0'],
  },
  'messy-simple.psv': {
    separator: '|',
    headings: [
      'Year',
      'New dwellings',
      'Other dwellings',
      'All dwellings',
      'First time buyers',
      'Former owner occupiers',
    ],
    rows: 28,
  },
  'messy-simple.ssv': { separator: ';', headings: ['date', 'temperature', 'place'], rows: 6 },
  'messy-skip_initials.csv': { headings: ['field1', 'field2'], rows: 2, first: ['hello', 'goodbye'] },
  'messy-spanish_chars.csv': {
    encoding: 'windows-1252',
    headings: ['GF_ID', 'FN_ID', 'SF_ID', 'GF', 'F', 'SF', 'Gasto total 2011', 'Descripción'],
    rows: 115,
  },
  'messy-utf8bom.csv': { headings: ['kitten', 'win'], rows: 0 },
  'windows-utf8-bom.csv': { headings: ['a', 'b', 'c'], rows: 1, first: ['1', '2', '3'] },
}

test('a list of an agency: a title above, windows-1252, blank headings, rows too short and too long', async () => {
  const text =
    'Clientes 2026\r\n\r\nNombre;;Población\r\n"Núñez ""Paco""";;Alcalá\r\n\r\nAna\r\nEva;;Jaén;4\r\n'
  const { format, headings, rows } = await readTable(Buffer.from(text, 'latin1'))
  const expected = { encoding: 'windows-1252', separator: ';', quote: '"', hasHeader: true, headerRow: 3 }
  expect(format).toEqual(expected)
  expect(headings).toEqual(['Nombre', 'column 2', 'Población'])
  expect(rows.map(({ number, cells }) => [number, cells])).toEqual([
    [4, ['Núñez "Paco"', '', 'Alcalá']],
    [6, ['Ana', '', '']],
    [7, ['Eva', '', 'Jaén']],
  ])
  expect(rows.map(({ warning }) => warning !== null)).toEqual([false, false, true])
})

describeShared('sample files of other projects', () => {
  test.each(Object.entries(sampleFiles))('%s', async (name, expected) => {
    const { format, headings, rows } = await readTable(readBytes(name))
    const { encoding = 'utf-8', separator = ',', headerRow = 1, first, last } = expected
    expect(format).toEqual({ encoding, separator, quote: '"', hasHeader: headerRow !== null, headerRow })
    expect(headings).toEqual(expected.headings)
    expect(rows).toHaveLength(expected.rows)
    if (first) expect(rows[0]!.cells).toEqual(first)
    if (last) expect({ number: rows.at(-1)!.number, cell: rows.at(-1)!.cells[0] }).toEqual(last)
  })

  const names = listShared('fixtures/csv')
  const spectrum = names.filter(name => name.startsWith('spectrum') && name.endsWith('.csv'))

  test.each(spectrum)('%s has the rows of its JSON file', async name => {
    const { headings, rows } = await readTable(readBytes(name))
    const found = rows.map(({ cells }) =>
      Object.fromEntries(headings.map((heading, index) => [heading, cells[index]])),
    )
    // The files have Unix line ends, the JSON does not.
    const json = readBytes(name.replace('.csv', '.json')).toString().replaceAll('\\r\\n', '\\n')
    expect(found).toEqual(JSON.parse(json))
  })

  test('an empty file is refused, and every sample is tested', async () => {
    const empty = readTable(readBytes('frictionless-empty.csv'))
    await expect(empty).rejects.toThrow('The file is empty.')
    const tables = names.filter(name => /\.[cps]sv$/.test(name))
    expect(tables.sort()).toEqual([...Object.keys(sampleFiles), ...spectrum, 'frictionless-empty.csv'].sort())
  })

  test('both kinds of escapes, surplus cells and accents', async () => {
    const read = async (name: string) => (await readTable(readBytes(name))).rows
    const escapes = await read('frictionless-escaping.csv')
    expect(escapes.map(({ cells }) => cells[1])).toEqual(['Test line 1', 'Test " line 2', 'Test " line 3'])
    const defective = await read('frictionless-defective-rows.csv')
    expect(defective.map(({ warning }) => warning)).toEqual([null, expect.stringContaining('"Potatoes"')])
    const accents = await read('messy-spanish_chars.csv')
    expect(accents[1]!.cells[4]).toBe('Legislación')
  })
})
