/** Finds the energy that a home consumes, and the carbon dioxide that it emits, per square metre and year. */
import { toPlainWords } from '../../plain-words.ts'
import { parseLocalNumber } from '../number.ts'
import type { EnergyRating } from './page-listing.ts'

export type EnergyQuantity = 'energyConsumptionKwhM2' | 'emissionsKgM2'

const perArea = '(?:\\/|per|por|pro|x)?\\s?\\(?\\s?(?:m\\s?\\^?2(?!\\d)|mq(?!\\w{4})|qm)'
const units: [EnergyQuantity, string][] = [
  ['energyConsumptionKwhM2', `k\\s?wh(?:\\s?ep|\\s?ef)?\\s?${perArea}`],
  ['emissionsKgM2', `kg\\s?(?:eq\\.?\\s?)?(?:-\\s?)?co\\s?2\\s?(?:-?\\s?eq?\\.?)?\\s?${perArea}`],
]
const statements = units.map(([quantity, unit]): [EnergyQuantity, RegExp] => [
  quantity,
  new RegExp(`(?<![\\d.,])(\\d{1,4}(?:[.,]\\d{1,3})?)\\s?${unit}`, 'gu'),
])
const leadingUnits = new RegExp(`^(?:${units.map(([, unit]) => unit).join('|')})`, 'u')
/** Before the limits of a scale: `≤ 50`, `51 à 90`, `51-90`. */
const limitPattern = /(?:[<>≤≥]|\d\s?[-–—]|\d\s?(?:a|to|bis|do|tot))\s*$/u
const mentioned = /k\s?wh|co\s?[2₂²]/i
const quantityMax = { energyConsumptionKwhM2: 1500, emissionsKgM2: 500 } as const
const textMax = 20_000
const foundMax = 20

export interface FoundQuantity {
  quantity: EnergyQuantity
  value: number
  /** The text before the value, in plain words. */
  before: string
}

/** All statements such as `157 kWh/m² año` or `44,8 kg CO2/m²`, without those of a scale. */
export function findEnergyQuantities(text: string): FoundQuantity[] {
  if (!mentioned.test(text)) return []
  const words = toEnergyWords(text.slice(0, textMax))
  const found: FoundQuantity[] = []
  for (const [quantity, pattern] of statements)
    for (const match of words.matchAll(pattern)) {
      const before = words.slice(Math.max(0, match.index - 60), match.index)
      const value = parseLocalNumber(match[1]!)
      if (value === null || value <= 0 || value > quantityMax[quantity] || limitPattern.test(before)) continue
      if (found.length < foundMax) found.push({ quantity, value, before })
    }
  return found
}

/** True for a text that begins with the unit of such a quantity. */
export function startsWithEnergyUnit(text: string): boolean {
  return mentioned.test(text) && leadingUnits.test(toEnergyWords(text.slice(0, 40)))
}

/** The only value of a quantity in a text, or null. */
export function findOnlyQuantity(text: string, wanted: EnergyQuantity): number | null {
  const values = new Set(
    findEnergyQuantities(text).flatMap(({ quantity, value }) => (quantity === wanted ? value : [])),
  )
  return values.size === 1 ? [...values][0]! : null
}

const letter = '([A-G])(?:[1-3]|\\+{1,3})?'
const amountUnits = {
  energyConsumptionKwhM2: 'k\\s?wh',
  emissionsKgM2: 'kg\\s?(?:[eé]q\\.?\\s?)?co',
} as const
const letterPatterns = Object.entries(amountUnits).map(
  ([quantity, unit]): [EnergyQuantity, RegExp, RegExp] => [
    quantity as EnergyQuantity,
    new RegExp(`(?:^|[\\s:(])${letter}\\s?[-–·:,(|/]?\\s?[\\d.,]+\\s?${unit}`, 'iu'),
    new RegExp(
      `${unit}[^a-z]{0,8}(?:m²|m2|mq|qm)\\S{0,8}\\s?(?:\\p{L}{1,5}\\s)?[([-–:]?\\s?${letter}\\)?$`,
      'iu',
    ),
  ],
)
const letterTextMax = 120

/** The letter beside an amount: `C3 - 203.74 kWh/m²/yr`, `157 kWh/m² anno E`, `D 33 kg CO2/m²`. */
export function findLetterOfAmount(text: string, wanted: EnergyQuantity): EnergyRating | null {
  if (text.length > letterTextMax) return null
  for (const [quantity, before, after] of letterPatterns) {
    if (quantity !== wanted) continue
    const found = before.exec(text)?.[1] ?? after.exec(text.trim())?.[1]
    if (found !== undefined && /[A-G]/.test(found)) return found as EnergyRating
  }
  return null
}

function toEnergyWords(text: string): string {
  return toPlainWords(text).replace(/[²₂]/g, '2').replace(/\s+/g, ' ').trimStart()
}
