/** The JSON-LD blocks of a page, cut out of its text, and the nodes in them that speak of the advert. */
import { decodeEntities } from './html.ts'

export type JsonNode = { [key: string]: unknown }

/** The nodes that speak of one advert, each list in order of trust. */
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
// The ways from an advert to what it speaks of; all others (breadcrumbs, related adverts, reviews) lead away from it.
const links = ['mainEntity', 'about', 'itemOffered', 'object', 'offers', 'makesOffer', 'subjectOf']
const sellerLinks = ['seller', 'offeredBy', 'broker', 'agent', 'provider', 'landlord']
const depthMax = 8
const rootsMax = 500
// Pages have a dozen blocks, and in them a few hundred nodes.
const blocksMax = 200
const visitsMax = 20_000
const urlLengthMax = 2000

/** The parsed JSON-LD blocks of a page; a block that cannot be mended is left out. */
export function parseJsonLdBlocks(html: string): unknown[] {
  const blocks: unknown[] = []
  let position = 0
  for (let scripts = 0; scripts < blocksMax; ) {
    // `+json` may be written with a character reference, so the search is for what stands before it.
    position = html.indexOf('application/ld', position)
    if (position === -1) return blocks
    const tagEnd = html.indexOf('>', position)
    if (tagEnd === -1) return blocks
    const isScript = /<script[^<>]*$/i.test(html.slice(Math.max(0, position - 300), position))
    position = tagEnd + 1
    if (!isScript) continue
    scripts += 1
    const close = html.indexOf('</script', position)
    const block = parseBlock(html.slice(position, close === -1 ? html.length : close))
    if (block !== undefined) blocks.push(block)
    if (close === -1) return blocks
    position = close
  }
  return blocks
}

function parseBlock(text: string): unknown {
  for (const parsed of [() => text, () => repairJson(text), () => repairJson(decodeEntities(text))]) {
    try {
      return JSON.parse(parsed())
    } catch {
      // The next attempt mends more.
    }
  }
  return undefined
}

/** The usual mistakes: a comment or CDATA around it, comments in it, raw line ends in strings, `\'`, a comma or semicolon too many. */
function repairJson(text: string): string {
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

/** The types of a node without their vocabulary's address. */
export function getTypes(node: JsonNode): string[] {
  return toList(node['@type']).flatMap(type => (typeof type === 'string' ? toBareType(type) : []))
}

function toBareType(type: string): string {
  return /[/#:]/.test(type) ? type.replace(/^.*[/#:]/, '') : type
}

/** A value as a list: JSON-LD writes one value bare. */
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
  /** What nodes were found to stand for. */
  referred: Map<JsonNode, JsonNode>
  /** For all walks through the page together: many nodes may lead to one that leads to many. */
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
  // What hangs on `offers` is an offer, even if it forgets to say so.
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

/** The nodes behind a property, as long as more may be visited. */
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

// What is said of properties alone: with a price and a name, a book and a ticket are sold as well.
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

/** Whether the nodes say that what is sold or let is a property. */
export function arePropertyNodes({ listing, dwelling }: ListingNodes): boolean {
  return (
    // A place alone may be that of a concert.
    dwelling.some(node => !getTypes(node).includes('Place')) ||
    listing.some(
      node =>
        getTypes(node).includes('RealEstateListing') ||
        propertyTraits.some(trait => Object.hasOwn(node, trait)),
    )
  )
}

/** Tickets and hotel nights are offers too: what counts is whose they are. */
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
    [node.url, node['@id'], node.mainEntityOfPage].some(position => isSamePage(position, url)),
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
  const position = isNode(value) ? value['@id'] : value
  if (typeof position !== 'string' || position === '' || position.length > urlLengthMax) return false
  if (position === url) return true
  const normalizeAddress = (address: string) =>
    address
      .replace(/^https?:/, '')
      .replace(/[?#].*$/s, '')
      .replace(/\/+$/, '')
  return normalizeAddress(position) === normalizeAddress(url)
}
