// The words, numbers and addresses in which portal_b speaks of what is advertised.
import { slugOf } from '../../domain/slug.ts'
import type { Advert, Feature, Operation, PropertyType } from '../advert.ts'
import { capital, thousands } from '../spanish.ts'

export const OPERATION_WORDS: Record<Operation, { slug: string; label: string; id: number }> = {
  sale: { slug: 'comprar', label: 'venta', id: 1 },
  rent: { slug: 'alquiler', label: 'alquiler', id: 3 },
}

interface PropertyWords {
  /** In the address of a search, and of an advert. */
  slug: string
  detailSlug: string
  label: string
  buildingType: string
  id: number
}

export const PROPERTY_WORDS: Record<PropertyType, PropertyWords> = {
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

/** What the portal knows to say of an advert: its key, its number in searches, its word in addresses. */
export const EXTRAS: readonly (readonly [feature: Feature, key: string, id: number, slug: string])[] = [
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

export const CLIENT_TYPES = {
  private: { id: 1, name: 'private' },
  agency: { id: 3, name: 'professional' },
} as const

// Every portal numbers the adverts that it shows for itself.
const ID_PREFIX = '2'

export function listingIdOf(advertId: string): string {
  return ID_PREFIX + advertId
}

/** Nothing for an id that is none of this portal's. */
export function advertIdOf(listingId: string): string | undefined {
  return listingId.startsWith(ID_PREFIX) ? listingId.slice(ID_PREFIX.length) : undefined
}

/** `/es/comprar/vivienda/madrid/terraza-ascensor/2100000123/d` */
export function detailPath(advert: Advert): string {
  const extras = EXTRAS.filter(([feature]) => advert.features.includes(feature)).map(([, , , slug]) => slug)
  const what = extras.length > 0 ? extras.join('-') : slugOf(advert.neighbourhood)
  const words = [OPERATION_WORDS[advert.operation].slug, PROPERTY_WORDS[advert.propertyType].detailSlug]
  return `/es/${words.join('/')}/${advert.citySlug}/${what}/${listingIdOf(advert.id)}/d`
}

export function photoPath(advertId: string, number: number): string {
  return `/images/ads/${listingIdOf(advertId)}-${number}?rule=original`
}

/** "374.000 €", "1.250 € /mes". */
export function priceText({ price, operation }: Pick<Advert, 'price' | 'operation'>): string {
  return `${thousands(price)} €${operation === 'rent' ? ' /mes' : ''}`
}

/** "Piso en venta en Malasaña, Madrid": the portal writes the titles itself. */
export function titleOf(advert: Advert): string {
  return `${nounOf(advert)} en ${OPERATION_WORDS[advert.operation].label} en ${advert.neighbourhood}, ${advert.city}`
}

export function nounOf({ subtype, features }: Pick<Advert, 'subtype' | 'features'>): string {
  const nouns = {
    flat: features.includes('top_floor') ? 'ático' : 'piso',
    duplex: 'dúplex',
    studio: 'estudio',
    office: 'oficina',
    shop: 'local comercial',
    garage: 'garaje',
  }
  return capital(nouns[subtype])
}

/** The street without the number. */
export function streetOf({ address }: Pick<Advert, 'address'>): string {
  return address.slice(0, address.lastIndexOf(', '))
}
