/** Parsing of rows: the input of the lead, and the problems of the row. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { getCustomFieldName, type Mapping } from '../../domain/table/lead-fields.ts'
import { toCustomField } from './custom-fields.ts'
import { applyMapping, keepUnknown } from './mapping.ts'
import { createRowParser, type ParsedLeadRow } from './parse-row.ts'
import type { ClaimedImport } from './run-queries.ts'

const now = new Date('2026-11-02T10:00:00Z')

/** Returns a parser of rows for an import with this mapping. */
function makeParser(mapping: Mapping, more: Partial<ClaimedImport> = {}) {
  const headings = Object.keys(mapping)
  const claimed = {
    mapping,
    headings,
    guessedMapping: {},
    country: 'ES',
    currency: 'EUR',
    keepUnknown: true,
    attestation: null,
    ...more,
  }
  return createRowParser(claimed as ClaimedImport, now)
}

const parseCells = (columns: Mapping, ...cells: string[]) =>
  makeParser(columns)({ number: 2, cells, hasExtraCells: false }) as ParsedLeadRow

describe('a problem', () => {
  test.each<[what: string, code: string, columns: Mapping, cells: string[]]>([
    ['an id that is too long', 'EXTERNAL_ID_TOO_LONG', { Id: 'externalId' }, ['x'.repeat(256)]],
    ['a tag that is too long', 'TAGS_IGNORED', { Tags: 'tags' }, ['x'.repeat(101)]],
    ['too many tags', 'TAGS_IGNORED', { Tags: 'tags' }, [Array.from({ length: 101 }, (_, n) => n).join(',')]],
    ['a text that is too long', 'TOO_LONG', { Más: 'customFields.más' }, ['x'.repeat(5001)]],
    ['a basis without its kind', 'LAWFUL_BASIS_INCOMPLETE', { Fecha: 'lawfulBasis.at' }, ['01/10/2026']],
    [
      'a basis dated tomorrow',
      'LAWFUL_BASIS_IN_FUTURE',
      { Base: 'lawfulBasis.kind', Fecha: 'lawfulBasis.at' },
      ['consent', '03/11/2026'],
    ],
    [
      'a basis without a proof',
      'LAWFUL_BASIS_NOT_PROVEN',
      { Base: 'lawfulBasis.kind', Fecha: 'lawfulBasis.at' },
      ['consent', '01/11/2026'],
    ],
    [
      'a basis without a date',
      'LAWFUL_BASIS_NOT_PROVEN',
      { Base: 'lawfulBasis.kind', Prueba: 'lawfulBasis.proof' },
      ['consent', 'Web form of May'],
    ],
  ])('of %s does not affect the rest of the row', (_what, code, columns, cells) => {
    const row = parseCells({ Nombre: 'contact.name', ...columns }, 'Marta', ...cells)
    expect(row).toMatchObject({ input: { contact: { name: 'Marta' } }, externalId: null, basis: null })
    expect(row.problems.map(problem => problem.code)).toEqual([code])
  })

  test('holds no value of the row', () => {
    const columns: Mapping = { Nombre: 'contact.name', Teléfono: 'contact.phone', Correo: 'contact.email' }
    const { problems } = parseCells(columns, 'Marta', '61234', 'marta.example.com')
    expect(problems).toHaveLength(2)
    expect(JSON.stringify(problems)).not.toMatch(/61234|marta/i)
  })

  test('is reported for cells without a heading', () => {
    const row = makeParser({ Nombre: 'contact.name' })({ number: 2, cells: ['Marta'], hasExtraCells: true })
    expect(row.problems).toMatchObject([{ column: null, code: 'EXTRA_CELLS' }])
  })
})

describe('a lawful basis', () => {
  const columns: Mapping = {
    B: 'lawfulBasis.kind',
    F: 'lawfulBasis.at',
    P: 'lawfulBasis.proof',
    N: 'contact.name',
  }
  test.each<[what: string, cells: string[], attestation: string | null, basis: object]>([
    [
      'proved by the row',
      ['consent', '01/05/2026', 'Web form of May'],
      null,
      { at: '2026-05-01T00:00:00.000Z', proof: 'Web form of May' },
    ],
    [
      'attested by the import',
      ['consent', '', ''],
      'Consent by phone',
      { at: null, proof: 'Consent by phone' },
    ],
    [
      'with both, uses those of the row',
      ['consent', '01/05/2026', 'Web form of May'],
      'Consent by phone',
      { at: '2026-05-01T00:00:00.000Z', proof: 'Web form of May' },
    ],
  ])('%s', (_what, cells, attestation, basis) => {
    const parse = makeParser(columns, { attestation })
    const row = parse({ number: 2, cells: [...cells, 'Marta'], hasExtraCells: false })
    expect(row).toMatchObject({ problems: [], basis: { kind: 'consent', ...basis } })
  })
})

describe('a name that only a later line has', () => {
  const row = { number: 900, value: { name: 'Marta', pets: { dog: true } } }

  test('becomes a custom field', () => {
    const parsed = makeParser({ name: 'contact.name' }, { keepUnknown: true })(row) as ParsedLeadRow
    expect(parsed).toMatchObject({ input: { customFields: { 'pets.dog': true } }, problems: [] })
  })

  test('is reported as ignored if unknown columns are not kept', () => {
    const parsed = makeParser({ name: 'contact.name' }, { keepUnknown: false })(row) as ParsedLeadRow
    expect(parsed.input.customFields).toBeUndefined()
    expect(parsed.problems).toMatchObject([{ column: 'pets.dog', code: 'COLUMN_UNKNOWN' }])
  })

  test('gets the same field as in the first lines', () => {
    const parse = makeParser({ name: 'contact.name', precio: 'property.price' })
    const value = {
      name: 'Marta',
      'Tfno. móvil': '612 34 56 78',
      surname: 'Soler',
      correo: 'marta@example.com',
      quien: '+34 699 11 22 33',
      price: 9,
      pet: { dog: 'sí' },
    }
    expect(parse({ number: 900, value })).toMatchObject({
      input: {
        contact: {
          name: 'Marta',
          phones: ['612 34 56 78', '+34 699 11 22 33'],
          emails: ['marta@example.com'],
        },
        customFields: { price: 9, surname: 'Soler', 'pet.dog': 'sí' },
      },
    })
  })

  test('becomes a column at its first value', () => {
    const parse = makeParser({ name: 'contact.name' })
    parse({ number: 900, value: { name: 'Marta', quien: null } })
    const row = parse({ number: 901, value: { name: 'Marta', quien: '+34 699 11 22 33' } }) as ParsedLeadRow
    expect(row.input).toEqual({ contact: { name: 'Marta', phones: ['+34 699 11 22 33'] }, property: {} })
  })

  test('is ignored after 500 columns', () => {
    const parse = makeParser({ name: 'contact.name' })
    const codes = Array.from({ length: 501 }, (_, n) =>
      parse({ number: n, value: { name: 'Marta', [`field ${n}`]: 1 } }).problems.map(problem => problem.code),
    )
    expect(codes.flat()).toEqual(['COLUMN_UNKNOWN', 'COLUMN_UNKNOWN'])
  })
})

test('a row lists its first hundred problems, and the number of further ones', () => {
  const value = {
    name: 'Marta',
    ...Object.fromEntries(Array.from({ length: 1300 }, (_, n) => [`k ${n}`, 1])),
  }
  const { problems } = makeParser({ name: 'contact.name' })({ number: 1, value })
  expect(problems).toHaveLength(101)
  expect(problems.at(-1)).toMatchObject({
    code: 'MORE_PROBLEMS',
    message: expect.stringMatching(/ \d+ more/),
  })
})

test('empty cells do not clear values of a lead', () => {
  const columns: Mapping = { Nombre: 'contact.name', Teléfono: 'contact.phone', Extras: 'property.features' }
  expect(parseCells(columns, 'Marta', '', '').input).toEqual({ contact: { name: 'Marta' }, property: {} })
})

describe('the custom field of a column', () => {
  test('has a valid name for any heading', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 150 }), heading => {
        const name = getCustomFieldName(toCustomField(heading))!
        // biome-ignore lint/suspicious/noControlCharactersInRegex: as in the schema of a lead.
        expect(name).toMatch(/^[^~"\\\u0000-\u001f]{1,100}$/)
        expect(name.isWellFormed()).toBe(true)
        expect(toCustomField(name)).toBe(`customFields.${name}`)
        expect(keepUnknown({ [heading]: null })[heading]).toBe(`customFields.${name}`)
      }),
    )
  })

  test('is accepted in a mapping of the caller', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 150 }), heading => {
        const field = toCustomField(heading)
        expect(applyMapping({ mapping: { a: null }, kind: 'csv' }, { a: field })).toEqual({ a: field })
      }),
    )
  })
})
