// Microdata: the items that a page marks in its own elements, as nodes of the same kind as those of JSON-LD.
import { attributeOf, elementOf, textOf } from './html.ts'
import { findAdvertNodes, isNode, type JsonNode, listOf, typesOf } from './json-ld.ts'
import { readJsonLdFacts } from './json-ld-facts.ts'
import type { ListingFacts } from './listing.ts'
import { longText } from './values.ts'

// Pages mark dozens of items; hostile ones might mark more than can be paired with their ends in time.
const MAX_SCOPES = 400
const MAX_TAG_LENGTH = 20_000
/** Elements whose value is an attribute. */
const ADDRESS_ATTRIBUTES: Record<string, string> = {
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
const VOID_NAMES = new Set(['meta', 'link', 'img', 'embed', 'source', 'track', 'input', 'br', 'hr', 'area'])
/** What ends an element whose closing tag may be left out. */
const ENDS: Record<string, RegExp> = {
  dd: /<\/?(?:dd|dt|dl)\b/,
  dt: /<\/?(?:dd|dt|dl)\b/,
  li: /<\/?(?:li|ul|ol)\b/,
  p: /<\/?(?:p|div|section|article|ul|table)\b/,
  td: /<\/?(?:td|th|tr|table)\b/,
  th: /<\/?(?:td|th|tr|table)\b/,
}

/** The facts of the advert that a page is about, or none. `url` is the page's own address. */
export function readMicrodataFacts(html: string, url: string): ListingFacts {
  const items = readMicrodata(html)
  const nodes = items.length === 0 ? null : findAdvertNodes(items, url)
  if (nodes === null) return {}
  // A product says where it is with a place of its own; of several the page's advert may be any.
  if (nodes.dwelling.length === 0) {
    const places = items.flatMap(item => placesIn(item, 0))
    if (places.length === 1) nodes.dwelling.push(...places)
  }
  // The older vocabulary's name for it, which outlives it.
  for (const offer of nodes.offer) offer.priceCurrency ??= offer.currency
  return readJsonLdFacts(nodes, url)
}

/** The items of a page that belong to no other, in page order. */
export function readMicrodata(html: string): JsonNode[] {
  const items: JsonNode[] = []
  const open: { node: JsonNode; end: number }[] = []
  let scopes = 0
  for (let tag = nextTag(html, 0); tag !== null; tag = nextTag(html, tag.end)) {
    while (open.length > 0 && open.at(-1)!.end <= tag.start) open.pop()
    const owner = open.at(-1)?.node
    const names = attributeOf(tag.text, 'itemprop')?.split(/\s+/).filter(Boolean) ?? []
    const isScope = /\sitemscope\b/.test(tag.text)
    if (isScope && ++scopes > MAX_SCOPES) return items
    const node: JsonNode | null = isScope ? nodeOf(tag.text) : null
    if (owner) for (const name of names) add(owner, name, node ?? valueOfTag(html, tag, name))
    if (node && (!owner || names.length === 0)) items.push(node)
    if (node) open.push({ node, end: endOf(html, tag) })
  }
  return items
}

interface Tag {
  name: string
  text: string
  start: number
  end: number
}

/** The next opening tag from `from` on that marks an item or a property. */
function nextTag(html: string, from: number): Tag | null {
  for (let at = nextMark(html, from); at !== -1; at = nextMark(html, at + 8)) {
    const start = html.lastIndexOf('<', at)
    if (start < from || at - start > MAX_TAG_LENGTH) continue
    const end = html.indexOf('>', at)
    if (end === -1) return null
    const written = html.slice(start, end + 1)
    // A space may stand before the equals sign.
    const text = written.includes(' =') ? written.replace(/ +=\s*(?=["'])/g, '=') : written
    const name = /^<([a-z][a-z0-9-]*)\s/i.exec(text)?.[1]?.toLowerCase()
    if (name !== undefined) return { name, text, start, end: end + 1 }
  }
  return null
}

// Twice as quick through a whole page as `indexOf` for either word.
const MARK = /item(?:scope|prop)/g

function nextMark(html: string, from: number): number {
  MARK.lastIndex = from
  return MARK.exec(html)?.index ?? -1
}

function nodeOf(tag: string): JsonNode {
  const types = attributeOf(tag, 'itemtype')?.split(/\s+/).filter(Boolean) ?? []
  const id = attributeOf(tag, 'itemid')
  return { '@type': types.length === 1 ? types[0] : types, ...(id && { '@id': id.trim() }) }
}

function add(node: JsonNode, name: string, value: unknown): void {
  // That name would change what the node is.
  if (value === '' || name === '__proto__') return
  const before = Object.hasOwn(node, name) ? listOf(node[name]) : []
  node[name] = before.length === 0 ? value : [...before, value]
}

function valueOfTag(html: string, tag: Tag, name: string): string {
  const content = attributeOf(tag.text, 'content')
  if (content !== null || tag.name === 'meta') return content?.trim() ?? ''
  const address = Object.hasOwn(ADDRESS_ATTRIBUTES, tag.name) ? ADDRESS_ATTRIBUTES[tag.name] : undefined
  if (address !== undefined) return attributeOf(tag.text, address)?.trim() ?? ''
  const machine = attributeOf(tag.text, tag.name === 'time' ? 'datetime' : 'value')
  if (machine !== null && ['time', 'data', 'meter'].includes(tag.name)) return machine.trim()
  const inner = html.slice(tag.end, endOf(html, tag))
  return name === 'description' ? (longText(inner) ?? '') : textOf(inner)
}

/** Where what is inside the element ends. */
function endOf(html: string, tag: Tag): number {
  if (VOID_NAMES.has(tag.name) || tag.text.endsWith('/>')) return tag.end
  const ends = Object.hasOwn(ENDS, tag.name) && !/\sitemscope\b/.test(tag.text) ? ENDS[tag.name] : undefined
  if (ends) {
    const length = html.slice(tag.end).search(ends)
    return length === -1 ? html.length : tag.end + length
  }
  const element = elementOf(html.slice(tag.start), tag.name)
  return element === null ? html.length : tag.start + element.tag.length + element.inner.length
}

// Items hold each other no deeper than this.
const MAX_DEPTH = 6

function placesIn(node: JsonNode, depth: number): JsonNode[] {
  if (depth === MAX_DEPTH) return []
  if (typesOf(node).includes('Place')) return [node]
  return Object.values(node).flatMap(value =>
    listOf(value)
      .filter(isNode)
      .flatMap(inner => placesIn(inner, depth + 1)),
  )
}
