/** Columns of `leads` that an advert fills, and how its values become theirs. */
import type { Listing } from '../../../domain/listing/listing.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'

/** Their types. */
export const columns = {
  contact_name: 'text',
  phone: 'text',
  phone_raw: 'text',
  email: 'text',
  advertiser_type: 'text',
  operation: 'text',
  property_type: 'text',
  title: 'text',
  description: 'text',
  price: 'numeric',
  currency: 'text',
  square_meters: 'numeric',
  rooms: 'integer',
  bedrooms: 'integer',
  bathrooms: 'integer',
  floor: 'float8',
  floor_text: 'text',
  condition: 'text',
  features: 'text[]',
  address: 'text',
  municipality: 'text',
  province: 'text',
  postcode: 'text',
  latitude: 'float8',
  longitude: 'float8',
  images: 'text[]',
  url: 'text',
  published_at: 'timestamptz',
} as const

export type Column = keyof typeof columns
export const columnNames = Object.keys(columns) as Column[]
/** Those that say whom to contact. */
export const contactColumns: Column[] = ['contact_name', 'phone', 'phone_raw', 'email', 'advertiser_type']

/** One value in two columns each: with half of it from elsewhere it would be nobody's. */
export const columnGroups: Column[][] = [
  ['price', 'currency'],
  ['latitude', 'longitude'],
  ['phone', 'phone_raw'],
  ['floor_text', 'floor'],
]

/** Whole things are counted: two bathrooms and a half are two. What no column holds would fail the whole page. */
export function toInteger(count: number | null): number | null {
  return count !== null && Math.abs(count) < 2 ** 31 ? Math.trunc(count) : null
}

/** As the column keeps it: what is rounded there and not here would look changed for ever. */
export function roundToCents(amount: number | null, limit: number): number | null {
  return amount !== null && Math.abs(amount) < limit ? Math.round(amount * 100) / 100 : null
}

const toText = (value: string | null) => (value === null ? null : sanitizeText(value))

/** As the columns keep it; null for what the advert does not say. */
export function toRow({ contact, ...listing }: Listing) {
  return {
    contact_name: toText(contact.name),
    phone: contact.phone,
    phone_raw: toText(contact.phoneRaw),
    email: toText(contact.email),
    advertiser_type: contact.advertiserType,
    operation: listing.operation,
    property_type: listing.propertyType,
    title: toText(listing.title),
    description: toText(listing.description),
    price: roundToCents(listing.price, 1e12),
    currency: listing.currency,
    square_meters: roundToCents(listing.squareMeters, 1e8),
    rooms: toInteger(listing.rooms),
    bedrooms: toInteger(listing.bedrooms),
    bathrooms: toInteger(listing.bathrooms),
    floor: listing.floor,
    floor_text: toText(listing.floorText),
    condition: listing.condition,
    features: listing.features.map(sanitizeText),
    address: toText(listing.address),
    municipality: toText(listing.municipality),
    province: toText(listing.province),
    postcode: toText(listing.postcode),
    latitude: listing.latitude,
    longitude: listing.longitude,
    images: listing.images.map(sanitizeText),
    url: toText(listing.url),
    published_at: listing.publishedAt,
  } satisfies Record<Column, unknown>
}
