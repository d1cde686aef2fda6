// An advert in the state of portal B's pages: the same object on a page of results and, with more in it, on its own page.

import type { Feature } from '../../domain/listing/features.ts'
import type { JsonNode } from '../../domain/listing/json-ld.ts'
import { areaOf, countOf, instantOf, knownFacts, lineOf, nodeOf } from '../../domain/listing/json-values.ts'
import type { Condition, ListingFacts, Operation, PropertyType } from '../../domain/listing/listing.ts'
import { parseMoney } from '../../domain/listing/money.ts'
import { valueAt } from '../../domain/listing/state.ts'
import { absoluteUrl, longText, readCoordinates } from '../../domain/listing/values.ts'

/** The portal's key of each feature that it knows, and the number by which it is searched. */
export const EXTRAS = {
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

const FEATURE_OF = new Map<unknown, Feature>([
  ...Object.entries(EXTRAS).map(([feature, [key]]) => [key, feature as Feature] as const),
  ['community_pool', 'pool'],
])
const OPERATION_OF = new Map<unknown, Operation>([
  [1, 'sale'],
  [3, 'rent'],
])
const PROPERTY_TYPE_OF = new Map<unknown, PropertyType>([
  ['Flat', 'homes'],
  ['House', 'homes'],
  ['Office', 'offices'],
  ['Local', 'premises'],
  ['Garage', 'garages'],
])
/** From good over as new to renovated; 4 asks for work. */
export const GOOD_STATES = [1, 2, 3, 6] as const
export const RENOVATION_STATE = 4
const ADVERTISER_OF = new Map<unknown, 'private' | 'agency'>([
  ['private', 'private'],
  ['particular', 'private'],
  ['professional', 'agency'],
])
const CLIENT_TYPE_IDS = new Map<unknown, 'private' | 'agency'>([
  [1, 'private'],
  [3, 'agency'],
])
// Floors are numbered from the cellar up, with the mezzanine between ground and first floor; past the tenth all are one.
const FLOOR_OF = new Map<unknown, string>([
  [1, '-1'],
  [3, '0'],
  [4, 'entresuelo'],
  ...Array.from({ length: 10 }, (_, above) => [above + 6, String(above + 1)] as const),
])
const LANGUAGES = ['es-ES', 'ca-ES', 'en-GB']

/** Where the advert's own page is; null if its state does not say. */
export function detailPathOf(advert: JsonNode): string | null {
  return inLanguage(advert.detail)
}

/** What the state of an advert says; `url` resolves the addresses of its pictures. */
export function readAdvert(advert: JsonNode, url: string): ListingFacts {
  const features = readFeatures(advert)
  const address = nodeOf(advert.address)
  const isLand = advert.buildingType === 'Land'
  const isStudio = advert.buildingSubtype === 'Studio'
  // In Spain the rooms of a home that are counted are its bedrooms; 0 stands for "not told" but in a studio.
  const rooms = countedOf(features.counts.rooms) ?? (isStudio ? 0 : null)
  return knownFacts({
    operation: OPERATION_OF.get(advert.transactionTypeId),
    propertyType: PROPERTY_TYPE_OF.get(advert.buildingType),
    description: longText(inLanguage(advert.descriptions) ?? textOf(advert.description)),
    price: priceOf(advert),
    squareMeters: isLand ? null : areaOf(features.counts.surface),
    rooms,
    bedrooms: rooms,
    bathrooms: countedOf(features.counts.bathrooms),
    floorText: FLOOR_OF.get(features.counts.floor),
    condition: conditionOf(advert, features.counts.conservationStatus ?? features.counts.conservationState),
    features: features.names,
    address: streetOf(advert),
    municipality: lineOf(address.municipality),
    province: lineOf(address.province),
    postcode: lineOf(address.zipCode),
    ...readCoordinates(valueAt(advert.coordinates, 'latitude'), valueAt(advert.coordinates, 'longitude')),
    images: imagesOf(advert.multimedia, url),
    publishedAt: instantOf(valueAt(advert.date, 'timestamp')),
    'contact.name': lineOf(advert.clientAlias) ?? lineOf(advert.contactName),
    'contact.phoneRaw': lineOf(advert.phone),
    'contact.advertiserType':
      ADVERTISER_OF.get(advert.clientType) ?? CLIENT_TYPE_IDS.get(advert.clientTypeId),
  })
}

interface Features {
  counts: JsonNode
  names: Feature[]
}

/** On a page of results one list of keys and values; on the advert's own page counts in an object, the rest in a list. */
function readFeatures(advert: JsonNode): Features {
  const list = [advert.features, advert.featuresList].find(Array.isArray) ?? []
  const entries = list.map(entry => {
    const { key, label, value } = nodeOf(entry)
    return [key ?? label, value] as const
  })
  const names = entries.flatMap(([key, value]) => (value === false ? [] : (FEATURE_OF.get(key) ?? [])))
  const counts: JsonNode = {}
  for (const [key, value] of entries)
    if (typeof key === 'string' && typeof value === 'number') counts[key] = value
  return {
    counts: Array.isArray(advert.features) ? counts : nodeOf(advert.features),
    names: [...new Set(names)],
  }
}

/** The number, and from the text of a rent whether it pays for a month: a week's is no month's. */
function priceOf(advert: JsonNode): number | null {
  if (advert.showPrice === false) return null
  const isEnough =
    typeof advert.rawPrice === 'number' && OPERATION_OF.get(advert.transactionTypeId) === 'sale'
  const text = typeof advert.price === 'string' && !isEnough ? parseMoney(advert.price) : null
  if (text !== null && (text.period === 'week' || text.period === 'year')) return null
  const amount = [advert.rawPrice, advert.price].find(value => typeof value === 'number') ?? text?.amount
  return typeof amount === 'number' && amount > 1 ? amount : null
}

function conditionOf(advert: JsonNode, state: unknown): Condition | null {
  if (advert.isNewConstruction === true) return 'new'
  if (state === RENOVATION_STATE) return 'to_renovate'
  return GOOD_STATES.some(good => good === state) ? 'good' : null
}

/** The street alone: `Carrer de Santiago, Eixample Sud` names its district too, `Domeny` no street. */
function streetOf(advert: JsonNode): string | null {
  const { district, neighborhood, municipality } = nodeOf(advert.address)
  const text = lineOf(advert.location)
  if (text === null) return null
  const areas = [district, neighborhood, municipality].flatMap(area => lineOf(area) ?? [])
  if (areas.includes(text)) return null
  const area = areas.find(name => text.endsWith(`, ${name}`))
  return area === undefined ? text : text.slice(0, -area.length - 2) || null
}

function imagesOf(list: unknown, url: string): string[] {
  const images = (Array.isArray(list) ? list : []).flatMap(item => {
    const { type, src } = nodeOf(item)
    return type === 'image' && typeof src === 'string' ? (absoluteUrl(src, url) ?? []) : []
  })
  return [...new Set(images)]
}

function inLanguage(texts: unknown): string | null {
  const byLanguage = nodeOf(texts)
  const known = [...LANGUAGES, ...Object.keys(byLanguage).slice(0, 10)]
  return known.map(language => textOf(byLanguage[language])).find(text => text !== '') ?? null
}

function countedOf(value: unknown): number | null {
  return countOf(value) || null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
