/** Formats of numbers, money, dates and lists in any language. */

export const dateStyles = ['short', 'medium', 'long', 'full', 'time'] as const
export type DateStyle = (typeof dateStyles)[number]

export interface TextFormats {
  /** BCP 47. */
  locale: string
  /** With at most two decimals, or exactly `decimals`. */
  number(value: number, decimals?: number): string
  /** With the cents, unless they are zero. */
  money(value: { amount: number; currency: string }): string
  date(at: Temporal.Instant, style: DateStyle): string
  list(items: string[]): string
}

/** `locale`: a language such as `es`, or a language with a region such as `pt-BR`. `timezone`: IANA. */
export function createTextFormats(locale: string, timezone: string): TextFormats {
  // Spanish and Polish group only from five digits on by default: 1500 beside 15.000 looks like a mistake.
  const grouping = { useGrouping: 'always' } as unknown as Intl.NumberFormatOptions
  return {
    locale,
    number(value, decimals) {
      const digits = { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: decimals ?? 2 }
      return new Intl.NumberFormat(locale, { ...grouping, ...digits }).format(value)
    },
    money({ amount, currency }) {
      const decimals = Number.isInteger(amount) ? 0 : 2
      return new Intl.NumberFormat(locale, {
        ...grouping,
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      }).format(amount)
    },
    date(at, style) {
      const options: Intl.DateTimeFormatOptions =
        style === 'time' ? { timeStyle: 'short' } : { dateStyle: style }
      return new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone }).format(at.epochMilliseconds)
    },
    list: items => new Intl.ListFormat(locale, { type: 'conjunction', style: 'long' }).format(items),
  }
}
