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
    { heading: words.energy.consumption, rating: toClass(rating), value: consumed },
    { heading: words.energy.emissions, rating: toClass(emissions), value: emitted },
  ].filter(scale => scale.rating !== null || scale.value !== null)
  if (scales.length === 0) return null
  const texts = scales.map(
    scale => `${scale.heading}: ${[scale.rating, scale.value].filter(part => part).join(', ')}`,
  )
  const text = `${texts.join('; ')}.`
  const isRated = scales.some(scale => scale.rating !== null)
  return { svg: isRated ? drawEnergyLabel(scales, `${words.energy.heading}. ${text}`) : null, text }

  function toAmount(amount: number | null, unit: string): string | null {
    const isKnown = amount !== null && amount >= 0 && Number.isFinite(amount)
    return isKnown ? `${formats.number(amount)} ${unit}` : null
  }
}

/** Null: unknown. */
function toClass(rating: EnergyRating | null): EnergyClass | null {
  return energyClasses.find(name => name === rating) ?? null
}
