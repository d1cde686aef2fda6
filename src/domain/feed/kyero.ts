/** Parses a property of a Kyero v3 feed, the format in which Spanish agencies send their listings to portals. */
import type { Feature } from '../listing/features.ts'
import { floorTextLengthMax, parseFloor } from '../listing/floor.ts'
import type { ListingFacts, PropertyType } from '../listing/listing.ts'
import {
  parseCoordinates,
  parseCurrency,
  toAbsoluteUrl,
  toMultilineText,
  toSingleLine,
} from '../listing/values.ts'
import { parseDetailLines } from '../listing/vocabulary.ts'
import { memoize } from '../memoize.ts'
import { toPlainWords } from '../plain-words.ts'
import { parseLocalTime } from './local-time.ts'
import {
  findChild,
  findChildren,
  getValue,
  indexChildren,
  parseXmlElement,
  type XmlElement,
} from './xml-element.ts'

export interface KyeroFeed {
  /** Absolute URL of the feed. */
  url: string
  /** ISO 639-1: the preferred language of texts, before English and any other. */
  language: string
  /** IANA name of the time zone of the feed's times. */
  timezone: string
  /** The agency of the feed; {} if the feed has several, and each property has its own. */
  agent: ListingFacts
}

export interface KyeroProperty {
  id: string
  /** The listing's own page, as written. */
  page: string
  /** When it last changed, ISO 8601. The format has no date of publication. */
  changedAt: string | null
  facts: ListingFacts
}

/** The child elements of a property by name. */
type Fields = ReadonlyMap<string, XmlElement>

// The first matching pattern wins. Null is a kind of property that the product does not support.
const propertyTypesByWord: [RegExp, PropertyType | null][] = [
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

/** Parses one `<property>`. Null if it has no id, without which it cannot be recognized again. Never throws. */
export function parseKyeroProperty(xml: string, feed: KyeroFeed): KyeroProperty | null {
  const element = parseXmlElement(xml)
  const property = element && indexChildren(element)
  const id = getValue(property?.get('id'))
  if (property === null || id === '') return null
  const facts: ListingFacts = { ...parsePropertyFacts(property), ...parsePlace(property) }
  const title = toSingleLine(pickText(property.get('title'), feed.language))
  if (title !== null) facts.title = title
  const description = toMultilineText(pickText(property.get('desc'), feed.language))
  if (description !== null) facts.description = description
  const images = parseImages(property, feed.url)
  if (images.length > 0) facts.images = images
  Object.assign(facts, parseContact(property, feed.agent))
  return {
    id,
    page: pickText(property.get('url'), feed.language),
    changedAt: parseLocalTime(getValue(property.get('date')), feed.timezone),
    facts,
  }
}

/** Parses the agency that a feed states once, before its first property. */
export function parseKyeroAgent(preamble: string): ListingFacts {
  const agentIndex = preamble.search(/<agent[\s>]/)
  return agentIndex === -1 ? {} : parseAgent(parseXmlElement(preamble.slice(agentIndex)))
}

function parsePropertyFacts(property: Fields): ListingFacts {
  const facts = parseFeatures(property.get('features'))
  const type = parseType(getValue(property.get('type')))
  if (type !== null) facts.propertyType = type
  Object.assign(facts, parsePrice(property))
  const area = parseWholeNumber(findChild(property.get('surface_area'), 'built'))
  if (area) facts.squareMeters = area
  const beds = parseWholeNumber(property.get('beds'))
  // Feeds write 0 for unknown; for a home it means a studio.
  if (beds !== null && (beds > 0 || type === 'homes')) facts.bedrooms = beds
  const baths = parseWholeNumber(property.get('baths'))
  if (baths) facts.bathrooms = baths
  const floor = toSingleLine(getValue(property.get('floor')))
  if (floor !== null && parseFloor(floor) !== null) facts.floorText = floor.slice(0, floorTextLengthMax)
  if (isTrue(property, 'new_build')) facts.condition = 'new'
  if (isTrue(property, 'pool')) facts.features = [...new Set([...(facts.features ?? []), 'pool' as const])]
  return facts
}

/** Omits weekly prices, because rents are per month, and prices of a share of the property. */
function parsePrice(property: Fields): ListingFacts {
  const frequency = getValue(property.get('price_freq')).toLowerCase()
  const facts: ListingFacts = {}
  if (frequency === 'sale') facts.operation = 'sale'
  else if (frequency === 'month' || frequency === 'week') facts.operation = 'rent'
  const price = parseWholeNumber(property.get('price'))
  if (!price || frequency === 'week' || isTrue(property, 'part_ownership')) return facts
  facts.price = price
  const currency = parseCurrency(getValue(property.get('currency')))
  if (currency !== null) facts.currency = currency
  return facts
}

function parsePlace(property: Fields): ListingFacts {
  const location = property.get('location')
  const facts: ListingFacts = {
    ...parseCoordinates(
      getValue(findChild(location, 'latitude')),
      getValue(findChild(location, 'longitude')),
    ),
  }
  const text = (name: string) => toSingleLine(getValue(property.get(name)))
  const municipality = text('town')
  const province = text('province')
  const address = text('address') ?? text('location_detail')
  if (municipality !== null) facts.municipality = municipality
  if (province !== null) facts.province = province
  if (address !== null) facts.address = address
  return facts
}

/**
 * The format states one agency for the whole feed. Feeds of several agencies have the element in each property, or only
 * the contact (`contact_number`, `email`). `by_owner` is an element of Trovit that feeds for both portals contain.
 */
function parseContact(property: Fields, feedAgent: ListingFacts): ListingFacts {
  const agent = property.get('agent')
  const facts: ListingFacts = { ...(agent === undefined ? feedAgent : parseAgent(agent)) }
  const name = toSingleLine(getValue(property.get('contact_name')))
  const phone = toSingleLine(getValue(property.get('contact_number')))
  const email = toSingleLine(getValue(property.get('email')))
  if (name !== null) facts['contact.name'] = name
  if (phone !== null) facts['contact.phoneRaw'] = phone
  if (email !== null) facts['contact.email'] = email
  if (isTrue(property, 'by_owner')) facts['contact.advertiserType'] = 'private'
  return facts
}

function parseAgent(agent: XmlElement | null): ListingFacts {
  const text = (name: string) => toSingleLine(getValue(findChild(agent, name)))
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

function parseImages(property: Fields, base: string): string[] {
  const images = findChildren(property.get('images'), 'image')
  return [...new Set(images.flatMap(image => toAbsoluteUrl(getValue(findChild(image, 'url')), base) ?? []))]
}

// Maximum number of features of a property.
const featuresMax = 1000

function parseFeatures(list: XmlElement | undefined): ListingFacts {
  const facts: ListingFacts = {}
  const found = new Set<Feature>()
  for (const { inner } of findChildren(list, 'feature').slice(0, featuresMax)) {
    const { features = [], condition } = parseFeatureLabel(inner)
    for (const feature of features) found.add(feature)
    if (condition) facts.condition ??= condition
  }
  if (found.size > 0) facts.features = [...found]
  return facts
}

const parseFeatureLabel = memoize(xml =>
  parseDetailLines([toSingleLine(xml.replace(/<!\[CDATA\[|\]\]>/g, '')) ?? '']),
)

const parseType = memoize(text => {
  const words = toPlainWords(text)
  return propertyTypesByWord.find(([pattern]) => pattern.test(words))?.[1] ?? null
})

/**
 * The text in this language, otherwise in English, otherwise the first one. An element without languages has its own
 * text.
 */
function pickText(texts: XmlElement | undefined, language: string): string {
  if (texts === undefined) return ''
  if (texts.children.length === 0) return getValue(texts)
  const inLanguage = getValue(findChild(texts, language))
  if (inLanguage !== '') return inLanguage
  const english = getValue(findChild(texts, 'en'))
  return english !== '' ? english : (texts.children.map(getValue).find(text => text !== '') ?? '')
}

/** A whole number, as the format defines it; decimals are dropped. Null for anything else (`x` is "on application"). */
function parseWholeNumber(element: XmlElement | null | undefined): number | null {
  const digits = /^(\d{1,10})(?:[.,]\d{1,2})?$/.exec(getValue(element))?.[1]
  return digits === undefined ? null : Number(digits)
}

function isTrue(property: Fields, name: string): boolean {
  return getValue(property.get(name)) === '1'
}
