/** Finds the elements around the listings of a page: repeated structure with a link and a price. */
import type { PageNode, PageTree } from '../page-tree.ts'
import {
  isOtherPage,
  type LinkGroup,
  listClasses,
  type PageLink,
  toRole,
  toShape,
  toSignature,
} from './links.ts'
import { hasAmount, hasPrice } from './price.ts'
import { type CardText, collectTexts } from './texts.ts'

export interface CardElement {
  node: PageNode
  key: string
  /** The links to the listing, in page order. */
  links: PageLink[]
}

/** The elements, texts and prices of a page, each read once. */
export interface PageIndex {
  tree: PageTree
  /** The index after the last descendant of each element. */
  ends: Uint32Array
  getTexts(node: PageNode): readonly CardText[]
  /** What `hasPrice` tells of the texts of an element. */
  hasPrice(node: PageNode): boolean
}

/** Texts of all elements of a page that are read. Elements after these have none. Typical pages have 1,000. */
const textsMax = 15_000

const cardTextMin = 12
const cardTextMax = 6000
const climbMax = 40
/** A card has links to its listing at two places at most: a photo and a title, with another link between them. */
const scatteredMin = 3
/** A page with a single listing: the card ends where the page begins. */
const pageElements = new Set(['body', 'html', 'main', '#root'])
const sectionElements = new Set(['nav', 'header', 'footer', 'form', 'h1'])

export function indexPage(tree: PageTree): PageIndex {
  const { nodes } = tree
  const ends = new Uint32Array(nodes.length)
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    ends[index] = Math.max(ends[index]!, index + 1)
    const parent = nodes[index]!.parent!.index
    if (parent >= 0) ends[parent] = Math.max(ends[parent]!, ends[index]!)
  }
  const texts = new Map<PageNode, readonly CardText[]>()
  const prices = new Map<PageNode, boolean>()
  let left = textsMax
  const getTexts = (node: PageNode) => {
    let known = texts.get(node)
    if (known === undefined) {
      known = left > 0 ? collectTexts(node) : []
      left -= known.length
      texts.set(node, known)
    }
    return known
  }
  return {
    tree,
    ends,
    getTexts,
    hasPrice(node) {
      let known = prices.get(node)
      if (known === undefined) {
        known = hasPrice(getTexts(node), node)
        prices.set(node, known)
      }
      return known
    },
  }
}

/** The best group of links as cards; empty if the page has no list of listings. */
export function findCardElements(
  groups: readonly LinkGroup[],
  links: readonly PageLink[],
  page: PageIndex,
): CardElement[] {
  let best: { score: number; cards: CardElement[]; group: LinkGroup } | null = null
  for (const group of groups) {
    const cards = toCardElements(group, page)
    const score = rateCards(cards, page)
    if (score > (best?.score ?? 0)) best = { score, cards, group }
  }
  return best === null ? [] : addOthers(best.cards, best.group, links, page)
}

/** The cards of links that are known to lead to listings, even of a single one. */
export function findKnownCardElements(links: LinkGroup, page: PageIndex): CardElement[] {
  const cards = toCardElements(links, page).filter(({ node }) => isSized(node, page))
  const priced = cards.filter(({ node }) => isPriced(node, page))
  const signatures = new Set(priced.map(({ node }) => toSignature(node)))
  return cards.filter(({ node }) => signatures.has(toSignature(node)))
}

/** The largest element around the links of each listing that has no link to another one of the group. */
function toCardElements(group: LinkGroup, page: PageIndex): CardElement[] {
  const cards = new Map<string, CardElement>()
  let start = 0
  while (start < group.length) {
    let end = start + 1
    while (end < group.length && group[end]!.key === group[start]!.key) end += 1
    const { key, node: first } = group[start]!
    const before = group[start - 1]?.node.index ?? -1
    const after = group[end]?.node.index ?? Number.POSITIVE_INFINITY
    if (!cards.has(key))
      cards.set(key, { key, node: climb(first, before, after, page), links: group.slice(start, end) })
    start = end
  }
  return alignElements([...cards.values()])
}

function climb(from: PageNode, before: number, after: number, { ends }: PageIndex): PageNode {
  let node = from
  for (let step = 0; step < climbMax; step += 1) {
    const parent = node.parent
    if (
      parent === null ||
      pageElements.has(parent.name) ||
      parent.index <= before ||
      ends[parent.index]! > after
    )
      break
    if (before === -1 && after === Number.POSITIVE_INFINITY && hasSection(parent)) break
    node = parent
  }
  return node
}

const hasSection = (node: PageNode): boolean =>
  node.children.some(child => typeof child !== 'string' && sectionElements.has(child.name))

/** The only card of a row is the row: takes the element inside it that has the signature of the other cards. */
function alignElements(cards: CardElement[]): CardElement[] {
  const common = findCommonSignature(cards.map(({ node }) => node))
  if (common === null) return cards
  return cards.map(card => {
    if (toSignature(card.node) === common) return card
    let node: PageNode | null = card.links[0]!.node
    while (node !== null && node !== card.node && toSignature(node) !== common) node = node.parent
    return node === null || toSignature(node) !== common ? card : { ...card, node }
  })
}

function findCommonSignature(nodes: readonly PageNode[]): string | null {
  const counts = new Map<string, number>()
  for (const node of nodes) {
    const signature = toSignature(node)
    counts.set(signature, (counts.get(signature) ?? 0) + 1)
  }
  const [first] = [...counts].sort((a, b) => b[1] - a[1])
  return first !== undefined && first[1] >= nodes.length * 0.4 && first[1] >= 2 ? first[0] : null
}

function isSized(node: PageNode, { getTexts }: PageIndex): boolean {
  let length = 0
  for (const { text } of getTexts(node)) length += Math.min(text.length, 300)
  return length >= cardTextMin && length <= cardTextMax
}

const isPriced = (node: PageNode, page: PageIndex): boolean => isSized(node, page) && page.hasPrice(node)

/** Counts the cards with a price, and prefers links to listings among the links of a card. */
function rateCards(cards: readonly CardElement[], page: PageIndex): number {
  const priced = cards.filter(({ node }) => isPriced(node, page))
  if (priced.length < 2 || priced.length < cards.length * 0.4) return 0
  if (!priced.some(({ node }) => hasAmount(page.getTexts(node), node))) return 0
  const share = (test: (card: CardElement) => boolean) => priced.filter(test).length / priced.length
  const weight =
    1 +
    0.15 *
      share(({ links }) =>
        links.some(({ node }) => /^h[1-6]$/.test(node.parent?.name ?? '') || hasHeading(node, page)),
      ) +
    0.1 * share(({ links }) => links.length > 1) +
    0.1 * share(({ links }) => /\d{3}/.test(links[0]!.key)) +
    0.1 * share(({ links }) => page.getTexts(links[0]!.node).join('').length > 10) -
    0.4 * share(({ links }) => isOtherPage(links[0]!.url))
  return priced.length * weight
}

function hasHeading(node: PageNode, { tree, ends }: PageIndex): boolean {
  for (let index = node.index + 1; index < ends[node.index]!; index += 1)
    if (/^h[1-6]$/.test(tree.nodes[index]!.name)) return true
  return false
}

/**
 * Adds cards that the page lays out a little differently (promoted ones, developments), and drops links without a card
 * around them.
 */
function addOthers(
  cards: readonly CardElement[],
  group: LinkGroup,
  links: readonly PageLink[],
  page: PageIndex,
): CardElement[] {
  const priced = cards.filter(({ node }) => isPriced(node, page))
  const shapes = new Set(priced.map(({ links: [link] }) => toShape(link!.url)))
  const roles = new Set(priced.flatMap(card => card.links.map(({ node }) => toRole(node, false))))
  const classes = new Set(priced.slice(0, 10).flatMap(({ node }) => listInnerClasses(node, page)))
  const signatures = new Set(priced.map(({ node }) => toSignature(node)))
  const groupKeys = new Map(group.map(({ node, key }) => [node, key]))
  const own = links
    .filter(({ node, url }) => groupKeys.has(node) || !isOtherPage(url))
    .map(link => ({ ...link, key: groupKeys.get(link.node) ?? link.key }))
  const scattered = findScatteredKeys(own)
  const found = [...priced]
  const add = (candidates: readonly PageLink[]) => {
    const known = new Set(found.map(({ key }) => key))
    const isFound = markFound(found, page)
    const taken = [...found, ...own.filter(({ key }) => known.has(key))]
    const takenBefore = countBefore(taken, page)
    const isTaken = ({ index }: PageNode) =>
      isFound[index] === 1 || takenBefore[page.ends[index]!] !== takenBefore[index]
    const others = toCardElements(candidates, page).filter(
      ({ key, node }) =>
        !known.has(key) &&
        !scattered.has(key) &&
        !isTaken(node) &&
        isSized(node, page) &&
        isSimilar(node, classes, page) &&
        (isPriced(node, page) || signatures.has(toSignature(node))),
    )
    found.push(...others)
  }
  add(own.filter(({ node, url }) => groupKeys.has(node) || shapes.has(toShape(url))))
  // URLs of another form, at the place of the links in the cards.
  const isFound = markFound(found, page)
  const foundKeys = new Set(found.map(({ key }) => key))
  add(
    own.filter(
      ({ node, key }) => isFound[node.index] === 0 && !foundKeys.has(key) && roles.has(toRole(node, false)),
    ),
  )
  return found.sort((a, b) => a.node.index - b.node.index)
}

/** Keys whose links stand at several places between those of others: developments and lists, no listings. */
function findScatteredKeys(links: readonly PageLink[]): ReadonlySet<string> {
  const places = new Map<string, number>()
  for (const [index, { key }] of links.entries())
    if (links[index + 1]?.key !== key) places.set(key, (places.get(key) ?? 0) + 1)
  return new Set([...places].filter(([, count]) => count >= scatteredMin).map(([key]) => key))
}

/** 1 for each element inside of these cards. */
function markFound(cards: readonly CardElement[], { tree, ends }: PageIndex): Uint8Array {
  const marks = new Uint8Array(tree.nodes.length)
  for (const { node } of cards) marks.fill(1, node.index, ends[node.index])
  return marks
}

/** For each index, how many of these elements stand before it. */
function countBefore(elements: readonly { node: PageNode }[], { tree }: PageIndex): Uint32Array {
  const counts = new Uint32Array(tree.nodes.length + 1)
  for (const { node } of elements) counts[node.index + 1]! += 1
  for (let index = 1; index < counts.length; index += 1) counts[index]! += counts[index - 1]!
  return counts
}

function listInnerClasses(node: PageNode, { tree, ends }: PageIndex): string[] {
  return tree.nodes
    .slice(node.index, Math.min(ends[node.index]!, node.index + 300))
    .flatMap(inner => [inner.name, ...listClasses(inner.attributes.class)])
}

function isSimilar(node: PageNode, classes: ReadonlySet<string>, page: PageIndex): boolean {
  const own = new Set(listInnerClasses(node, page))
  let sharedCount = 0
  for (const name of own) if (classes.has(name)) sharedCount += 1
  return sharedCount >= own.size * 0.5
}
