/** Extracts the JSON-LD blocks of a page, and finds the nodes that describe the listing. */
import { decodeEntities } from './html.ts'

export type JsonNode = { [key: string]: unknown }

/** The nodes that describe one listing, each list in order of trust. */
export interface ListingNodes {
  listing: JsonNode[]
  dwelling: JsonNode[]
  offer: JsonNode[]
  seller: JsonNode[]
}

const listingTypes = new Set([
  'RealEstateListing',
  'Product',
  'IndividualProduct',
  'RentAction',
  'SellAction',
  'BuyAction',
])
const dwellingTypes = new Set([
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
const offerTypes = new Set(['Offer', 'AggregateOffer', 'OfferForPurchase', 'OfferForLease'])
// Properties that lead to nodes of the same listing. Others lead elsewhere: breadcrumbs, related listings, reviews.
const links = ['mainEntity', 'about', 'itemOffered', 'object', 'offers', 'makesOffer', 'subjectOf']
const sellerLinks = ['seller', 'offeredBy', 'broker', 'agent', 'provider', 'landlord']
const depthMax = 8
const rootsMax = 500
// Typical pages have a dozen blocks with a few hundred nodes.
const blocksMax = 200
/** Characters of a block. Typical ones have a few thousand. */
const blockMax = 1_500_000
const visitsMax = 20_000
const urlLengthMax = 2000

/** The parsed JSON-LD blocks of a page. Blocks that cannot be repaired are omitted. */
export function parseJsonLdBlocks(html: string): unknown[] {
  const blocks: unknown[] = []
  let position = 0
  for (let scripts = 0; scripts < blocksMax; ) {
    // `+json` may be written with a character reference, so only the part before it is searched.
    position = html.indexOf('application/ld', position)
    if (position === -1) return blocks
    const tagEnd = html.indexOf('>', position)
    if (tagEnd === -1) return blocks
    const isScript = /<script[^<>]*$/i.test(html.slice(Math.max(0, position - 300), position))
    position = tagEnd + 1
    if (!isScript) continue
    scripts += 1
    const close = html.indexOf('</script', position)
    const end = close === -1 ? html.length : close
    const block = end - position > blockMax ? undefined : parseBlock(html.slice(position, end))
    if (block !== undefined) blocks.push(block)
    if (close === -1) return blocks
    position = close
  }
  return blocks
}

function parseBlock(text: string): unknown {
  for (const repair of [() => text, () => repairJson(text), () => repairJson(decodeEntities(text))]) {
    try {
      return JSON.parse(repair())
    } catch {
      // The next attempt repairs more.
    }
  }
  return undefined
}

/** Repairs common mistakes: comments, CDATA, raw line breaks in strings, `\'`, and a trailing comma or semicolon. */
function repairJson(text: string): string {
  return text
    .trim()
    .replace(/^(?:\/\/)?\s*(?:<!--|<!\[CDATA\[)/, '')
    .replace(/(?:\/\/)?(?:-->|\]\]>)$/, '')
    .split(/[\n\r]/)
    .map(removeComment)
    .join(' ')
    .replace(/\p{Cc}+/gu, ' ')
    .replaceAll("\\'", "'")
    .replace(/,(?=\s*[}\]])/g, '')
    .replace(/;\s*$/, '')
}

/** Removes a comment that is the whole line, or that follows a comma after the last string. */
function removeComment(line: string): string {
  if (!line.includes('//')) return line
  if (/^[ \t]*\/\//.test(line)) return ''
  const afterStrings = line.lastIndexOf('"') + 1
  const comment = line.slice(afterStrings).search(/,[ \t]*\/\//)
  return comment === -1 ? line : line.slice(0, afterStrings + comment + 1)
}

/**
 * The nodes of the listing that the page is about, or null. Among several, the one with the page's URL wins, otherwise
 * the most complete one. Separate nodes are added if they can belong to no other listing.
 */
export function findListingNodes(blocks: readonly unknown[], url: string): ListingNodes | null {
  const roots = blocks.flatMap(block => getRoots(block, 0)).slice(0, rootsMax)
  const byId = new Map<string, JsonNode>()
  for (const root of roots)
    if (typeof root['@id'] === 'string' && !byId.has(root['@id'])) byId.set(root['@id'], root)
  const shared = { byId, referred: new Map(), visits: { left: visitsMax } }
  const groups = roots.filter(isAboutListing).map(root => {
    const nodes: ListingNodes = { listing: [], dwelling: [], offer: [], seller: [] }
    collect(root, nodes, { ...shared, visited: new Set(), link: '', depth: 0 })
    return { nodes, score: computeScore(nodes, url) }
  })
  const scoredGroups = groups.filter(group => group.score > 0)
  const best = scoredGroups.reduce<(typeof scoredGroups)[number] | null>(
    (a, b) => (a !== null && a.score >= b.score ? a : b),
    null,
  )
  if (best === null) return null
  const { nodes } = best
  for (const kind of ['dwelling', 'offer', 'seller'] as const) {
    if (nodes[kind].length > 0) continue
    const otherGroups = scoredGroups.filter(group => group !== best && group.nodes[kind].length > 0)
    if (otherGroups.length === 1) nodes[kind] = otherGroups[0]!.nodes[kind]
  }
  return nodes
}

export function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The types of a node, without the URL of the vocabulary. */
export function getTypes(node: JsonNode): string[] {
  return toList(node['@type']).flatMap(type => (typeof type === 'string' ? toBareType(type) : []))
}

function toBareType(type: string): string {
  return /[/#:]/.test(type) ? type.replace(/^.*[/#:]/, '') : type
}

/** A value as a list: JSON-LD allows a single value instead of a list. */
export function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function getRoots(value: unknown, depth: number): JsonNode[] {
  if (depth > depthMax) return []
  if (Array.isArray(value)) return value.flatMap(item => getRoots(item, depth + 1))
  if (!isNode(value)) return []
  const graph = getRoots(value['@graph'], depth + 1)
  return value['@type'] === undefined ? graph : [value, ...graph]
}

interface Traversal {
  byId: ReadonlyMap<string, JsonNode>
  /** Resolved references, by node. */
  referred: Map<JsonNode, JsonNode>
  /** Shared by all traversals of the page: many nodes may link to one that links to many. */
  visits: { left: number }
  visited: Set<JsonNode>
  /** The property by which the node was reached. */
  link: string
  depth: number
}

function collect(start: JsonNode, nodes: ListingNodes, traversal: Traversal): void {
  const node = resolveReference(start, traversal)
  if (traversal.depth > depthMax || traversal.visited.has(node)) return
  traversal.visited.add(node)
  const types = getTypes(node)
  if (types.some(type => listingTypes.has(type))) nodes.listing.push(node)
  if (types.some(type => dwellingTypes.has(type))) nodes.dwelling.push(node)
  // A node without type under `offers` is an offer.
  const isOffer = types.length === 0 ? traversal.link === 'offers' : types.some(type => offerTypes.has(type))
  if (isOffer) nodes.offer.push(node)
  for (const link of links) {
    const next = { ...traversal, link, depth: traversal.depth + 1 }
    for (const item of followLink(node, link, traversal)) collect(item, nodes, next)
  }
  for (const link of sellerLinks) {
    for (const item of followLink(node, link, traversal)) nodes.seller.push(resolveReference(item, traversal))
  }
}

/** The nodes under a property, until the maximum number of visits is reached. */
function* followLink(node: JsonNode, link: string, { visits }: Traversal): Generator<JsonNode, void> {
  for (const item of toList(node[link])) {
    if (visits.left === 0) return
    visits.left -= 1
    if (isNode(item)) yield item
  }
}

function resolveReference(node: JsonNode, { byId, referred }: Traversal): JsonNode {
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

// Properties that only real estate has: books and tickets have a price and a name, too.
const propertyTraits = [
  'floorSize',
  'floorLevel',
  'numberOfRooms',
  'numberOfBedrooms',
  'numberOfBathroomsTotal',
  'numberOfFullBathrooms',
  'accommodationCategory',
  'yearBuilt',
]

/** True if the nodes describe real estate. */
export function arePropertyNodes({ listing, dwelling }: ListingNodes): boolean {
  return (
    // A node of type Place alone may be the venue of a concert.
    dwelling.some(node => !getTypes(node).includes('Place')) ||
    listing.some(
      node =>
        getTypes(node).includes('RealEstateListing') ||
        propertyTraits.some(trait => Object.hasOwn(node, trait)),
    )
  )
}

/** True for types that may be a listing. Tickets and hotel nights are offers too; the score decides later. */
function isAboutListing(root: JsonNode): boolean {
  return getTypes(root).some(
    type => listingTypes.has(type) || dwellingTypes.has(type) || offerTypes.has(type) || /Page$/.test(type),
  )
}

function computeScore(nodes: ListingNodes, url: string): number {
  const { listing, dwelling, offer } = nodes
  const isListing =
    listing.some(node => !getTypes(node).includes('Product')) || (listing.length > 0 && offer.length > 0)
  if (!isListing && dwelling.length === 0 && offer.length === 0) return 0
  const all = [...listing, ...dwelling, ...offer]
  const isThisPage = all.some(node =>
    [node.url, node['@id'], node.mainEntityOfPage].some(value => isSamePage(value, url)),
  )
  return (
    (isThisPage ? 8 : 0) +
    (offer.length > 0 ? 4 : 0) +
    (arePropertyNodes(nodes) ? 4 : 0) +
    (dwelling.some(node => node.address !== undefined || node.floorSize !== undefined) ? 2 : 0) +
    (isListing ? 1 : 0)
  )
}

function isSamePage(value: unknown, url: string): boolean {
  const candidate = isNode(value) ? value['@id'] : value
  if (typeof candidate !== 'string' || candidate === '' || candidate.length > urlLengthMax) return false
  if (candidate === url) return true
  const normalizeUrl = (text: string) =>
    text
      .replace(/^https?:/, '')
      .replace(/[?#].*$/s, '')
      .replace(/\/+$/, '')
  return normalizeUrl(candidate) === normalizeUrl(url)
}
