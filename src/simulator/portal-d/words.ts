/** Portuguese words, paths and identifiers of portal_d. */
import type {
  Condition,
  Energy,
  Feature,
  ListingAttributes,
  Operation,
  PropertyType,
  SimulatedListing,
} from '../listing.ts'
import { formatThousands } from '../spanish.ts'

export const operationWords: Record<Operation, string> = { sale: 'vender', rent: 'arrendar' }
export const operationLabels: Record<Operation, string> = { sale: 'para venda', rent: 'para arrendar' }
export const categoryWords: Record<PropertyType, string> = {
  homes: 'habitacao',
  offices: 'escritorios',
  premises: 'lojas',
  garages: 'garagens',
}
export const categoryLabels: Record<PropertyType, string> = {
  homes: 'Apartamentos e moradias',
  offices: 'Escritórios',
  premises: 'Lojas',
  garages: 'Garagens',
}
export const conditionLabels: Record<Condition, string> = {
  new: 'Novo',
  good: 'Usado - bom estado',
  to_renovate: 'Para recuperar',
}
const labelsByFeature: Record<Feature, string> = {
  lift: 'Elevador',
  terrace: 'Terraço',
  balcony: 'Varanda',
  parking: 'Lugar de garagem incluído no preço',
  pool: 'Piscina',
  garden: 'Jardim',
  air_conditioning: 'Ar condicionado',
  storage_room: 'Arrecadação',
  fitted_wardrobes: 'Roupeiros embutidos',
  concierge: 'Porteiro',
  exterior: 'Exterior',
  interior: 'Interior',
  top_floor: 'Último andar',
}

/** DICOFRE codes: two digits for a district, four for a concelho. */
const zones: Record<string, string> = {
  'lisboa-1106': 'lisboa',
  'cascais-1105': 'cascais',
  'porto-1312': 'porto',
  'vila-nova-de-gaia-1317': 'vila-nova-de-gaia',
  'braga-0303': 'braga',
  'guimaraes-0308': 'guimaraes',
  'coimbra-0603': 'coimbra',
  'faro-0805': 'faro',
  'setubal-1512': 'setubal',
  'lisboa-11': 'lisboa-provincia',
  'porto-13': 'porto-provincia',
  'braga-03': 'braga-provincia',
  'coimbra-06': 'coimbra-provincia',
  'faro-08': 'faro-provincia',
  'setubal-15': 'setubal-provincia',
}

export const zoneIds = Object.keys(zones)

/** The world's slug of a zone of the portal; undefined for an unknown zone. */
export function findCityByZone(zone: string): string | undefined {
  return Object.hasOwn(zones, zone) ? zones[zone] : undefined
}

/** "Lisboa" of `lisboa-1106`, as headings write it. */
export function getZoneName(zone: string): string {
  const words = zone.replace(/-\d+$/, '').split('-')
  return words.map(word => (word === 'de' ? word : word.charAt(0).toUpperCase() + word.slice(1))).join(' ')
}

/** The portal numbers listings in base 36. */
export function toListingId(id: string): string {
  return Number(id).toString(36).toUpperCase()
}

export function toWorldId(listingId: string): string {
  return String(Number.parseInt(listingId, 36))
}

export function toListingPath(listing: Pick<SimulatedListing, 'id' | 'citySlug' | 'propertyType'>): string {
  return `/anuncio/${categoryWords[listing.propertyType]}-${listing.citySlug}-ID${toListingId(listing.id)}.htm`
}

export function toPhotoPath(id: string, number: number): string {
  return `/fotos/${toListingId(id)}_${number}.png`
}

/** "250.000 €", "1.250 €/mês". */
export function formatPrice({ price, operation }: Pick<ListingAttributes, 'price' | 'operation'>): string {
  return `${formatThousands(price)} €${operation === 'rent' ? '/mês' : ''}`
}

/** "Rés do chão", "Cave", "3º andar". */
export function formatFloor(floor: number): string {
  if (floor < 0) return 'Cave'
  return floor === 0 ? 'Rés do chão' : `${floor}º andar`
}

/** Label and value of each stated fact; unstated facts have no line. */
export function listDetailLines(listing: SimulatedListing): [label: string, value: string][] {
  const lines: [string, string | null][] = [
    ['Tipologia', listing.bedrooms === null ? null : `T${listing.bedrooms}`],
    ['Área bruta', `${formatThousands(listing.squareMeters)} m²`],
    ['Casas de banho', listing.bathrooms === null ? null : String(listing.bathrooms)],
    ['Andar', listing.floor === null ? null : formatFloor(listing.floor)],
    ['Estado', listing.condition === null ? null : conditionLabels[listing.condition]],
    ['Ano de construção', listing.yearBuilt === null ? null : String(listing.yearBuilt)],
    ['Certificado energético', listing.energy === null ? null : formatEnergy(listing.energy)],
  ]
  return lines.flatMap(([label, value]) => (value === null ? [] : [[label, value] as [string, string]]))
}

export function toFeatureLabels(listing: SimulatedListing): string[] {
  return listing.features.map(feature => labelsByFeature[feature])
}

function formatEnergy(energy: Energy): string {
  if (energy === 'in_progress') return 'Em curso'
  return energy === 'exempt' ? 'Isento' : energy
}

/** A number as the Portuguese write it: "912 345 678", "218 123 456". */
export function formatPortuguesePhone(e164: string): string {
  return e164.slice(4).replace(/(\d{3})(\d{3})(\d{3})/, '$1 $2 $3')
}
