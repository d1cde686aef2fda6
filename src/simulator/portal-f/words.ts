// The Italian words, addresses and identifiers of portal_f.
import type { Advert, Condition, Energy, Feature, Figures, Operation, PropertyType } from '../advert.ts'
import { thousands } from '../spanish.ts'

export const OPERATION_WORDS: Record<Operation, string> = { sale: 'vendita', rent: 'affitto' }
export const TYPE_WORDS: Record<PropertyType, string> = {
  homes: 'case',
  offices: 'uffici',
  premises: 'negozi',
  garages: 'garage',
}
/** By the world's name of the city: those of the portal end in the sign of the province. */
export const PLACES: Record<string, string> = {
  roma: 'roma-rm',
  milano: 'milano-mi',
  torino: 'torino-to',
  bologna: 'bologna-bo',
  napoli: 'napoli-na',
  firenze: 'firenze-fi',
  genova: 'genova-ge',
  palermo: 'palermo-pa',
}
const CONDITION_LABELS: Record<Condition, string> = {
  new: 'Nuovo / In costruzione',
  good: 'Buono / Abitabile',
  to_renovate: 'Da ristrutturare',
}
const FEATURE_LABELS: Record<Feature, string> = {
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
const MONTHS =
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(' ')

// The portal counts its adverts from another number on.
const ID_DISTANCE = 40_000_000

export function listingIdOf(id: string): string {
  return String(Number(id) - ID_DISTANCE)
}

export function worldIdOf(listingId: string): string {
  return String(Number(listingId) + ID_DISTANCE)
}

export function listingPath(id: string): string {
  return `/annunci/${listingIdOf(id)}/`
}

export function photoPath(id: string, number: number): string {
  return `/immagini/${listingIdOf(id)}/${number}/xxl.png`
}

/** "€ 250.000", "€ 1.250/mese". */
export function priceText({ price, operation }: Pick<Figures, 'price' | 'operation'>): string {
  return `€ ${thousands(price)}${operation === 'rent' ? '/mese' : ''}`
}

/** Label and value of what is stated; what is not stated has no line. Rooms are counted with the living room. */
export function detailLines(advert: Advert): [label: string, value: string][] {
  const { bedrooms, bathrooms, condition, yearBuilt, energy, floor } = advert
  const lines: [string, string | null][] = [
    ['Contratto', OPERATION_WORDS[advert.operation].replace(/^./, letter => letter.toUpperCase())],
    ['Superficie', `${thousands(advert.squareMeters)} mq`],
    ['Locali', bedrooms === null ? null : String(bedrooms + 1)],
    ['Camere da letto', bedrooms === null ? null : String(bedrooms)],
    ['Bagni', bathrooms === null ? null : String(bathrooms)],
    ['Piano', floor === null ? null : floor < 0 ? 'Seminterrato' : floor === 0 ? 'Terra' : String(floor)],
    ['Stato', condition === null ? null : CONDITION_LABELS[condition]],
    ['Anno di costruzione', yearBuilt === null ? null : String(yearBuilt)],
    ['Classe energetica', energy === null ? null : energyText(energy)],
  ]
  return lines.flatMap(([label, value]) => (value === null ? [] : [[label, value] as [string, string]]))
}

export function featureLabels(advert: Advert): string[] {
  return advert.features.map(feature => FEATURE_LABELS[feature])
}

function energyText(energy: Energy): string {
  if (energy === 'in_progress') return 'In attesa di certificazione'
  return energy === 'exempt' ? 'Esente' : energy
}

/** "06 4512 3456", "333 123 4567". */
export function italianPhone(e164: string): string {
  const digits = e164.slice(3)
  const area = /^0[26]/.test(digits) ? 2 : 3
  return `${digits.slice(0, area)} ${digits.slice(area, -4)} ${digits.slice(-4)}`
}

/** "3 ottobre 2026", in Rome. */
export function longDate(ms: number): string {
  const { day, month, year } = inRome(ms)
  return `${day} ${MONTHS[month - 1]} ${year}`
}

/** "2026-10-03T12:15:00+02:00". */
export function zonedInstant(ms: number): string {
  return inRome(ms).toString({ timeZoneName: 'never', smallestUnit: 'second' })
}

function inRome(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('Europe/Rome')
}
