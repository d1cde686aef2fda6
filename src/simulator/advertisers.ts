// Who advertises: private people with a mobile number of their own, and agencies that share one landline among their adverts.
import type { City } from './places.ts'
import { CITIES } from './places.ts'
import { between, pick, type Random, randomOf, scramble } from './random.ts'

export interface Advertiser {
  type: 'private' | 'agency'
  name: string
  /** E.164. */
  phone: string
}

const AGENCIES_PER_CITY = 40
const CATALAN_CITIES = new Set(['barcelona', 'palma'])

const GIVEN_NAMES =
  `María Carmen Ana Isabel Laura Cristina Marta Lucía Elena Pilar Raquel Sara Paula Rosa Beatriz Nuria Silvia Teresa Inés
Antonio José Manuel Francisco David Juan Javier Daniel Carlos Jesús Alejandro Miguel Rafael Pablo Pedro Sergio Fernando
Álvaro Alberto Diego Adrián Rubén Enrique Óscar Ramón Andrés Joaquín Vicente Mohamed Ioana Chen Valentina`.split(
    /\s+/,
  )
const CATALAN_NAMES =
  'Jordi Montserrat Marc Núria Pau Laia Oriol Mireia Joan Mercè Xavier Anna Arnau Gemma Ferran Roser'.split(
    ' ',
  )
const SURNAMES =
  `García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz
Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina Morales Suárez
Ortega Delgado Castro Ortiz Rubio Marín Sanz Núñez Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano
Prieto Méndez Cruz Calvo Gallego Vidal León Márquez Herrera Peña Flores`.split(/\s+/)
const CATALAN_SURNAMES =
  'Puig Ferrer Serra Vila Soler Roca Font Bosch Pujol Riera Casals Mas Batlle Coll Torrent Oliveras'.split(
    ' ',
  )
const AGENCY_NAMES: readonly ((word: string) => string)[] = [
  word => `Inmobiliaria ${word}`,
  word => `Fincas ${word}`,
  word => `${word} & Asociados Inmobiliaria`,
  word => `Grupo ${word} Gestión`,
  word => `Servicios Inmobiliarios ${word}`,
  word => `${word} Homes`,
  word => `Look & Find ${word}`,
]

const AGENCIES = new Map(CITIES.map(city => [city, agenciesOf(city)]))

/** The private advertiser of advert number `index`: `uniqueNumber` (below 99,999,989) makes the phone its own. */
export function privateAdvertiser(random: Random, city: City, uniqueNumber: number): Advertiser {
  const catalan = CATALAN_CITIES.has(city.slug) && random() < 0.5
  const given = pick(random, catalan ? CATALAN_NAMES : GIVEN_NAMES)
  const surname = pick(random, catalan ? CATALAN_SURNAMES : SURNAMES)
  const form = random()
  const name = form < 0.6 ? `${given} ${surname}` : form < 0.85 ? given : `${given} ${surname.slice(0, 1)}.`
  // Spanish mobiles begin with 6 or 71 to 74; a tenth get the younger range, where a step of four keeps them distinct.
  const subscriber =
    uniqueNumber % 10 === 7 ? 710_000_000 + Math.floor(uniqueNumber / 10) * 4 : 600_000_000 + uniqueNumber
  return { type: 'private', name, phone: `+34${subscriber}` }
}

/** One of the city's agencies; the big ones advertise more. */
export function agencyAdvertiser(random: Random, city: City): Advertiser {
  return AGENCIES.get(city)![Math.floor(random() ** 1.7 * AGENCIES_PER_CITY)]!
}

/** A phone number as Spaniards write it: "+34 612 345 678", "93 412 34 56", "976 12 34 56". */
export function spanishPhone(e164: string): string {
  const digits = e164.slice(3)
  if (/^[67]/.test(digits)) return `+34 ${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`
  const area = /^9[13]/.test(digits) ? 2 : 3
  const rest = digits.slice(area)
  const first = rest.length - 4
  return `${digits.slice(0, area)} ${rest.slice(0, first)} ${rest.slice(first, first + 2)} ${rest.slice(first + 2)}`
}

// Agencies outlive seeds: they are the same in every world, as a city's agencies would be.
function agenciesOf(city: City): Advertiser[] {
  const words = CATALAN_CITIES.has(city.slug) ? [...CATALAN_SURNAMES, ...SURNAMES] : SURNAMES
  const start = (scramble(CITIES.indexOf(city)) >>> 0) % words.length
  const random = randomOf(CITIES.indexOf(city), 3)
  const firstNumber = between(random, 100_000, 400_000)
  return Array.from({ length: AGENCIES_PER_CITY }, (_, number) => ({
    type: 'agency',
    name: AGENCY_NAMES[number % AGENCY_NAMES.length]!(words[(start + number) % words.length]!),
    phone: `+34${city.landlinePrefix}${firstNumber + number * 13_577}`,
  }))
}
