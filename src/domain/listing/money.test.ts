/** Prices and areas as listings print them: a table of forms, and properties that hold for every amount. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../test/characters.ts'
import { parseArea } from './area.ts'
import { type Money, parseMoney } from './money.ts'
import { parseLocalNumber } from './number.ts'

const euros = (amount: number, period: Money['period'] = null): Money => ({
  amount,
  currency: 'EUR',
  period,
})

describe('parseMoney', () => {
  const rows: [text: string, money: Money | null][] = [
    ['374.000 €', euros(374000)],
    ['1.250 €/mes', euros(1250, 'month')],
    ['1.250€ /mes', euros(1250, 'month')],
    ['1.234,56 €', euros(1234.56)],
    ['10.000.000€', euros(10_000_000)],
    ['€749,000', euros(749000)],
    ['570\u202f000\u00a0€', euros(570000)],
    ['1 250,50 € par mois', euros(1250.5, 'month')],
    ['750,- €', euros(750)],
    ['€ 1.250,– /month', euros(1250, 'month')],
    ['950 euros al mes', euros(950, 'month')],
    ['1.250 €/mês', euros(1250, 'month')],
    ['€ 1.250/mese', euros(1250, 'month')],
    ['900 € mensais', euros(900, 'month')],
    ['900 euro mensili', euros(900, 'month')],
    ['9.000 € por ano', euros(9000, 'year')],
    ['3.200 €/mq', null],
    ['0 €', euros(0)],
    ['£1,250 pcm', { amount: 1250, currency: 'GBP', period: 'month' }],
    ['£300 per week', { amount: 300, currency: 'GBP', period: 'week' }],
    ["CHF 1'250'000.-", { amount: 1_250_000, currency: 'CHF', period: null }],
    ['R$ 450.000', { amount: 450000, currency: 'BRL', period: null }],
    ['$495,000', { amount: 495000, currency: null, sharedSign: '$', period: null }],
    ['4 500 000 kr', { amount: 4500000, currency: null, sharedSign: 'kr', period: null }],
    ['₹ 27,00,000', { amount: 2_700_000, currency: 'INR', period: null }],
    ['desde 210.000 €', euros(210000)],
    ['374000', { amount: 374000, currency: null, period: null }],
    ['4 hab. 250.000 €', euros(250000)],
    // The former price and the price per square metre follow the price.
    ['374.000 € 390.000 €', euros(374000)],
    ['374.000 € (3.200 €/m²)', euros(374000)],
    // One separator before three digits is a thousands separator; before one or two it is the decimal separator.
    ['1.250 €', euros(1250)],
    ['1,250 €', euros(1250)],
    ['1.25 €', euros(1.25)],
    ['1,5 €', euros(1.5)],
    ['0.125 €', euros(0.125)],
    ['3.200 €/m²', null],
    ['200.000 - 250.000 €', null],
    ['200.000 € – 250.000 €', null],
    ['$470,000 - $500,000', null],
    ['1.234,567 €', null],
    ['1.23.456 €', null],
    ['1,2 M€', euros(1_200_000)],
    ['€1,2 Mio.', euros(1_200_000)],
    ['3 Mio. EUR', euros(3_000_000)],
    ['1,1 millones de euros', euros(1_100_000)],
    ['1,2 millones €', euros(1_200_000)],
    ['1 milione di euro', euros(1_000_000)],
    ['650k €', euros(650_000)],
    ['€650K', euros(650_000)],
    ['120 mil €', euros(120_000)],
    ['£2.5 million', { amount: 2_500_000, currency: 'GBP', period: null }],
    ['£1.5m', { amount: 1_500_000, currency: 'GBP', period: null }],
    ['$1.25M', { amount: 1_250_000, currency: null, sharedSign: '$', period: null }],
    ['$2.5mn', { amount: 2_500_000, currency: null, sharedSign: '$', period: null }],
    ['$ 2.500 millones', { amount: 2_500_000_000, currency: null, sharedSign: '$', period: null }],
    ['1,2 mln zł', { amount: 1_200_000, currency: 'PLN', period: null }],
    ['R$ 450 mil', { amount: 450_000, currency: 'BRL', period: null }],
    ['₹ 45 Lakh', { amount: 4_500_000, currency: 'INR', period: null }],
    ['€2k per month', euros(2000, 'month')],
    // No abbreviation stands after thousands, and a letter may be a metre.
    ['1.250M €', null],
    ['$1.2M - $1.5M', null],
    ['1,2 - 1,5 M€', null],
    ['€500 m²', euros(500)],
    ['€ 500 m from the sea', euros(500)],
    ['€950 moving costs', euros(950)],
    ['-5 €', null],
    ['A consultar', null],
    ['3 o 4', null],
    ['', null],
  ]
  test.each(rows)('%j', (text, money) => {
    expect(parseMoney(text)).toEqual(money)
  })

  test('parses every amount that a locale formats', () => {
    const cents = fc.integer({ min: 0, max: 100_000_000_000 })
    fc.assert(
      fc.property(
        cents,
        fc.constantFrom('es-ES', 'de-DE', 'fr-FR', 'en-IE', 'de-CH', 'pt-PT', 'it-IT'),
        (cents, locale) => {
          const amount = cents / 100
          const text = new Intl.NumberFormat(locale, {
            style: 'currency',
            currency: 'EUR',
            useGrouping: 'always',
          }).format(amount)
          expect(parseMoney(text)).toEqual(euros(amount))
        },
      ),
    )
  })

  test('parses every whole amount without decimals', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.constantFrom('es-ES', 'en-IE', 'fr-FR'),
        (amount, locale) => {
          const text = new Intl.NumberFormat(locale, { useGrouping: 'always' }).format(amount)
          expect(parseMoney(`${text} €/mes`)).toEqual(euros(amount, 'month'))
        },
      ),
    )
  })

  test('any text gives a finite amount or null, in bounded time', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom('1', '0', '.', ',', ' ', '€', '-', '/', 'm') }),
    )
    fc.assert(
      fc.property(text, text => {
        const money = parseMoney(text)
        expect(money === null || (Number.isFinite(money.amount) && money.amount >= 0)).toBe(true)
      }),
      { numRuns: 500 },
    )
    const startedAtMs = performance.now()
    parseMoney('1 '.repeat(100_000))
    parseArea('1 '.repeat(100_000))
    expect(performance.now() - startedAtMs).toBeLessThan(200)
  })
})

describe('parseArea', () => {
  const rows: [text: string, squareMeters: number | null][] = [
    ['86 m²', 86],
    ['176m²', 176],
    ['86m2', 86],
    ['86,5 m² construidos', 86.5],
    ['75.5 m²', 75.5],
    ['1.250 m²', 1250],
    ['1 250 m²', 1250],
    ['90 metros cuadrados', 90],
    ['152 sq m', 152],
    ['1,100 sqm', 1100],
    ['86 m² construidos, 75 m² útiles', 86],
    ['500 m² de parcela, 120 m² construidos', 120],
    ['500 m² parcela', null],
    ['80-120 m²', null],
    ['80 m² - 120 m²', null],
    ['120 m² - 3 hab.', 120],
    ['3.200 €/m²', null],
    ['1,631 sq ft', null],
    ['90 m', null],
    ['0 m²', null],
    ['m²', null],
  ]
  test.each(rows)('%j is %j', (text, squareMeters) => {
    expect(parseArea(text)).toBe(squareMeters)
  })
})

describe('parseLocalNumber', () => {
  const rows: [text: string, number: number | null][] = [
    ['1234', 1234],
    ['1.234', 1234],
    ['1,234,567.8', 1234567.8],
    ['1.234.567,8', 1234567.8],
    ['12,34,567', 1234567],
    ['12.34.567', null],
    ['1234.567', null],
    ['0,125', 0.125],
    ['012.345', 12.345],
    ['1.2345', 1.2345],
    ['1 234 567', 1234567],
    ['1 23', null],
    ['1..2', null],
    ['1e3', null],
    ['', null],
  ]
  test.each(rows)('%j is %j', (text, number) => {
    expect(parseLocalNumber(text)).toBe(number)
  })
})
