/** Converts schema.org nodes to listing facts, including the deviations that portals make from the vocabulary. */
import { parseEmail } from '../contact/email.ts'
import { toPlainWords } from '../plain-words.ts'
import type { Feature } from './features.ts'
import { floorTextLengthMax } from './floor.ts'
import { decodeEntities } from './html.ts'
import type { JsonNode, ListingNodes } from './json-ld.ts'
import { getTypes, isNode, toList } from './json-ld.ts'
import type { ListingFacts, PropertyType } from './listing.ts'
import { mergePlace } from './merge-place.ts'
import { parseMoney, parseSharedSign } from './money.ts'
import { parseLocalNumber } from './number.ts'
import { parseCountLabel } from './room-counts.ts'
import {
  parseCoordinates,
  parseCurrency,
  parseInstant,
  toAbsoluteUrl,
  toMultilineText,
  toSingleLine,
} from './values.ts'
import { parseDetailLines, parseFeature } from './vocabulary.ts'

const homeTypes = new Set(['Apartment', 'ApartmentComplex', 'House', 'SingleFamilyResidence', 'Residence'])
const squareMetersPattern =
  /^(mtk|m2|m²|sqm|sq\.? ?m(et(er|re)s?)?|square ?met(er|re)s?|metros (cuadrados|quadrados)|quadratmeter|vierkante meter|metres (quadrats|carres)|metri quadr(i|ati))$/
const areaNamePattern = /area|superf|surface|metratura|metros|flache|oppervlak|powierzchnia|size|m2|mq|sqm/
const placeholder = /^[^\p{L}\p{N}]*$|^(n\/?a|null|undefined|none|unknown)$/iu

type MaybeFacts = { [K in keyof ListingFacts]: ListingFacts[K] | null }

/** The facts in the nodes. `url` resolves relative image URLs. */
export function parseJsonLdFacts(nodes: ListingNodes, url: string): ListingFacts {
  const listingFirst = [...nodes.listing, ...nodes.dwelling]
  const dwellingFirst = [...nodes.dwelling, ...nodes.listing]
  const facts: ListingFacts = { ...parseOffer(nodes), ...parseSeller(nodes.seller), ...parsePlace(nodes) }
  const features = dwellingFirst.flatMap(node => toList(node.amenityFeature).flatMap(parseAmenity))
  addMissing(facts, {
    title: firstResult(listingFirst, node => toLine(node.name) ?? toLine(node.headline)),
    description: firstResult(listingFirst, node => toMultilineText(toText(node.description) ?? '')),
    publishedAt: firstResult(
      listingFirst,
      node => parseInstant(node.datePosted) ?? parseInstant(node.datePublished),
    ),
    propertyType: firstResult(nodes.dwelling, parsePropertyType),
    squareMeters: firstResult(dwellingFirst, node => firstResult(toList(node.floorSize), parseFloorSize)),
    rooms: firstResult(dwellingFirst, node => parseCount(node.numberOfRooms)),
    bedrooms: firstResult(dwellingFirst, node => parseCount(node.numberOfBedrooms)),
    bathrooms: firstResult(dwellingFirst, parseBathrooms),
    floorText: firstResult(dwellingFirst, node => parseFloorLevel(node.floorLevel)),
    condition: firstResult([...dwellingFirst, ...nodes.offer], node => parseCondition(node.itemCondition)),
    features: toNonEmpty([...new Set(features)]),
    images: firstResult(listingFirst, node => toNonEmpty(parseImages([node.image, node.photo], url))),
  })
  for (const property of dwellingFirst.flatMap(node => toList(node.additionalProperty)))
    addMissing(facts, parsePropertyValue(property))
  return facts
}

/** Adds the found values that the facts lack. */
function addMissing(facts: ListingFacts, found: MaybeFacts): void {
  const target: Record<string, unknown> = facts
  const source: Record<string, unknown> = found
  for (const name in source) {
    const value = source[name]
    if (value !== null && value !== undefined) target[name] ??= value
  }
}

function firstResult<T, R>(list: readonly T[], read: (item: T) => R | null | undefined): R | null {
  for (const item of list) {
    const value = read(item)
    if (value !== null && value !== undefined) return value
  }
  return null
}

// Maximum depth of wrapped values: a list of nodes with a name or value.
const depthMax = 4

function toText(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return placeholder.test(value) ? null : value
  if (typeof value === 'number') return String(value)
  if (depth === depthMax) return null
  if (Array.isArray(value)) return firstResult(value, item => toText(item, depth + 1))
  return isNode(value) ? toText(value.name ?? value['@value'], depth + 1) : null
}

function toLine(value: unknown): string | null {
  return toSingleLine(toText(value) ?? '')
}

/** A number, a string in either decimal form, the value of a QuantitativeValue, or the first of a list. */
function toNumber(value: unknown, depth = 0): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'string') {
    // A plain decimal point is the form of schema.org; otherwise the form is local.
    return /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : parseLocalNumber(value)
  }
  if (depth === depthMax) return null
  if (Array.isArray(value)) return firstResult(value, item => toNumber(item, depth + 1))
  return isNode(value) ? toNumber(value.value, depth + 1) : null
}

function parseCount(value: unknown): number | null {
  const count = toNumber(value)
  return count !== null && count >= 0 && count < 1000 ? count : null
}

function parseBathrooms(node: JsonNode): number | null {
  return parseCount(node.numberOfBathroomsTotal) ?? parseCount(node.numberOfFullBathrooms)
}

function parseOffer(nodes: ListingNodes): ListingFacts {
  const facts: ListingFacts = {}
  const priced = [...nodes.offer, ...nodes.listing, ...nodes.dwelling]
  const priceNodes = priced.flatMap(node => [node, ...toList(node.priceSpecification).filter(isNode)])
  for (const node of priceNodes) {
    const price = parsePrice(node.price) ?? parsePrice(node.lowPrice) ?? parsePrice(node.minPrice)
    if (price === null) continue
    facts.price = price.amount
    const currency = parseNodeCurrency(node) ?? firstResult(priceNodes, parseNodeCurrency)
    addMissing(facts, { currency: currency ?? price.currency })
    break
  }
  for (const node of priceNodes) {
    const texts = [node.businessFunction, node.unitCode, node.unitText].map(value => toText(value) ?? '')
    const words = toPlainWords([...texts, ...getTypes(node)].join(' '))
    if (/leaseout|\bmon\b|\bmonth\b|rentaction|offerforlease/.test(words)) facts.operation ??= 'rent'
    if (/#sell\b|\bsell\b|sellaction|buyaction|offerforpurchase/.test(words)) facts.operation ??= 'sale'
  }
  return facts
}

function parseNodeCurrency({ priceCurrency }: JsonNode): string | null {
  return parseCurrency(priceCurrency) ?? parseSharedSign(priceCurrency)
}

function parsePrice(value: unknown): { amount: number; currency: string | null } | null {
  // `374.000` is 374 in schema.org's form, but no price has three decimals: portals mean thousands.
  const plain = typeof value === 'string' && /^\s*\d+(\.\d{1,2})?\s*$/.test(value)
  const money =
    plain || typeof value === 'number' ? { amount: Number(value), currency: null } : parseMoneyText(value)
  // Portals write 0 or 1 if the price is not stated.
  return money !== null && money.amount > 1 ? money : null
}

function parseMoneyText(value: unknown) {
  const money = typeof value === 'string' ? parseMoney(decodeEntities(value)) : null
  return money && { amount: money.amount, currency: money.currency ?? money.sharedSign ?? null }
}

function parseFloorSize(value: unknown): number | null {
  if (!isNode(value))
    return typeof value === 'string' && !/ft|feet|foot/i.test(value)
      ? positive(toNumber(value.trim().replace(/\s?m(²|2|q)?$/i, '')))
      : null
  const unit = toText(value.unitCode) ?? toText(value.unitText)
  if (unit !== null && !squareMetersPattern.test(toPlainWords(unit).trim())) return null
  return positive(toNumber(value.value))
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null
}

function parseFloorLevel(value: unknown): string | null {
  const label = toLine(value)
  return label !== null && label.length <= floorTextLengthMax ? label : null
}

function parsePropertyType(node: JsonNode): PropertyType | null {
  const types = getTypes(node)
  if (types.includes('ParkingFacility')) return 'garages'
  return types.some(type => homeTypes.has(type)) ? 'homes' : null
}

/** Only "new" maps to a condition: "used" says neither good nor bad. */
function parseCondition(value: unknown): 'new' | null {
  return /NewCondition$/.test(toText(value) ?? '') ? 'new' : null
}

function parseAmenity(value: unknown): Feature[] {
  const node = isNode(value) ? value : { name: value, value: true }
  if (node.value === false || /^(false|no|0)$/i.test(toText(node.value) ?? '')) return []
  const feature = parseFeature(toText(node.name) ?? '')
  return feature === null ? [] : [feature]
}

/** Uses the dwelling's own address. Another address may be that of an agency or a neighbour, and is not used. */
function parsePlace({ dwelling, listing }: ListingNodes): ListingFacts {
  const listAddresses = (node: JsonNode) => toList(node.address).map(parseAddress)
  const listPoints = (node: JsonNode) =>
    [...toList(node.geo).filter(isNode), node].flatMap(
      ({ latitude, longitude }) => parseCoordinates(latitude, longitude) ?? [],
    )
  return {
    ...pickOwnPlace(dwelling.flatMap(listAddresses), listing.flatMap(listAddresses)),
    ...pickOwnPlace(dwelling.flatMap(listPoints), listing.flatMap(listPoints)),
  }
}

function pickOwnPlace(ownPlaces: readonly MaybeFacts[], otherPlaces: readonly MaybeFacts[]): ListingFacts {
  const place = mergePlace(ownPlaces)
  const isStated = ownPlaces.some(place => Object.values(place).some(value => value !== null))
  if (isStated && Object.keys(place).length === 0) return {}
  const whole = mergePlace([place, ...otherPlaces])
  return Object.keys(whole).length > 0 ? whole : place
}

function parseAddress(address: unknown): MaybeFacts {
  if (typeof address === 'string') return { address: toSingleLine(address) }
  if (!isNode(address)) return {}
  return {
    address: toLine(address.streetAddress),
    municipality: toLine(address.addressLocality),
    province: toLine(address.addressRegion),
    postcode: toLine(address.postalCode),
  }
}

function parseSeller(sellers: readonly JsonNode[]): ListingFacts {
  const facts: ListingFacts = {}
  for (const seller of sellers) {
    const types = getTypes(seller).join(' ')
    const employers = seller.worksFor ?? seller.memberOf ?? seller.affiliation
    const isPerson = /Person/.test(types)
    const isFirm = /Agent|Organization|Business|Corporation/.test(types) || (isPerson && isNode(employers))
    const points = [seller, ...toList(seller.contactPoint).filter(isNode)]
    addMissing(facts, {
      'contact.name': toLine(seller.name),
      'contact.phoneRaw': firstResult(points, point => firstResult(toList(point.telephone), parsePhone)),
      'contact.email': firstResult(points, point =>
        firstResult(toList(point.email), value => parseEmail(toLine(value) ?? '')),
      ),
      'contact.advertiserType': isFirm ? 'agency' : isPerson ? 'private' : null,
    })
  }
  return facts
}

function parsePhone(value: unknown): string | null {
  const text = toSingleLine((toText(value) ?? '').replace(/^tel:/i, ''))
  return text !== null && (text.match(/\d/g)?.length ?? 0) >= 5 ? text : null
}

function parseImages(values: readonly unknown[], url: string): string[] {
  const images = values.flatMap(toList).flatMap(image => {
    const imageUrl = isNode(image) ? (image.contentUrl ?? image.url) : image
    return (typeof imageUrl === 'string' && toAbsoluteUrl(decodeEntities(imageUrl).trim(), url)) || []
  })
  return [...new Set(images)]
}

function toNonEmpty<T>(list: T[]): T[] | null {
  return list.length > 0 ? list : null
}

/** A PropertyValue: some portals state bedrooms, bathrooms and the area only in this form. */
function parsePropertyValue(property: unknown): MaybeFacts {
  if (!isNode(property)) return {}
  const name = toText(property.name) ?? ''
  const kind = parseCountLabel(name)
  if (kind !== null) return { [kind]: parseCount(property.value) }
  if (!areaNamePattern.test(toPlainWords(name))) return {}
  const unit = toText(property.unitCode) ?? toText(property.unitText) ?? ''
  const written = squareMetersPattern.test(toPlainWords(unit).trim()) ? 'm²' : unit
  const line = `${name}: ${toText(property.value) ?? ''} ${written}`
  return { squareMeters: parseDetailLines([line]).squareMeters ?? null }
}
