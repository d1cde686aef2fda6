// How portal G writes a property: fields and words of the RESO Data Dictionary 2.0, read as an advert.

import type { Feature } from '../../domain/listing/features.ts'
import { type JsonNode, listOf } from '../../domain/listing/json-ld.ts'
import { amountOf, areaOf, countOf, knownFacts, lineOf, nodeOf } from '../../domain/listing/json-values.ts'
import type { Condition, ListingFacts, PropertyType } from '../../domain/listing/listing.ts'
import { type FoundListing, joinFacts } from '../../domain/listing/read-listing.ts'
import { absoluteUrl, longText, readCoordinates, readInstant } from '../../domain/listing/values.ts'

/** Where each feature is told, and in which words; the dictionary has none for the side to which a dwelling faces. */
export const FEATURE_WORDS = {
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

export const CONDITION_WORDS: Record<string, Condition> = {
  'New Construction': 'new',
  'Under Construction': 'new',
  'To Be Built': 'new',
  'Good Condition': 'good',
  'Updated/Remodeled': 'good',
  Fixer: 'to_renovate',
}

export const PREMISES_SUBTYPES = ['Retail', 'Warehouse', 'Industrial', 'Business', 'Hotel/Motel']

/** By field and word. */
const FEATURE_OF = new Map(
  Object.entries(FEATURE_WORDS).flatMap(([feature, fields]) =>
    Object.entries(fields).flatMap(([field, words]: [string, readonly string[]]) =>
      words.map((word): [string, Feature] => [`${field} ${word}`, feature as Feature]),
    ),
  ),
)
const FEATURE_FIELDS = [
  ...new Set(Object.values(FEATURE_WORDS).flatMap((fields): string[] => Object.keys(fields))),
]
const CONDITION_OF = new Map(Object.entries(CONDITION_WORDS))
const PROPERTY_TYPES = new Map<string, PropertyType>([
  ['Deeded Parking', 'garages'],
  ['Office', 'offices'],
  ...PREMISES_SUBTYPES.map((word): [string, PropertyType] => [word, 'premises']),
])
/** Of a property whose subtype has no meaning of its own. */
const PROPERTY_TYPE_OF_CLASS = new Map<string, PropertyType>([
  ['Residential', 'homes'],
  ['Residential Lease', 'homes'],
])

/** The fields to ask for: those that are read here. */
export const SELECTED = [
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
  ...FEATURE_FIELDS,
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
export function keyOf({ ListingKey }: JsonNode): string | null {
  return typeof ListingKey === 'string' && /^[\w.-]{1,100}$/.test(ListingKey) ? ListingKey : null
}

/** Where the interface itself keeps a property. */
export function entityPath(listingKey: string): string {
  return `/odata/Property('${listingKey}')`
}

/** The advert as `property` tells it; null if it tells of no property. */
export function readProperty(property: JsonNode, listingKey: string, pageUrl: string): FoundListing | null {
  const address = lineOf(property.ListingURL) ?? entityPath(listingKey)
  const url = absoluteUrl(address, pageUrl) ?? pageUrl
  return joinFacts({ url, country: 'ES', currency: 'EUR' }, [['api', readFields(property, pageUrl)]])
}

function readFields(property: JsonNode, pageUrl: string): ListingFacts {
  const propertyClass = wordOf(property.PropertyType)
  const isLease = /\bLease$/.test(propertyClass)
  const isMetric = property.LivingAreaUnits === 'Square Meters'
  return knownFacts({
    operation: isLease ? 'rent' : /^(Residential|Commercial Sale)$/.test(propertyClass) ? 'sale' : null,
    propertyType:
      PROPERTY_TYPES.get(wordOf(property.PropertySubType)) ??
      PROPERTY_TYPE_OF_CLASS.get(propertyClass) ??
      null,
    description: typeof property.PublicRemarks === 'string' ? longText(property.PublicRemarks) : null,
    price: amountOf(property.ListPrice),
    squareMeters: isMetric ? areaOf(property.LivingArea) : null,
    bedrooms: countOf(property.BedroomsTotal),
    bathrooms: countOf(property.BathroomsTotalInteger),
    floorText: Number.isSafeInteger(property.EntryLevel) ? String(property.EntryLevel) : null,
    condition:
      listOf(property.PropertyCondition).flatMap(word => CONDITION_OF.get(wordOf(word)) ?? [])[0] ?? null,
    features: readFeatures(property),
    address: lineOf(property.UnparsedAddress),
    municipality: lineOf(property.City),
    province: lineOf(property.StateOrProvince),
    postcode: lineOf(property.PostalCode),
    ...readCoordinates(property.Latitude, property.Longitude),
    images: readImages(property, pageUrl),
    publishedAt: readInstant(property.OriginalEntryTimestamp),
    ...readContact(property),
  })
}

/** Where a word is due, whatever else may stand there. */
function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function readFeatures(property: JsonNode): Feature[] {
  const found = FEATURE_FIELDS.flatMap(field =>
    listOf(property[field]).flatMap(word => FEATURE_OF.get(`${field} ${wordOf(word)}`) ?? []),
  )
  return [...new Set(found)]
}

function readImages({ Media }: JsonNode, pageUrl: string): string[] {
  const media = listOf(Media).map(nodeOf)
  const placeOf = ({ Order }: JsonNode) => (typeof Order === 'number' ? Order : media.length)
  return media
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .flatMap(({ MediaURL }) => (typeof MediaURL === 'string' ? (absoluteUrl(MediaURL, pageUrl) ?? []) : []))
}

/** A name with the number of the same: the agent, else the office; else the owner, who lists for himself. */
function readContact(property: JsonNode): ListingFacts {
  const line = (name: string) => lineOf(property[name])
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
  return knownFacts({
    'contact.name': contact?.name ?? office.name,
    'contact.phoneRaw': contact?.phone,
    'contact.email': line('ListAgentEmail'),
    'contact.advertiserType': isKnown ? (isListed ? 'agency' : 'private') : null,
  })
}
