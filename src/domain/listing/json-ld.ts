// The JSON-LD blocks of a page, cut out of its text, and the nodes in them that speak of the advert.
import { decodeEntities } from './html.ts'

export type JsonNode = { [key: string]: unknown }

/** The nodes that speak of one advert, each list in order of trust. */
export interface AdvertNodes {
  listing: JsonNode[]
  dwelling: JsonNode[]
  offer: JsonNode[]
  seller: JsonNode[]
}

const LISTING_TYPES = new Set([
  'RealEstateListing',
  'Product',
  'IndividualProduct',
  'RentAction',
  'SellAction',
  'BuyAction',
])
const DWELLING_TYPES = new Set([
  'Accommodation',
  'Apartment',
  'ApartmentComplex',
  'House',
  'SingleFamilyResidence',
  'Residence',
  'Room',
  'Suite',
  'ParkingFacility',
  'GatedResidenceCommunity',
])
const OFFER_TYPES = new Set(['Offer', 'AggregateOffer', 'OfferForPurchase', 'OfferForLease'])
// The ways from an advert to what it speaks of; all others (breadcrumbs, related adverts, reviews) lead away from it.
const LINKS = ['mainEntity', 'about', 'itemOffered', 'object', 'offers', 'makesOffer', 'subjectOf']
const SELLER_LINKS = ['seller', 'offeredBy', 'broker', 'agent', 'provider', 'landlord']
const MAX_DEPTH = 8
const MAX_ROOTS = 500
// Pages have a dozen blocks, and in them a few hundred nodes.
const MAX_BLOCKS = 200
const MAX_VISITS = 20_000
const MAX_URL_LENGTH = 2000

/** The parsed JSON-LD blocks of a page; a block that cannot be mended is left out. */
export function readJsonLdBlocks(html: string): unknown[] {
  const blocks: unknown[] = []
  let at = 0
  for (let scripts = 0; scripts < MAX_BLOCKS; ) {
    // `+json` may be written with a character reference, so the search is for what stands before it.
    at = html.indexOf('application/ld', at)
    if (at === -1) return blocks
    const tagEnd = html.indexOf('>', at)
    if (tagEnd === -1) return blocks
    const isScript = /<script[^<>]*$/i.test(html.slice(Math.max(0, at - 300), at))
    at = tagEnd + 1
    if (!isScript) continue
    scripts += 1
    const close = html.indexOf('</script', at)
    const block = parseBlock(html.slice(at, close === -1 ? html.length : close))
    if (block !== undefined) blocks.push(block)
    if (close === -1) return blocks
    at = close
  }
  return blocks
}

function parseBlock(text: string): unknown {
  for (const attempt of [() => text, () => mend(text), () => mend(decodeEntities(text))]) {
    try {
      return JSON.parse(attempt())
    } catch {
      // The next attempt mends more.
    }
  }
  return undefined
}

/** The usual mistakes: a comment or CDATA around it, comments in it, raw line ends in strings, `\'`, a comma or semicolon too many. */
function mend(text: string): string {
  return text
    .trim()
    .replace(/^(?:\/\/)?\s*(?:<!--|<!\[CDATA\[)/, '')
    .replace(/(?:\/\/)?(?:-->|\]\]>)$/, '')
    .split(/[\n\r]/)
    .map(withoutComment)
    .join(' ')
    .replace(/\p{Cc}+/gu, ' ')
    .replaceAll("\\'", "'")
    .replace(/,(?=\s*[}\]])/g, '')
    .replace(/;\s*$/, '')
}

/** A line without the comment that is all of it, or follows a comma and the last string in it. */
function withoutComment(line: string): string {
  if (!line.includes('//')) return line
  if (/^[ \t]*\/\//.test(line)) return ''
  const behindStrings = line.lastIndexOf('"') + 1
  const comment = line.slice(behindStrings).search(/,[ \t]*\/\//)
  return comment === -1 ? line : line.slice(0, behindStrings + comment + 1)
}

/**
 * The nodes of the advert that the page is about, or null. Of several adverts it is the one whose address is the
 * page's, else the one of which most is told; nodes that stand alone are added where they can belong to no other.
 */
export function findAdvertNodes(blocks: readonly unknown[], url: string): AdvertNodes | null {
  const roots = blocks.flatMap(block => rootsOf(block, 0)).slice(0, MAX_ROOTS)
  const byId = new Map<string, JsonNode>()
  for (const root of roots)
    if (typeof root['@id'] === 'string' && !byId.has(root['@id'])) byId.set(root['@id'], root)
  const shared = { byId, referred: new Map(), visits: { left: MAX_VISITS } }
  const groups = roots.filter(isAboutAdvert).map(root => {
    const nodes: AdvertNodes = { listing: [], dwelling: [], offer: [], seller: [] }
    collect(root, nodes, { ...shared, seen: new Set(), link: '', depth: 0 })
    return { nodes, score: scoreOf(nodes, url) }
  })
  const told = groups.filter(group => group.score > 0)
  const best = told.reduce<(typeof told)[number] | null>(
    (a, b) => (a !== null && a.score >= b.score ? a : b),
    null,
  )
  if (best === null) return null
  const { nodes } = best
  for (const kind of ['dwelling', 'offer', 'seller'] as const) {
    if (nodes[kind].length > 0) continue
    const others = told.filter(group => group !== best && group.nodes[kind].length > 0)
    if (others.length === 1) nodes[kind] = others[0]!.nodes[kind]
  }
  return nodes
}

export function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The types of a node without their vocabulary's address. */
export function typesOf(node: JsonNode): string[] {
  return listOf(node['@type']).flatMap(type => (typeof type === 'string' ? bareType(type) : []))
}

function bareType(type: string): string {
  return /[/#:]/.test(type) ? type.replace(/^.*[/#:]/, '') : type
}

/** A value as a list: JSON-LD writes one value bare. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function rootsOf(value: unknown, depth: number): JsonNode[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap(item => rootsOf(item, depth + 1))
  if (!isNode(value)) return []
  const graph = rootsOf(value['@graph'], depth + 1)
  return value['@type'] === undefined ? graph : [value, ...graph]
}

interface Walk {
  byId: ReadonlyMap<string, JsonNode>
  /** What nodes were found to stand for. */
  referred: Map<JsonNode, JsonNode>
  /** For all walks through the page together: many nodes may lead to one that leads to many. */
  visits: { left: number }
  seen: Set<JsonNode>
  /** The property by which the node was reached. */
  link: string
  depth: number
}

function collect(start: JsonNode, nodes: AdvertNodes, walk: Walk): void {
  const node = resolve(start, walk)
  if (walk.depth > MAX_DEPTH || walk.seen.has(node)) return
  walk.seen.add(node)
  const types = typesOf(node)
  if (types.some(type => LISTING_TYPES.has(type))) nodes.listing.push(node)
  if (types.some(type => DWELLING_TYPES.has(type))) nodes.dwelling.push(node)
  // What hangs on `offers` is an offer, even if it forgets to say so.
  const isOffer = types.length === 0 ? walk.link === 'offers' : types.some(type => OFFER_TYPES.has(type))
  if (isOffer) nodes.offer.push(node)
  for (const link of LINKS) {
    const next = { ...walk, link, depth: walk.depth + 1 }
    for (const item of linked(node, link, walk)) collect(item, nodes, next)
  }
  for (const link of SELLER_LINKS) {
    for (const item of linked(node, link, walk)) nodes.seller.push(resolve(item, walk))
  }
}

/** The nodes behind a property, as long as more may be visited. */
function* linked(node: JsonNode, link: string, { visits }: Walk): Generator<JsonNode, void> {
  for (const item of listOf(node[link])) {
    if (visits.left === 0) return
    visits.left -= 1
    if (isNode(item)) yield item
  }
}

function resolve(node: JsonNode, { byId, referred }: Walk): JsonNode {
  const id = node['@id']
  if (typeof id !== 'string') return node
  let target = referred.get(node)
  if (target === undefined) {
    const isReference = Object.keys(node).every(key => key === '@id' || key === '@type')
    target = isReference ? (byId.get(id) ?? node) : node
    referred.set(node, target)
  }
  return target
}

// What is said of properties alone: with a price and a name, a book and a ticket are sold as well.
const PROPERTY_TRAITS = [
  'floorSize',
  'floorLevel',
  'numberOfRooms',
  'numberOfBedrooms',
  'numberOfBathroomsTotal',
  'numberOfFullBathrooms',
  'accommodationCategory',
  'yearBuilt',
]

/** Whether the nodes say that what is sold or let is a property. */
export function arePropertyNodes({ listing, dwelling }: AdvertNodes): boolean {
  return (
    // A place alone may be that of a concert.
    dwelling.some(node => !typesOf(node).includes('Place')) ||
    listing.some(
      node =>
        typesOf(node).includes('RealEstateListing') ||
        PROPERTY_TRAITS.some(trait => Object.hasOwn(node, trait)),
    )
  )
}

/** Tickets and hotel nights are offers too: what counts is whose they are. */
function isAboutAdvert(root: JsonNode): boolean {
  return typesOf(root).some(
    type =>
      LISTING_TYPES.has(type) || DWELLING_TYPES.has(type) || OFFER_TYPES.has(type) || /Page$/.test(type),
  )
}

function scoreOf(nodes: AdvertNodes, url: string): number {
  const { listing, dwelling, offer } = nodes
  const isListing =
    listing.some(node => !typesOf(node).includes('Product')) || (listing.length > 0 && offer.length > 0)
  if (!isListing && dwelling.length === 0 && offer.length === 0) return 0
  const all = [...listing, ...dwelling, ...offer]
  const isThisPage = all.some(node =>
    [node.url, node['@id'], node.mainEntityOfPage].some(at => samePage(at, url)),
  )
  return (
    (isThisPage ? 8 : 0) +
    (offer.length > 0 ? 4 : 0) +
    (arePropertyNodes(nodes) ? 4 : 0) +
    (dwelling.some(node => node.address !== undefined || node.floorSize !== undefined) ? 2 : 0) +
    (isListing ? 1 : 0)
  )
}

function samePage(value: unknown, url: string): boolean {
  const at = isNode(value) ? value['@id'] : value
  if (typeof at !== 'string' || at === '' || at.length > MAX_URL_LENGTH) return false
  if (at === url) return true
  const bare = (address: string) =>
    address
      .replace(/^https?:/, '')
      .replace(/[?#].*$/s, '')
      .replace(/\/+$/, '')
  return bare(at) === bare(url)
}
