/** Converts a parsed listing to the property of a sheet, without the advertiser's personal data. */
import type { Listing } from '../../domain/listing/listing.ts'
import type { ParsedListing } from '../../domain/listing/parse-listing.ts'
import type { FichaContent, PropertyField } from './content.ts'
import { redactContact } from './redact-contact.ts'
import {
  descriptionLengthMax,
  type FichaProperty,
  photosMax,
  textLengthMax,
  titleLengthMax,
} from './sheet-schemas.ts'

export interface ReadProperty extends Pick<FichaContent, 'property' | 'evidence' | 'energy'> {
  /** URLs, in the order of the page. */
  photoUrls: string[]
}

const lengths: Partial<Record<PropertyField, number>> = {
  title: titleLengthMax,
  description: descriptionLengthMax,
  postcode: 20,
}

/** `country`: ISO 3166-1 alpha-2, of the portal. */
export function toProperty({ listing, provenance }: ParsedListing, country: string): ReadProperty {
  const names = listing.contact.name === null ? [] : [listing.contact.name]
  const property = limitTexts({
    ...pickListingFields(listing),
    title: redactContact(listing.title),
    description: redactContact(listing.description, names),
    subtype: null,
    pricePeriod: listing.operation === 'rent' && listing.price !== null ? 'month' : null,
    usableSquareMeters: null,
    plotSquareMeters: null,
    yearBuilt: null,
    neighbourhood: null,
    country: toCountry(listing, country),
    reference: null,
  })
  const evidence: FichaContent['evidence'] = {}
  for (const [field, value] of Object.entries(property)) {
    const source = provenance[field as keyof typeof provenance]
    const isStated = value !== null && !(Array.isArray(value) && value.length === 0)
    if (source && isStated) evidence[field] = { source, where: null, confidence: null }
  }
  return {
    property,
    evidence,
    energy: { rating: null, emissions: null, consumptionKwhM2: null },
    photoUrls: listing.images.slice(0, photosMax),
  }
}

function pickListingFields(listing: Listing) {
  const { operation, propertyType, price, currency, squareMeters, rooms, bedrooms, bathrooms } = listing
  const { floor, floorText, condition, features, address, municipality, province, postcode } = listing
  const { latitude, longitude } = listing
  return {
    operation,
    propertyType,
    price,
    currency,
    squareMeters,
    rooms,
    bedrooms,
    bathrooms,
    floor,
    floorText,
    condition,
    features,
    address,
    municipality,
    province,
    postcode,
    latitude,
    longitude,
  }
}

/** Spanish portals list Portuguese properties too; the form of their postcodes tells them apart. */
function toCountry({ postcode }: Listing, country: string): string {
  return postcode !== null && /^\d{4}-\d{3}$/.test(postcode) ? 'PT' : country
}

function limitTexts(property: FichaProperty): FichaProperty {
  const entries = Object.entries(property).map(([field, value]) => {
    const max = lengths[field as PropertyField] ?? textLengthMax
    return [field, typeof value === 'string' ? truncate(value, max) : value]
  })
  return Object.fromEntries(entries) as FichaProperty
}

function truncate(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…`.toWellFormed() : text
}
