/** Italian words, paths and identifiers of portal_f. */
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

export const operationWords: Record<Operation, string> = { sale: 'vendita', rent: 'affitto' }
export const typeWords: Record<PropertyType, string> = {
  homes: 'case',
  offices: 'uffici',
  premises: 'negozi',
  garages: 'garage',
}
/** The portal's slug of each city, which ends in the code of the province, by the world's slug. */
export const placeSlugs: Record<string, string> = {
  roma: 'roma-rm',
  milano: 'milano-mi',
  torino: 'torino-to',
  bologna: 'bologna-bo',
  napoli: 'napoli-na',
  firenze: 'firenze-fi',
  genova: 'genova-ge',
  palermo: 'palermo-pa',
}
const conditionLabels: Record<Condition, string> = {
  new: 'Nuovo / In costruzione',
  good: 'Buono / Abitabile',
  to_renovate: 'Da ristrutturare',
}
const labelsByFeature: Record<Feature, string> = {
  lift: 'Ascensore',
  terrace: 'Terrazzo',
  balcony: 'Balcone',
  parking: 'Posto auto',
  pool: 'Piscina',
  garden: 'Giardino',
  air_conditioning: 'Aria condizionata',
  storage_room: 'Cantina',
  fitted_wardrobes: 'Armadi a muro',
  concierge: 'Portiere',
  exterior: 'Esposizione esterna',
  interior: 'Esposizione interna',
  top_floor: 'Ultimo piano',
}
const months =
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(' ')

/** The world's id minus the portal's. */
const idOffset = 40_000_000

export function toListingId(id: string): string {
  return String(Number(id) - idOffset)
}

export function toWorldId(listingId: string): string {
  return String(Number(listingId) + idOffset)
}

export function toListingPath(id: string): string {
  return `/annunci/${toListingId(id)}/`
}

export function toPhotoPath(id: string, number: number): string {
  return `/immagini/${toListingId(id)}/${number}/xxl.png`
}

/** "€ 250.000", "€ 1.250/mese". */
export function formatPrice({ price, operation }: Pick<ListingAttributes, 'price' | 'operation'>): string {
  return `€ ${formatThousands(price)}${operation === 'rent' ? '/mese' : ''}`
}

/** Label and value of each stated fact; unstated facts have no line. Rooms include the living room. */
export function listDetailLines(listing: SimulatedListing): [label: string, value: string][] {
  const { bedrooms, bathrooms, condition, yearBuilt, energy, floor } = listing
  const lines: [string, string | null][] = [
    ['Contratto', operationWords[listing.operation].replace(/^./, letter => letter.toUpperCase())],
    ['Superficie', `${formatThousands(listing.squareMeters)} mq`],
    ['Locali', bedrooms === null ? null : String(bedrooms + 1)],
    ['Camere da letto', bedrooms === null ? null : String(bedrooms)],
    ['Bagni', bathrooms === null ? null : String(bathrooms)],
    ['Piano', floor === null ? null : floor < 0 ? 'Seminterrato' : floor === 0 ? 'Terra' : String(floor)],
    ['Stato', condition === null ? null : conditionLabels[condition]],
    ['Anno di costruzione', yearBuilt === null ? null : String(yearBuilt)],
    ['Classe energetica', energy === null ? null : formatEnergy(energy)],
  ]
  return lines.flatMap(([label, value]) => (value === null ? [] : [[label, value] as [string, string]]))
}

export function toFeatureLabels(listing: SimulatedListing): string[] {
  return listing.features.map(feature => labelsByFeature[feature])
}

function formatEnergy(energy: Energy): string {
  if (energy === 'in_progress') return 'In attesa di certificazione'
  return energy === 'exempt' ? 'Esente' : energy
}

/** "06 4512 3456", "333 123 4567". */
export function formatItalianPhone(e164: string): string {
  const digits = e164.slice(3)
  const area = /^0[26]/.test(digits) ? 2 : 3
  return `${digits.slice(0, area)} ${digits.slice(area, -4)} ${digits.slice(-4)}`
}

/** "3 ottobre 2026", in Rome. */
export function formatLongDate(ms: number): string {
  const { day, month, year } = toRomeTime(ms)
  return `${day} ${months[month - 1]} ${year}`
}

/** "2026-10-03T12:15:00+02:00". */
export function formatZonedInstant(ms: number): string {
  return toRomeTime(ms).toString({ timeZoneName: 'never', smallestUnit: 'second' })
}

function toRomeTime(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('Europe/Rome')
}
