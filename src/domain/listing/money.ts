/** Parses prices as listings print them. */
import { numberPattern, parseLocalNumber } from './number.ts'

export interface Money {
  /** Major units. */
  amount: number
  /** ISO 4217; null if the text has no sign, or one that several currencies share. */
  currency: string | null
  /** The ambiguous sign. Assuming a currency for it could give a wrong price. */
  sharedSign?: SharedSign
  /** The period that the amount is for, if stated (`/mes`, `pcm`, `per week`). */
  period: 'week' | 'month' | 'year' | null
}

/** The currencies of each shared sign. */
const sharedSigns = {
  $: ['USD', 'AUD', 'CAD', 'NZD', 'MXN', 'ARS', 'CLP', 'COP', 'UYU', 'SGD', 'HKD', 'TWD'],
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
}

export type SharedSign = keyof typeof sharedSigns

/** The sign, if several currencies share it; otherwise null. */
export function parseSharedSign(value: unknown): SharedSign | null {
  const sign = typeof value === 'string' ? value.trim().toLowerCase().replace(/\.$/, '') : ''
  return Object.hasOwn(sharedSigns, sign) ? (sign as SharedSign) : null
}

/** Resolves a shared sign to the default currency of the portal, or to null if the sign is not one of that currency. */
export function resolveSharedSign(sign: SharedSign, defaultCurrency: string): string | null {
  return sharedSigns[sign].includes(defaultCurrency) ? defaultCurrency : null
}

const currencies: Record<string, string | null> = {
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  us$: 'USD',
  usd: 'USD',
  a$: 'AUD',
  aud: 'AUD',
  r$: 'BRL',
  brl: 'BRL',
  $: null,
  chf: 'CHF',
  zł: 'PLN',
  zl: 'PLN',
  pln: 'PLN',
  '₹': 'INR',
  inr: 'INR',
  kr: null,
}

const signPattern =
  '€|euros?\\b|eur\\b|£|gbp\\b|us\\$|a\\$|r\\$|brl\\b|\\$|usd\\b|aud\\b|chf\\b|zł|zl\\b|pln\\b|₹|inr\\b|kr\\b'
const gapPattern = '[ \\u00a0\\u2009\\u202f]*'
const multipliers: [RegExp, number][] = [
  [/^(?:k|mil|mila|tsd|tys|tis|thousand|тыс)\.?$/i, 1e3],
  [/^(?:lakhs?|lacs?)$/i, 1e5],
  [/^cr(?:ores?)?\.?$/i, 1e7],
  [/^./, 1e6],
]
const multiplierPattern =
  '(?:k|mila?|tsd|tys|tis|thousand|тыс|lakhs?|lacs?|cr(?:ores?)?|m|mm|mn|mi|mln|mio|mill|millions?|mill[oó]n(?:es)?|milh(?:ão|ões|ao|oes)|milion[ei]|millionen|miljoen|milion(?:y|ów|ow|ů|u)?|millió|млн)\\.?(?![\\p{L}\\d²³])'
const multiplierStart = new RegExp(`^${gapPattern}${multiplierPattern}`, 'iu')
const amountPattern = new RegExp(
  `(?:(${signPattern})${gapPattern})?(?<![\\d.,-])(${numberPattern})(?:,-|,–)?(?:(${gapPattern})(${multiplierPattern})(?:${gapPattern}(?:de|di|d['’])(?!\\p{L}))?)?(?:${gapPattern}(${signPattern}))?`,
  'giu',
)
const periodPatterns: [RegExp, NonNullable<Money['period']>][] = [
  [
    /^[\s/]*(?:al |por |per |a |pro |par )?(?:m[eê]s|month|monat|mois|mese|mensual(?:es)?|mensais|mensili|p\.?c\.?m\.?|p\/m)\b/i,
    'month',
  ],
  [/^[\s/]*(?:a la |por |per |a |pro |par )?(?:semana|week|woche|semaine|settimana|p\.?w\.?)\b/i, 'week'],
  [/^[\s/]*(?:al |por |per |a |pro |par )?(?:año|ano|year|jahr|an|anno|p\.?a\.?)(?![\p{L}])/iu, 'year'],
]

/**
 * Parses the price in a short text (`374.000 €`, `1.250 €/mes`, `£1,250 pcm`, `desde 210.000 €`, `374000`). The first
 * amount with a currency counts: a former price or a price per square metre follows it. Null for a price per square
 * metre alone, a range (`200.000 - 250.000 €`), and words (`A consultar`). `1,2 M€` and `650k` are multiplied.
 */
export function parseMoney(text: string): Money | null {
  // A longer text is not a price; on hostile text the time grows with the square of the length.
  const truncated = text.slice(0, 300)
  let bareAmount: Money | null = null
  let bareAmountsCount = 0
  for (const match of truncated.matchAll(amountPattern)) {
    const [whole, before, digits = '', gap, multiplier, after] = match
    const rest = truncated.slice(match.index + whole.length)
    const isApart = gap !== '' && after === undefined
    const amount = multiply(parseLocalNumber(digits), multiplier?.replace('.', '') ?? '', isApart)
    const sign = before ?? after
    if (sign === undefined) {
      bareAmountsCount += 1
      bareAmount = amount === null ? null : { amount, currency: null, period: null }
      continue
    }
    // A number and a dash before, or a dash and a number after: the text is a range.
    if (/^\s*[-–—]\s*[€£$]?\s*\d/.test(rest) || /\d[\s€£$]*[-–—]\s*$/.test(truncated.slice(0, match.index)))
      return null
    if (amount === null || /^\s*\/\s*m(?:²|2|q)/i.test(rest)) return null
    const currency = currencies[sign.toLowerCase()] ?? null
    const sharedSign = parseSharedSign(sign)
    return { amount, currency, ...(sharedSign && { sharedSign }), period: parsePeriod(rest) }
  }
  return bareAmountsCount === 1 && /^\s*[\d.,'’\s]+$/.test(truncated) ? bareAmount : null
}

/** True for the rest of a text after a number that it multiplies: `k €`, `millones de euros`. */
export function startsWithMultiplier(text: string): boolean {
  return multiplierStart.test(text.slice(0, 40))
}

/** The amount times what an abbreviation or a word after it says; null if that is not clear. */
function multiply(amount: number | null, multiplier: string, isApart: boolean): number | null {
  if (amount === null || multiplier === '') return amount
  // `500 m` are metres, and `$2,500,000 MN` is Mexican money.
  if (/^(?:m|m[mni]|M[MNI])$/.test(multiplier) && (amount >= 100 || (isApart && multiplier === 'm')))
    return amount
  // `1.250M` may be millions or thousands of them, and `1.2 mil` in English is a million.
  if (multiplier === 'M' && amount >= 1000) return null
  if (/^mil$/i.test(multiplier) && amount < 10) return null
  const factor = multipliers.find(([pattern]) => pattern.test(multiplier))![1]
  return Math.round(amount * factor * 100) / 100
}

function parsePeriod(rest: string): Money['period'] {
  return periodPatterns.find(([pattern]) => pattern.test(rest))?.[1] ?? null
}
