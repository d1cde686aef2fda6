/** Features: texts that name one, the lists under headings such as "Amenities", and lists that hold known features. */
import { type Feature, parseFeatureName } from '../../features.ts'
import { parseFeature } from '../../vocabulary.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns, TextRun } from '../page-runs.ts'
import { extractNodeText, type PageNode, type PageTree } from '../page-tree.ts'
import { parseAnswer, parseHeading, parseLabel } from '../words/words.ts'

const labelMax = 90
const labelsMax = 120
const sectionRunsMax = 60
const itemsMax = 80
const headingElements = /^(?:h[1-6]|strong|b|dt|th|legend|summary)$/

/** The features of the listing, and their labels as printed. */
export function readFeatures(tree: PageTree, page: PageRuns): Candidate[] {
  const labels = new Set<string>()
  const features = new Set<Feature>()
  const add = (text: string) => {
    const label = text.trim()
    if (label.length < 3 || label.length > labelMax || labels.size >= labelsMax) return
    if (parseHeading(label) !== null || isDenied(label)) return
    labels.add(label)
    const feature = parseFeature(label.replace(/:\s*(?:yes|sí|si|sim|oui|ja|tak|ano)$/i, ''))
    if (feature !== null) features.add(feature)
  }
  for (const run of page.runs) {
    if (run.isAttribute || run.text.length > labelMax || isInLink(run.node)) continue
    if (isSectionHeading(run)) for (const item of listSection(page, run)) add(item)
    else if (parseFeatureName(run.text) !== null && !isDeniedByNext(page, run)) add(run.text)
  }
  for (const node of tree.nodes) {
    if ((node.name !== 'ul' && node.name !== 'dl' && node.name !== 'table') || page.isExcluded(node)) continue
    const items = listItems(node)
    if (items.length >= 3 && items.some(isListingItem)) for (const item of items) add(item)
  }
  if (labels.size === 0) return []
  const found: Candidate[] = [
    { field: 'featureLabels', value: [...labels], source: 'pairs', where: 'lists', weight: 0.6 },
  ]
  if (features.size > 0)
    found.push({ field: 'features', value: [...features], source: 'pairs', where: 'lists', weight: 0.6 })
  return found
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
    if (!run.isAttribute && run.text.length <= labelMax && !isInLink(run.node)) items.push(run.text)
  }
  return items
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

function isDenied(label: string): boolean {
  const [, answer = ''] = label.split(/:\s*/)
  return answer !== '' && parseAnswer(answer) === false
}

function isDeniedByNext(page: PageRuns, run: TextRun): boolean {
  const next = page.runs[run.index + 1]
  return next !== undefined && next.text.length < 20 && parseAnswer(next.text) === false
}

function hasLink(node: PageNode): boolean {
  return node.children.some(child => typeof child !== 'string' && child.name === 'a')
}

function isInLink(node: PageNode): boolean {
  return node.name === 'a' || node.parent?.name === 'a' || node.parent?.parent?.name === 'a'
}
