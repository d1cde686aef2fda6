/** Parses a listing of portal C in JSON: an element of a list of results, or a whole property. */

import type { Feature } from '../../domain/listing/features.ts'
import { type JsonNode, toList } from '../../domain/listing/json-ld.ts'
import {
  dropUnknown,
  parseAmount,
  parseAreaValue,
  parseCount,
  parseInstantValue,
  parseLine,
  toNode,
} from '../../domain/listing/json-values.ts'
import {
  type Condition,
  type ListingFacts,
  listingOperations,
  type PropertyType,
} from '../../domain/listing/listing.ts'
import { mergeFacts, type ParsedListing } from '../../domain/listing/parse-listing.ts'
import { parseCoordinates, toAbsoluteUrl, toMultilineText } from '../../domain/listing/values.ts'
import { parseDetailLines } from '../../domain/listing/vocabulary.ts'

const propertyTypesByCode = toCodeMap<PropertyType>({
  flat: 'homes',
  penthouse: 'homes',
  duplex: 'homes',
  studio: 'homes',
  chalet: 'homes',
  countryHouse: 'homes',
  office: 'offices',
  premise: 'premises',
  garage: 'garages',
})
const conditionsByCode = toCodeMap<Condition>({ newdevelopment: 'new', good: 'good', renew: 'to_renovate' })
const floorWords = toCodeMap({ bj: 'bajo', en: 'entresuelo', st: 'sótano', ss: 'semisótano' })
const featureFields: Record<string, Feature> = {
  hasSwimmingPool: 'pool',
  hasTerrace: 'terrace',
  hasAirConditioning: 'air_conditioning',
  hasBoxRoom: 'storage_room',
  hasGarden: 'garden',
}

/** Builds a map that can be read with any JSON value, so that values such as `constructor` are not found. */
function toCodeMap<Value>(valuesByCode: Record<string, Value>): ReadonlyMap<unknown, Value> {
  return new Map(Object.entries(valuesByCode))
}

/** The listing's code; null if it has none. */
export function getCode(element: JsonNode): string | null {
  const { propertyCode } = element
  return typeof propertyCode === 'string' && /^[A-Za-z0-9]{1,64}$/.test(propertyCode) ? propertyCode : null
}

/** Parses `element`; null if it is not a property. `path` is the address if the element has none. */
export function parseElement(element: JsonNode, path: string, pageUrl: string): ParsedListing | null {
  const url = toAbsoluteUrl(parseLine(element.url) ?? path, pageUrl) ?? pageUrl
  const lines = parseDetailLines(parsePhrases(element))
  return mergeFacts({ url, country: 'ES', currency: 'EUR' }, [
    ['api', parseFields(element, pageUrl, lines.features ?? [])],
    ['api', lines],
  ])
}

/** Lines of a whole property with facts that a search result omits. */
function parsePhrases({ translatedTexts }: JsonNode): string[] {
  return toList(toNode(translatedTexts).characteristicsDescriptions)
    .flatMap(group => toList(toNode(group).detailFeatures))
    .flatMap(line => parseLine(toNode(line).phrase) ?? [])
}

/** `otherFeatures` come from the lines of a whole property. */
function parseFields(element: JsonNode, pageUrl: string, otherFeatures: readonly Feature[]): ListingFacts {
  const propertyType = propertyTypesByCode.get(element.propertyType)
  const { title, subtitle } = toNode(element.suggestedTexts)
  const texts = [parseLine(title), parseLine(subtitle)].filter(text => text !== null)
  // The portal's `rooms` are bedrooms, and 0 for properties other than homes.
  const rooms = propertyType === 'homes' ? parseCount(element.rooms) : null
  return dropUnknown({
    operation: listingOperations.find(operation => operation === element.operation),
    propertyType,
    title: texts.join(', ') || null,
    description: typeof element.description === 'string' ? toMultilineText(element.description) : null,
    price: parseAmount(element.price),
    squareMeters: parseAreaValue(element.size),
    rooms,
    bedrooms: rooms,
    bathrooms: parseCount(element.bathrooms) || null,
    floorText: parseFloorCode(element.floor),
    condition: conditionsByCode.get(element.status) ?? (element.newDevelopment === true ? 'new' : null),
    features: [...new Set([...parseFeatures(element), ...otherFeatures])],
    // If the advertiser hides the street, this field holds the neighbourhood.
    address: element.address === element.district ? null : parseLine(element.address),
    municipality: parseLine(element.municipality),
    province: parseLine(element.province),
    ...parseCoordinates(element.latitude, element.longitude),
    images: parseImages(element, pageUrl),
    publishedAt: parseInstantValue(element.firstActivationDate),
    ...parseContact(toNode(element.contactInfo)),
  })
}

function parseFloorCode(code: unknown): string | null {
  const text = parseLine(code)
  return text === null ? null : (floorWords.get(text) ?? text)
}

function parseFeatures({ hasLift, exterior, parkingSpace, features }: JsonNode): Feature[] {
  const statedFeatures = toNode(features)
  const found = Object.keys(featureFields).flatMap(name =>
    statedFeatures[name] === true ? featureFields[name]! : [],
  )
  if (hasLift === true) found.push('lift')
  if (toNode(parkingSpace).hasParkingSpace === true) found.push('parking')
  // `false` also stands for unknown.
  if (exterior === true) found.push('exterior')
  return found
}

function parseImages({ multimedia, thumbnail }: JsonNode, pageUrl: string): string[] {
  const all = toList(toNode(multimedia).images).map(image => toNode(image).url)
  const addresses = all.length > 0 ? all : [thumbnail]
  return addresses.flatMap(address =>
    typeof address === 'string' ? (toAbsoluteUrl(address, pageUrl) ?? []) : [],
  )
}

function parseContact({ commercialName, contactName, userType, phone1 }: JsonNode): ListingFacts {
  const phone = toNode(phone1)
  return dropUnknown({
    'contact.name': parseLine(commercialName) ?? parseLine(contactName),
    'contact.phoneRaw':
      parseLine(phone.phoneNumberForMobileDialing) ??
      parseLine(phone.formattedPhone) ??
      parseLine(phone.phoneNumber),
    'contact.advertiserType':
      userType === 'private' ? 'private' : userType === 'professional' ? 'agency' : null,
  })
}
