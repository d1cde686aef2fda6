/** The fields of a property in portal_g, with names of the RESO Data Dictionary 2.0; `X_` marks local fields. */

import { createSpanishPhone } from '../advertisers.ts'
import type { Condition, Feature, Subtype } from '../listing.ts'
import { hasFeature } from '../listing.ts'
import { officialCodes } from '../official-codes.ts'
import type { Row } from './rows.ts'

export type Value = string | number | boolean | null

export type Field =
  | { type: 'string'; read(row: Row): string | null }
  | { type: 'number'; read(row: Row): number | null }
  | { type: 'boolean'; read(row: Row): boolean | null }
  /** Milliseconds since the Unix epoch. */
  | { type: 'date'; read(row: Row): number }
  | { type: 'collection'; read(row: Row): string[] }

/** Prefix of the portal's keys, so that each portal has its own. */
const keyPrefix = 'ESG-'
const dayMs = 86_400_000
const subtypes: Record<Subtype, string> = {
  flat: 'Apartment',
  duplex: 'Condominium',
  studio: 'Apartment',
  office: 'Office',
  shop: 'Retail',
  garage: 'Deeded Parking',
}
const conditions: Record<Condition, string> = {
  new: 'New Construction',
  good: 'Good Condition',
  to_renovate: 'Fixer',
}
const agentNames = ['Lucía Prado', 'Marcos Rey', 'Nerea Soto', 'Iván Cuesta', 'Olga Mira', 'Tomás Lara']

export function toKey(id: string): string {
  return keyPrefix + id
}

export function toId(key: string): string | undefined {
  return key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : undefined
}

/** `asOf` is the present of the world in milliseconds, `origin` the portal's base URL. */
export function createFields(asOf: number, origin: string): Record<string, Field> {
  return {
    ListingKey: text(({ attributes }) => toKey(attributes.id)),
    ListingId: text(({ attributes }) => `G${attributes.id.slice(-7)}`),
    StandardStatus: text(({ isActive }) => (isActive ? 'Active' : 'Withdrawn')),
    MlsStatus: text(({ isActive }) => (isActive ? 'En vigor' : 'Retirado')),
    PropertyType: text(({ attributes }) => toPropertyType(attributes)),
    PropertySubType: text(({ attributes }) => subtypes[attributes.subtype]),
    ListPrice: number(({ attributes }) => attributes.price),
    LivingArea: number(({ attributes }) => attributes.squareMeters),
    LivingAreaUnits: text(() => 'Square Meters'),
    BedroomsTotal: number(({ attributes }) => attributes.bedrooms),
    BathroomsTotalInteger: number(({ attributes }) => attributes.bathrooms),
    EntryLevel: number(({ attributes }) => attributes.floor),
    YearBuilt: number(({ attributes }) => attributes.yearBuilt),
    UnparsedAddress: text(({ listing }) => listing.address),
    SubdivisionName: text(({ listing }) => listing.neighbourhood),
    City: text(({ attributes }) => attributes.city.name),
    StateOrProvince: text(({ attributes }) => attributes.city.province),
    PostalCode: text(({ listing }) => listing.postcode),
    Country: text(() => 'ES'),
    X_MunicipalityCode: text(({ attributes }) => officialCodes(attributes.city).municipality),
    X_ProvinceCode: text(({ attributes }) => officialCodes(attributes.city).province),
    Latitude: number(({ attributes }) => attributes.latitude),
    Longitude: number(({ attributes }) => attributes.longitude),
    ...createAdvertiserFields(),
    ...createFeatureFields(),
    PublicRemarks: text(({ listing }) => listing.description),
    ListingURL: text(({ attributes }) => `${origin}/propiedad/${toKey(attributes.id)}`),
    PhotosCount: number(({ listing }) => listing.photoCount),
    DaysOnMarket: number(({ attributes }) => Math.ceil((asOf - attributes.publishedAt) / dayMs)),
    OriginalEntryTimestamp: { type: 'date', read: ({ attributes }) => attributes.publishedAt },
    ModificationTimestamp: { type: 'date', read: ({ modifiedAt }) => modifiedAt },
    OriginatingSystemName: text(() => 'Portal G'),
  }
}

/** An agency is the office; a private seller is the owner. */
function createAdvertiserFields(): Record<string, Field> {
  const ifAgency = (read: (row: Row) => string) =>
    text(row => (row.attributes.privateAdvertiser ? null : read(row)))
  const ifOwner = (read: (row: Row) => string) =>
    text(row => (row.attributes.privateAdvertiser ? read(row) : null))
  return {
    ListAgentFullName: ifAgency(({ index }) => agentNames[index % agentNames.length]!),
    // Numbers of agents are not published.
    ListAgentDirectPhone: text(() => null),
    ListAgentEmail: text(() => null),
    ListOfficeName: ifAgency(({ listing }) => listing.advertiser.name),
    ListOfficePhone: ifAgency(({ listing }) => createSpanishPhone(listing.advertiser.phone)),
    OwnerName: ifOwner(({ listing }) => listing.advertiser.name),
    OwnerPhone: ifOwner(({ listing }) => createSpanishPhone(listing.advertiser.phone)),
  }
}

function createFeatureFields(): Record<string, Field> {
  const words = (byFeature: readonly (readonly [Feature, string])[]): Field => ({
    type: 'collection',
    read: ({ attributes }) =>
      byFeature.filter(([feature]) => hasFeature(attributes, feature)).map(([, word]) => word),
  })
  return {
    PropertyCondition: {
      type: 'collection',
      read: ({ attributes }) => (attributes.condition === null ? [] : [conditions[attributes.condition]]),
    },
    InteriorFeatures: words([
      ['lift', 'Elevator'],
      ['storage_room', 'Storage'],
      ['fitted_wardrobes', 'Fitted Wardrobes'],
    ]),
    ExteriorFeatures: words([
      ['balcony', 'Balcony'],
      ['garden', 'Garden'],
    ]),
    PatioAndPorchFeatures: words([['terrace', 'Terrace']]),
    ParkingFeatures: words([['parking', 'Garage']]),
    PoolFeatures: words([['pool', 'Community']]),
    Cooling: words([['air_conditioning', 'Central Air']]),
    AssociationAmenities: words([
      ['concierge', 'Concierge'],
      ['lift', 'Elevator(s)'],
    ]),
    CommonWalls: words([['top_floor', 'No One Above']]),
  }
}

function toPropertyType({ propertyType, operation }: Row['attributes']): string {
  if (propertyType === 'homes' || propertyType === 'garages')
    return operation === 'sale' ? 'Residential' : 'Residential Lease'
  return operation === 'sale' ? 'Commercial Sale' : 'Commercial Lease'
}

function text(read: (row: Row) => string | null): Field {
  return { type: 'string', read }
}

function number(read: (row: Row) => number | null): Field {
  return { type: 'number', read }
}
