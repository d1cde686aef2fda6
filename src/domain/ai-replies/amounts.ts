/** The numbers of a text that a person could rely on: amounts of money, percentages, times, and all large ones. */
import { toPlainWords } from '../plain-words.ts'

/** A number with its separators, and what stands beside it. */
const pattern =
  /(?<before>[€$£]|\b(?:eur|euros?|usd|gbp)\b)?\s{0,2}(?<number>\d{1,3}(?: \d{3})+(?!\d)|\d(?:[\d.,:'’\u00a0\u202f]*\d)?)\s{0,2}(?<after>[€$£%‰]|k\b|m(?:il|illion|illions|illones|ilhoes|ilioni|ilione|ila|ilio|io|illio|illionen)\b|thousand\b|tausend\b|mille\b|mila\b|euros?\b|eur\b|euroak?\b|usd\b|gbp\b|dollars?\b|dolares?\b|pounds?\b|libras?\b|por ciento\b|per cent\b|percent\b|prozent\b|per cento\b|por cento\b|pour cent\b|h\b|horas?\b|uhr\b|ore\b|heures?\b|[ap]\.?m\b)?/giu

const factors: [RegExp, number][] = [
  [/^(?:k|mil|mila|mille|thousand|tausend)$/, 1_000],
  [/^m/, 1_000_000],
]
const smallMax = 1_000

/** "1.234,50", "1,234.50", "1 234" and "1'234" are one number; "1.5" is another than "1.500". */
function parseNumber(text: string): number | null {
  const plain = text.replace(/[\s'’\u00a0\u202f]/g, '')
  const grouped = /^\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?$/.exec(plain)
  if (grouped) {
    const [, fraction] = /[.,](\d{1,2})$/.exec(plain) ?? []
    const whole = fraction === undefined ? plain : plain.slice(0, -fraction.length - 1)
    return Number(`${whole.replace(/[.,]/g, '')}.${fraction ?? 0}`)
  }
  return /^\d+(?:[.,]\d+)?$/.test(plain) ? Number(plain.replace(',', '.')) : null
}

/** Forms that are compared: `300000`, `3%`, `18:00`. */
export function listAmounts(text: string): string[] {
  const plain = toPlainWords(text.normalize('NFKC'))
  const found: string[] = []
  for (const { groups } of plain.matchAll(pattern)) {
    const { number = '', before, after = '' } = groups ?? {}
    const [, hour, minute] = /^([01]?\d|2[0-4])[:.]([0-5]\d)$/.exec(number) ?? []
    if (hour !== undefined && (number.includes(':') || /^(?:h|horas?|uhr|ore)$/.test(after))) {
      found.push(`${Number(hour)}:${minute}`)
      continue
    }
    const value = parseNumber(number)
    const unit = after.replaceAll('.', '')
    if (value === null) found.push(number)
    else if (/^(?:%|‰|por ciento|per cent|percent|prozent|per cento|por cento|pour cent)$/.test(unit))
      found.push(`${value}%`)
    else if (/^(?:h|horas?|uhr|ore|heures?|am|pm)$/.test(unit) && value <= 24) found.push(toTime(value, unit))
    else {
      const factor = factors.find(([word]) => word.test(unit))?.[1] ?? 1
      const isMoney = before !== undefined || unit !== ''
      if (isMoney || value * factor >= smallMax) found.push(String(value * factor))
    }
  }
  return found
}

function toTime(value: number, unit: string): string {
  const hour = unit === 'pm' && value < 12 ? value + 12 : Math.floor(value)
  return `${hour}:00`
}

const currencies = '(?:euros?|eur|dollars?|dolares|pounds?|libras)'
const scales = '(?:mil|mila|mille|thousand|tausend|million\\p{L}*|millon\\p{L}*|milhao|milhoes|milion\\p{L}*)'
/** "the price in euros" states no amount. */
const fillers = '(?:en|de|in|of|em|los|the|per|por|les|die|der|des|os|gli|i|d|di)'

/** Amounts in words: "trescientos mil euros", "one dollar". They can't be compared. */
export const wordedAmount = new RegExp(
  `(?<!\\d ?)\\b${scales}(?: ${fillers})? ${currencies}\\b|(?<!\\d ?)\\b(?!(?:${fillers}|${scales}) )\\p{L}+ ${currencies}\\b`,
  'u',
)
