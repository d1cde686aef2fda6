/** The columns of `leads` that a listing fills, and the conversion of its values. */
import type { Listing } from '../../../domain/listing/listing.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'

/** The PostgreSQL type of each column. */
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
export const contactColumns: Column[] = ['contact_name', 'phone', 'phone_raw', 'email', 'advertiser_type']

/** Columns that form one value: they are always taken from the same source. */
export const columnGroups: Column[][] = [
  ['price', 'currency'],
  ['latitude', 'longitude'],
  ['phone', 'phone_raw'],
  ['floor_text', 'floor'],
]

/**
 * Truncates: two and a half bathrooms are two. Null for a number that the column can't hold, which would fail the
 * whole page.
 */
export function toInteger(count: number | null): number | null {
  return count !== null && Math.abs(count) < 2 ** 31 ? Math.trunc(count) : null
}

/** Rounds as the column does: otherwise the value would look changed at each comparison. Null from `limit` on. */
export function roundToCents(amount: number | null, limit: number): number | null {
  return amount !== null && Math.abs(amount) < limit ? Math.round(amount * 100) / 100 : null
}

const toText = (value: string | null) => (value === null ? null : sanitizeText(value))

/** A listing as a row; null for values that it does not state. */
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
