// The fields of a property in portal_g, by the names of the RESO Data Dictionary 2.0; `X_` marks those of its own.
import type { Condition, Feature, Subtype } from '../advert.ts'
import { hasFeature } from '../advert.ts'
import { spanishPhone } from '../advertisers.ts'
import { officialCodes } from '../official-codes.ts'
import type { Row } from './rows.ts'

export type Value = string | number | boolean | null

export type Field =
  | { type: 'string'; read(row: Row): string | null }
  | { type: 'number'; read(row: Row): number | null }
  | { type: 'boolean'; read(row: Row): boolean | null }
  /** Milliseconds since 1970. */
  | { type: 'date'; read(row: Row): number }
  | { type: 'collection'; read(row: Row): string[] }

/** Its own keys for the adverts that other portals show as well. */
const KEY_PREFIX = 'ESG-'
const DAY_MS = 86_400_000
const SUBTYPES: Record<Subtype, string> = {
  flat: 'Apartment',
  duplex: 'Condominium',
  studio: 'Apartment',
  office: 'Office',
  shop: 'Retail',
  garage: 'Deeded Parking',
}
const CONDITIONS: Record<Condition, string> = {
  new: 'New Construction',
  good: 'Good Condition',
  to_renovate: 'Fixer',
}
const AGENT_NAMES = ['Lucía Prado', 'Marcos Rey', 'Nerea Soto', 'Iván Cuesta', 'Olga Mira', 'Tomás Lara']

export function keyOf(id: string): string {
  return KEY_PREFIX + id
}

export function idOfKey(key: string): string | undefined {
  return key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : undefined
}

/** `asOf` is the present of the world in milliseconds, `origin` the portal's own address. */
export function createFields(asOf: number, origin: string): Record<string, Field> {
  return {
    ListingKey: text(({ figures }) => keyOf(figures.id)),
    ListingId: text(({ figures }) => `G${figures.id.slice(-7)}`),
    StandardStatus: text(({ isActive }) => (isActive ? 'Active' : 'Withdrawn')),
    MlsStatus: text(({ isActive }) => (isActive ? 'En vigor' : 'Retirado')),
    PropertyType: text(({ figures }) => propertyTypeOf(figures)),
    PropertySubType: text(({ figures }) => SUBTYPES[figures.subtype]),
    ListPrice: number(({ figures }) => figures.price),
    LivingArea: number(({ figures }) => figures.squareMeters),
    LivingAreaUnits: text(() => 'Square Meters'),
    BedroomsTotal: number(({ figures }) => figures.bedrooms),
    BathroomsTotalInteger: number(({ figures }) => figures.bathrooms),
    EntryLevel: number(({ figures }) => figures.floor),
    YearBuilt: number(({ figures }) => figures.yearBuilt),
    UnparsedAddress: text(({ advert }) => advert.address),
    SubdivisionName: text(({ advert }) => advert.neighbourhood),
    City: text(({ figures }) => figures.city.name),
    StateOrProvince: text(({ figures }) => figures.city.province),
    PostalCode: text(({ advert }) => advert.postcode),
    Country: text(() => 'ES'),
    X_MunicipalityCode: text(({ figures }) => officialCodes(figures.city).municipality),
    X_ProvinceCode: text(({ figures }) => officialCodes(figures.city).province),
    Latitude: number(({ figures }) => figures.latitude),
    Longitude: number(({ figures }) => figures.longitude),
    ...advertiserFields(),
    ...featureFields(),
    PublicRemarks: text(({ advert }) => advert.description),
    ListingURL: text(({ figures }) => `${origin}/propiedad/${keyOf(figures.id)}`),
    PhotosCount: number(({ advert }) => advert.photoCount),
    DaysOnMarket: number(({ figures }) => Math.ceil((asOf - figures.publishedAt) / DAY_MS)),
    OriginalEntryTimestamp: { type: 'date', read: ({ figures }) => figures.publishedAt },
    ModificationTimestamp: { type: 'date', read: ({ modifiedAt }) => modifiedAt },
    OriginatingSystemName: text(() => 'Portal G'),
  }
}

/** An office lists for its clients; an owner who lists for himself is told as the owner. */
function advertiserFields(): Record<string, Field> {
  const ofAgency = (read: (row: Row) => string) =>
    text(row => (row.figures.privateAdvertiser ? null : read(row)))
  const ofOwner = (read: (row: Row) => string) =>
    text(row => (row.figures.privateAdvertiser ? read(row) : null))
  return {
    ListAgentFullName: ofAgency(({ index }) => AGENT_NAMES[index % AGENT_NAMES.length]!),
    // Offices keep the numbers of their agents to themselves.
    ListAgentDirectPhone: text(() => null),
    ListAgentEmail: text(() => null),
    ListOfficeName: ofAgency(({ advert }) => advert.advertiser.name),
    ListOfficePhone: ofAgency(({ advert }) => spanishPhone(advert.advertiser.phone)),
    OwnerName: ofOwner(({ advert }) => advert.advertiser.name),
    OwnerPhone: ofOwner(({ advert }) => spanishPhone(advert.advertiser.phone)),
  }
}

function featureFields(): Record<string, Field> {
  const words = (byFeature: readonly (readonly [Feature, string])[]): Field => ({
    type: 'collection',
    read: ({ figures }) =>
      byFeature.filter(([feature]) => hasFeature(figures, feature)).map(([, word]) => word),
  })
  return {
    PropertyCondition: {
      type: 'collection',
      read: ({ figures }) => (figures.condition === null ? [] : [CONDITIONS[figures.condition]]),
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

function propertyTypeOf({ propertyType, operation }: Row['figures']): string {
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
