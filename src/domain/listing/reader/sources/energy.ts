/** Consumption and emissions by their units, and the letter beside them. */
import {
  type FoundQuantity,
  findEnergyQuantities,
  findLetterOfAmount,
  startsWithEnergyUnit,
} from '../energy-values.ts'
import type { Candidate, EnergyRating } from '../page-listing.ts'
import type { PageRuns, TextRun } from '../page-runs.ts'
import { findEnergyRating } from '../prose-values.ts'
import { toPhrase } from '../words/words.ts'

const weights = { quantity: 0.62, other: 0.4, letter: 0.55 }
const lineMax = 400
const candidatesMax = 20
const lonelyNumber = /^\s*\d{1,4}(?:[.,]\d{1,3})?\s*$/
const lonelyLetter = /^\s*([A-G])(?:[1-3]|\+{1,3})?\s*$/
/** `Consumo (kWh/m² año)` */
const labelUnit = /(?<!\d\s?)k\s?wh.{1,12}|(?<!\d\s?)kg\s?co\s?[2₂²].{1,12}/i
const quantityWords =
  /consum|consommation|verbrauch|bedarf|verbruik|zuzyci|spotreb|emis|\bepi\b|\bges\b|energy performance|prestazione/
/** The rating of a home in Germany is by its final energy, and in France by its primary energy. */
const otherEnergy = /primarenergie|energie finale|consommation finale/

/** The candidates of the page's texts. */
export function readEnergy(page: PageRuns): Candidate[] {
  const candidates: Candidate[] = []
  const texts = page.runs.filter(({ isAttribute }) => !isAttribute)
  for (const [place, run] of texts.entries()) {
    if (candidates.length >= candidatesMax) break
    if (run.text.length > lineMax || !/k\s?wh|co\s?[2₂²]|nerg|BER|EPC|DPE|PEB|APE/i.test(run.text)) continue
    const text = toStatement(texts, place)
    const label = texts[place - 1]?.text ?? ''
    for (const found of findEnergyQuantities(text)) candidates.push(toCandidate(found, label))
    for (const [quantity, field, unit] of ratings) {
      const letter =
        findLetterOfAmount(text, quantity) ??
        (unit.test(run.text) ? findLetterBeside(texts, place) : null) ??
        (field === 'energyRating' ? findEnergyRating(run.text) : null)
      if (letter !== null)
        candidates.push({
          field,
          value: letter,
          source: 'pairs',
          where: run.text.slice(0, 60),
          weight: weights.letter,
        })
    }
  }
  return candidates
}

const ratings = [
  ['energyConsumptionKwhM2', 'energyRating', /k\s?wh/i],
  ['emissionsKgM2', 'emissionsRating', /co\s?[2₂²]/i],
] as const

/** The number may stand in the element before its unit, or after a label that states the unit. */
function toStatement(texts: readonly TextRun[], place: number): string {
  const { text } = texts[place]!
  const before = texts[place - 1]?.text ?? ''
  if (lonelyNumber.test(before) && startsWithEnergyUnit(text)) return `${before.trim()} ${text}`
  const [next = '', afterNext = ''] = [texts[place + 1]?.text, texts[place + 2]?.text]
  const unit = labelUnit.exec(text)?.[0]
  const isLabel = unit !== undefined && text.length <= 80 && quantityWords.test(toPhrase(text))
  return isLabel && lonelyNumber.test(next) && !lonelyNumber.test(afterNext) ? `${next.trim()} ${unit}` : text
}

/** `label`: the text of the element before. */
function toCandidate({ quantity, value, before }: FoundQuantity, label: string): Candidate {
  const where = (before.trim() === '' ? label : before).trim().slice(-60)
  const isOther = otherEnergy.test(toPhrase(where))
  const weight = isOther ? weights.other : weights.quantity
  return { field: quantity, value, source: 'pairs', where, weight }
}

/** `157 kWh/m²` `E`, or `E` `157 kWh/m²`. Several letters are a scale. */
function findLetterBeside(texts: readonly TextRun[], place: number): EnergyRating | null {
  const letters = [-2, -1, 1, 2].map(
    offset => lonelyLetter.exec(texts[place + offset]?.text ?? '')?.[1] ?? null,
  )
  const [farBefore, before, after, farAfter] = letters
  if (after && !before && !farAfter) return after as EnergyRating
  return before && !after && !farBefore ? (before as EnergyRating) : null
}
