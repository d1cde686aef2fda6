/** Parses a property of portal G: fields and values of the RESO Data Dictionary 2.0. */

import type { Feature } from '../../domain/listing/features.ts'
import { type JsonNode, toList } from '../../domain/listing/json-ld.ts'
import {
  dropUnknown,
  parseAmount,
  parseAreaValue,
  parseCount,
  parseLine,
  toNode,
} from '../../domain/listing/json-values.ts'
import type { Condition, ListingFacts, PropertyType } from '../../domain/listing/listing.ts'
import { mergeFacts, type ParsedListing } from '../../domain/listing/parse-listing.ts'
import {
  parseCoordinates,
  parseInstant,
  toAbsoluteUrl,
  toMultilineText,
} from '../../domain/listing/values.ts'

/** The field and the values of each feature. The dictionary has none for exterior or interior dwellings. */
export const featureWords = {
  lift: { InteriorFeatures: ['Elevator'], AssociationAmenities: ['Elevator(s)'] },
  terrace: { PatioAndPorchFeatures: ['Terrace'] },
  balcony: { ExteriorFeatures: ['Balcony'] },
  parking: { ParkingFeatures: ['Garage', 'Underground', 'Assigned', 'Deeded'] },
  pool: { PoolFeatures: ['Community', 'Private'], AssociationAmenities: ['Pool'] },
  garden: { ExteriorFeatures: ['Garden'] },
  air_conditioning: { Cooling: ['Central Air', 'Ductless', 'Wall Unit(s)'] },
  storage_room: { InteriorFeatures: ['Storage'], ExteriorFeatures: ['Storage'] },
  fitted_wardrobes: { InteriorFeatures: ['Fitted Wardrobes'] },
  concierge: { AssociationAmenities: ['Concierge'] },
  top_floor: { CommonWalls: ['No One Above'] },
} as const satisfies Partial<Record<Feature, Record<string, readonly string[]>>>

export const conditionWords: Record<string, Condition> = {
  'New Construction': 'new',
  'Under Construction': 'new',
  'To Be Built': 'new',
  'Good Condition': 'good',
  'Updated/Remodeled': 'good',
  Fixer: 'to_renovate',
}

export const premisesSubtypes = ['Retail', 'Warehouse', 'Industrial', 'Business', 'Hotel/Motel']

/** Features by `field value`. */
const featuresByValue = new Map(
  Object.entries(featureWords).flatMap(([feature, fields]) =>
    Object.entries(fields).flatMap(([field, words]: [string, readonly string[]]) =>
      words.map((word): [string, Feature] => [`${field} ${word}`, feature as Feature]),
    ),
  ),
)
const featureFields = [
  ...new Set(Object.values(featureWords).flatMap((fields): string[] => Object.keys(fields))),
]
const conditionsByValue = new Map(Object.entries(conditionWords))
const propertyTypesBySubtype = new Map<string, PropertyType>([
  ['Deeded Parking', 'garages'],
  ['Office', 'offices'],
  ...premisesSubtypes.map((word): [string, PropertyType] => [word, 'premises']),
])
/** The type of a property whose subtype does not determine it. */
const propertyTypesByClass = new Map<string, PropertyType>([
  ['Residential', 'homes'],
  ['Residential Lease', 'homes'],
])

/** The fields of `$select`: those that are parsed here. */
export const selectedFields = [
  'ListingKey',
  'StandardStatus',
  'PropertyType',
  'PropertySubType',
  'ListPrice',
  'LivingArea',
  'LivingAreaUnits',
  'BedroomsTotal',
  'BathroomsTotalInteger',
  'EntryLevel',
  'PropertyCondition',
  ...featureFields,
  'UnparsedAddress',
  'City',
  'StateOrProvince',
  'PostalCode',
  'Latitude',
  'Longitude',
  'ListAgentFullName',
  'ListAgentDirectPhone',
  'ListAgentEmail',
  'ListOfficeName',
  'ListOfficePhone',
  'OwnerName',
  'OwnerPhone',
  'PublicRemarks',
  'ListingURL',
  'OriginalEntryTimestamp',
  'ModificationTimestamp',
]

/** The key of a property; null if it has none. */
export function getKey({ ListingKey }: JsonNode): string | null {
  return typeof ListingKey === 'string' && /^[\w.-]{1,100}$/.test(ListingKey) ? ListingKey : null
}

/** The path of a property in the interface. */
export function toEntityPath(listingKey: string): string {
  return `/odata/Property('${listingKey}')`
}

/** Parses a property; null if it is none. */
export function parseProperty(property: JsonNode, listingKey: string, pageUrl: string): ParsedListing | null {
  const address = parseLine(property.ListingURL) ?? toEntityPath(listingKey)
  const url = toAbsoluteUrl(address, pageUrl) ?? pageUrl
  return mergeFacts({ url, country: 'ES', currency: 'EUR' }, [['api', parseFields(property, pageUrl)]])
}

function parseFields(property: JsonNode, pageUrl: string): ListingFacts {
  const propertyClass = toWord(property.PropertyType)
  const isLease = /\bLease$/.test(propertyClass)
  const isMetric = property.LivingAreaUnits === 'Square Meters'
  return dropUnknown({
    operation: isLease ? 'rent' : /^(Residential|Commercial Sale)$/.test(propertyClass) ? 'sale' : null,
    propertyType:
      propertyTypesBySubtype.get(toWord(property.PropertySubType)) ??
      propertyTypesByClass.get(propertyClass) ??
      null,
    description: typeof property.PublicRemarks === 'string' ? toMultilineText(property.PublicRemarks) : null,
    price: parseAmount(property.ListPrice),
    squareMeters: isMetric ? parseAreaValue(property.LivingArea) : null,
    bedrooms: parseCount(property.BedroomsTotal),
    bathrooms: parseCount(property.BathroomsTotalInteger),
    floorText: Number.isSafeInteger(property.EntryLevel) ? String(property.EntryLevel) : null,
    condition:
      toList(property.PropertyCondition).flatMap(word => conditionsByValue.get(toWord(word)) ?? [])[0] ??
      null,
    features: parseFeatures(property),
    address: parseLine(property.UnparsedAddress),
    municipality: parseLine(property.City),
    province: parseLine(property.StateOrProvince),
    postcode: parseLine(property.PostalCode),
    ...parseCoordinates(property.Latitude, property.Longitude),
    images: parseImages(property, pageUrl),
    publishedAt: parseInstant(property.OriginalEntryTimestamp),
    ...parseContact(property),
  })
}

/** Returns the value if it is a string, else ''. */
function toWord(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function parseFeatures(property: JsonNode): Feature[] {
  const found = featureFields.flatMap(field =>
    toList(property[field]).flatMap(word => featuresByValue.get(`${field} ${toWord(word)}`) ?? []),
  )
  return [...new Set(found)]
}

function parseImages({ Media }: JsonNode, pageUrl: string): string[] {
  const media = toList(Media).map(toNode)
  const toOrder = ({ Order }: JsonNode) => (typeof Order === 'number' ? Order : media.length)
  return media
    .toSorted((a, b) => toOrder(a) - toOrder(b))
    .flatMap(({ MediaURL }) => (typeof MediaURL === 'string' ? (toAbsoluteUrl(MediaURL, pageUrl) ?? []) : []))
}

/** A name and its phone number: those of the agent, else of the office, else of the owner who sells privately. */
function parseContact(property: JsonNode): ListingFacts {
  const line = (name: string) => parseLine(property[name])
  const [agent, office, owner] = [
    { name: line('ListAgentFullName'), phone: line('ListAgentDirectPhone') },
    { name: line('ListOfficeName'), phone: line('ListOfficePhone') },
    { name: line('OwnerName'), phone: line('OwnerPhone') },
  ]
  const isListed = (agent.name ?? agent.phone ?? office.name ?? office.phone) !== null
  const candidates = isListed ? [agent, office] : [owner]
  const contact =
    candidates.find(({ phone }) => phone !== null) ?? candidates.find(({ name }) => name !== null)
  const isKnown = isListed || contact !== undefined
  return dropUnknown({
    'contact.name': contact?.name ?? office.name,
    'contact.phoneRaw': contact?.phone,
    'contact.email': line('ListAgentEmail'),
    'contact.advertiserType': isKnown ? (isListed ? 'agency' : 'private') : null,
  })
}
