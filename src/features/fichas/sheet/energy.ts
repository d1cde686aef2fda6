/** The energy rating of a sheet. */
import {
  drawEnergyLabel,
  type EnergyClass,
  type EnergyScale,
  energyClasses,
} from '../../../documents/charts/energy-label.ts'
import type { Formats } from '../../../documents/formats.ts'
import type { EnergyRating } from '../../../domain/listing/reader/page-listing.ts'
import type { SheetEnergy } from './sheet.ts'
import type { AllSheetWords } from './words.ts'

export interface EnergyContent {
  /** The label as SVG; null: `text` says all. */
  svg: string | null
  text: string
}

/** Returns null if nothing is known. */
export function toEnergy(
  energy: SheetEnergy | null,
  words: AllSheetWords,
  formats: Formats,
): EnergyContent | null {
  if (!energy) return null
  const { rating, emissions } = energy
  if (rating === 'in_progress') return { svg: null, text: words.energy.inProgress }
  if (rating === 'exempt') return { svg: null, text: words.energy.exempt }
  const consumed = toAmount(energy.consumptionKwhM2, 'kWh/m²·a')
  const emitted = toAmount(energy.emissionsKgM2, 'kg CO₂/m²·a')
  const scales: EnergyScale[] = [
    ...toScale(words.energy.consumption, rating, consumed),
    ...toScale(words.energy.emissions, emissions, emitted),
  ]
  if (scales.length === 0) {
    const amounts = [
      consumed && `${words.energy.consumption}: ${consumed}`,
      emitted && `${words.energy.emissions}: ${emitted}`,
    ].filter(amount => amount)
    return amounts.length === 0 ? null : { svg: null, text: amounts.join('; ') }
  }
  const texts = scales.map(scale =>
    [`${scale.heading}: ${scale.rating}`, scale.value].filter(part => part).join(', '),
  )
  const text = `${texts.join('; ')}.`
  return { svg: drawEnergyLabel(scales, `${words.energy.heading}. ${text}`), text }

  function toAmount(amount: number | null, unit: string): string | null {
    const isKnown = amount !== null && amount >= 0 && Number.isFinite(amount)
    return isKnown ? `${formats.number(amount)} ${unit}` : null
  }
}

function toScale(heading: string, rating: EnergyRating | null, value: string | null): EnergyScale[] {
  return isClass(rating) ? [{ heading, rating, value }] : []
}

function isClass(rating: EnergyRating | null): rating is EnergyClass {
  return energyClasses.some(name => name === rating)
}
