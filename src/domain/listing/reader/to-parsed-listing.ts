/** Converts what the general reader finds into the common format of listings. */
import { toE164 } from '../../contact/phone.ts'
import type { Listing, Provenance, Source } from '../listing.ts'
import type { PageContext, ParsedListing } from '../parse-listing.ts'
import type { Evidence, ListingField, ListingValues, PageListing, ReaderSource } from './page-listing.ts'

const sources: Record<ReaderSource, Source> = {
  state: 'state',
  'json-ld': 'json-ld',
  microdata: 'microdata',
  opengraph: 'opengraph',
  pairs: 'markup',
  text: 'text',
  url: 'url',
  derived: 'text',
  context: 'portal',
}

/** Fields that both formats have under the same name. */
const sameFields = [
  'operation',
  'propertyType',
  'title',
  'description',
  'price',
  'currency',
  'squareMeters',
  'rooms',
  'bedrooms',
  'bathrooms',
  'floor',
  'floorText',
  'condition',
  'features',
  'address',
  'municipality',
  'province',
  'postcode',
  'latitude',
  'longitude',
  'images',
  'publishedAt',
] as const satisfies readonly (ListingField & keyof Listing)[]

/** A rent for another period than a month has no price in the common format. */
export function toParsedListing({ values, evidence }: PageListing, context: PageContext): ParsedListing {
  const isOtherPeriod = values.pricePeriod !== null && values.pricePeriod !== 'month'
  const { advertiserName, advertiserPhone, advertiserType } = values
  const listing: Listing = {
    ...pickSameFields(values),
    price: isOtherPeriod ? null : values.price,
    currency: isOtherPeriod || values.price === null ? null : (values.currency ?? context.currency),
    url: context.url,
    contact: {
      name: advertiserName,
      phone: advertiserPhone === null ? null : toE164(advertiserPhone, context.country),
      phoneRaw: advertiserPhone,
      email: null,
      advertiserType,
    },
  }
  return { listing, provenance: toProvenance(listing, evidence) }
}

function pickSameFields(values: ListingValues): Pick<ListingValues, (typeof sameFields)[number]> {
  return Object.fromEntries(sameFields.map(field => [field, values[field]])) as Pick<
    ListingValues,
    (typeof sameFields)[number]
  >
}

function toProvenance(listing: Listing, evidence: Evidence): Provenance {
  const provenance: Provenance = { url: 'url' }
  const isKnown = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0)
  const toSource = (field: ListingField): Source => sources[evidence[field]?.source ?? 'context']
  for (const field of sameFields) if (isKnown(listing[field])) provenance[field] = toSource(field)
  const { contact } = listing
  if (contact.name !== null) provenance['contact.name'] = toSource('advertiserName')
  if (contact.phoneRaw !== null) provenance['contact.phoneRaw'] = toSource('advertiserPhone')
  if (contact.phone !== null) provenance['contact.phone'] = toSource('advertiserPhone')
  if (contact.advertiserType !== null) provenance['contact.advertiserType'] = toSource('advertiserType')
  return provenance
}
