/** Advertisers: private people, each with a mobile number, and agencies with one landline for all their listings. */

import { createRandom, mixBits, pickRandom, type Random, randomInteger } from '../domain/random.ts'
import { catalanCities, catalanNames, catalanSurnames, namesByCountry } from './names.ts'
import type { City, Country } from './places.ts'
import { citiesByCountry } from './places.ts'

export interface Advertiser {
  type: 'private' | 'agency'
  name: string
  /** E.164. */
  phone: string
}

const agenciesPerCity = 40
/** The numbers of the first cities of two countries differ by this. */
const countryStep = 1000

/** Mobile numbers of a country: makes a unique one from each number below `limit`. */
interface Mobiles {
  /** A prime, smaller than the count of available numbers. */
  limit: number
  createPhone(uniqueNumber: number): string
}

const callingCodes: Record<Country, string> = { ES: '34', PT: '351', IT: '39' }
const mobiles: Record<Country, Mobiles> = {
  // Spanish mobiles begin with 6 or 71 to 74; a tenth get the younger range, where a step of four keeps them distinct.
  ES: {
    limit: 99_999_989,
    createPhone: number =>
      `+34${number % 10 === 7 ? 710_000_000 + Math.floor(number / 10) * 4 : 600_000_000 + number}`,
  },
  PT: {
    limit: 9_999_991,
    createPhone: number => `+3519${'1236'[number % 4]}${String(number).padStart(7, '0')}`,
  },
  IT: {
    limit: 99_999_989,
    createPhone: number => `+393${'234689'[number % 6]}${String(number).padStart(8, '0')}`,
  },
}

const agencies = new Map(
  Object.values(citiesByCountry).flatMap((cities, country) =>
    cities.map((city, index) => [city, createAgencies(city, country * countryStep + index)] as const),
  ),
)

/** Creates the private advertiser of a listing; `drawNumber` returns a unique number below a prime. */
export function createPrivateAdvertiser(
  random: Random,
  city: City,
  drawNumber: (limit: number) => number,
): Advertiser {
  const catalan = catalanCities.has(city.slug) && random() < 0.5
  const names = namesByCountry[city.country]
  const given = pickRandom(random, catalan ? catalanNames : names.given)
  const surname = pickRandom(random, catalan ? catalanSurnames : names.surnames)
  const form = random()
  const name = form < 0.6 ? `${given} ${surname}` : form < 0.85 ? given : `${given} ${surname.slice(0, 1)}.`
  const { limit, createPhone } = mobiles[city.country]
  return { type: 'private', name, phone: createPhone(drawNumber(limit)) }
}

/** Picks an agency of the city; large ones have more listings. */
export function pickAgency(random: Random, city: City): Advertiser {
  return agencies.get(city)![Math.floor(random() ** 1.7 * agenciesPerCity)]!
}

/** A phone number as Spaniards write it: "+34 612 345 678", "93 412 34 56", "976 12 34 56". */
export function formatSpanishPhone(e164: string): string {
  const digits = e164.slice(3)
  if (/^[67]/.test(digits)) return `+34 ${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`
  const area = /^9[13]/.test(digits) ? 2 : 3
  const rest = digits.slice(area)
  const first = rest.length - 4
  return `${digits.slice(0, area)} ${rest.slice(0, first)} ${rest.slice(first, first + 2)} ${rest.slice(first + 2)}`
}

// Agencies do not depend on the seed: they are the same in every world.
function createAgencies(city: City, number: number): Advertiser[] {
  const { surnames, agencies } = namesByCountry[city.country]
  const words = catalanCities.has(city.slug) ? [...catalanSurnames, ...surnames] : surnames
  const start = (mixBits(number) >>> 0) % words.length
  const random = createRandom(number, 3)
  const firstNumber = randomInteger(random, 100_000, 400_000)
  const prefix = callingCodes[city.country] + city.landlinePrefix
  return Array.from({ length: agenciesPerCity }, (_, index) => ({
    type: 'agency',
    name: agencies[index % agencies.length]!(words[(start + index) % words.length]!),
    phone: `+${prefix}${firstNumber + index * 13_577}`,
  }))
}
