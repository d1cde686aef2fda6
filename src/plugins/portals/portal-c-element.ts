// How portal C writes one advert in JSON, in a list of results and alone.

import type { Feature } from '../../domain/listing/features.ts'
import { type JsonNode, listOf } from '../../domain/listing/json-ld.ts'
import {
  amountOf,
  areaOf,
  countOf,
  instantOf,
  knownFacts,
  lineOf,
  nodeOf,
} from '../../domain/listing/json-values.ts'
import {
  type Condition,
  type ListingFacts,
  OPERATIONS,
  type PropertyType,
} from '../../domain/listing/listing.ts'
import { type FoundListing, joinFacts } from '../../domain/listing/read-listing.ts'
import { absoluteUrl, longText, readCoordinates } from '../../domain/listing/values.ts'
import { readDetailLines } from '../../domain/listing/vocabulary.ts'

const PROPERTY_TYPE_OF = wordsOf<PropertyType>({
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
const CONDITION_OF = wordsOf<Condition>({ newdevelopment: 'new', good: 'good', renew: 'to_renovate' })
const FLOOR_WORDS = wordsOf({ bj: 'bajo', en: 'entresuelo', st: 'sótano', ss: 'semisótano' })
const FEATURE_FIELDS: Record<string, Feature> = {
  hasSwimmingPool: 'pool',
  hasTerrace: 'terrace',
  hasAirConditioning: 'air_conditioning',
  hasBoxRoom: 'storage_room',
  hasGarden: 'garden',
}

/** Not an object, which has a `toString` of its own. */
function wordsOf<Meaning = string>(words: Record<string, Meaning>): ReadonlyMap<unknown, Meaning> {
  return new Map(Object.entries(words))
}

/** Its number of the advert; null if it has none. */
export function codeOf(element: JsonNode): string | null {
  const { propertyCode } = element
  return typeof propertyCode === 'string' && /^[A-Za-z0-9]{1,64}$/.test(propertyCode) ? propertyCode : null
}

/** The advert as `element` tells it; null if it tells of no property. `path` leads to the advert if it does not say where it is. */
export function readElement(element: JsonNode, path: string, pageUrl: string): FoundListing | null {
  const url = absoluteUrl(lineOf(element.url) ?? path, pageUrl) ?? pageUrl
  const lines = readDetailLines(readPhrases(element))
  return joinFacts({ url, country: 'ES', currency: 'EUR' }, [
    ['api', readFields(element, pageUrl, lines.features ?? [])],
    ['api', lines],
  ])
}

/** The lines in which a whole property says what the fields of a search leave out. */
function readPhrases({ translatedTexts }: JsonNode): string[] {
  return listOf(nodeOf(translatedTexts).characteristicsDescriptions)
    .flatMap(group => listOf(nodeOf(group).detailFeatures))
    .flatMap(line => lineOf(nodeOf(line).phrase) ?? [])
}

/** `otherFeatures` are those that the lines of a whole property name. */
function readFields(element: JsonNode, pageUrl: string, otherFeatures: readonly Feature[]): ListingFacts {
  const propertyType = PROPERTY_TYPE_OF.get(element.propertyType)
  const { title, subtitle } = nodeOf(element.suggestedTexts)
  const texts = [lineOf(title), lineOf(subtitle)].filter(text => text !== null)
  // What it calls rooms in an advert, it calls bedrooms in a search. Of what is no home it says 0.
  const rooms = propertyType === 'homes' ? countOf(element.rooms) : null
  return knownFacts({
    operation: OPERATIONS.find(operation => operation === element.operation),
    propertyType,
    title: texts.join(', ') || null,
    description: typeof element.description === 'string' ? longText(element.description) : null,
    price: amountOf(element.price),
    squareMeters: areaOf(element.size),
    rooms,
    bedrooms: rooms,
    bathrooms: countOf(element.bathrooms) || null,
    floorText: readFloorCode(element.floor),
    condition: CONDITION_OF.get(element.status) ?? (element.newDevelopment === true ? 'new' : null),
    features: [...new Set([...readFeatures(element), ...otherFeatures])],
    // Where the advertiser hides the street, the neighbourhood stands in its place.
    address: element.address === element.district ? null : lineOf(element.address),
    municipality: lineOf(element.municipality),
    province: lineOf(element.province),
    ...readCoordinates(element.latitude, element.longitude),
    images: readImages(element, pageUrl),
    publishedAt: instantOf(element.firstActivationDate),
    ...readContact(nodeOf(element.contactInfo)),
  })
}

function readFloorCode(code: unknown): string | null {
  const text = lineOf(code)
  return text === null ? null : (FLOOR_WORDS.get(text) ?? text)
}

function readFeatures({ hasLift, exterior, parkingSpace, features }: JsonNode): Feature[] {
  const told = nodeOf(features)
  const found = Object.keys(FEATURE_FIELDS).flatMap(name =>
    told[name] === true ? FEATURE_FIELDS[name]! : [],
  )
  if (hasLift === true) found.push('lift')
  if (nodeOf(parkingSpace).hasParkingSpace === true) found.push('parking')
  // False is said of every advert of which nothing is known.
  if (exterior === true) found.push('exterior')
  return found
}

function readImages({ multimedia, thumbnail }: JsonNode, pageUrl: string): string[] {
  const all = listOf(nodeOf(multimedia).images).map(image => nodeOf(image).url)
  const addresses = all.length > 0 ? all : [thumbnail]
  return addresses.flatMap(address =>
    typeof address === 'string' ? (absoluteUrl(address, pageUrl) ?? []) : [],
  )
}

function readContact({ commercialName, contactName, userType, phone1 }: JsonNode): ListingFacts {
  const phone = nodeOf(phone1)
  return knownFacts({
    'contact.name': lineOf(commercialName) ?? lineOf(contactName),
    'contact.phoneRaw':
      lineOf(phone.phoneNumberForMobileDialing) ?? lineOf(phone.formattedPhone) ?? lineOf(phone.phoneNumber),
    'contact.advertiserType':
      userType === 'private' ? 'private' : userType === 'professional' ? 'agency' : null,
  })
}
