// The Portuguese words, addresses and identifiers of portal_d.
import type { Advert, Condition, Energy, Feature, Figures, Operation, PropertyType } from '../advert.ts'
import { thousands } from '../spanish.ts'

export const OPERATION_WORDS: Record<Operation, string> = { sale: 'vender', rent: 'arrendar' }
export const OPERATION_LABELS: Record<Operation, string> = { sale: 'para venda', rent: 'para arrendar' }
export const CATEGORY_WORDS: Record<PropertyType, string> = {
  homes: 'habitacao',
  offices: 'escritorios',
  premises: 'lojas',
  garages: 'garagens',
}
export const CATEGORY_LABELS: Record<PropertyType, string> = {
  homes: 'Apartamentos e moradias',
  offices: 'Escritórios',
  premises: 'Lojas',
  garages: 'Garagens',
}
export const CONDITION_LABELS: Record<Condition, string> = {
  new: 'Novo',
  good: 'Usado - bom estado',
  to_renovate: 'Para recuperar',
}
const FEATURE_LABELS: Record<Feature, string> = {
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
const ZONES: Record<string, string> = {
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

export const ZONE_IDS = Object.keys(ZONES)

/** What the world calls a zone of the portal; nothing for one that it lacks. */
export function cityOfZone(zone: string): string | undefined {
  return Object.hasOwn(ZONES, zone) ? ZONES[zone] : undefined
}

/** "Lisboa" of `lisboa-1106`, as headings write it. */
export function zoneName(zone: string): string {
  const words = zone.replace(/-\d+$/, '').split('-')
  return words.map(word => (word === 'de' ? word : word.charAt(0).toUpperCase() + word.slice(1))).join(' ')
}

/** The portal numbers adverts in base 36. */
export function listingIdOf(id: string): string {
  return Number(id).toString(36).toUpperCase()
}

export function worldIdOf(listingId: string): string {
  return String(Number.parseInt(listingId, 36))
}

export function listingPath(advert: Pick<Advert, 'id' | 'citySlug' | 'propertyType'>): string {
  return `/anuncio/${CATEGORY_WORDS[advert.propertyType]}-${advert.citySlug}-ID${listingIdOf(advert.id)}.htm`
}

export function photoPath(id: string, number: number): string {
  return `/fotos/${listingIdOf(id)}_${number}.png`
}

/** "250.000 €", "1.250 €/mês". */
export function priceText({ price, operation }: Pick<Figures, 'price' | 'operation'>): string {
  return `${thousands(price)} €${operation === 'rent' ? '/mês' : ''}`
}

/** "Rés do chão", "Cave", "3º andar". */
export function floorText(floor: number): string {
  if (floor < 0) return 'Cave'
  return floor === 0 ? 'Rés do chão' : `${floor}º andar`
}

/** Label and value of what is stated; what is not stated has no line. */
export function detailLines(advert: Advert): [label: string, value: string][] {
  const lines: [string, string | null][] = [
    ['Tipologia', advert.bedrooms === null ? null : `T${advert.bedrooms}`],
    ['Área bruta', `${thousands(advert.squareMeters)} m²`],
    ['Casas de banho', advert.bathrooms === null ? null : String(advert.bathrooms)],
    ['Andar', advert.floor === null ? null : floorText(advert.floor)],
    ['Estado', advert.condition === null ? null : CONDITION_LABELS[advert.condition]],
    ['Ano de construção', advert.yearBuilt === null ? null : String(advert.yearBuilt)],
    ['Certificado energético', advert.energy === null ? null : energyText(advert.energy)],
  ]
  return lines.flatMap(([label, value]) => (value === null ? [] : [[label, value] as [string, string]]))
}

export function featureLabels(advert: Advert): string[] {
  return advert.features.map(feature => FEATURE_LABELS[feature])
}

function energyText(energy: Energy): string {
  if (energy === 'in_progress') return 'Em curso'
  return energy === 'exempt' ? 'Isento' : energy
}

/** A number as the Portuguese write it: "912 345 678", "218 123 456". */
export function portuguesePhone(e164: string): string {
  return e164.slice(4).replace(/(\d{3})(\d{3})(\d{3})/, '$1 $2 $3')
}
