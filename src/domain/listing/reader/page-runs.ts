/** The visible texts of a page in order, without those of navigation, forms and other listings. */
import { extractNodeText, type PageNode, type PageTree } from './page-tree.ts'
import { parseHeading, parseLabel, toPhrase } from './words/words.ts'

/** One text of an element. */
export interface TextRun {
  text: string
  node: PageNode
  /** Position among the runs. */
  index: number
  /** The text of an attribute (`title="Bedrooms"`, `class="icon-bed"`). It may only be a label. */
  isAttribute: boolean
}

export interface PageRuns {
  runs: readonly TextRun[]
  /** Elements of navigation, forms, other listings and similar parts, with all their descendants. */
  isExcluded(node: PageNode): boolean
  /** The main heading of the listing, or null. */
  heading: PageNode | null
  /** The first run inside a node, and the run after its last one. */
  rangeOf(node: PageNode): readonly [start: number, end: number]
}

/** Typical pages have 100 to 500. */
const runsMax = 4000
const runLengthMax = 5000
const excludedElements = new Set([
  'nav',
  'footer',
  'select',
  'option',
  'button',
  'textarea',
  'datalist',
  'iframe',
  'head',
  'title',
])
const excludedClasses =
  /(?:^|[\s_-])(?:simil[aei]\w*|podobn\w*|ae?hnlich\w*|vergelijkbar\w*|semelhant\w*|relacionad\w*|correlat\w*|related|recommend\w*|nearby|neighbou?rs|nav|navbar|navigation|menu|megamenu|submenu|cookies?|consent|newsletter|login|signup|register|modal|popup|dropdown|calculator|search|searchbox|searchform|filters?|sidebar-?widget|testimonials?|reviews?|latest|recent\w*|suggest\w*|also|advert\w*banner|banner|ads?|breadcrumbs?|tooltip|pagination|faq|disclaimer|legal|cross-?sell\w*|other-?(?:listings|properties|offers)|more-?(?:listings|properties|offers)|favou?rites|share|social)(?:$|[\s_-])/i
/** The foot of a page, not that of one of its parts. */
const footerName = /(?:^|[_-]|site|page|main|global|app|portal)footer(?:$|[_-])/i
const partFooterName =
  /(?:^|[_-])(?:block|card|box|item|panel|tile|row|listing|property|detail|content|section|article|post|entry|widget|gallery|table|price|info|agent|contact|advertiser)s?[_-](?:.*[_-])?footer/i
/** The box that presents the advertiser opens as a dialogue on small screens. */
const contactClasses = /(?:^|[\s_-])(?:contact|advertiser|agent|anunciante)(?:$|[\s_-])/i
const dialogueClasses = /modal|popup|sidebar-?widget/gi
const hiddenStyle = /display:\s*none/i
const amountPattern =
  /(?:[€£$₹₦₽₸]|EUR|zł|PLN|Kč|CZK|AED|CHF|kr)[\s\u00a0]?\d|\d[\s\u00a0]?(?:[€£$₹₽₸]|EUR|zł|PLN|Kč|CZK|AED|CHF|kr)/
/** A part of a page that holds more of its texts than this is the page itself, whatever its class says. */
const partShareMax = 0.6

interface NodeFacts {
  hasLink: boolean
  hasAmount: boolean
  hasImage: boolean
  hasHeading: boolean
  textLength: number
}

/** Collects the texts. One pass over the tree and one over the elements. */
export function collectRuns(tree: PageTree): PageRuns {
  const facts = collectFacts(tree)
  const total = facts.reduce(
    (sum, _, index) => (tree.nodes[index]!.parent === tree.root ? sum + facts[index]!.textLength : sum),
    0,
  )
  const excluded = new Uint8Array(tree.nodes.length)
  for (const node of tree.nodes) {
    const parentIndex = node.parent!.index
    if (parentIndex >= 0 && excluded[parentIndex] === 1) {
      excluded[node.index] = 1
      continue
    }
    if (isExcludedPart(node, facts[node.index]!, total)) excluded[node.index] = 1
  }
  for (const node of [tree.root, ...tree.nodes]) excludeCards(node, facts, excluded)
  for (const node of tree.nodes) if (/^h[2-6]$/.test(node.name)) excludeSimilarSection(node, facts, excluded)
  const isExcluded = (node: PageNode) => {
    for (
      let current: PageNode | null = node;
      current !== null && current.index >= 0;
      current = current.parent
    )
      if (excluded[current.index] === 1) return true
    return false
  }
  const { runs, ranges } = listRuns(tree, excluded)
  const heading = findHeading(tree, facts, isExcluded)
  return { runs, isExcluded, heading, rangeOf: node => ranges.get(node) ?? [0, 0] }
}

/** The first main heading that does not name a section; without one, the first smaller heading like that. */
function findHeading(
  tree: PageTree,
  facts: readonly NodeFacts[],
  isExcluded: (node: PageNode) => boolean,
): PageNode | null {
  const title = tree.nodes.find(({ name }) => name === 'title')
  const titleWords = title === undefined ? '' : ` ${toPhrase(extractNodeText(title, 300))} `
  for (const pattern of [/^h1$/, /^h[23]$/]) {
    const isMain = pattern.test('h1')
    const minLength = isMain ? 4 : 12
    const found = tree.nodes.find(node => {
      if (!pattern.test(node.name) || facts[node.index]!.textLength < minLength || isExcluded(node))
        return false
      const text = extractNodeText(node, 120)
      if (parseHeading(text) !== null || parseLabel(text) !== null) return false
      // A smaller heading is that of the listing if the page's title has it, or if it looks like an address.
      return isMain || /\d.*,|,.*\d/.test(text) || titleWords.includes(` ${toPhrase(text)} `)
    })
    if (found !== undefined) return found
  }
  return null
}

function collectFacts(tree: PageTree): NodeFacts[] {
  const facts = tree.nodes.map((node): NodeFacts => {
    const own = node.children.filter(child => typeof child === 'string').join(' ')
    const href = node.attributes.href ?? ''
    return {
      hasLink: node.name === 'a' && href.length > 1 && !/^(?:#|tel:|mailto:|javascript:)/i.test(href),
      hasAmount: own.length < 500 && amountPattern.test(own),
      hasImage: node.name === 'img' || node.name === 'picture',
      hasHeading: node.name === 'h1',
      textLength: own.trim().length,
    }
  })
  // Children follow their parents.
  for (let index = tree.nodes.length - 1; index >= 0; index -= 1) {
    const parentIndex = tree.nodes[index]!.parent!.index
    if (parentIndex < 0) continue
    const [own, parent] = [facts[index]!, facts[parentIndex]!]
    parent.hasLink ||= own.hasLink
    parent.hasAmount ||= own.hasAmount
    parent.hasImage ||= own.hasImage
    parent.hasHeading ||= own.hasHeading
    parent.textLength += own.textLength
  }
  return facts
}

function isExcludedPart(node: PageNode, facts: NodeFacts, total: number): boolean {
  if (facts.hasHeading) return false
  if (excludedElements.has(node.name)) return node.name !== 'button' || facts.textLength > 60
  const { class: classes = '', id = '', style = '', hidden, role } = node.attributes
  if (facts.textLength > total * partShareMax) return false
  if (hidden !== undefined && facts.textLength < 300) return true
  if (hiddenStyle.test(style) && facts.textLength < 300) return true
  if (role === 'navigation' || role === 'dialog' || role === 'contentinfo') return true
  const names = `${classes.slice(0, 300)} ${id.slice(0, 100)}`
  // `propertySimilarList` has the words of `property-similar-list`.
  const spaced = names.replace(/([a-z])([A-Z])/g, '$1-$2')
  const known = contactClasses.test(spaced) ? spaced.replace(dialogueClasses, '') : spaced
  return names.length > 3 && (excludedClasses.test(known) || hasFooterName(known))
}

function hasFooterName(names: string): boolean {
  return (
    /footer/i.test(names) &&
    names.split(/\s+/).some(name => footerName.test(name) && !partFooterName.test(name))
  )
}

/** Siblings of one form that have a link and an amount each are other listings. */
function excludeCards(node: PageNode, facts: readonly NodeFacts[], excluded: Uint8Array): void {
  const groups = new Map<string, PageNode[]>()
  for (const child of node.children) {
    if (typeof child === 'string') continue
    const { hasLink, hasAmount, hasHeading, textLength } = facts[child.index]!
    if (!hasLink || !hasAmount || hasHeading || textLength < 20) continue
    const key = `${child.name} ${child.attributes.class?.split(/\s/)[0] ?? ''}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [child])
    else group.push(child)
  }
  for (const group of groups.values()) {
    const withImage = group.filter(child => facts[child.index]!.hasImage).length
    if (group.length >= 3 || (group.length === 2 && withImage === 2))
      for (const child of group) excluded[child.index] = 1
  }
}

/** Excludes what follows a heading such as "Similar properties", up to the next heading of the same level. */
function excludeSimilarSection(heading: PageNode, facts: readonly NodeFacts[], excluded: Uint8Array): void {
  const text = heading.children
    .map(child =>
      typeof child === 'string' ? child : child.children.filter(part => typeof part === 'string').join(' '),
    )
    .join(' ')
  if (parseHeading(text) !== 'similar') return
  let node = heading
  for (let climbs = 0; climbs < 4; climbs += 1) {
    const { parent } = node
    if (parent === null || parent.index < 0 || facts[parent.index]!.hasHeading) break
    node = parent
    if (facts[node.index]!.hasLink && facts[node.index]!.textLength > facts[heading.index]!.textLength) break
  }
  excluded[node.index] = 1
  if (node !== heading) return
  const siblings = heading.parent!.children
  for (let place = heading.place + 1; place < siblings.length; place += 1) {
    const sibling = siblings[place]!
    if (typeof sibling === 'string') continue
    if (sibling.name === heading.name || facts[sibling.index]!.hasHeading) break
    excluded[sibling.index] = 1
  }
}

const labelAttributes = [
  'title',
  'aria-label',
  'alt',
  'data-original-title',
  'data-label',
  'data-title',
  'data-tooltip',
]

function listRuns(
  tree: PageTree,
  excluded: Uint8Array,
): { runs: TextRun[]; ranges: Map<PageNode, readonly [number, number]> } {
  const runs: TextRun[] = []
  const ranges = new Map<PageNode, readonly [number, number]>()
  const add = (node: PageNode, text: string, isAttribute: boolean) => {
    if (runs.length >= runsMax) return
    const trimmed = text
      .slice(0, runLengthMax)
      .replace(/[\s\u200b]+/g, ' ')
      .trim()
    if (trimmed !== '') runs.push({ text: trimmed, node, index: runs.length, isAttribute })
  }
  const visit = (node: PageNode) => {
    if (node.index >= 0 && excluded[node.index] === 1) return
    const start = runs.length
    for (const name of labelAttributes) {
      const text = node.attributes[name]
      if (text !== undefined && text.length < 60) add(node, text, true)
    }
    const icon = toIconLabel(node)
    if (icon !== null) add(node, icon, true)
    let text = ''
    for (const child of node.children)
      if (typeof child === 'string') text += child
      else if (child.name === 'sup' && isSuperscript(child)) text += child.children.join('')
      else {
        add(node, text, false)
        text = ''
        visit(child)
      }
    add(node, text, false)
    ranges.set(node, [start, runs.length])
  }
  visit(tree.root)
  return { runs, ranges }
}

/** `m<sup>2</sup>` is one text. */
function isSuperscript({ children }: PageNode): boolean {
  return children.every(child => typeof child === 'string') && children.join('').trim().length < 4
}

/** The words of an icon's class (`fa fa-bed`, `icon-bathroom`) or file (`/icons/bed.svg`), or null. */
function toIconLabel(node: PageNode): string | null {
  if (node.name === 'img')
    return (
      /\/(?:icon[_-]?)?([a-z]{3,12})(?:[_-]icon)?[^/]{0,12}\.(?:svg|png)/i.exec(
        node.attributes.src ?? '',
      )?.[1] ?? null
    )
  if (node.name !== 'i' && node.name !== 'span' && node.name !== 'em') return null
  if (node.children.some(child => typeof child !== 'string' || child.trim() !== '')) return null
  return (
    /(?:^|[\s_-])(?:fa|fas|far|icon|ico|icn|ic|flaticon|glyphicon|svg)[\w-]*?[-_](bed|beds|bedrooms?|bath|baths|bathrooms?|shower|rooms?|area|size|floor|surface|plot)(?:$|[\s_-])/i.exec(
      node.attributes.class ?? '',
    )?.[1] ?? null
  )
}
