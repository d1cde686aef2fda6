/** Microdata: the items that a page marks in its own elements, as nodes of the same kind as those of JSON-LD. */
import { extractText, findAttribute } from './html.ts'
import { findListingNodes, getTypes, isNode, type JsonNode, type ListingNodes, toList } from './json-ld.ts'
import { parseJsonLdFacts } from './json-ld-facts.ts'
import type { ListingFacts } from './listing.ts'
import { toMultilineText } from './values.ts'

// Pages mark dozens of items; hostile ones might mark more than can be looked through in time.
const scopesMax = 400
const tagLengthMax = 20_000
// Marked elements stand in one another, and each has all the words inside it: no more than this many times the page.
const timesReadMax = 4
/** Elements whose value is an attribute. */
const addressAttributes: Record<string, string> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
}
const voidElements = new Set(['meta', 'link', 'img', 'embed', 'source', 'track', 'input', 'br', 'hr', 'area'])
/** What ends an element whose closing tag may be left out. */
const endNames: Record<string, RegExp> = {
  dd: /<\/?(?:dd|dt|dl)\b/,
  dt: /<\/?(?:dd|dt|dl)\b/,
  li: /<\/?(?:li|ul|ol)\b/,
  p: /<\/?(?:p|div|section|article|ul|table)\b/,
  td: /<\/?(?:td|th|tr|table)\b/,
  th: /<\/?(?:td|th|tr|table)\b/,
}

/** The facts of the advert that a page is about, or none. `url` is the page's own address. */
export function parseMicrodataFacts(html: string, url: string): ListingFacts {
  const nodes = parseMarkedNodes(html, url)
  return nodes === null ? {} : parseJsonLdFacts(nodes, url)
}

/** The items that speak of the advert that a page is about, or null. */
export function parseMarkedNodes(html: string, url: string): ListingNodes | null {
  const items = parseMicrodata(html)
  const nodes = items.length === 0 ? null : findListingNodes(items, url)
  if (nodes === null) return null
  // A product says where it is with a place of its own; of several the page's advert may be any.
  if (nodes.dwelling.length === 0) {
    const places = items.flatMap(item => findPlaces(item, 0))
    if (places.length === 1) nodes.dwelling.push(...places)
  }
  // The older vocabulary's name for it, which outlives it.
  for (const offer of nodes.offer) offer.priceCurrency ??= offer.currency
  return nodes
}

/** The items of a page that belong to no other, in page order. */
export function parseMicrodata(html: string): JsonNode[] {
  const items: JsonNode[] = []
  const open: { node: JsonNode; end: number }[] = []
  const tags = [...findMarkedTags(html)]
  const page: MarkedPage = { html, ends: indexEnds(html, tags), remaining: html.length * timesReadMax }
  let scopes = 0
  for (const tag of tags) {
    while (open.length > 0 && open.at(-1)!.end <= tag.start) open.pop()
    const owner = open.at(-1)?.node
    const names = findAttribute(tag.text, 'itemprop')?.split(/\s+/).filter(Boolean) ?? []
    const isScope = /\sitemscope\b/.test(tag.text)
    if (isScope && ++scopes > scopesMax) return items
    const node: JsonNode | null = isScope ? toNode(tag.text) : null
    if (owner && names.length > 0) {
      const value = node ?? getTagValue(page, tag, names.includes('description'))
      for (const name of names) addValue(owner, name, value)
    }
    if (node && (!owner || names.length === 0)) items.push(node)
    if (node) open.push({ node, end: findEnd(page, tag) })
  }
  return items
}

interface Tag {
  name: string
  text: string
  start: number
  end: number
}

interface MarkedPage {
  html: string
  /** Where the inside of an element ends, by where the element begins. */
  ends: ReadonlyMap<number, number>
  /** How much may still be read as the words of elements. */
  remaining: number
}

// Twice as quick through a whole page as `indexOf` for either word.
const itemAttributePattern = /item(?:scope|prop)/g

/** The opening tags that mark an item or a property. */
function* findMarkedTags(html: string): Generator<Tag, void> {
  const pattern = new RegExp(itemAttributePattern)
  let start = -1
  // How far a tag's beginning has been looked for: nothing is looked through twice.
  let searched = 0
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const nearest = html.slice(searched, match.index).lastIndexOf('<')
    if (nearest !== -1) start = searched + nearest
    searched = match.index
    if (start === -1 || match.index - start > tagLengthMax) continue
    const end = html.indexOf('>', match.index)
    if (end === -1) return
    const tag = toTag(html.slice(start, end + 1), start)
    start = -1
    searched = end + 1
    pattern.lastIndex = end + 1
    if (tag !== null) yield tag
  }
}

function toTag(written: string, start: number): Tag | null {
  const name = /^<([a-z][a-z0-9-]*)\s/i.exec(written)?.[1]?.toLowerCase()
  if (name === undefined) return null
  // A space may stand before the equals sign.
  const text = written.includes(' =') ? written.replace(/(?<! ) +=\s*(?=["'])/g, '=') : written
  return { name, text, start, end: start + written.length }
}

function toNode(tag: string): JsonNode {
  const types = findAttribute(tag, 'itemtype')?.split(/\s+/).filter(Boolean) ?? []
  const id = findAttribute(tag, 'itemid')
  return { '@type': types.length === 1 ? types[0] : types, ...(id && { '@id': id.trim() }) }
}

function addValue(node: JsonNode, name: string, value: unknown): void {
  // That name would change what the node is.
  if (value === '' || name === '__proto__') return
  const before = Object.hasOwn(node, name) ? node[name] : undefined
  if (Array.isArray(before)) before.push(value)
  else node[name] = before === undefined ? value : [before, value]
}

function getTagValue(page: MarkedPage, tag: Tag, isLong: boolean): string {
  const content = findAttribute(tag.text, 'content')
  if (content !== null || tag.name === 'meta') return content?.trim() ?? ''
  const address = Object.hasOwn(addressAttributes, tag.name) ? addressAttributes[tag.name] : undefined
  if (address !== undefined) return findAttribute(tag.text, address)?.trim() ?? ''
  const machine = findAttribute(tag.text, tag.name === 'time' ? 'datetime' : 'value')
  if (machine !== null && ['time', 'data', 'meter'].includes(tag.name)) return machine.trim()
  const inner = page.html.slice(tag.end, findEnd(page, tag))
  page.remaining -= inner.length
  if (page.remaining < 0) return ''
  return isLong ? (toMultilineText(inner) ?? '') : extractText(inner)
}

/** Where what is inside the element ends. */
function findEnd({ html, ends }: MarkedPage, tag: Tag): number {
  if (isEmpty(tag)) return tag.end
  const next = indexNext(tag)
  if (next) {
    const length = html.slice(tag.end).search(next)
    return length === -1 ? html.length : tag.end + length
  }
  return ends.get(tag.start) ?? html.length
}

/** Nothing is inside it. */
function isEmpty({ name, text }: Tag): boolean {
  return voidElements.has(name) || text.endsWith('/>')
}

/** What ends the element if it need not be closed. */
function indexNext({ name, text }: Tag): RegExp | undefined {
  return Object.hasOwn(endNames, name) && !/\sitemscope\b/.test(text) ? endNames[name] : undefined
}

/** Where the elements of these tags are closed, found for all of them in one walk through the page. */
function indexEnds(html: string, tags: readonly Tag[]): Map<number, number> {
  const ends = new Map<number, number>()
  const closed = tags.filter(tag => !isEmpty(tag) && indexNext(tag) === undefined)
  const open = new Map<string, number[]>(closed.map(({ name }) => [name, []]))
  const soughtStarts = new Set(closed.map(({ start }) => start))
  const tagStart = /<(\/?)([a-z][a-z0-9-]*)(?=[\s>/])/gi
  tagStart.lastIndex = closed[0]?.start ?? html.length
  for (let match = tagStart.exec(html); match !== null; match = tagStart.exec(html)) {
    const starts = open.get(match[2]!.toLowerCase())
    if (match[1] === '') starts?.push(match.index)
    else {
      const start = starts?.pop()
      if (start === undefined || !soughtStarts.delete(start)) continue
      ends.set(start, match.index)
      if (soughtStarts.size === 0) return ends
    }
  }
  return ends
}

// Items hold each other no deeper than this.
const depthMax = 6

function findPlaces(node: JsonNode, depth: number): JsonNode[] {
  if (depth === depthMax) return []
  if (getTypes(node).includes('Place')) return [node]
  return Object.values(node).flatMap(value =>
    toList(value)
      .filter(isNode)
      .flatMap(inner => findPlaces(inner, depth + 1)),
  )
}
