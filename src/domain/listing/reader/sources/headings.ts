/** The title, the main heading, the breadcrumb and the words of the URL. */
import { toPlainWords } from '../../../plain-words.ts'
import { parseRoomCounts } from '../../room-counts.ts'
import { parseAddressLine } from '../address-line.ts'
import { parseAreaText } from '../area-units.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns } from '../page-runs.ts'
import { collectMeta, extractNodeText, findFirst, type PageTree } from '../page-tree.ts'
import { hasCount, hasStreet } from '../places/streets.ts'
import { parsePriceText, type TextContext } from '../text-values.ts'
import { findWords } from '../words/words.ts'
import { readTitles } from './titles.ts'

const titleMax = 300
const breadcrumbMax = 400

/** The candidates of the page's headings. */
export function readHeadings(tree: PageTree, page: PageRuns, context: TextContext): Candidate[] {
  const titleNode = findFirst(tree, 'title')
  const title = titleNode === null ? '' : extractNodeText(titleNode, titleMax)
  const heading = page.heading === null ? '' : extractNodeText(page.heading, titleMax)
  const shared = collectMeta(tree).get('og:title')?.[0]?.slice(0, titleMax) ?? ''
  const candidates = readTitles(tree, context.url, { heading, headingNode: page.heading, title, shared })
  candidates.push(...readHeading(heading, 'h1', 0.5, context))
  candidates.push(...readHeading(title, 'title', 0.46, context))
  if (shared !== title && shared !== heading)
    candidates.push(...readHeading(shared, 'og:title', 0.46, context))
  candidates.push(...readPath(context))
  candidates.push(...readWords(findBreadcrumb(tree), 'breadcrumb', 0.4, context))
  return candidates
}

/** The words of the URL's path. Filters of a search may follow the type, so that it counts only if it is the only one. */
function readPath(context: TextContext): Candidate[] {
  const path = toPath(context.url)
  const types = new Set(findWords('subtype', path, context.languages).map(({ value }) => value))
  const isType = types.size === 1 && !types.has('garage') && !types.has('storage')
  return readWords(path, 'path', 0.42, context)
    .filter(({ field }) => field === 'operation' || (field === 'subtype' && isType))
    .map(candidate => ({ ...candidate, source: 'url' }))
}

function readHeading(text: string, where: string, weight: number, context: TextContext): Candidate[] {
  if (text === '') return []
  return [
    ...readReference(text, where),
    ...readWords(text, where, weight, context),
    ...readAmounts(text, where, weight, context),
    ...readAddress(text, where, weight, context),
  ]
}

const referencePattern =
  /(?:^|[\s(|])(?:(?:ref(?:erence|erencia|erenz)?|rif|cod(?:ice)?|p?id|mls|web ref|listing id)[.:#\s]*[:.#\s]|n[°º.]+|№)\s*#?([A-Z]{0,4}[\w-]*\d[\w-]{2,20})(?=$|[\s),|:])/gi

/** `… (PID: 6PBUWY)`, `… | MLS# ML81643266`, `Annonce n°106898`. */
function readReference(text: string, where: string): Candidate[] {
  const stated = [...text.matchAll(referencePattern)].find(match => !isHouseNumber(match))
  const reference = stated?.[1] ?? findBareNumber(text)
  return reference === undefined || reference.length < 4
    ? []
    : [{ field: 'reference', value: reference, source: 'text', where, weight: 0.35 }]
}

/** `Via Roma n. 1234` */
function isHouseNumber({ 0: whole, index, input }: RegExpExecArray): boolean {
  const before = input.slice(0, index).split(/\s[-–|•·]\s/)
  return /^[\s(|]?n[°º.]/i.test(whole) && hasStreet(before.at(-1)!)
}

/** The only long number between separators: `… - Oliwa - 48721860 • Site`. */
function findBareNumber(text: string): string | undefined {
  const numbers = [...text.matchAll(/(?:\s[-–|•·]|\() ?(\d{7,12})(?=$| ?[-–|•·)])/g)]
  return numbers.length === 1 ? numbers[0]![1] : undefined
}

/** The operation and the type. The first type counts: in "flat with garage" the garage is an extra. */
function readWords(text: string, where: string, weight: number, { languages }: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  const operations = new Set(findWords('operation', text, languages).map(({ value }) => value))
  const [operation] = operations
  if (operation !== undefined && operations.size === 1)
    candidates.push({ field: 'operation', value: operation, source: 'text', where, weight })
  const types = findWords('subtype', text, languages)
  // `Private room in an apartment`
  const type = types.find(({ value }) => value === 'room') ?? types[0]
  if (type !== undefined)
    candidates.push({ field: 'subtype', value: type.value, source: 'text', where, weight: weight * 0.9 })
  const status = findWords('status', text, languages).find(({ value }) => value === 'reserved')
  if (status !== undefined)
    candidates.push({ field: 'status', value: 'reserved', source: 'text', where, weight })
  return candidates
}

/** `Maison T4 de 117 m²`, `3 bed house, £250,000`. */
function readAmounts(text: string, where: string, weight: number, context: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  for (const part of text.split(/[,|;·•()–]|\s-\s/)) {
    if (!/\d/.test(part) || part.length > 100) continue
    const counts = findCounts(part)
    for (const field of ['rooms', 'bedrooms', 'bathrooms'] as const) {
      const value = counts[field]
      if (value !== undefined && value > 0) candidates.push({ field, value, source: 'text', where, weight })
    }
    const area = findArea(part)
    if (area !== null)
      candidates.push({ field: 'squareMeters', value: area, source: 'text', where, weight: weight * 0.9 })
  }
  const price = /[€£$₦₹₽₸]|\b(?:EUR|PLN|CZK|AED|CHF)\b|zł|Kč/.test(text)
    ? parsePriceText(text, context)
    : null
  if (price?.currency)
    candidates.push({ field: 'price', value: price.amount, source: 'text', where, weight: weight * 0.9 })
  return candidates
}

/** The counts in a phrase (`Apartamento T2`, `2-Zimmer-Wohnung`, `5-room house with 3 bedrooms`). */
function findCounts(part: string): { rooms?: number; bedrooms?: number; bathrooms?: number } {
  const words = toPlainWords(part).trim()
  const found: ReturnType<typeof parseRoomCounts> = {}
  for (const match of words.matchAll(/(?<![\d.,+])\d{1,2}(?:[.,]5)?[ -]\p{L}[^\d]*/gu))
    for (const [kind, value] of Object.entries(parseRoomCounts(match[0].trim())))
      found[kind as keyof typeof found] ??= value
  return found
}

function findArea(part: string): number | null {
  const match =
    /\d[\d.,\s]*(?:m²|m2|mq|qm|sq\.? ?ft|sqft|sqm|sq\.? ?m)(?![\p{L}\d])/iu.exec(part) ??
    /(?<=^|\s)(?<!\bal )mq\.? ?\d[\d.,]*/iu.exec(part)
  if (match === null || /terrain|terreno|plot|grundst|parcel|land|dzia|pozem|perceel|lot\b/i.test(part))
    return null
  const area = parseAreaText(match[0])
  return area !== null && area >= 8 ? area : null
}

const countyPattern = /(?:^|,\s*)(?:Co\.?|County)\s+(\p{Lu}[\p{L}'’-]+)/u

/** An address as the heading: it has a postcode, a county, or begins with the house number. */
function readAddress(text: string, where: string, weight: number, { country }: TextContext): Candidate[] {
  const line = text.split(/\s[|–•·]\s|\s-\s/)[0]!.trim()
  const parts = line.split(',').map(part => part.trim())
  const found = { ...parseAddressLine(line, country) }
  const county = countyPattern.exec(line)
  const isAddress =
    parts.length >= 2 &&
    !hasCount(parts[0]!) &&
    (found.postcode !== undefined || county !== null || /^\d{1,5}[A-Za-z]?,? \p{Lu}/u.test(line))
  if (isAddress && found.address === undefined && /^\S{0,12}\d/.test(parts[0]!) && !/m²|\bm2\b/.test(line))
    found.address = line
  if (county !== null) {
    found.province ??= county[0].replace(/^,\s*/, '')
    const before = line.slice(0, county.index).split(',').at(-1)?.trim()
    if (before && !/\d/.test(before)) found.municipality ??= before
  }
  return Object.entries(found).map(
    ([field, value]) => ({ field, value, source: 'text', where, weight: weight * 0.9 }) as Candidate,
  )
}

function toPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function findBreadcrumb(tree: PageTree): string {
  const isBreadcrumb = (name: string | undefined) => name !== undefined && /bread-?crumb/i.test(name)
  const node = tree.nodes.find(
    ({ attributes }) =>
      isBreadcrumb(attributes.class) || isBreadcrumb(attributes.id) || isBreadcrumb(attributes['aria-label']),
  )
  return node === undefined ? '' : extractNodeText(node, breadcrumbMax)
}
