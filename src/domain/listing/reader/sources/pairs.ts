/**
 * Labels and their values in the markup: definition lists, table rows, `Label: value` lines, adjacent elements, icons
 * with a title. The vocabulary decides what is a label; the nearest common element decides what is its value.
 */
import { toPlainWords } from '../../../plain-words.ts'
import { parseRoomCounts } from '../../room-counts.ts'
import { parseAreaText } from '../area-units.ts'
import { toLabelledCandidates } from '../label-values.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns, TextRun } from '../page-runs.ts'
import type { PageNode } from '../page-tree.ts'
import type { TextContext } from '../text-values.ts'
import type { LabelMeaning } from '../words/language-words.ts'
import { findPhrase, type Label, parseLabel, toPhrase } from '../words/words.ts'
import { isForeignPlace } from './foreign-places.ts'

const weights = { pair: 0.72, line: 0.7, attribute: 0.6, count: 0.5, brand: 0.28 } as const
/** A later, differing value of a field may belong to another listing. */
const laterShare = 0.75
const climbsMax = 4
const neighboursMax = 60
const valueRunsMax = 8
const valueLengthMax = 200
const candidatesMax = 400

/** Labels that an attribute or an icon may state. */
const attributeMeanings = new Set<LabelMeaning>([
  'area',
  'usableArea',
  'plotArea',
  'rooms',
  'bedrooms',
  'bathrooms',
  'yearBuilt',
  'energyRating',
  'type',
])

/** The candidates of all labels of the page. */
export function readPairs(page: PageRuns, context: TextContext): Candidate[] {
  const labels = page.runs.map(run => parseRunLabel(run))
  const candidates: Candidate[] = []
  for (const run of page.runs) {
    if (candidates.length > candidatesMax) break
    candidates.push(...readRun(page, labels, run, context))
  }
  return lowerLaterValues(candidates)
}

function readRun(
  page: PageRuns,
  labels: readonly (Label | null)[],
  run: TextRun,
  context: TextContext,
): Candidate[] {
  const label = labels[run.index] ?? null
  if (label !== null && isForeignPlace(label, run, page)) return []
  if (label !== null) return readLabel(page, labels, run, label, context)
  if (run.isAttribute) return readCounts(run, weights.attribute, context)
  const before = unitPattern.test(run.text) ? page.runs[run.index - 1] : undefined
  // `500` and `m² of land` in two elements.
  if (before !== undefined && /^[\d.,\s]+$/.test(before.text) && isNear(before.node, run.node))
    return readCount(`${before.text} ${run.text}`, weights.count, context)
  return (
    readLine(run, context) ??
    (isValueOfPart(page, labels, run) ? [] : readCounts(run, weights.count, context))
  )
}

const partMeanings = new Set<LabelMeaning>(['usableArea', 'plotArea', 'otherArea'])

/** True for the area after the label of another area than that of the home. */
function isValueOfPart(page: PageRuns, labels: readonly (Label | null)[], run: TextRun): boolean {
  const before = page.runs[run.index - 1]
  const meanings = labels[run.index - 1]?.meanings
  if (before === undefined || meanings === undefined || run.node.name === 'li') return false
  return before.node.parent === run.node.parent && meanings.every(meaning => partMeanings.has(meaning))
}

const unitPattern = /^(?:m²|m2|mq|qm|sq\.? ?ft|sqft)(?![\p{L}\d])/iu

function isNear(one: PageNode, other: PageNode): boolean {
  return one.parent === other.parent || one.parent === other || one === other.parent
}

function parseRunLabel(run: TextRun): Label | null {
  const label = parseLabel(run.text)
  if (label === null || !run.isAttribute) return label
  // A symbol with the number of photos.
  if (/^camera$/i.test(run.text)) return null
  const meanings = label.meanings.filter(meaning => attributeMeanings.has(meaning))
  return meanings.length === 0 ? null : { ...label, meanings }
}

function readLabel(
  page: PageRuns,
  labels: readonly (Label | null)[],
  run: TextRun,
  label: Label,
  context: TextContext,
): Candidate[] {
  if (label.meanings.some(meaning => ratingMeanings.has(meaning)) && isScale(page, run)) return []
  const weight = run.isAttribute ? weights.attribute : weights.pair
  for (const value of listValues(page, labels, run)) {
    const found = toLabelledCandidates(label, value, run.text, weight, context)
    if (found !== null) return found
  }
  return []
}

const ratingMeanings = new Set<LabelMeaning>(['energyRating', 'emissionsRating'])
const scaleRunsMax = 16
const scaleLettersMin = 3

/** True before the letters of a scale: it explains the ratings, and does not state one. */
function isScale(page: PageRuns, run: TextRun): boolean {
  const letters = page.runs
    .slice(run.index + 1, run.index + 1 + scaleRunsMax)
    .filter(({ text, isAttribute }) => !isAttribute && /^[A-G](?:\+{1,3}|[1-3])?$/.test(text))
  return new Set(letters.map(({ text }) => text)).size >= scaleLettersMin
}

/** The texts that may be the value of a label, the most probable one first. */
function listValues(page: PageRuns, labels: readonly (Label | null)[], run: TextRun): string[] {
  let ancestor: PageNode | null = run.node
  for (let climbs = 0; ancestor !== null && climbs <= climbsMax; climbs += 1) {
    const [start, end] = page.rangeOf(ancestor)
    if (end - start > neighboursMax) return []
    const texts = page.runs
      .slice(start, end)
      .filter(other => !other.isAttribute || labels[other.index] !== null)
    if (texts.length > 1) return listNeighbours(page, labels, run, texts, ancestor)
    ancestor = ancestor.parent
  }
  return []
}

/** The value precedes its label where the first text of the element is a value: `3` `Bedrooms`. */
function listNeighbours(
  page: PageRuns,
  labels: readonly (Label | null)[],
  run: TextRun,
  texts: readonly TextRun[],
  ancestor: PageNode,
): string[] {
  const place = texts.indexOf(run)
  const before = texts[place - 1]
  const isLabelFirst = labels[texts[0]!.index] !== null || isLine(texts[0]!)
  const isValueBefore =
    before !== undefined &&
    !isLabelFirst &&
    labels[before.index] === null &&
    (place === texts.length - 1 || place === 1)
  if (isValueBefore) return [before.text, joinText(texts.slice(0, place))]
  return listFollowing(page, labels, texts, place, ancestor)
}

function isLine(run: TextRun): boolean {
  const colon = run.text.indexOf(':')
  return colon > 0 && colon < 50
}

function listFollowing(
  page: PageRuns,
  labels: readonly (Label | null)[],
  texts: readonly TextRun[],
  place: number,
  ancestor: PageNode,
): string[] {
  const next = texts[place + 1]
  if (next === undefined || labels[next.index] !== null) return []
  const following = texts.slice(place + 1, place + 1 + valueRunsMax)
  const labelIndex = following.findIndex(run => labels[run.index] !== null)
  const joined = joinText(labelIndex === -1 ? following : following.slice(0, labelIndex))
  let child = next.node
  while (child !== ancestor && child.parent !== null && child.parent !== ancestor) child = child.parent
  if (child === ancestor) return [joined, next.text]
  const [start, end] = page.rangeOf(child)
  const inChild = page.runs.slice(start, Math.min(end, start + valueRunsMax))
  return [joinText(inChild.filter(run => !run.isAttribute)), joined, next.text]
}

const lineElements = new Set(['p', 'li', 'address'])

/** Lines are separated by commas: those of an address stand in elements of their own. */
function joinText(runs: readonly TextRun[]): string {
  let joined = ''
  for (const { text, node } of runs)
    joined += joined === '' ? text : lineElements.has(node.name) ? `, ${text}` : ` ${text}`
  return joined.slice(0, valueLengthMax)
}

const referencePattern =
  /^((?:.{0,30}\s)?(?:ref(?:erence|erencia|er[eê]ncia|erentie)?|p?id|mls|code|nr|no)\.?)\s*[-:#]\s*([A-Z\d][\w/.-]{2,24})$/i

/** `Rif. 6036`, `Codice AB6036` */
const codePattern = /^(\p{L}[\p{L} ]{1,20}\.?)\s+([A-Z]{0,4}[/.-]?\d[\w/.-]{2,20})$/u

/** `Label: value` in one text; null if it does not begin with a label. */
function readLine(run: TextRun, context: TextContext): Candidate[] | null {
  if (run.text.length > valueLengthMax) return null
  const colon = run.text.indexOf(':')
  const where = run.text.slice(0, Math.max(0, colon))
  const label = colon < 2 || colon > 50 ? null : parseLabel(where)
  if (label !== null)
    return toLabelledCandidates(label, run.text.slice(colon + 1), where, weights.line, context) ?? []
  const coded = run.isAttribute || run.text.length > 40 ? null : codePattern.exec(run.text)
  if (coded !== null && parseLabel(coded[1]!)?.meanings.every(meaning => meaning === 'reference'))
    return toLabelledCandidates(parseLabel(coded[1]!)!, coded[2]!, coded[1]!, weights.line, context) ?? []
  // The portal's name may precede the label: `Homes.example ID: 4711`.
  const reference = run.text.length > 60 ? null : referencePattern.exec(run.text)
  if (reference === null || !/\d/.test(reference[2]!)) return null
  return [
    {
      field: 'reference',
      value: reference[2]!,
      source: 'pairs',
      where: reference[1]!,
      weight: weights.brand,
    },
  ]
}

const countFields = ['rooms', 'bedrooms', 'bathrooms'] as const
const measureMax = 120
const areaMin = 8
const measurePattern =
  /^((?:ca\.?|±|~|approx\.?)?\s*\d[\d.,\s]*(?:m²|m2|mq|qm|sq\.? ?(?:ft|m)\.?|sqft|sqm|acres?|ha))(?![\p{L}\d])\s*(?:(?:de|of|di|da|d')\s+)?(.*)$/iu

/** `mq 97 ca.`, `mq 20 terrazzo` */
const unitFirstPattern = /^((?:mq|m²|m2|qm|mtq)\.?\s*\d[\d.,]*)(?:\s+(?:ca\.?|circa)(?![\p{L}]))?\s*(.*)$/iu

/** `3 bedrooms`, `86 m²`, `70 m² construidos, 65 m² útiles`: texts that state their own meaning. */
function readCounts(run: TextRun, weight: number, context: TextContext): Candidate[] {
  if (run.text.length > measureMax || !/\d/.test(run.text) || isInLink(run.node)) return []
  return run.text
    .split(/[,;|·•+](?=\s|\p{L})|\s\/\s/u)
    .flatMap(part => readCount(part.trim(), weight, context))
}

function readCount(part: string, weight: number, context: TextContext): Candidate[] {
  if (part.length > 40 || !/^\D{0,8}\d/.test(part)) return []
  const measure = measurePattern.exec(part) ?? unitFirstPattern.exec(part)
  if (measure !== null) return readMeasure(measure[1]!, measure[2]!.trim(), weight, context)
  const counts = parseRoomCounts(toPlainWords(part))
  const candidates: Candidate[] = []
  for (const field of countFields) {
    const value = counts[field]
    if (value !== undefined && value > 0)
      candidates.push({ field, value, source: 'pairs', where: part, weight })
  }
  return candidates
}

/** An area with the words after it. In countries where an area alone is that of the plot, it says nothing. */
function readMeasure(amount: string, words: string, weight: number, context: TextContext): Candidate[] {
  const where = `${amount} ${words}`.trim()
  // `155 m² Sale agreed`
  const isMark =
    words !== '' && markKinds.some(kind => findPhrase(kind, toPhrase(words), context.languages) !== null)
  if (words !== '' && !isMark) {
    const label = parseLabel(words)
    return label === null ? [] : (toLabelledCandidates(label, amount, where, weight, context) ?? [])
  }
  const area = parseAreaText(amount)
  if (area === null || area < areaMin || plotCountries.has(context.country ?? '')) return []
  return [{ field: 'squareMeters', value: area, source: 'pairs', where, weight: weight * 0.8 }]
}

const markKinds = ['status', 'operation'] as const
const plotCountries = new Set(['AU', 'NZ', 'ZA'])

function isInLink(node: PageNode): boolean {
  return node.name === 'a' || node.parent?.name === 'a' || node.parent?.parent?.name === 'a'
}

/** Keeps the weight of the first value of each field, and lowers that of later ones that differ. */
function lowerLaterValues(candidates: readonly Candidate[]): Candidate[] {
  const first = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const known = first.get(candidate.field)
    if (known === undefined || candidate.weight > known.weight * 1.1) first.set(candidate.field, candidate)
  }
  return candidates.map(candidate =>
    first.get(candidate.field)!.value === candidate.value
      ? candidate
      : { ...candidate, weight: candidate.weight * laterShare },
  )
}
