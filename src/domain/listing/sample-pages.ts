/** Sample pages for the tests of this folder. */
import { type ParsedListing, parseListing } from './parse-listing.ts'

export const urlOfPage = 'https://portal.example/inmueble/1/'

export function readSamplePage(html: string): ParsedListing | null {
  return parseListing({ html, url: urlOfPage, country: 'ES', currency: 'EUR' })
}

/** A head with these JSON-LD blocks. A string is inserted as it is and may be invalid JSON. */
export function jsonLdScript(...blocks: unknown[]): string {
  const scripts = blocks.map(block => (typeof block === 'string' ? block : JSON.stringify(block)))
  return `<head>${scripts.map(text => `<script type="application/ld+json">${text}</script>`).join('\n')}</head>`
}

export const offer = { '@type': 'Offer', price: 374000, priceCurrency: 'EUR' }
export const dwelling = {
  '@type': 'Apartment',
  address: { streetAddress: 'Carrer de Sants, 1', addressLocality: 'Barcelona', postalCode: '08014' },
  geo: { '@type': 'GeoCoordinates', latitude: 41.37414612345678, longitude: 2.139515 },
  floorSize: { value: 86, unitCode: 'MTK' },
  numberOfRooms: 3,
}
export const listing = { '@type': 'RealEstateListing', name: 'Piso en Sants' }
export const portal = {
  '@type': 'Organization',
  name: 'Portal',
  telephone: '900 123 456',
  address: { streetAddress: 'Gran Vía, 1' },
}
export const other = {
  ...listing,
  url: 'https://portal.example/inmueble/2/',
  offers: { ...offer, price: 1 },
  about: { ...dwelling, numberOfRooms: 9 },
}
