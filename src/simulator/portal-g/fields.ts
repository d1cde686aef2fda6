/** The fields of a property in portal_g, with names of the RESO Data Dictionary 2.0; `X_` marks local fields. */

import { formatSpanishPhone } from '../advertisers.ts'
import type { Condition, Feature, Subtype } from '../listing.ts'
import { hasFeature } from '../listing.ts'
import { getOfficialCodes } from '../official-codes.ts'
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
    ListingKey: textField(({ attributes }) => toKey(attributes.id)),
    ListingId: textField(({ attributes }) => `G${attributes.id.slice(-7)}`),
    StandardStatus: textField(({ isActive }) => (isActive ? 'Active' : 'Withdrawn')),
    MlsStatus: textField(({ isActive }) => (isActive ? 'En vigor' : 'Retirado')),
    PropertyType: textField(({ attributes }) => toPropertyType(attributes)),
    PropertySubType: textField(({ attributes }) => subtypes[attributes.subtype]),
    ListPrice: numberField(({ attributes }) => attributes.price),
    LivingArea: numberField(({ attributes }) => attributes.squareMeters),
    LivingAreaUnits: textField(() => 'Square Meters'),
    BedroomsTotal: numberField(({ attributes }) => attributes.bedrooms),
    BathroomsTotalInteger: numberField(({ attributes }) => attributes.bathrooms),
    EntryLevel: numberField(({ attributes }) => attributes.floor),
    YearBuilt: numberField(({ attributes }) => attributes.yearBuilt),
    UnparsedAddress: textField(({ listing }) => listing.address),
    SubdivisionName: textField(({ listing }) => listing.neighbourhood),
    City: textField(({ attributes }) => attributes.city.name),
    StateOrProvince: textField(({ attributes }) => attributes.city.province),
    PostalCode: textField(({ listing }) => listing.postcode),
    Country: textField(() => 'ES'),
    X_MunicipalityCode: textField(({ attributes }) => getOfficialCodes(attributes.city).municipality),
    X_ProvinceCode: textField(({ attributes }) => getOfficialCodes(attributes.city).province),
    Latitude: numberField(({ attributes }) => attributes.latitude),
    Longitude: numberField(({ attributes }) => attributes.longitude),
    ...createAdvertiserFields(),
    ...createFeatureFields(),
    PublicRemarks: textField(({ listing }) => listing.description),
    ListingURL: textField(({ attributes }) => `${origin}/propiedad/${toKey(attributes.id)}`),
    PhotosCount: numberField(({ listing }) => listing.photoCount),
    DaysOnMarket: numberField(({ attributes }) => Math.ceil((asOf - attributes.publishedAt) / dayMs)),
    OriginalEntryTimestamp: { type: 'date', read: ({ attributes }) => attributes.publishedAt },
    ModificationTimestamp: { type: 'date', read: ({ modifiedAt }) => modifiedAt },
    OriginatingSystemName: textField(() => 'Portal G'),
  }
}

/** An agency is the office; a private seller is the owner. */
function createAdvertiserFields(): Record<string, Field> {
  const ifAgency = (read: (row: Row) => string) =>
    textField(row => (row.attributes.isPrivateAdvertiser ? null : read(row)))
  const ifOwner = (read: (row: Row) => string) =>
    textField(row => (row.attributes.isPrivateAdvertiser ? read(row) : null))
  return {
    ListAgentFullName: ifAgency(({ index }) => agentNames[index % agentNames.length]!),
    // Numbers of agents are not published.
    ListAgentDirectPhone: textField(() => null),
    ListAgentEmail: textField(() => null),
    ListOfficeName: ifAgency(({ listing }) => listing.advertiser.name),
    ListOfficePhone: ifAgency(({ listing }) => formatSpanishPhone(listing.advertiser.phone)),
    OwnerName: ifOwner(({ listing }) => listing.advertiser.name),
    OwnerPhone: ifOwner(({ listing }) => formatSpanishPhone(listing.advertiser.phone)),
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

function textField(read: (row: Row) => string | null): Field {
  return { type: 'string', read }
}

function numberField(read: (row: Row) => number | null): Field {
  return { type: 'number', read }
}
