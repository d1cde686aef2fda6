/** The known facts of the property as text. Unknown facts are omitted. */
import type { Fact } from '../../../documents/blocks.ts'
import type { Formats } from '../../../documents/formats.ts'
import type { SheetProperty } from './sheet.ts'
import type { AllSheetWords } from './words.ts'

export interface FactsInput {
  property: SheetProperty
  words: AllSheetWords
  formats: Formats
  visible: (text: string | null) => string | null
}

const highlightsMax = 5

/** The facts that a reader looks for first. */
export function toHighlights(input: FactsInput): Fact[] {
  const { property, words } = input
  const { facts } = words
  const isLand = property.subtype === 'land'
  const rows: Row[] = [
    [facts.area, toArea(property.squareMeters, input)],
    [words.usableArea, property.squareMeters === null ? toArea(property.usableSquareMeters, input) : null],
    [facts.plot, toArea(isLand || property.subtype === 'house' ? property.plotSquareMeters : null, input)],
    [facts.bedrooms, toCount(property.bedrooms || null, input)],
    [words.rooms, property.bedrooms ? null : toCount(property.rooms, input)],
    [facts.bathrooms, toCount(property.bathrooms, input)],
    [facts.floor, property.floor !== null && property.floor >= 1 ? toCount(property.floor, input) : null],
    [facts.yearBuilt, property.yearBuilt === null ? null : String(property.yearBuilt)],
  ]
  return toFacts(rows).slice(0, highlightsMax)
}

/** All facts, one per row. */
export function toDetails(input: FactsInput): Fact[] {
  const { property, words, visible } = input
  const { facts } = words
  return toFacts([
    [words.reference, visible(property.reference)],
    [facts.area, toArea(property.squareMeters, input)],
    [words.usableArea, toArea(property.usableSquareMeters, input)],
    [facts.plot, toArea(property.plotSquareMeters, input)],
    [words.rooms, toCount(property.rooms, input)],
    [facts.bedrooms, property.bedrooms === 0 ? words.studio : toCount(property.bedrooms, input)],
    [facts.bathrooms, toCount(property.bathrooms, input)],
    [facts.floor, toFloor(input)],
    [facts.yearBuilt, property.yearBuilt === null ? null : String(property.yearBuilt)],
    [facts.condition, property.condition && words.condition[property.condition]],
  ])
}

/** The parts of the address, without repetitions. */
export function toPlace({ property, visible }: FactsInput): string[] {
  const town = [visible(property.postcode), visible(property.municipality)].filter(part => part).join(' ')
  const parts = [
    visible(property.address),
    visible(property.neighbourhood),
    town || null,
    visible(property.province),
  ].filter(part => part !== null)
  return parts.filter((part, at) => !parts.slice(0, at).some(other => includes(other, part)))
}

/** True if the words of the part end the text, as in "08012 Barcelona" and "Barcelona". */
function includes(text: string, part: string): boolean {
  const [long, short] = [text.toLowerCase(), part.toLowerCase()]
  return long === short || long.endsWith(` ${short}`)
}

type Row = [label: string, value: string | null]

export function toFacts(rows: Row[]): Fact[] {
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

function toArea(area: number | null, { formats }: FactsInput): string | null {
  return area !== null && area > 0 && Number.isFinite(area) ? formats.squareMeters(area) : null
}

function toCount(count: number | null, { formats }: FactsInput): string | null {
  return count !== null && Number.isFinite(count) ? formats.number(count) : null
}

function toFloor({ property: { floor, floorText }, words, formats, visible }: FactsInput): string | null {
  if (floor === null) return visible(floorText)
  if (floor === 0.5) return words.mezzanine
  if (floor === 0) return words.groundFloor
  return floor < 0 ? words.belowGround : formats.number(floor)
}

export function capitalize(text: string, locale: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
}
