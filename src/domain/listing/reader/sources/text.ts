/** Texts of the page that have no label: prices by their element, the description, the address, marks of the status. */
import { isAboutLoans, isAreaPrice, isAreaUnit, isInCalculator } from '../guards/other-amounts.ts'
import { isInAdvertiserPart, toElementNames } from '../node-names.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns } from '../page-runs.ts'
import { extractNodeLines, extractNodeText, type PageNode, type PageTree } from '../page-tree.ts'
import { parsePriceRange, parsePriceText, type TextContext } from '../text-values.ts'
import { allLanguages, findPhrase, findWords, parseHeading, parseLabel, toPhrase } from '../words/words.ts'

const priceNames =
  /(?:^|[\s_-])(?:price|pricing|precio|preco|prix|preis|prezzo|prijs|cena|preu|importe?|kaufpreis|miete|rent-?price|asking)/i
const notPriceNames =
  /old|former|previous|original|before|strike|per-?(?:m2|sqm|sq|meter)|m2|sqm|sqft|estimate|mortgage|monthly|deposit|charges|fee|history|range|filter|alert|similar/i
const descriptionNames =
  /(?:^|[\s_-])(?:description|descripcion|descricao|descrizione|beschreibung|omschrijving|opis|popis|descriptif|descripcio|objektbeschreibung|about|overview|remarks|teaser|comment)/i

const priceTextMax = 120
/** Elements that are named after prices. */
const namedMax = 1000
const descriptionMin = 120
const descriptionMax = 20_000
/** Characters of all elements that may be the description: they may be nested. */
const consideredMax = 200_000
const firstSentenceMax = 160
/** Shorter texts are no prose, and less prose is no description. */
const proseRunMin = 60
const proseMin = 300
/** Lists of labels have a smaller share of lines as long as sentences. */
const proseShareMin = 0.3
/** Runs before and after the heading in which a mark of the status belongs to the listing. */
const headingRangeRuns = 40

/** The candidates of texts without a label. */
export function readText(tree: PageTree, page: PageRuns, context: TextContext): Candidate[] {
  return [
    ...readPrices(tree, page, context),
    ...readDescription(tree, page, context),
    ...readMarks(page, context),
  ]
}

/** Prices of elements that are named so. The first one counts most. */
function readPrices(tree: PageTree, page: PageRuns, context: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  const counts = countNames(tree)
  let left = namedMax
  const headingStart = page.heading === null ? 0 : page.rangeOf(page.heading)[0]
  for (const node of tree.nodes) {
    const names = toElementNames(node)
    if (!priceNames.test(names) || notPriceNames.test(names) || page.isExcluded(node)) continue
    left -= 1
    if (left < 0) break
    const text = extractNodeText(node, priceTextMax + 1)
    if (isOnRequest(text)) return []
    if (text.length > priceTextMax || !/\d/.test(text) || isOtherAmount(text, page, node)) continue
    // Many elements of one name are the prices of other listings, except for the one near the heading.
    const distance = page.rangeOf(node)[0] - headingStart
    if ((counts.get(names) ?? 0) > 3 && (page.heading === null || Math.abs(distance) > headingRangeRuns))
      continue
    const range = parsePriceRange(text)
    const where = names.slice(0, 60)
    if (range !== null) {
      candidates.push({ field: 'priceMin', value: range.min, source: 'text', where, weight: 0.5 })
      candidates.push({ field: 'priceMax', value: range.max, source: 'text', where, weight: 0.5 })
      break
    }
    const price = parsePriceText(text, context)
    if (price === null || price.amount < 50) continue
    const isFirst = candidates.length === 0
    const weight = (isFirst ? 0.55 : 0.35) - (price.currency === null ? 0.1 : 0)
    candidates.push({ field: 'price', value: price.amount, source: 'text', where, weight })
    if (isFirst && price.currency !== null)
      candidates.push({ field: 'currency', value: price.currency, source: 'text', where, weight })
    if (isFirst && price.period !== null)
      candidates.push({ field: 'pricePeriod', value: price.period, source: 'text', where, weight })
    if (candidates.length > 8) break
  }
  return candidates.length === 0 ? readNearestPrice(page, context) : candidates
}

/** How many elements have the same names. */
function countNames(tree: PageTree): Map<string, number> {
  const counts = new Map<string, number>()
  for (const node of tree.nodes) {
    const names = toElementNames(node)
    if (priceNames.test(names)) counts.set(names, (counts.get(names) ?? 0) + 1)
  }
  return counts
}

/** Without an element that is named so: the first amount after the heading. */
function readNearestPrice(page: PageRuns, context: TextContext): Candidate[] {
  const start = page.heading === null ? 0 : page.rangeOf(page.heading)[0]
  for (const run of page.runs.slice(Math.max(0, start - 5), start + headingRangeRuns)) {
    if (!run.isAttribute && isOnRequest(run.text) && !isInControl(run.node)) return []
    if (run.isAttribute || run.text.length > 60 || isOtherAmount(run.text, page, run.node)) continue
    const price = parsePriceText(run.text, context)
    if (price === null || price.currency === null || price.amount < 50) continue
    const where = run.text
    const candidates: Candidate[] = [
      { field: 'price', value: price.amount, source: 'text', where, weight: 0.42 },
      { field: 'currency', value: price.currency, source: 'text', where, weight: 0.42 },
    ]
    if (price.period !== null)
      candidates.push({ field: 'pricePeriod', value: price.period, source: 'text', where, weight: 0.42 })
    return candidates
  }
  return []
}

/** True if the words of the amount, or the label before it, name a deposit, charges or the like. */
function isOtherAmount(text: string, page: PageRuns, node: PageNode): boolean {
  const [start, end] = page.rangeOf(node)
  const after = page.runs[end]?.text ?? ''
  if (isAreaPrice(text) || isAreaUnit(after) || isAboutLoans(text) || isInCalculator(node)) return true
  const before = page.runs[start - 1]?.text ?? ''
  const words = text.replace(/[\d.,\s]*[€£$]?[\d.,\s]*$/u, '')
  if (isAboutLoans(before) && before.length <= 60) return true
  return [before, words, text.split(/[:\d€£$]/)[0]!].some(
    label => parseLabel(label)?.meanings.every(meaning => meaning === 'otherAmount') ?? false,
  )
}

/** `Price on request`: other amounts on the page are not the price. */
function isOnRequest(text: string): boolean {
  return text.length <= 40 && findPhrase('onRequest', toPhrase(text), allLanguages) !== null
}

/** True inside a link or a button. */
function isInControl(node: PageNode): boolean {
  let current: PageNode | null = node
  for (let climbs = 0; current !== null && climbs < 4; climbs += 1) {
    if (current.name === 'a' || current.name === 'button') return true
    current = current.parent
  }
  return false
}

/** The longest text under a heading or in an element that is named so. */
function readDescription(tree: PageTree, page: PageRuns, { languages }: TextContext): Candidate[] {
  let best: { text: string; where: string; score: number } | null = null
  let left = consideredMax
  const consider = (node: PageNode, where: string, bonus: number) => {
    if (left <= 0 || page.isExcluded(node) || isInAdvertiserPart(node)) return
    const text = extractNodeLines(node, descriptionMax)
    left -= text.length + 200
    const share = toProseShare(text)
    const score = bonus * Math.min(text.length, 4000) * share
    if (share >= proseShareMin && text.length >= descriptionMin && (best === null || score > best.score))
      best = { text, where, score }
  }
  for (const node of tree.nodes) {
    const names = toElementNames(node)
    if (node.name !== 'meta' && node.name !== 'body' && descriptionNames.test(names))
      consider(node, names.slice(0, 60), /itemprop|descri|beschr|omschr|opis|popis/i.test(names) ? 1.5 : 0.7)
  }
  for (const run of page.runs) {
    if (run.isAttribute || run.text.length > 60 || parseHeading(run.text) !== 'description') continue
    const block = findBlockAfter(run.node)
    if (block !== null) consider(block, run.text, 1.2)
  }
  if (best === null) {
    const prose = findProse(page)
    if (prose === null) return []
    const text = extractNodeLines(prose, descriptionMax)
    return [{ field: 'description', value: text, source: 'text', where: 'longest text', weight: 0.3 }]
  }
  const { text, where } = best as { text: string; where: string }
  const description = stripHeading(text)
  const candidates: Candidate[] = [
    { field: 'description', value: description, source: 'text', where, weight: 0.5 },
  ]
  const beginning = description.slice(0, firstSentenceMax)
  const operations = new Set(findWords('operation', beginning, languages).map(({ value }) => value))
  const [operation] = operations
  if (operation !== undefined && operations.size === 1)
    candidates.push({
      field: 'operation',
      value: operation,
      source: 'text',
      where: 'description',
      weight: 0.25,
    })
  const [type] = findWords('subtype', beginning, languages)
  if (type !== undefined)
    candidates.push({
      field: 'subtype',
      value: type.value,
      source: 'text',
      where: 'description',
      weight: 0.25,
    })
  return candidates
}

/** The element with the most prose, or null. */
function findProse(page: PageRuns): PageNode | null {
  const lengths = new Map<PageNode, number>()
  for (const { text, node, isAttribute } of page.runs) {
    if (isAttribute || text.length < proseRunMin || node.name === 'a' || isInAdvertiserPart(node)) continue
    if (isInForm(node, page.heading)) continue
    const holder =
      node.name === 'p' || node.name === 'span' || node.name === 'li' ? (node.parent ?? node) : node
    for (const element of [holder, holder.parent])
      if (element !== null) lengths.set(element, (lengths.get(element) ?? 0) + text.length)
  }
  const [best] = [...lengths].toSorted((a, b) => b[1] - a[1])
  return best === undefined || best[1] < proseMin || best[0].name === 'body' || best[0].parent === null
    ? null
    : best[0]
}

/** True in a form that does not hold the whole listing: its texts explain it. */
function isInForm(node: PageNode, heading: PageNode | null): boolean {
  let current: PageNode | null = node
  while (current !== null && current.name !== 'form') current = current.parent
  if (current === null) return false
  for (let above = heading; above !== null; above = above.parent) if (above === current) return false
  return true
}

/** The share of the text that is in lines as long as sentences. */
function toProseShare(text: string): number {
  const lines = text.split('\n')
  const prose = lines.filter(line => line.length > 60).reduce((sum, line) => sum + line.length, 0)
  return prose / Math.max(1, text.length)
}

function stripHeading(text: string): string {
  const [first = '', ...rest] = text.split('\n')
  return rest.length > 0 && parseHeading(first) !== null ? rest.join('\n').trim() : text
}

/** The element with text that follows a heading. */
function findBlockAfter(node: PageNode): PageNode | null {
  let current: PageNode | null = node
  for (let climbs = 0; current !== null && climbs < 3; climbs += 1) {
    const siblings: (PageNode | string)[] = current.parent?.children ?? []
    for (const sibling of siblings.slice(current.place + 1, current.place + 5))
      if (typeof sibling !== 'string' && extractNodeText(sibling, 200).length >= descriptionMin)
        return sibling
    current = current.parent
  }
  return null
}

/** Short texts near the heading that are the status, the operation or the type: `Sale agreed`, `To let`, `House`. */
function readMarks(page: PageRuns, { languages }: TextContext): Candidate[] {
  const start = page.heading === null ? 0 : page.rangeOf(page.heading)[0]
  const candidates: Candidate[] = []
  for (const run of page.runs.slice(Math.max(0, start - headingRangeRuns), start + headingRangeRuns)) {
    if (run.isAttribute || run.text.length > 40 || isInControl(run.node)) continue
    const phrase = toPhrase(run.text.replace(/[\d.,]*[€£$][\d.,\s]*/g, ' '))
    if (phrase === '') continue
    const status = findPhrase('status', phrase, languages)
    const operation = findPhrase('operation', phrase, languages)
    // `Plot` or `Garage` may be the label of an area or a number.
    const subtype = parseLabel(run.text) === null ? findPhrase('subtype', phrase, languages) : null
    const where = run.text
    if (status === 'reserved' || status === 'withdrawn')
      candidates.push({ field: 'status', value: status, source: 'text', where, weight: 0.5 })
    if (operation !== null)
      candidates.push({ field: 'operation', value: operation, source: 'text', where, weight: 0.4 })
    if (subtype !== null)
      candidates.push({ field: 'subtype', value: subtype, source: 'text', where, weight: 0.35 })
  }
  // `Buy` beside `Rent` is a choice of the page.
  const operations = new Set(
    candidates.filter(({ field }) => field === 'operation').map(({ value }) => value),
  )
  return operations.size > 1 ? candidates.filter(({ field }) => field !== 'operation') : candidates
}
