/** Words, numbers and paths of portal_b. */
import { toSlug } from '../../domain/slug.ts'
import type { Feature, Operation, PropertyType, SimulatedListing } from '../listing.ts'
import { capitalize, formatThousands } from '../spanish.ts'

export const operationWords: Record<Operation, { slug: string; label: string; id: number }> = {
  sale: { slug: 'comprar', label: 'venta', id: 1 },
  rent: { slug: 'alquiler', label: 'alquiler', id: 3 },
}

interface PropertyWords {
  /** Path segments of searches and of listings. */
  slug: string
  detailSlug: string
  label: string
  buildingType: string
  id: number
}

export const propertyWords: Record<PropertyType, PropertyWords> = {
  homes: {
    slug: 'viviendas',
    detailSlug: 'vivienda',
    label: 'Viviendas y casas',
    buildingType: 'Flat',
    id: 2,
  },
  premises: {
    slug: 'locales',
    detailSlug: 'local-comercial',
    label: 'Locales',
    buildingType: 'Local',
    id: 3,
  },
  garages: { slug: 'garajes', detailSlug: 'garaje', label: 'Garajes', buildingType: 'Garage', id: 5 },
  offices: { slug: 'oficinas', detailSlug: 'oficina', label: 'Oficinas', buildingType: 'Office', id: 7 },
}

/** The portal's features: key, number in searches, word in paths. */
export const extraFeatureNames: readonly (readonly [
  feature: Feature,
  key: string,
  id: number,
  slug: string,
])[] = [
  ['air_conditioning', 'air_conditioner', 1, 'aire-acondicionado'],
  ['fitted_wardrobes', 'cabinets', 2, 'armarios-empotrados'],
  ['parking', 'parking', 5, 'parking'],
  ['garden', 'private_garden', 7, 'jardin'],
  ['terrace', 'terrace', 10, 'terraza'],
  ['storage_room', 'storage_room', 11, 'trastero'],
  ['lift', 'elevator', 13, 'ascensor'],
  ['pool', 'swimming_pool', 17, 'piscina'],
  ['balcony', 'balcony', 32, 'balcon'],
]

export const clientTypes = {
  private: { id: 1, name: 'private' },
  agency: { id: 3, name: 'professional' },
} as const

// Each portal has its own numbers for listings.
const idPrefix = '2'

export function toListingId(worldId: string): string {
  return idPrefix + worldId
}

/** Undefined for an id of another portal. */
export function toWorldId(listingId: string): string | undefined {
  return listingId.startsWith(idPrefix) ? listingId.slice(idPrefix.length) : undefined
}

/** `/es/comprar/vivienda/madrid/terraza-ascensor/2100000123/d` */
export function toDetailPath(listing: SimulatedListing): string {
  const extras = extraFeatureNames
    .filter(([feature]) => listing.features.includes(feature))
    .map(([, , , slug]) => slug)
  const what = extras.length > 0 ? extras.join('-') : toSlug(listing.neighbourhood)
  const words = [operationWords[listing.operation].slug, propertyWords[listing.propertyType].detailSlug]
  return `/es/${words.join('/')}/${listing.citySlug}/${what}/${toListingId(listing.id)}/d`
}

export function toPhotoPath(worldId: string, number: number): string {
  return `/images/ads/${toListingId(worldId)}-${number}?rule=original`
}

/** "374.000 €", "1.250 € /mes". */
export function formatPrice({ price, operation }: Pick<SimulatedListing, 'price' | 'operation'>): string {
  return `${formatThousands(price)} €${operation === 'rent' ? ' /mes' : ''}`
}

/** "Piso en venta en Malasaña, Madrid": the portal generates the titles. */
export function formatTitle(listing: SimulatedListing): string {
  return `${toNoun(listing)} en ${operationWords[listing.operation].label} en ${listing.neighbourhood}, ${listing.city}`
}

export function toNoun({ subtype, features }: Pick<SimulatedListing, 'subtype' | 'features'>): string {
  const nouns = {
    flat: features.includes('top_floor') ? 'ático' : 'piso',
    duplex: 'dúplex',
    studio: 'estudio',
    office: 'oficina',
    shop: 'local comercial',
    garage: 'garaje',
  }
  return capitalize(nouns[subtype])
}

/** The street without the number. */
export function toStreet({ address }: Pick<SimulatedListing, 'address'>): string {
  return address.slice(0, address.lastIndexOf(', '))
}
