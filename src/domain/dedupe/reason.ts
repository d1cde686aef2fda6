/** Explains in a sentence for users why two listings are, or may be, of one property. */
import type { Level } from './evidence.ts'
import type { Gaps } from './gaps.ts'

/** Reasons not to merge automatically, even with much in common. */
export const doubtTexts = {
  price: 'a price is not stated',
  size: 'a size is not stated',
  place: 'nothing shows that they are in one place',
  address: 'their addresses differ',
  indistinct: 'neither phone nor address, photos or wording are the same',
  newBuild: 'units of a new building are alike',
} as const
export type Doubt = keyof typeof doubtTexts

// In the order of output. Other levels are expressed by distance, size and price, or omitted.
const leadingPhrases: Partial<Record<Level, string>> = {
  'same private phone': 'same phone',
  'same phone': 'same phone',
  'other phone': 'other phone',
  'two private phones': 'other phone',
  'same cadastral number': 'same cadastral number',
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
  'exterior and interior': 'one exterior, one interior',
}

/** "same phone, same address, 12 m apart, 0 % apart in size and 1.9 % in price, same floor; but …". */
export function formatReason(levels: readonly Level[], gaps: Gaps, doubt: Doubt | null): string {
  const pickPhrases = (words: Partial<Record<Level, string>>) =>
    Object.keys(words).flatMap(level => (levels.includes(level as Level) ? words[level as Level]! : []))
  const parts = [...pickPhrases(leadingPhrases), ...formatGaps(gaps), ...pickPhrases(trailingPhrases)]
  return parts.join(', ') + (doubt === null ? '' : `; but ${doubtTexts[doubt]}`)
}

function formatGaps({ meters, area, price }: Gaps): string[] {
  const place = meters === null ? [] : [`${Math.round(meters)} m apart`]
  if (area === null) return price === null ? place : [...place, `${formatPercent(price)} apart in price`]
  const figures = `${formatPercent(area)} apart in size`
  return [...place, price === null ? figures : `${figures} and ${formatPercent(price)} in price`]
}

function formatPercent(part: number): string {
  return `${Math.round(part * 1000) / 10} %`
}
