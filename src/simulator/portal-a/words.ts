// The Spanish words and addresses in which portal_a speaks of what is advertised.
import type { Advert, Condition, Energy, Feature, Figures, Operation, PropertyType } from '../advert.ts'
import { capital, counted, thousands } from '../spanish.ts'

export const OPERATION_WORDS: Record<Operation, { slug: string; label: string }> = {
  sale: { slug: 'venta', label: 'Venta' },
  rent: { slug: 'alquiler', label: 'Alquiler' },
}

export const PROPERTY_WORDS: Record<PropertyType, { slug: string; label: string }> = {
  homes: { slug: 'viviendas', label: 'Viviendas' },
  offices: { slug: 'oficinas', label: 'Oficinas' },
  premises: { slug: 'locales', label: 'Locales' },
  garages: { slug: 'garajes', label: 'Garajes' },
}

const CONDITION_WORDS: Record<Condition, string> = {
  new: 'Promoción de obra nueva',
  good: 'Segunda mano/buen estado',
  to_renovate: 'Segunda mano/para reformar',
}

// Lift, exterior and interior are told in the line of the floor.
const FEATURE_WORDS: readonly (readonly [Feature, string])[] = [
  ['terrace', 'Terraza'],
  ['balcony', 'Balcón'],
  ['parking', 'Plaza de garaje incluida en el precio'],
  ['pool', 'Piscina'],
  ['garden', 'Jardín'],
  ['air_conditioning', 'Aire acondicionado'],
  ['storage_room', 'Trastero'],
  ['fitted_wardrobes', 'Armarios empotrados'],
  ['concierge', 'Portero'],
  ['top_floor', 'Última planta'],
]

export function searchPath(operation: Operation, propertyType: PropertyType, citySlug: string): string {
  return `/${OPERATION_WORDS[operation].slug}/${PROPERTY_WORDS[propertyType].slug}/${citySlug}/`
}

export function listingPath(id: string): string {
  return `/inmueble/${id}/`
}

export function photoPath(id: string, number: number): string {
  return `/fotos/${id}/${number}.png`
}

/** "374.000 €", "1.250 €/mes". */
export function priceText({ price, operation }: Pick<Figures, 'price' | 'operation'>): string {
  return `${thousands(price)} €${operation === 'rent' ? '/mes' : ''}`
}

/** "Planta 3ª exterior con ascensor", "Bajo interior", "Exterior"; nothing if all of it is unstated. */
export function floorText({ floor, features }: Pick<Advert, 'floor' | 'features'>): string {
  const parts: string[] = []
  if (floor !== null) parts.push(floor > 0 ? `Planta ${floor}ª` : floor === 0 ? 'Bajo' : 'Sótano')
  if (features.includes('exterior')) parts.push('exterior')
  if (features.includes('interior')) parts.push('interior')
  if (features.includes('lift')) parts.push('con ascensor')
  return capital(parts.join(' '))
}

/** What is stated of an advert, line by line; what is not stated has no line. */
export function detailLines(advert: Advert): string[] {
  const lines = [`${thousands(advert.squareMeters)} m² construidos`]
  if (advert.bedrooms !== null) lines.push(capital(counted(advert.bedrooms, 'habitación', 'habitaciones')))
  if (advert.bathrooms !== null) lines.push(capital(counted(advert.bathrooms, 'baño', 'baños')))
  if (advert.condition !== null) lines.push(CONDITION_WORDS[advert.condition])
  const floor = floorText(advert)
  if (floor !== '') lines.push(floor)
  if (advert.yearBuilt !== null) lines.push(`Construido en ${advert.yearBuilt}`)
  for (const [feature, words] of FEATURE_WORDS) if (advert.features.includes(feature)) lines.push(words)
  return lines
}

/** "Clase D", "En trámite", "Inmueble exento". */
export function energyText(energy: Energy): string {
  if (energy === 'in_progress') return 'En trámite'
  return energy === 'exempt' ? 'Inmueble exento' : `Clase ${energy}`
}
