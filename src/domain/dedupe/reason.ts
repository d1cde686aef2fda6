/** Why two adverts are, or may be, of one property: a sentence for the person who reads it beside the lead. */
import type { Level } from './evidence.ts'
import type { Gaps } from './gaps.ts'

/** What hinders joining unasked, however much the two have in common. */
export const doubtTexts = {
  price: 'a price is not stated',
  size: 'a size is not stated',
  place: 'nothing shows that they are in one place',
  address: 'their addresses differ',
  nothing: 'neither phone nor address, photos or wording are the same',
  newBuild: 'units of a new building are alike',
} as const
export type Doubt = keyof typeof doubtTexts

// In the order in which they are told; what is not here is told by distance, size and price, or by its silence.
const leadingPhrases: Partial<Record<Level, string>> = {
  'same private phone': 'same phone',
  'same phone': 'same phone',
  'other phone': 'other phone',
  'two private phones': 'other phone',
  'same land register number': 'same number in the land register',
  'same reference': 'same reference',
  'other reference': 'other reference',
  'same address': 'same address',
  'same door': 'same door',
  'same street': 'same street',
  'other street': 'other street',
  'other number': 'other house number',
}
const trailingPhrases: Partial<Record<Level, string>> = {
  'same floor': 'same floor',
  'same features': 'same features',
  'same photos': 'same photos',
  'one photo in common': 'one photo in common',
  'same wording': 'same wording',
  'other condition': 'other condition',
  'new and to renovate': 'other condition',
  'outside and inside': 'one outside, one inside',
}

/** "same telephone, same address, 12 m apart, 0 % apart in size and 1.9 % in price, same floor; but …". */
export function formatReason(levels: readonly Level[], gaps: Gaps, doubt: Doubt | null): string {
  const pickPhrases = (words: Partial<Record<Level, string>>) =>
    Object.keys(words).flatMap(level => (levels.includes(level as Level) ? words[level as Level]! : []))
  const parts = [...pickPhrases(leadingPhrases), ...formatGaps(gaps), ...pickPhrases(trailingPhrases)]
  return parts.join(', ') + (doubt === null ? '' : `; but ${doubtTexts[doubt]}`)
}

function formatGaps({ meters, area, price }: Gaps): string[] {
  const place = meters === null ? [] : [`${Math.round(meters)} m apart`]
  if (area === null) return price === null ? place : [...place, `${percent(price)} apart in price`]
  const figures = `${percent(area)} apart in size`
  return [...place, price === null ? figures : `${figures} and ${percent(price)} in price`]
}

function percent(part: number): string {
  return `${Math.round(part * 1000) / 10} %`
}
