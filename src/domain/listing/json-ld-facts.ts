// The facts of an advert in the words of schema.org, with the liberties that portals take with them.
import { readEmail } from '../contact/email.ts'
import { plainWords } from '../plain-words.ts'
import type { Feature } from './features.ts'
import { FLOOR_TEXT_MAX } from './floor.ts'
import { decodeEntities } from './html.ts'
import type { AdvertNodes, JsonNode } from './json-ld.ts'
import { isNode, listOf, typesOf } from './json-ld.ts'
import type { ListingFacts, PropertyType } from './listing.ts'
import { parseMoney, readSharedSign } from './money.ts'
import { parseLocalNumber } from './number.ts'
import { onlyPlace } from './only-place.ts'
import { readCountLabel } from './room-counts.ts'
import { absoluteUrl, cleanText, longText, readCoordinates, readCurrency, readInstant } from './values.ts'
import { readDetailLines, readFeature } from './vocabulary.ts'

const HOME_TYPES = new Set(['Apartment', 'ApartmentComplex', 'House', 'SingleFamilyResidence', 'Residence'])
const SQUARE_METERS =
  /^(mtk|m2|m²|sqm|sq\.? ?m(et(er|re)s?)?|square ?met(er|re)s?|metros (cuadrados|quadrados)|quadratmeter|vierkante meter|metres (quadrats|carres)|metri quadr(i|ati))$/
const AREA_NAME = /area|superf|surface|metratura|metros|flache|oppervlak|powierzchnia|size|m2|mq|sqm/
const PLACEHOLDER = /^[^\p{L}\p{N}]*$|^(n\/?a|null|undefined|none|unknown)$/iu

type Maybe = { [K in keyof ListingFacts]: ListingFacts[K] | null }

/** What the nodes say. `url` resolves relative addresses of images. */
export function readJsonLdFacts(nodes: AdvertNodes, url: string): ListingFacts {
  const told = [...nodes.listing, ...nodes.dwelling]
  const home = [...nodes.dwelling, ...nodes.listing]
  const facts: ListingFacts = { ...readOffer(nodes), ...readSeller(nodes.seller), ...readPlace(nodes) }
  const isNew = first([...home, ...nodes.offer], node => readCondition(node.itemCondition))
  const features = home.flatMap(node => listOf(node.amenityFeature).flatMap(readAmenity))
  addTo(facts, {
    title: first(told, node => textAt(node.name) ?? textAt(node.headline)),
    description: first(told, node => longText(stringOf(node.description) ?? '')),
    publishedAt: first(told, node => readInstant(node.datePosted) ?? readInstant(node.datePublished)),
    propertyType: first(nodes.dwelling, readPropertyType),
    squareMeters: first(home, node => first(listOf(node.floorSize), readFloorSize)),
    rooms: first(home, node => readCount(node.numberOfRooms)),
    bedrooms: first(home, node => readCount(node.numberOfBedrooms)),
    bathrooms: first(home, readBathrooms),
    floorText: first(home, node => readFloorLevel(node.floorLevel)),
    condition: isNew === null ? null : 'new',
    features: nonEmpty([...new Set(features)]),
    images: first(told, node => nonEmpty(readImages([node.image, node.photo], url))),
  })
  for (const property of home.flatMap(node => listOf(node.additionalProperty)))
    addTo(facts, readProperty(property))
  return facts
}

/** Adds what is known and was not. */
function addTo(facts: ListingFacts, found: Maybe): void {
  const known: Record<string, unknown> = facts
  const all: Record<string, unknown> = found
  for (const name in all) {
    const value = all[name]
    if (value !== null && value !== undefined) known[name] ??= value
  }
}

function first<T, R>(list: readonly T[], read: (item: T) => R | null | undefined): R | null {
  for (const item of list) {
    const value = read(item)
    if (value !== null && value !== undefined) return value
  }
  return null
}

// Values wrap each other no deeper than this: a list of nodes with a name or value.
const MAX_DEPTH = 4

function stringOf(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return PLACEHOLDER.test(value) ? null : value
  if (typeof value === 'number') return String(value)
  if (depth === MAX_DEPTH) return null
  if (Array.isArray(value)) return first(value, item => stringOf(item, depth + 1))
  return isNode(value) ? stringOf(value.name ?? value['@value'], depth + 1) : null
}

function textAt(value: unknown): string | null {
  return cleanText(stringOf(value) ?? '')
}

/** A number, also as a string in either form, in a QuantitativeValue, or the first of a list. */
function numberOf(value: unknown, depth = 0): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'string') {
    // A plain decimal point is schema.org's own form; else the form is local.
    return /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : parseLocalNumber(value)
  }
  if (depth === MAX_DEPTH) return null
  if (Array.isArray(value)) return first(value, item => numberOf(item, depth + 1))
  return isNode(value) ? numberOf(value.value, depth + 1) : null
}

function readCount(value: unknown): number | null {
  const count = numberOf(value)
  return count !== null && count >= 0 && count < 1000 ? count : null
}

function readBathrooms(node: JsonNode): number | null {
  return readCount(node.numberOfBathroomsTotal) ?? readCount(node.numberOfFullBathrooms)
}

function readOffer(nodes: AdvertNodes): ListingFacts {
  const facts: ListingFacts = {}
  const priced = [...nodes.offer, ...nodes.listing, ...nodes.dwelling]
  const tags = priced.flatMap(node => [node, ...listOf(node.priceSpecification).filter(isNode)])
  for (const tag of tags) {
    const price = readPrice(tag.price) ?? readPrice(tag.lowPrice) ?? readPrice(tag.minPrice)
    if (price === null) continue
    facts.price = price.amount
    const currency = readTagCurrency(tag) ?? first(tags, readTagCurrency)
    addTo(facts, { currency: currency ?? price.currency })
    break
  }
  for (const node of tags) {
    const told = [node.businessFunction, node.unitCode, node.unitText].map(value => stringOf(value) ?? '')
    const words = plainWords([...told, ...typesOf(node)].join(' '))
    if (/leaseout|\bmon\b|\bmonth\b|rentaction|offerforlease/.test(words)) facts.operation ??= 'rent'
    if (/#sell\b|\bsell\b|sellaction|buyaction|offerforpurchase/.test(words)) facts.operation ??= 'sale'
  }
  return facts
}

function readTagCurrency({ priceCurrency }: JsonNode): string | null {
  return readCurrency(priceCurrency) ?? readSharedSign(priceCurrency)
}

function readPrice(value: unknown): { amount: number; currency: string | null } | null {
  // `374.000` would be 374 by schema.org's letter, but no price has three decimals: portals mean thousands.
  const plain = typeof value === 'string' && /^\s*\d+(\.\d{1,2})?\s*$/.test(value)
  const money =
    plain || typeof value === 'number' ? { amount: Number(value), currency: null } : parseText(value)
  // 0 and 1 are what portals put where the price is not told.
  return money !== null && money.amount > 1 ? money : null
}

function parseText(value: unknown) {
  const money = typeof value === 'string' ? parseMoney(decodeEntities(value)) : null
  return money && { amount: money.amount, currency: money.currency ?? money.sharedSign ?? null }
}

function readFloorSize(value: unknown): number | null {
  if (!isNode(value))
    return typeof value === 'string' && !/ft|feet|foot/i.test(value)
      ? positive(numberOf(value.trim().replace(/\s?m(²|2|q)?$/i, '')))
      : null
  const unit = stringOf(value.unitCode) ?? stringOf(value.unitText)
  if (unit !== null && !SQUARE_METERS.test(plainWords(unit).trim())) return null
  return positive(numberOf(value.value))
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null
}

function readFloorLevel(value: unknown): string | null {
  const label = textAt(value)
  return label !== null && label.length <= FLOOR_TEXT_MAX ? label : null
}

function readPropertyType(node: JsonNode): PropertyType | null {
  const types = typesOf(node)
  if (types.includes('ParkingFacility')) return 'garages'
  return types.some(type => HOME_TYPES.has(type)) ? 'homes' : null
}

/** Only "new" is a condition in schema.org's words: "used" says neither good nor bad. */
function readCondition(value: unknown): true | null {
  return /NewCondition$/.test(stringOf(value) ?? '') ? true : null
}

function readAmenity(value: unknown): Feature[] {
  const node = isNode(value) ? value : { name: value, value: true }
  if (node.value === false || /^(false|no|0)$/i.test(stringOf(node.value) ?? '')) return []
  const feature = readFeature(stringOf(node.name) ?? '')
  return feature === null ? [] : [feature]
}

/** An address that is not the dwelling's own is that of an agency or a neighbour: nothing of it is taken. */
function readPlace({ dwelling, listing }: AdvertNodes): ListingFacts {
  const addressesOf = (node: JsonNode) => listOf(node.address).map(readAddress)
  const pointsOf = (node: JsonNode) =>
    [...listOf(node.geo).filter(isNode), node].flatMap(
      ({ latitude, longitude }) => readCoordinates(latitude, longitude) ?? [],
    )
  return {
    ...ownPlace(dwelling.flatMap(addressesOf), listing.flatMap(addressesOf)),
    ...ownPlace(dwelling.flatMap(pointsOf), listing.flatMap(pointsOf)),
  }
}

function ownPlace(own: readonly Maybe[], others: readonly Maybe[]): ListingFacts {
  const place = onlyPlace(own)
  const isTold = own.some(reading => Object.values(reading).some(value => value !== null))
  if (isTold && Object.keys(place).length === 0) return {}
  const whole = onlyPlace([place, ...others])
  return Object.keys(whole).length > 0 ? whole : place
}

function readAddress(address: unknown): Maybe {
  if (typeof address === 'string') return { address: cleanText(address) }
  if (!isNode(address)) return {}
  return {
    address: textAt(address.streetAddress),
    municipality: textAt(address.addressLocality),
    province: textAt(address.addressRegion),
    postcode: textAt(address.postalCode),
  }
}

function readSeller(sellers: readonly JsonNode[]): ListingFacts {
  const facts: ListingFacts = {}
  for (const seller of sellers) {
    const types = typesOf(seller).join(' ')
    const works = seller.worksFor ?? seller.memberOf ?? seller.affiliation
    const isPerson = /Person/.test(types)
    const isFirm = /Agent|Organization|Business|Corporation/.test(types) || (isPerson && isNode(works))
    const points = [seller, ...listOf(seller.contactPoint).filter(isNode)]
    addTo(facts, {
      'contact.name': textAt(seller.name),
      'contact.phoneRaw': first(points, point => first(listOf(point.telephone), readPhone)),
      'contact.email': first(points, point =>
        first(listOf(point.email), value => readEmail(textAt(value) ?? '')),
      ),
      'contact.advertiserType': isFirm ? 'agency' : isPerson ? 'private' : null,
    })
  }
  return facts
}

function readPhone(value: unknown): string | null {
  const text = cleanText((stringOf(value) ?? '').replace(/^tel:/i, ''))
  return text !== null && (text.match(/\d/g)?.length ?? 0) >= 5 ? text : null
}

function readImages(values: readonly unknown[], url: string): string[] {
  const images = values.flatMap(listOf).flatMap(image => {
    const at = isNode(image) ? (image.contentUrl ?? image.url) : image
    return (typeof at === 'string' && absoluteUrl(decodeEntities(at).trim(), url)) || []
  })
  return [...new Set(images)]
}

function nonEmpty<T>(list: T[]): T[] | null {
  return list.length > 0 ? list : null
}

/** A PropertyValue: some portals tell bedrooms, bathrooms and the area in no other way. */
function readProperty(property: unknown): Maybe {
  if (!isNode(property)) return {}
  const name = stringOf(property.name) ?? ''
  const kind = readCountLabel(name)
  if (kind !== null) return { [kind]: readCount(property.value) }
  if (!AREA_NAME.test(plainWords(name))) return {}
  const unit = stringOf(property.unitCode) ?? stringOf(property.unitText) ?? ''
  const written = SQUARE_METERS.test(plainWords(unit).trim()) ? 'm²' : unit
  const line = `${name}: ${stringOf(property.value) ?? ''} ${written}`
  return { squareMeters: readDetailLines([line]).squareMeters ?? null }
}
