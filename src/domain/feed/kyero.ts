// A property of a Kyero v3 feed, the format in which Spanish agencies hand their adverts to portals, as facts.
import type { Feature } from '../listing/features.ts'
import { FLOOR_TEXT_MAX, readFloor } from '../listing/floor.ts'
import type { ListingFacts, PropertyType } from '../listing/listing.ts'
import { absoluteUrl, cleanText, longText, readCoordinates, readCurrency } from '../listing/values.ts'
import { readDetailLines } from '../listing/vocabulary.ts'
import { plainWords } from '../plain-words.ts'
import { remembered } from '../remembered.ts'
import { readLocalTime } from './local-time.ts'
import { childOf, childrenOf, fieldsOf, readXmlElement, valueIn, type XmlElement } from './xml-element.ts'

export interface KyeroFeed {
  /** Absolute address of the feed. */
  url: string
  /** ISO 639-1: which of an advert's texts is read, before English and any other. */
  language: string
  /** IANA name, of its times. */
  timezone: string
  /** The agency whose feed it is; {} if the feed is of many, and each property has its own. */
  agent: ListingFacts
}

export interface KyeroProperty {
  id: string
  /** The advert's own page, as written. */
  page: string
  /** When it last changed, ISO 8601: the format has no date of publication. */
  changedAt: string | null
  facts: ListingFacts
}

/** The elements of a property by name. */
type Fields = ReadonlyMap<string, XmlElement>

// In order: the first that matches is the meaning; null is a kind that the product has no word for.
const TYPES: [RegExp, PropertyType | null][] = [
  [/\b(land|plots?|terreno|parcela|solar|store ?room|trastero|storage|building|edificio|hotel)\b/, null],
  [/\b(offices?|oficinas?|despachos?)\b/, 'offices'],
  [
    /\b(commercial|business|shops?|retail|premises|locale?s?|warehouse|industrial|nave|bar|restaurant|cafe)\b/,
    'premises',
  ],
  [
    /\b(apartments?|flats?|penthouses?|duplex|studios?|lofts?|villas?|chalets?|bungalows?|(town|farm)?houses?|cortijos?|fincas?|masias?|castles?|homes?|quads?|pisos?|apartamentos?|aticos?|estudios?|casas?|viviendas?|adosad[oa]s?|semi-detached)\b/,
    'homes',
  ],
  [/\b(garages?|parking|garaje|carpark|car park)\b/, 'garages'],
]

/** What one `<property>` says; null if it has no id, by which alone it could be known again. Never throws. */
export function readKyeroProperty(xml: string, feed: KyeroFeed): KyeroProperty | null {
  const element = readXmlElement(xml)
  const property = element && fieldsOf(element)
  const id = valueIn(property?.get('id'))
  if (property === null || id === '') return null
  const facts: ListingFacts = { ...readFigures(property), ...readPlace(property) }
  const title = cleanText(localText(property.get('title'), feed.language))
  if (title !== null) facts.title = title
  const description = longText(localText(property.get('desc'), feed.language))
  if (description !== null) facts.description = description
  const images = readImages(property, feed.url)
  if (images.length > 0) facts.images = images
  Object.assign(facts, readContact(property, feed.agent))
  return {
    id,
    page: localText(property.get('url'), feed.language),
    changedAt: readLocalTime(valueIn(property.get('date')), feed.timezone),
    facts,
  }
}

/** The agency that a feed names once, in what stands before its first property: that of all of them. */
export function readKyeroAgent(preamble: string): ListingFacts {
  const at = preamble.search(/<agent[\s>]/)
  return at === -1 ? {} : readAgent(readXmlElement(preamble.slice(at)))
}

function readFigures(property: Fields): ListingFacts {
  const facts = readFeatures(property.get('features'))
  const type = readType(valueIn(property.get('type')))
  if (type !== null) facts.propertyType = type
  Object.assign(facts, readPrice(property))
  const area = wholeNumber(childOf(property.get('surface_area'), 'built'))
  if (area) facts.squareMeters = area
  const beds = wholeNumber(property.get('beds'))
  // Feeds write 0 for what they do not know; of a home it says that it is a studio.
  if (beds !== null && (beds > 0 || type === 'homes')) facts.bedrooms = beds
  const baths = wholeNumber(property.get('baths'))
  if (baths) facts.bathrooms = baths
  const floor = cleanText(valueIn(property.get('floor')))
  if (floor !== null && readFloor(floor) !== null) facts.floorText = floor.slice(0, FLOOR_TEXT_MAX)
  if (isTrue(property, 'new_build')) facts.condition = 'new'
  if (isTrue(property, 'pool')) facts.features = [...new Set([...(facts.features ?? []), 'pool' as const])]
  return facts
}

/** A price per week is none per month, and the price of a share is not that of the property. */
function readPrice(property: Fields): ListingFacts {
  const frequency = valueIn(property.get('price_freq')).toLowerCase()
  const facts: ListingFacts = {}
  if (frequency === 'sale') facts.operation = 'sale'
  else if (frequency === 'month' || frequency === 'week') facts.operation = 'rent'
  const price = wholeNumber(property.get('price'))
  if (!price || frequency === 'week' || isTrue(property, 'part_ownership')) return facts
  facts.price = price
  const currency = readCurrency(valueIn(property.get('currency')))
  if (currency !== null) facts.currency = currency
  return facts
}

function readPlace(property: Fields): ListingFacts {
  const location = property.get('location')
  const facts: ListingFacts = {
    ...readCoordinates(valueIn(childOf(location, 'latitude')), valueIn(childOf(location, 'longitude'))),
  }
  const text = (name: string) => cleanText(valueIn(property.get(name)))
  const municipality = text('town')
  const province = text('province')
  const address = text('address') ?? text('location_detail')
  if (municipality !== null) facts.municipality = municipality
  if (province !== null) facts.province = province
  if (address !== null) facts.address = address
  return facts
}

/**
 * The format names one agency for the whole feed. In feeds of many agencies the same element stands in each property, or
 * its contact alone (`contact_number`, `email`); `by_owner` is Trovit's word, which feeds for both portals carry.
 */
function readContact(property: Fields, agentOfFeed: ListingFacts): ListingFacts {
  const agent = property.get('agent')
  const facts: ListingFacts = { ...(agent === undefined ? agentOfFeed : readAgent(agent)) }
  const name = cleanText(valueIn(property.get('contact_name')))
  const phone = cleanText(valueIn(property.get('contact_number')))
  const email = cleanText(valueIn(property.get('email')))
  if (name !== null) facts['contact.name'] = name
  if (phone !== null) facts['contact.phoneRaw'] = phone
  if (email !== null) facts['contact.email'] = email
  if (isTrue(property, 'by_owner')) facts['contact.advertiserType'] = 'private'
  return facts
}

function readAgent(agent: XmlElement | null): ListingFacts {
  const text = (name: string) => cleanText(valueIn(childOf(agent, name)))
  const name = text('name')
  const phone = text('tel') ?? text('mob')
  const email = text('email')
  return {
    'contact.advertiserType': 'agency',
    ...(name === null ? {} : { 'contact.name': name }),
    ...(phone === null ? {} : { 'contact.phoneRaw': phone }),
    ...(email === null ? {} : { 'contact.email': email }),
  }
}

function readImages(property: Fields, base: string): string[] {
  const images = childrenOf(property.get('images'), 'image')
  return [...new Set(images.flatMap(image => absoluteUrl(valueIn(childOf(image, 'url')), base) ?? []))]
}

// No property has so many.
const MAX_FEATURES = 1000

function readFeatures(list: XmlElement | undefined): ListingFacts {
  const facts: ListingFacts = {}
  const found = new Set<Feature>()
  for (const { inner } of childrenOf(list, 'feature').slice(0, MAX_FEATURES)) {
    const { features = [], condition } = readFeatureLabel(inner)
    for (const feature of features) found.add(feature)
    if (condition) facts.condition ??= condition
  }
  if (found.size > 0) facts.features = [...found]
  return facts
}

const readFeatureLabel = remembered(xml =>
  readDetailLines([cleanText(xml.replace(/<!\[CDATA\[|\]\]>/g, '')) ?? '']),
)

const readType = remembered(text => {
  const words = plainWords(text)
  return TYPES.find(([pattern]) => pattern.test(words))?.[1] ?? null
})

/** The text in that language, else in English, else in the first that has one; of an element without languages its own. */
function localText(texts: XmlElement | undefined, language: string): string {
  if (texts === undefined) return ''
  if (texts.children.length === 0) return valueIn(texts)
  const own = valueIn(childOf(texts, language))
  if (own !== '') return own
  const english = valueIn(childOf(texts, 'en'))
  return english !== '' ? english : (texts.children.map(valueIn).find(text => text !== '') ?? '')
}

/** A whole number, as the format has them; decimals are dropped. Null for anything else (`x` is "on application"). */
function wholeNumber(element: XmlElement | null | undefined): number | null {
  const digits = /^(\d{1,10})(?:[.,]\d{1,2})?$/.exec(valueIn(element))?.[1]
  return digits === undefined ? null : Number(digits)
}

function isTrue(property: Fields, name: string): boolean {
  return valueIn(property.get(name)) === '1'
}
