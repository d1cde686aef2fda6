/** Formats of numbers, money and dates by locale. */
import { daysPerYear } from '../domain/valuation/time.ts'
import type { Words } from './words.ts'

export interface Formats {
  /** Whole units with the currency symbol: 315.000 €. */
  money: (amount: number) => string
  /** With the cents, unless they are zero: 1.185,50 €. */
  exactMoney: (amount: number) => string
  /** Compact, for axes: 315 mil €. */
  shortMoney: (amount: number) => string
  /** Whole units without the currency symbol. */
  amount: (amount: number) => string
  /** Whole units with + or −. */
  signed: (amount: number) => string
  /** With at most two decimals, or exactly `decimals`. */
  number: (value: number, decimals?: number) => string
  /** A share from 0 to 1 as a percentage, with `decimals` decimals; default: 0. */
  percent: (share: number, decimals?: number) => string
  /** A share as a percentage with + or − and one decimal. */
  signedPercent: (share: number) => string
  /** Money per square metre; with cents below 100, such as rents. */
  perSquareMeter: (amount: number) => string
  squareMeters: (value: number) => string
  distance: (meters: number) => string
  /** A time ago: hace 3 meses; from two years on in years: hace 8,6 años. */
  ago: (days: number) => string
  /** A duration: 8,6 años. */
  age: (days: number) => string
  date: (instant: Temporal.Instant) => string
  /** Month and year. */
  month: (date: Temporal.PlainDate) => string
  shortMonth: (date: Temporal.PlainDate) => string
  list: (names: string[]) => string
  currencyName: string
}

const daysPerMonth = daysPerYear / 12

export function createFormats(
  { locale }: Pick<Words, 'locale'>,
  currency: string,
  timezone: string,
): Formats {
  const decimal = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, {
      useGrouping: 'always',
      ...options,
    } as Intl.NumberFormatOptions)
    return (value: number) => format.format(value).replaceAll('-', '−')
  }
  const symbol = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  const whole = { minimumFractionDigits: 0, maximumFractionDigits: 0 }
  const money = decimal({ ...symbol, ...whole })
  const cents = decimal({ ...symbol, minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const plain = decimal({ maximumFractionDigits: 1 })
  const kilometers = (digits: number) =>
    decimal({ style: 'unit', unit: 'kilometer', maximumFractionDigits: digits })
  const [meters, nearKilometers, farKilometers] = [
    decimal({ style: 'unit', unit: 'meter', ...whole }),
    kilometers(1),
    kilometers(0),
  ]
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const month = (style: 'long' | 'short') => {
    const format = new Intl.DateTimeFormat(locale, { month: style, year: 'numeric', timeZone: 'UTC' })
    return (date: Temporal.PlainDate) => format.format(date.toZonedDateTime('UTC').epochMilliseconds)
  }
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: timezone })
  const names = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
  return {
    money,
    exactMoney: amount => (Number.isInteger(amount) ? money : cents)(amount),
    shortMoney: decimal({ ...symbol, notation: 'compact', maximumSignificantDigits: 3 }),
    amount: decimal(whole),
    signed: decimal({ ...whole, signDisplay: 'exceptZero' }),
    number: (value, decimals) =>
      decimal({ minimumFractionDigits: decimals ?? 0, maximumFractionDigits: decimals ?? 2 })(value),
    percent: (share, decimals = 0) =>
      decimal({ style: 'percent', minimumFractionDigits: decimals, maximumFractionDigits: decimals })(share),
    signedPercent: decimal({
      style: 'percent',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    }),
    perSquareMeter: amount => `${(Math.abs(amount) < 100 ? cents : money)(amount)}/m²`,
    squareMeters: value => `${plain(value)}\u00a0m²`,
    distance: distance =>
      distance < 950
        ? meters(Math.round(distance / 10) * 10)
        : (distance < 9950 ? nearKilometers : farKilometers)(distance / 1000),
    ago: days => {
      const { count, unit } = toSpan(days)
      return relative.format(-count, unit)
    },
    age: days => {
      const { count, unit } = toSpan(days)
      return decimal({ style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 })(count)
    },
    date: instant => dates.format(instant.epochMilliseconds),
    month: month('long'),
    shortMonth: month('short'),
    list: some => names.format(some),
    currencyName: new Intl.DisplayNames(locale, { type: 'currency' }).of(currency) ?? currency,
  }
}

function toSpan(days: number): { count: number; unit: 'day' | 'month' | 'year' } {
  if (days < 60) return { count: Math.round(days), unit: 'day' }
  if (days < 2 * daysPerYear) return { count: Math.round(days / daysPerMonth), unit: 'month' }
  return { count: Math.round((days / daysPerYear) * 10) / 10, unit: 'year' }
}
