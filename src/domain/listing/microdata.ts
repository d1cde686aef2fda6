/** Parses microdata into nodes of the same form as JSON-LD. */
import { extractText, findAttribute } from './html.ts'
import { findListingNodes, getTypes, isNode, type JsonNode, type ListingNodes, toList } from './json-ld.ts'
import { toMultilineText } from './values.ts'

// Typical pages have dozens of items. The limit bounds the time for hostile pages.
const scopesMax = 400
const tagsMax = 5000
const tagLengthMax = 20_000
// Limits the text that is read to this many times the length of the page: the text of an element includes that of the
// elements in it, so nested elements are read several times.
const readFactorMax = 4
/** Elements whose value is an attribute with a URL. */
const urlAttributes: Record<string, string> = {
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
/** Tags that end an element with an optional closing tag. */
const endPatterns: Record<string, RegExp> = {
  dd: /<\/?(?:dd|dt|dl)\b/,
  dt: /<\/?(?:dd|dt|dl)\b/,
  li: /<\/?(?:li|ul|ol)\b/,
  p: /<\/?(?:p|div|section|article|ul|table)\b/,
  td: /<\/?(?:td|th|tr|table)\b/,
  th: /<\/?(?:td|th|tr|table)\b/,
}

/** The items that describe the page's listing, or null. */
export function parseMicrodataNodes(html: string, url: string): ListingNodes | null {
  const items = parseMicrodata(html)
  const nodes = items.length === 0 ? null : findListingNodes(items, url)
  if (nodes === null) return null
  // A product states its location as a separate Place. With several, none is certain.
  if (nodes.dwelling.length === 0) {
    const places = items.flatMap(item => findPlaces(item, 0))
    if (places.length === 1) nodes.dwelling.push(...places)
  }
  // The older vocabulary, which is still in use, calls it `currency`.
  for (const offer of nodes.offer) offer.priceCurrency ??= offer.currency
  return nodes
}

/** The top-level items of a page, in page order. */
export function parseMicrodata(html: string): JsonNode[] {
  const items: JsonNode[] = []
  const open: { node: JsonNode; end: number }[] = []
  const tags = findItemTags(html).take(tagsMax).toArray()
  const page: IndexedPage = { html, ends: indexEnds(html, tags), remaining: html.length * readFactorMax }
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

interface IndexedPage {
  html: string
  /** The position of each element's closing tag, by the position of its opening tag. */
  ends: ReadonlyMap<number, number>
  /** How many characters of text may still be read. */
  remaining: number
}

// On a whole page, this is twice as fast as two `indexOf` searches.
const itemAttributePattern = /item(?:scope|prop)/g

/** The opening tags with `itemscope` or `itemprop`. */
function* findItemTags(html: string): Generator<Tag, void> {
  const pattern = new RegExp(itemAttributePattern)
  let start = -1
  // The HTML before this position was searched already.
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
  // A space may precede the equals sign.
  const text = written.includes(' =') ? written.replace(/(?<! ) +=\s*(?=["'])/g, '=') : written
  return { name, text, start, end: start + written.length }
}

function toNode(tag: string): JsonNode {
  const types = findAttribute(tag, 'itemtype')?.split(/\s+/).filter(Boolean) ?? []
  const id = findAttribute(tag, 'itemid')
  return { '@type': types.length === 1 ? types[0] : types, ...(id && { '@id': id.trim() }) }
}

function addValue(node: JsonNode, name: string, value: unknown): void {
  // This name would change the prototype of the node.
  if (value === '' || name === '__proto__') return
  const before = Object.hasOwn(node, name) ? node[name] : undefined
  if (Array.isArray(before)) before.push(value)
  else node[name] = before === undefined ? value : [before, value]
}

function getTagValue(page: IndexedPage, tag: Tag, isLong: boolean): string {
  const content = findAttribute(tag.text, 'content')
  if (content !== null || tag.name === 'meta') return content?.trim() ?? ''
  const urlAttribute = Object.hasOwn(urlAttributes, tag.name) ? urlAttributes[tag.name] : undefined
  if (urlAttribute !== undefined) return findAttribute(tag.text, urlAttribute)?.trim() ?? ''
  const machine = findAttribute(tag.text, tag.name === 'time' ? 'datetime' : 'value')
  if (machine !== null && ['time', 'data', 'meter'].includes(tag.name)) return machine.trim()
  const inner = page.html.slice(tag.end, findEnd(page, tag))
  page.remaining -= inner.length
  if (page.remaining < 0) return ''
  return isLong ? (toMultilineText(inner) ?? '') : extractText(inner)
}

/** The position where the content of the element ends. */
function findEnd({ html, ends }: IndexedPage, tag: Tag): number {
  if (isEmpty(tag)) return tag.end
  const next = getEndPattern(tag)
  if (next) {
    const length = html.slice(tag.end).search(next)
    return length === -1 ? html.length : tag.end + length
  }
  return ends.get(tag.start) ?? html.length
}

/** True for elements without content. */
function isEmpty({ name, text }: Tag): boolean {
  return voidElements.has(name) || text.endsWith('/>')
}

/** The tags that end the element if its closing tag is optional. */
function getEndPattern({ name, text }: Tag): RegExp | undefined {
  return Object.hasOwn(endPatterns, name) && !/\sitemscope\b/.test(text) ? endPatterns[name] : undefined
}

/** Finds the closing tags of all these elements in one pass through the page. */
function indexEnds(html: string, tags: readonly Tag[]): Map<number, number> {
  const ends = new Map<number, number>()
  const closed = tags.filter(tag => !isEmpty(tag) && getEndPattern(tag) === undefined)
  const open = new Map<string, number[]>(closed.map(({ name }) => [name, []]))
  const openStarts = new Set(closed.map(({ start }) => start))
  const tagStart = /<(\/?)([a-z][a-z0-9-]*)(?=[\s>/])/gi
  tagStart.lastIndex = closed[0]?.start ?? html.length
  for (let match = tagStart.exec(html); match !== null; match = tagStart.exec(html)) {
    const starts = open.get(match[2]!.toLowerCase())
    if (match[1] === '') starts?.push(match.index)
    else {
      const start = starts?.pop()
      if (start === undefined || !openStarts.delete(start)) continue
      ends.set(start, match.index)
      if (openStarts.size === 0) return ends
    }
  }
  return ends
}

/** Maximum nesting of items. */
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
