/** Converts areas to square metres from the units that listings state. */
import { toPlainWords } from '../../plain-words.ts'
import { numberPattern, parseLocalNumber } from '../number.ts'

const squareMetersPerUnit = {
  squareMeters: 1,
  squareFeet: 0.09290304,
  acres: 4046.8564224,
  hectares: 10_000,
  ares: 100,
  squareYards: 0.83612736,
} as const
type AreaUnit = keyof typeof squareMetersPerUnit

const unitPatterns: [RegExp, AreaUnit][] = [
  [/^(sq\.? ?f(ee)?t\.?|sqft|sf|ft2|ft²|square[ _-]?f(ee|oo)t|pies)(?![a-z])/, 'squareFeet'],
  [/^(sq\.? ?y(ar)?ds?|square yards?|gaj)(?![a-z])/, 'squareYards'],
  [/^(acres?|ac)(?![a-z])/, 'acres'],
  [/^(hectares?|hectareas?|hektar|ha)(?![a-z])/, 'hectares'],
  [
    /^(m²|m2|m\^2|mq|qm|m kw|м²|кв\.? ?м|sq\.? ?m(et(er|re)s?)?|sqm|mtk|square ?met(er|re)s?|metros? cuadrados?|metros? quadrados?|metres carres|metri quadr[io]|quadratmeter|vierkante meter|square_met(er|re)s?|metr)(?![a-z0-9])/,
    'squareMeters',
  ],
]

/** The unit that a text begins with (`sqft`, `m²`, `acres`), or null. */
function parseAreaUnit(text: string): AreaUnit | null {
  const words = toPlainWords(text.slice(0, 40)).trim()
  return unitPatterns.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

/** An amount with a unit in square metres, or null. Two decimals, as converted values are never exact. */
export function toSquareMeters(amount: number, unit: string): number | null {
  const known = parseAreaUnit(unit)
  return known === null ? null : convert(amount, known)
}

function convert(amount: number, unit: AreaUnit): number | null {
  const area = amount * squareMetersPerUnit[unit]
  return area > 0 && area < 1e8 ? Math.round(area * 100) / 100 : null
}

const areaPattern = new RegExp(
  `(?<![\\d.,])(${numberPattern})[ \\u00a0\\u2009\\u202f]*((?:m2|ft2|[^\\d\\s])[^\\d]{0,20})?`,
  'gu',
)
/** `mq 97 ca.` at the beginning of a text. */
const unitFirstPattern = new RegExp(
  `^\\s*(?:mq|m²|m2|qm|mtq|sqm)\\.?:?\\s*(${numberPattern})(?![\\p{L}\\d²/])`,
  'iu',
)
const rangePattern = /\d\s*[-–—]\s*\d/

/**
 * The first area with a unit in a short text, in square metres (`1,206 sq ft`, `86 m²`, `0.25 acres`). Null for a
 * range, and for a number without a unit.
 */
export function parseAreaText(text: string): number | null {
  const truncated = text.slice(0, 200)
  if (rangePattern.test(truncated)) return null
  for (const [, digits = '', unit = ''] of truncated.matchAll(areaPattern)) {
    const known = parseAreaUnit(unit)
    const amount = known === null ? null : parseLocalNumber(digits)
    if (known !== null && amount !== null) return convert(amount, known)
  }
  const digits = unitFirstPattern.exec(truncated)?.[1]
  const amount = digits === undefined ? null : parseLocalNumber(digits)
  return amount === null ? null : convert(amount, 'squareMeters')
}
