/** The sheet as a schema.org `RealEstateListing`, for search engines and messengers. */

import type { PropertySubtype } from '../../../domain/listing/reader/page-listing.ts'
import type { SheetContent } from './content.ts'
import type { Sheet, SheetProperty } from './sheet.ts'

const kinds: Record<PropertySubtype, string> = {
  apartment: 'Apartment',
  house: 'House',
  duplex: 'Apartment',
  penthouse: 'Apartment',
  studio: 'Apartment',
  loft: 'Apartment',
  room: 'Room',
  land: 'Place',
  building: 'ApartmentComplex',
  office: 'Place',
  premises: 'Place',
  garage: 'Place',
  storage: 'Place',
  mobile_home: 'House',
}

/** The most photos that are listed. */
const imagesMax = 10

/** Returns JSON for a `script` element. Undefined fields are left out. */
export function toJsonLd(sheet: Sheet, content: SheetContent, canonicalUrl: string | null): string {
  const { property } = sheet
  const listing = {
    '@context': 'https://schema.org',
    '@type': 'RealEstateListing',
    name: content.title,
    description: content.paragraphs.join('\n') || undefined,
    url: canonicalUrl ?? undefined,
    inLanguage: content.locale,
    datePosted: sheet.issuedAt.toString().slice(0, 10),
    image: toImages(sheet, canonicalUrl),
    offers: toOffer(sheet, content),
    mainEntity: {
      '@type': property.subtype ? kinds[property.subtype] : 'Accommodation',
      name: content.title,
      floorSize: toArea(property.squareMeters ?? property.usableSquareMeters),
      numberOfRooms: property.rooms ?? undefined,
      numberOfBedrooms: property.bedrooms ?? undefined,
      numberOfBathroomsTotal: property.bathrooms ?? undefined,
      yearBuilt: property.yearBuilt ?? undefined,
      address: toAddress(property),
      geo:
        property.latitude === null || property.longitude === null
          ? undefined
          : { '@type': 'GeoCoordinates', latitude: property.latitude, longitude: property.longitude },
      amenityFeature: content.features.map(name => ({
        '@type': 'LocationFeatureSpecification',
        name,
        value: true,
      })),
    },
  }
  // A script element ends at the first `</script`, even inside a string.
  return JSON.stringify(listing).replaceAll('<', '\\u003c')
}

/** The absolute URL of the largest source of each photo that has one. */
export function toImages(
  { photos }: Pick<Sheet, 'photos'>,
  canonicalUrl: string | null,
): string[] | undefined {
  const urls = photos.slice(0, imagesMax).flatMap(({ sources }) => {
    const source = sources.at(-1)
    return source && 'url' in source && canonicalUrl ? [new URL(source.url, canonicalUrl).href] : []
  })
  return urls.length > 0 ? urls : undefined
}

function toOffer({ property }: Sheet, { letterhead, contact }: SheetContent): object {
  const isPriced = property.price !== null && property.currency !== null
  return {
    '@type': 'Offer',
    price: isPriced ? property.price : undefined,
    priceCurrency: isPriced ? property.currency : undefined,
    businessFunction:
      property.operation === null
        ? undefined
        : `http://purl.org/goodrelations/v1#${property.operation === 'rent' ? 'LeaseOut' : 'Sell'}`,
    seller: letterhead.agency
      ? {
          '@type': 'RealEstateAgent',
          name: letterhead.agency,
          telephone: contact.phone ?? undefined,
        }
      : undefined,
  }
}

function toArea(value: number | null): object | undefined {
  return value === null ? undefined : { '@type': 'QuantitativeValue', value, unitCode: 'MTK' }
}

function toAddress(property: SheetProperty): object {
  return {
    '@type': 'PostalAddress',
    streetAddress: property.address ?? undefined,
    postalCode: property.postcode ?? undefined,
    addressLocality: property.municipality ?? undefined,
    addressRegion: property.province ?? undefined,
    addressCountry: property.country ?? undefined,
  }
}
