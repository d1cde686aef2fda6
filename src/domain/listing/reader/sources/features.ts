/**
 * Features: texts that name one, the lists and rows under headings or in elements such as "Amenities", texts after a
 * check mark, and lists that hold known features.
 */
import { parseFeatureName } from '../../features.ts'
import { FeatureSet, isAboutOthers, isDeniedAnswer, omitDetails } from '../feature-set.ts'
import { toElementNames } from '../node-names.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns, TextRun } from '../page-runs.ts'
import { extractNodeText, type PageNode, type PageTree } from '../page-tree.ts'
import { parseHeading, parseLabel } from '../words/words.ts'

const labelMax = 90
const sectionRunsMax = 60
const itemsMax = 80
const boxesMax = 30
const boxRunsMax = 90
const rowsMin = 4
const namesClimbsMax = 4
const rowRunsMax = 200
const descriptionMax = 20_000
const headingElements = /^(?:h[1-6]|strong|b|dt|th|legend|summary)$/
const featureNames =
  /(?:^|[\s_-])(?:features?|amenit(?:y|ies)|caracteristicas?|equipamientos?|equipments?|equipements?|comodidades|extras|ausstattung(?:en)?|merkmale|dotazioni|caratteristiche|prestations|highlights)(?:$|[\s_-])/i
const featureLink =
  /\/(?:[a-z]+[-_])?(?:features?|amenit(?:y|ies)|caracteristicas?|equipamiento|comodidades|extras|ausstattung)\//i
const checkIcon = /(?:^|[\s_-])(?:check|checked|checkmark|tick|ok)(?:$|[\s_-])/i
const crossIcon = /(?:^|[\s_-])(?:times|cross|xmark|uncheck|unchecked|no|minus)(?:$|[\s_-])/i
/** Alone they are the heading of a part. */
const sideHeading = /^\s*(?:[EI]xterior|[EI]nterior|EXTERIOR|INTERIOR|Outside|OUTSIDE)\s*$/
const checkMark = /^\s*[✓✔☑✅]\s*/u

/** The features of the listing, and their labels as printed. */
export function readFeatures(tree: PageTree, page: PageRuns): Candidate[] {
  const found = new FeatureSet()
  for (const run of page.runs) {
    if (run.isAttribute || run.text.length > labelMax || isInLink(run.node)) continue
    if (isSectionHeading(run)) for (const item of listSection(page, run)) found.add(item)
    else if (checkMark.test(run.text)) found.add(run.text.replace(checkMark, ''))
    else readMarked(page, run, found)
  }
  let boxes = boxesMax
  for (const node of tree.nodes) {
    if (page.isExcluded(node)) continue
    if (node.name === 'ul' || node.name === 'dl' || node.name === 'table') {
      const items = listItems(node)
      const isOwn = items.length >= 2 && isInFeatures(node)
      if (isOwn || (items.length >= 3 && items.some(isListingItem))) for (const item of items) found.add(item)
    }
    if (boxes > 0 && featureNames.test(toElementNames(node))) {
      boxes -= 1
      for (const item of listBox(page, node)) found.add(item)
    }
    for (const [label, value] of listRows(page, node)) found.addPair(label, value)
  }
  return found.toCandidates('pairs', 'lists', 0.6)
}

/** A text that is a feature, or that follows a check mark. */
function readMarked(page: PageRuns, run: TextRun, found: FeatureSet): void {
  const icon = findIconNames(run.node)
  if (crossIcon.test(icon)) return
  if (checkIcon.test(icon)) found.add(run.text)
  else if (/^h[1-6]$/.test(run.node.name) || isValueAboutOthers(page, run)) return
  else if (
    parseFeatureName(omitDetails(run.text)) !== null &&
    !sideHeading.test(run.text) &&
    !isDeniedByNext(page, run)
  )
    found.add(run.text)
}

/** `View` `Garden` */
function isValueAboutOthers(page: PageRuns, run: TextRun): boolean {
  const before = page.runs[run.index - 1]
  const isBeside = before !== undefined && before.node.parent === run.node.parent
  return isBeside && parseLabel(before.text) === null && isAboutOthers(before.text)
}

/** The names of the symbol before a text. */
function findIconNames(node: PageNode): string {
  const before = node.parent?.children[node.place - 1]
  for (const icon of [node.children[0], before])
    if (typeof icon === 'object' && icon.children.length === 0)
      return (icon.attributes.class ?? '').slice(0, 100)
  return ''
}

function isSectionHeading({ text, node }: TextRun): boolean {
  const isHeading = headingElements.test(node.name) || headingElements.test(node.parent?.name ?? '')
  return isHeading && parseHeading(text) === 'features'
}

/** The short texts after a heading, up to the next heading. */
function listSection(page: PageRuns, heading: TextRun): string[] {
  const items: string[] = []
  for (const run of page.runs.slice(heading.index + 1, heading.index + 1 + sectionRunsMax)) {
    if (
      /^h[1-6]$/.test(run.node.name) ||
      (headingElements.test(run.node.name) && parseHeading(run.text) !== null)
    )
      break
    const isItem = !run.isAttribute && run.text.length <= labelMax && !isInLink(run.node)
    if (isItem && !isDeniedByNext(page, run)) items.push(run.text)
  }
  return items
}

/** The short texts of an element that is named after features. */
function listBox(page: PageRuns, node: PageNode): string[] {
  const [start, end] = page.rangeOf(node)
  if (end - start > boxRunsMax) return []
  const runs = page.runs
    .slice(start, end)
    .filter(run => !run.isAttribute && !isInLink(run.node) && !isInList(run.node))
  const short = runs.filter(run => run.text.length <= labelMax && !/^h[1-6]$/.test(run.node.name))
  return short.length < 3 || short.length * 2 < runs.length ? [] : short.map(run => run.text)
}

function isInList(node: PageNode): boolean {
  return [node, node.parent, node.parent?.parent].some(
    element => element && /^(?:li|dt|dd|td|th)$/.test(element.name),
  )
}

function isInFeatures(node: PageNode): boolean {
  let current: PageNode | null = node
  for (let climbs = 0; current !== null && current.name !== 'body' && climbs < namesClimbsMax; climbs += 1) {
    if (featureNames.test(toElementNames(current))) return true
    current = current.parent
  }
  return false
}

const bullet = /^\s*[-–•*·✓✔➤►▪■●]\s*(?=\p{L}|\d)/u
const bulletsMin = 3
const textsMax = 4

/** The lines of descriptions that begin with a bullet. */
export function readListedFeatures(candidates: readonly Candidate[]): Candidate[] {
  const texts = candidates.flatMap(({ field, value }) =>
    field === 'description' ? value.slice(0, descriptionMax) : [],
  )
  return [...new Set(texts)].slice(0, textsMax).flatMap(text => {
    const lines = text.split('\n').filter(line => bullet.test(line) && line.length <= labelMax)
    if (lines.length < bulletsMin) return []
    const found = new FeatureSet()
    for (const line of lines) found.add(line.replace(bullet, ''))
    return found.toCandidates('text', 'description', 0.35)
  })
}

/** The rows of an element: similar children with two texts each. */
function listRows(page: PageRuns, node: PageNode): [string, string][] {
  const [start, end] = page.rangeOf(node)
  if (end - start < rowsMin * 2 || end - start > rowRunsMax) return []
  const rows = node.children.flatMap((child): [string, string, string][] => {
    if (typeof child === 'string') return []
    const [from, to] = page.rangeOf(child)
    if (to - from < 2 || to - from > 6) return []
    const texts = page.runs.slice(from, to).filter(run => !run.isAttribute)
    const [label, value] = texts
    if (texts.length !== 2 || label!.text.length > labelMax || value!.text.length > labelMax) return []
    return [[label!.text, value!.text, `${child.name} ${child.attributes.class ?? ''}`]]
  })
  const alike = rows.filter(([, , form]) => form === rows[0]![2])
  if (alike.length < rowsMin || !alike.some(([label]) => parseLabel(label) !== null)) return []
  return alike.map(([label, value]) => [label, value])
}

/** The items of a list, or the rows of a table as `Label Value`. */
function listItems(node: PageNode): string[] {
  const items: string[] = []
  const visit = (current: PageNode, depth: number) => {
    for (const child of current.children) {
      if (typeof child === 'string' || items.length >= itemsMax) continue
      if (child.name === 'li' || child.name === 'tr') {
        const text = extractNodeText(child, labelMax + 1)
        if (!hasLink(child) || child.name === 'tr') items.push(text)
      } else if (child.name === 'dt') items.push(extractNodeText(child, labelMax + 1))
      else if (child.name === 'dd' && items.length > 0)
        items[items.length - 1] += ` ${extractNodeText(child, labelMax)}`
      else if (depth < 3) visit(child, depth + 1)
    }
  }
  visit(node, 0)
  return items.filter(item => item.length <= labelMax)
}

/** True for a line of a list of the property's details. */
function isListingItem(item: string): boolean {
  const [label = ''] = item.split(/[:\d]/)
  if (/^\d{1,4}(?:[.,]\d+)? ?(?:m²|m2|\p{L}{2,})/u.test(item)) return true
  return (
    parseFeatureName(item) !== null ||
    (label.length > 3 && label.length < item.length && parseLabel(label) !== null)
  )
}

function isDeniedByNext(page: PageRuns, run: TextRun): boolean {
  const next = page.runs[run.index + 1]
  return next !== undefined && isDeniedAnswer(next.text)
}

function hasLink(node: PageNode): boolean {
  return node.children.some(child => typeof child !== 'string' && isForeignLink(child))
}

function isInLink(node: PageNode): boolean {
  return [node, node.parent, node.parent?.parent].some(element => element && isForeignLink(element))
}

/** A link that does not lead to all listings with a feature. */
function isForeignLink({ name, attributes }: PageNode): boolean {
  return name === 'a' && !featureLink.test(attributes.href ?? '')
}
