/**
 * Parses a listing in the state of portal B's pages: the same object on a page of results and, with more fields, on
 * the detail page.
 */

import type { Feature } from '../../domain/listing/features.ts'
import type { JsonNode } from '../../domain/listing/json-ld.ts'
import {
  dropUnknown,
  parseAreaValue,
  parseCount,
  parseInstantValue,
  parseLine,
  toNode,
} from '../../domain/listing/json-values.ts'
import type { Condition, ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { getPath } from '../../domain/listing/state.ts'
import { parseCoordinates, toAbsoluteUrl, toMultilineText } from '../../domain/listing/values.ts'

/** The portal's key of each feature, and its number in searches. */
export const extraFeatures = {
  lift: ['elevator', 13],
  terrace: ['terrace', 10],
  balcony: ['balcony', 32],
  parking: ['parking', 5],
  pool: ['swimming_pool', 17],
  garden: ['private_garden', 7],
  air_conditioning: ['air_conditioner', 1],
  storage_room: ['storage_room', 11],
  fitted_wardrobes: ['cabinets', 2],
} as const satisfies Partial<Record<Feature, readonly [string, number]>>

const featuresByName = new Map<unknown, Feature>([
  ...Object.entries(extraFeatures).map(([feature, [key]]) => [key, feature as Feature] as const),
  ['community_pool', 'pool'],
])
const operationsByCode = new Map<unknown, Operation>([
  [1, 'sale'],
  [3, 'rent'],
])
const propertyTypesByCode = new Map<unknown, PropertyType>([
  ['Flat', 'homes'],
  ['House', 'homes'],
  ['Office', 'offices'],
  ['Local', 'premises'],
  ['Garage', 'garages'],
])
/** 1 to 3 and 6: good, as new, renovated; 4: to renovate. */
export const goodConditions = [1, 2, 3, 6] as const
export const renovationCondition = 4
const advertiserTypesByCode = new Map<unknown, 'private' | 'agency'>([
  ['private', 'private'],
  ['particular', 'private'],
  ['professional', 'agency'],
])
const advertiserTypesByClientTypeId = new Map<unknown, 'private' | 'agency'>([
  [1, 'private'],
  [3, 'agency'],
])
// Floors are numbered from the basement up; the mezzanine is between ground and first floor. All floors above the tenth
// share one number, so they are left out.
const floorsByCode = new Map<unknown, string>([
  [1, '-1'],
  [3, '0'],
  [4, 'entresuelo'],
  ...Array.from({ length: 10 }, (_, above) => [above + 6, String(above + 1)] as const),
])
const languages = ['es-ES', 'ca-ES', 'en-GB']

/** The path of the detail page; null if the state has none. */
export function toDetailPath(item: JsonNode): string | null {
  return pickLanguage(item.detail)
}

/** The facts in the state of a listing. `url` resolves relative picture addresses. */
export function parseListingFacts(item: JsonNode, url: string): ListingFacts {
  const features = parseFeatures(item)
  const address = toNode(item.address)
  const isLand = item.buildingType === 'Land'
  const isStudio = item.buildingSubtype === 'Studio'
  // In Spain the rooms of a home are its bedrooms. 0 means "not stated", except in a studio.
  const rooms = toPositiveCount(features.counts.rooms) ?? (isStudio ? 0 : null)
  return dropUnknown({
    operation: operationsByCode.get(item.transactionTypeId),
    propertyType: propertyTypesByCode.get(item.buildingType),
    description: toMultilineText(pickLanguage(item.descriptions) ?? toText(item.description)),
    price: toPrice(item),
    squareMeters: isLand ? null : parseAreaValue(features.counts.surface),
    rooms,
    bedrooms: rooms,
    bathrooms: toPositiveCount(features.counts.bathrooms),
    floorText: floorsByCode.get(features.counts.floor),
    condition: toCondition(item, features.counts.conservationStatus ?? features.counts.conservationState),
    features: features.names,
    address: toStreet(item),
    municipality: parseLine(address.municipality),
    province: parseLine(address.province),
    postcode: parseLine(address.zipCode),
    ...parseCoordinates(getPath(item.coordinates, 'latitude'), getPath(item.coordinates, 'longitude')),
    images: parseImages(item.multimedia, url),
    publishedAt: parseInstantValue(getPath(item.date, 'timestamp')),
    'contact.name': parseLine(item.clientAlias) ?? parseLine(item.contactName),
    'contact.phoneRaw': parseLine(item.phone),
    'contact.advertiserType':
      advertiserTypesByCode.get(item.clientType) ?? advertiserTypesByClientTypeId.get(item.clientTypeId),
  })
}

interface Features {
  counts: JsonNode
  names: Feature[]
}

/** A list of keys and values on a page of results; an object of counts and a list on the detail page. */
function parseFeatures(item: JsonNode): Features {
  const list = [item.features, item.featuresList].find(Array.isArray) ?? []
  const entries = list.map(entry => {
    const { key, label, value } = toNode(entry)
    return [key ?? label, value] as const
  })
  const names = entries.flatMap(([key, value]) => (value === false ? [] : (featuresByName.get(key) ?? [])))
  const counts: JsonNode = {}
  for (const [key, value] of entries)
    if (typeof key === 'string' && typeof value === 'number') counts[key] = value
  return {
    counts: Array.isArray(item.features) ? counts : toNode(item.features),
    names: [...new Set(names)],
  }
}

/** The price as a number. Null if the text of a rent states another period than a month. */
function toPrice(item: JsonNode): number | null {
  if (item.showPrice === false) return null
  const hasRawSalePrice =
    typeof item.rawPrice === 'number' && operationsByCode.get(item.transactionTypeId) === 'sale'
  const money = typeof item.price === 'string' && !hasRawSalePrice ? parseMoney(item.price) : null
  if (money !== null && (money.period === 'week' || money.period === 'year')) return null
  const amount = [item.rawPrice, item.price].find(value => typeof value === 'number') ?? money?.amount
  return typeof amount === 'number' && amount > 1 ? amount : null
}

function toCondition(item: JsonNode, state: unknown): Condition | null {
  if (item.isNewConstruction === true) return 'new'
  if (state === renovationCondition) return 'to_renovate'
  return goodConditions.some(good => good === state) ? 'good' : null
}

/** Returns the street: `Carrer de Santiago, Eixample Sud` also has the district, and `Domeny` is no street. */
function toStreet(item: JsonNode): string | null {
  const { district, neighborhood, municipality } = toNode(item.address)
  const text = parseLine(item.location)
  if (text === null) return null
  const areas = [district, neighborhood, municipality].flatMap(area => parseLine(area) ?? [])
  if (areas.includes(text)) return null
  const area = areas.find(name => text.endsWith(`, ${name}`))
  return area === undefined ? text : text.slice(0, -area.length - 2) || null
}

function parseImages(list: unknown, url: string): string[] {
  const images = (Array.isArray(list) ? list : []).flatMap(item => {
    const { type, src } = toNode(item)
    return type === 'image' && typeof src === 'string' ? (toAbsoluteUrl(src, url) ?? []) : []
  })
  return [...new Set(images)]
}

function pickLanguage(texts: unknown): string | null {
  const byLanguage = toNode(texts)
  const candidates = [...languages, ...Object.keys(byLanguage).slice(0, 10)]
  return candidates.map(language => toText(byLanguage[language])).find(text => text !== '') ?? null
}

function toPositiveCount(value: unknown): number | null {
  return parseCount(value) || null
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
