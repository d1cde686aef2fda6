/** Spanish words and paths of portal_a. */
import type {
  Condition,
  Energy,
  Feature,
  ListingAttributes,
  Operation,
  PropertyType,
  SimulatedListing,
} from '../listing.ts'
import { capitalize, formatCount, formatThousands } from '../spanish.ts'

export const operationWords: Record<Operation, { slug: string; label: string }> = {
  sale: { slug: 'venta', label: 'Venta' },
  rent: { slug: 'alquiler', label: 'Alquiler' },
}

export const propertyWords: Record<PropertyType, { slug: string; label: string }> = {
  homes: { slug: 'viviendas', label: 'Viviendas' },
  offices: { slug: 'oficinas', label: 'Oficinas' },
  premises: { slug: 'locales', label: 'Locales' },
  garages: { slug: 'garajes', label: 'Garajes' },
}

const conditionWords: Record<Condition, string> = {
  new: 'Promoción de obra nueva',
  good: 'Segunda mano/buen estado',
  to_renovate: 'Segunda mano/para reformar',
}

// The line of the floor states lift, exterior and interior.
const featureWords: readonly (readonly [Feature, string])[] = [
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

export function toSearchPath(operation: Operation, propertyType: PropertyType, citySlug: string): string {
  return `/${operationWords[operation].slug}/${propertyWords[propertyType].slug}/${citySlug}/`
}

export function toListingPath(id: string): string {
  return `/inmueble/${id}/`
}

export function toPhotoPath(id: string, number: number): string {
  return `/fotos/${id}/${number}.png`
}

/** "374.000 €", "1.250 €/mes". */
export function formatPrice({ price, operation }: Pick<ListingAttributes, 'price' | 'operation'>): string {
  return `${formatThousands(price)} €${operation === 'rent' ? '/mes' : ''}`
}

/** "Planta 3ª exterior con ascensor", "Bajo interior", "Exterior"; '' if nothing is stated. */
export function formatFloor({ floor, features }: Pick<SimulatedListing, 'floor' | 'features'>): string {
  const parts: string[] = []
  if (floor !== null) parts.push(floor > 0 ? `Planta ${floor}ª` : floor === 0 ? 'Bajo' : 'Sótano')
  if (features.includes('exterior')) parts.push('exterior')
  if (features.includes('interior')) parts.push('interior')
  if (features.includes('lift')) parts.push('con ascensor')
  return capitalize(parts.join(' '))
}

/** One line per stated fact; unstated facts have no line. */
export function listDetailLines(listing: SimulatedListing): string[] {
  const lines = [`${formatThousands(listing.squareMeters)} m² construidos`]
  if (listing.bedrooms !== null)
    lines.push(capitalize(formatCount(listing.bedrooms, 'habitación', 'habitaciones')))
  if (listing.bathrooms !== null) lines.push(capitalize(formatCount(listing.bathrooms, 'baño', 'baños')))
  if (listing.condition !== null) lines.push(conditionWords[listing.condition])
  const floor = formatFloor(listing)
  if (floor !== '') lines.push(floor)
  if (listing.yearBuilt !== null) lines.push(`Construido en ${listing.yearBuilt}`)
  for (const [feature, words] of featureWords) if (listing.features.includes(feature)) lines.push(words)
  return lines
}

/** "Clase D", "En trámite", "Inmueble exento". */
export function formatEnergy(energy: Energy): string {
  if (energy === 'in_progress') return 'En trámite'
  return energy === 'exempt' ? 'Inmueble exento' : `Clase ${energy}`
}
