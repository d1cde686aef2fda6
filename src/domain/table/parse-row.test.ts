/** Rows of agencies' tables, columns that depend on each other, and JSON rows. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leadFields, type Mapping } from './lead-fields.ts'
import { parseRow } from './parse-row.ts'
import { collectColumns } from './row-values.ts'
import { parseCell } from './table-test-helpers.ts'

const rowOptions = { country: 'ES', currency: 'EUR' }

test.each(['', '  ', 'null', 'NULL', 'N/A', '#N/A', '-', '—', 's/d', '\\N', '="N/A"'])(
  '%j is an absent value',
  cell => {
    for (const field of leadFields.filter(one => !one.startsWith('contact.'))) {
      expect(parseCell(field, cell)).toEqual(parseCell('tags', ''))
    }
  },
)

describe('dependent columns', () => {
  const read = (cells: Record<string, string>, mapping: Mapping) =>
    parseRow(Object.values(cells), mapping, { ...rowOptions, headings: Object.keys(cells) })

  test('name parts are joined, and a full name wins over its parts', () => {
    const rowParts: Mapping = { a: 'contact.lastName', b: 'contact.firstName', c: 'contact.lastName' }
    expect(read({ a: 'García', b: 'Ana', c: 'Ruiz' }, rowParts).lead?.contact.name).toBe('Ana García Ruiz')
    const whole: Mapping = { a: 'contact.lastName', n: 'contact.name' }
    expect(read({ a: 'García', n: 'Ana' }, whole).lead?.contact.name).toBe('Ana')
  })

  const twoPrices: Mapping = {
    op: 'property.operation',
    Venta: 'property.salePrice',
    Alquiler: 'property.rentPrice',
    t: 'property.title',
  }
  test.each<[string, string, string, object, object, string[]]>([
    ['Venta', '200.000 €', '', { operation: 'sale', price: 200_000, currency: 'EUR' }, {}, []],
    ['', '0', '1.150', { operation: 'rent', price: 1150, currency: 'EUR' }, {}, []],
    ['Alquiler', '200000', '900', { operation: 'rent', price: 900 }, { Venta: '200000' }, []],
    ['Venta', '', '900', { operation: 'sale' }, { Alquiler: '900' }, []],
    ['', '200000', '900', {}, { Venta: '200000', Alquiler: '900' }, ['PRICE_UNDECIDED']],
    ['', 'mucho', '', {}, {}, ['PRICE_INVALID']],
  ])('%s with %s and %s', (op, sale, rent, property, customFields, codes) => {
    const { lead, problems } = read({ op, Venta: sale, Alquiler: rent, t: 'Piso' }, twoPrices)
    expect(lead).toMatchObject({ property, customFields })
    expect(lead?.property.price).toBe('price' in property ? property.price : undefined)
    expect(Object.keys(lead?.customFields ?? {})).toEqual(Object.keys(customFields))
    expect(problems.map(({ code }) => code)).toEqual(codes)
  })

  test.each([
    ['Calle Sueca', '45', 'Calle Sueca, 45'],
    ['Calle Sueca, 45', '45', 'Calle Sueca, 45'],
    ['Calle Sueca', '', 'Calle Sueca'],
    ['Calle 45', '4', 'Calle 45, 4'],
    ['', '45', undefined],
    ['Calle '.repeat(83), '45', 'Calle '.repeat(83).trim()],
  ])('the street %s and the number %s', (street, number, address) => {
    const mapping: Mapping = { n: 'property.streetNumber', s: 'property.address', t: 'property.title' }
    expect(read({ n: number, s: street, t: 'Piso' }, mapping).lead?.property.address).toBe(address)
  })

  test('phones, notes and yes/no columns are collected', () => {
    const mapping: Mapping = {
      Móvil: 'contact.phone',
      Fijo: 'contact.phone',
      Notas: 'note',
      Obs: 'note',
      Ascensor: 'property.features',
      Piscina: 'property.features',
      Garaje: 'property.features',
    }
    const cells = {
      Móvil: 'x',
      Fijo: '934123456',
      Notas: 'a',
      Obs: 'b',
      Ascensor: 'Sí',
      Piscina: 'No',
      Garaje: '2',
    }
    const { lead, problems } = read(cells, mapping)
    expect(lead?.contact.phones).toEqual(['934123456'])
    expect(lead?.note).toBe('a\nb')
    expect(lead?.property.features).toEqual(['lift', 'parking'])
    expect(problems).toEqual([
      { column: 'Móvil', value: 'x', code: 'PHONE_INVALID', message: expect.any(String) },
    ])
  })

  test('the same number in two columns is kept once', () => {
    const mapping: Mapping = { a: 'contact.phone', b: 'contact.phone' }
    expect(read({ a: '612 345 678', b: '+34612345678 / 934123456' }, mapping).lead?.contact.phones).toEqual([
      '612 345 678',
      '934123456',
    ])
  })

  test.each([
    ['the cell', { 'Precio (€)': '£900' }, 'GBP'],
    ['the heading', { 'Precio (€)': '900' }, 'EUR'],
    ['the heading, in letters', { 'Price in USD': '900' }, 'USD'],
    ['the options', { Precio: '900' }, 'CHF'],
  ])('the currency of %s', (_, cells, currency) => {
    const heading = Object.keys(cells)[0]!
    const mapping: Mapping = { t: 'property.title', [heading]: 'property.price' }
    const options = { country: 'ES', currency: 'CHF', headings: ['t', heading] }
    expect(parseRow(['Piso', Object.values(cells)[0]!], mapping, options).lead?.property).toMatchObject({
      price: 900,
      currency,
    })
  })

  describe('the currency of a shared sign', () => {
    const mapping: Mapping = { t: 'property.title', p: 'property.price', c: 'property.currency' }
    const readIn = (currency: string, price: string, statedCurrency = '') =>
      parseRow(['Piso', price, statedCurrency], mapping, {
        country: 'ES',
        currency,
        headings: ['t', 'p', 'c'],
      })

    test.each([
      ['the default currency, if it has this sign', 'USD', '$250,000', ''],
      ['the default currency, if it is another one with this sign', 'CAD', '250000 $', ''],
      ['that of the currency column', 'EUR', '$250,000', 'USD'],
      ['the default currency, if the currency column has the sign', 'USD', '250000', '$'],
    ])('is %s', (_, defaultCurrency, price, statedCurrency) => {
      const { lead, problems } = readIn(defaultCurrency, price, statedCurrency)
      expect(lead!.property).toMatchObject({
        price: 250_000,
        currency: statedCurrency.length === 3 ? statedCurrency : defaultCurrency,
      })
      expect(problems).toEqual([])
    })

    test.each([
      ['p', '$250,000', ''],
      ['c', '250000', '$'],
      ['p', '250000 kr', ''],
    ])('is unknown otherwise, and a problem: %s', (column, price, statedCurrency) => {
      const { lead, problems } = readIn('EUR', price, statedCurrency)
      expect(lead!.property).toMatchObject({ price: 250_000, currency: null })
      expect(problems).toMatchObject([{ column, value: statedCurrency || price, code: 'CURRENCY_UNKNOWN' }])
    })

    test('may come from the heading', () => {
      const inHeading = { country: 'ES', currency: 'EUR', headings: ['t', 'Price ($)'] }
      const columns: Mapping = { t: 'property.title', 'Price ($)': 'property.price' }
      expect(parseRow(['Piso', '250000'], columns, inHeading).lead!.property.currency).toBeNull()
      expect(parseRow(['Piso', '250000 €'], columns, inHeading).lead!.property.currency).toBe('EUR')
    })
  })

  test('an invalid currency is not replaced by the default', () => {
    const mapping: Mapping = { n: 'contact.name', p: 'property.price', c: 'property.currency' }
    const { lead, problems } = read({ n: 'Ana', p: '100', c: 'pesos' }, mapping)
    expect(lead!.property).toMatchObject({ price: 100, currency: null })
    expect(problems).toMatchObject([{ column: 'c', code: 'CURRENCY_INVALID' }])
  })

  test('a second, different value is a problem, and coordinates come in pairs', () => {
    const mapping: Mapping = { n: 'contact.name', a: 'property.price', b: 'property.price' }
    const twoPriceRow = read({ n: 'Ana', a: '100', b: '200' }, mapping)
    expect(twoPriceRow.lead?.property.price).toBe(100)
    expect(twoPriceRow.problems).toMatchObject([{ column: 'b', value: '200', code: 'GIVEN_TWICE' }])
    const place: Mapping = { n: 'contact.name', a: 'property.latitude', b: 'property.longitude' }
    expect(read({ n: 'Ana', a: '41,3851', b: '-2.17' }, place).lead?.property).toMatchObject({
      latitude: 41.3851,
      longitude: -2.17,
    })
    expect(read({ n: 'Ana', a: '0', b: '0' }, place)).toMatchObject({ lead: { property: {} }, problems: [] })
  })

  test('a row that identifies neither a person nor a property is refused', () => {
    const mapping: Mapping = { p: 'property.price', c: 'property.municipality' }
    const { lead, problems } = read({ p: '100', c: 'Madrid' }, mapping)
    expect(lead).toBeNull()
    expect(problems).toMatchObject([{ column: null, code: 'NOT_IDENTIFIABLE' }])
  })
})

describe('JSON objects', () => {
  const value = {
    contact: { name: 'Ana', phone: 34612345678 },
    property: {
      price: 1250.125,
      features: ['lift', 'pool'],
      squareMeters: 86.125,
      latitude: 41.385,
      longitude: 2.1,
    },
    customFields: { visited: true, floors: 1 },
    tags: ['a', 'b'],
    sources: [{ platform: 'portal_a' }],
  }
  const { headings } = collectColumns([value])

  test('are read by the paths of their values', () => {
    expect(headings).toContain('property.price')
    const mapping = Object.fromEntries(headings.map(path => [path, path])) as Mapping
    const { lead, problems } = parseRow(value, { ...mapping, sources: null }, rowOptions)
    expect(problems).toEqual([])
    expect(lead).toMatchObject({
      contact: { name: 'Ana', phones: ['34612345678'] },
      property: { ...value.property, currency: 'EUR' },
      customFields: value.customFields,
      tags: value.tags,
    })
  })

  test('provide a sample for guessing the mapping', () => {
    const wide = (from: number) =>
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n${from + index}`, 1]))
    expect(collectColumns([wide(0), wide(200)]).headings).toHaveLength(500)
    expect(() => collectColumns([wide(0), wide(201)])).toThrow('more than 500 columns')
    const columns = collectColumns([{ a: { b: 1 }, c: null }, { d: [1, 'x'] }])
    expect(columns).toEqual({
      headings: ['a.b', 'c', 'd'],
      sample: [
        ['1', '', ''],
        ['', '', '1\nx'],
      ],
    })
  })
})

test('the path of a value is never longer than a heading', () => {
  const children = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`n${index}`, index]))
  const value = { a: { b: 1 }, ['x'.repeat(100_000)]: children, [`${'€'.repeat(199)}😀y`]: 2 }
  const { headings, sample } = collectColumns([value])
  expect(headings).toEqual(['a.b', `${'x'.repeat(199)}…`, `${'€'.repeat(199)}…`])
  expect(sample[0]).toEqual(['1', JSON.stringify(children), '2'])
})

test('hostile cells are processed quickly', () => {
  const headings = leadFields.map(field => `h ${field}`)
  const mapping = Object.fromEntries(leadFields.map(field => [`h ${field}`, field]))
  const began = performance.now()
  for (const unit of [' /', '-', 'a-', '1.', 'a@', 'no ', "'", '<', ', ', '€ '])
    for (const length of [1900, 500_000]) {
      const cell = `x${unit.repeat(length / unit.length)}x`
      parseRow(
        headings.map(() => cell),
        mapping,
        { ...rowOptions, headings },
      )
    }
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('any cells give a lead or a reason, and every problem is a sentence', () => {
  const headings = leadFields.map(field => `h ${field}`)
  const mapping = Object.fromEntries(leadFields.map(field => [`h ${field}`, field]))
  const cell = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[\d.,/:€ E+-]{0,14}$/),
    fc.constantFrom('Sí', 'T2', 'Piso'),
  )
  fc.assert(
    fc.property(fc.array(cell, { minLength: headings.length, maxLength: headings.length }), cells => {
      const { lead, problems } = parseRow(cells, mapping, { ...rowOptions, headings })
      if (lead === null) expect(problems.map(({ code }) => code)).toContain('NOT_IDENTIFIABLE')
      for (const { code, message } of problems) {
        expect(code).toMatch(/^[A-Z_]+$/)
        expect(message).toMatch(/^[A-Z].*\.$/)
      }
      for (const instant of [lead?.property.publishedAt, lead?.lawfulBasis?.at])
        if (instant !== undefined) expect(new Date(instant).toISOString()).toBe(instant)
    }),
  )
})
