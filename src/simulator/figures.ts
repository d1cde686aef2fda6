// The figures of a made-up advert: believable sizes, and prices that follow place, size, condition and floor.

import type { Random } from '../domain/random.ts'
import { between, gaussian, pick, randomOf, scramble } from '../domain/random.ts'
import type { Condition, Feature, Figures, Operation, PropertyType, Subtype } from './advert.ts'
import { FEATURE_BIT } from './advert.ts'
import type { City, Country, Neighbourhood } from './places.ts'
import { CITIES_OF, kilometresBetween } from './places.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
// A city as often as it has weight.
const CITY_DRAW: Record<Country, readonly City[]> = {
  ES: weighted(CITIES_OF.ES),
  PT: weighted(CITIES_OF.PT),
  IT: weighted(CITIES_OF.IT),
}
// Prime, so that a product with it runs through all remainders before it repeats one.
const ID_MODULUS = 99_999_989

interface Building {
  yearBuilt: number | null
  condition: Condition | null
  floor: number | null
  topFloor: boolean
  lift: boolean
}

interface Unit {
  subtype: Subtype
  squareMeters: number
  bedrooms: number | null
  bathrooms: number | null
}

/** The figures of a made-up advert: the same for the same seed, number, country and `asOf` (milliseconds). */
export function figuresAt(seed: number, asOf: number, number: number, country: Country = 'ES'): Figures {
  const random = randomOf(seed, number, 1)
  const city = pick(random, CITY_DRAW[country])
  const neighbourhood = pick(random, city.neighbourhoods)
  const operation: Operation = random() < 0.62 ? 'sale' : 'rent'
  const propertyType = drawPropertyType(random())
  const latitude = round(neighbourhood.latitude + gaussian(random) * 0.0024, 6)
  const longitude = round(neighbourhood.longitude + gaussian(random) * 0.0032, 6)
  const unit = drawUnit(random, propertyType)
  const building = drawBuilding(random, propertyType, new Date(asOf).getUTCFullYear())
  const featureBits = drawFeatures(random, propertyType, building)
  const level = placeLevel(city, neighbourhood, operation, latitude, longitude)
  const quality = qualityFactor(propertyType, unit.squareMeters, building, featureBits)
  const price = level * quality * unit.squareMeters * Math.exp(gaussian(random) * 0.1)
  return {
    id: String(100_000_000 + distinctNumber(seed, number, ID_MODULUS)),
    operation,
    propertyType,
    subtype: unit.subtype,
    city,
    latitude,
    longitude,
    squareMeters: unit.squareMeters,
    bedrooms: unit.bedrooms,
    bathrooms: unit.bathrooms,
    condition: building.condition,
    floor: building.floor,
    yearBuilt: building.yearBuilt,
    featureBits,
    price: askingPrice(price, operation, random),
    ...advertising(seed, asOf, number),
  }
}

/** Who advertises and since when, for made-up and real figures alike. */
export function advertising(
  seed: number,
  asOf: number,
  number: number,
): Pick<Figures, 'privateAdvertiser' | 'publishedAt' | 'updatedAt'> {
  const random = randomOf(seed, number, 2)
  const privateAdvertiser = random() < 0.25
  // Most adverts are weeks old, some are stale: exponential with a mean of 45 days, at most 500.
  const ageMs = Math.min(-45 * Math.log(1 - random()), 500) * DAY_MS
  const publishedAt = Math.floor((asOf - ageMs) / MINUTE_MS) * MINUTE_MS
  return { privateAdvertiser, publishedAt, updatedAt: publishedAt }
}

/** A number below `limit`, a prime, that no other of the seed's first `limit` numbers has. */
export function distinctNumber(seed: number, number: number, limit: number): number {
  return (number * 48_271_931 + (scramble(seed + 1) >>> 0)) % limit
}

function weighted(cities: readonly City[]): City[] {
  return cities.flatMap(city => Array.from({ length: city.weight }, () => city))
}

function drawPropertyType(draw: number): PropertyType {
  if (draw < 0.74) return 'homes'
  if (draw < 0.83) return 'premises'
  return draw < 0.92 ? 'offices' : 'garages'
}

function drawUnit(random: Random, propertyType: PropertyType): Unit {
  const spread = gaussian(random)
  if (propertyType === 'garages') {
    return { subtype: 'garage', squareMeters: between(random, 9, 22), bedrooms: null, bathrooms: null }
  }
  if (propertyType !== 'homes') {
    const squareMeters = Math.round(Math.min(Math.max(115 * Math.exp(spread * 0.65), 20), 900))
    const bathrooms = squareMeters > 250 ? between(random, 2, 4) : between(random, 1, 2)
    return {
      subtype: propertyType === 'offices' ? 'office' : 'shop',
      squareMeters,
      bedrooms: null,
      bathrooms,
    }
  }
  const squareMeters = Math.round(Math.min(Math.max(82 * Math.exp(spread * 0.38), 24), 320))
  const usualBedrooms = Math.round((squareMeters - 18) / 24 + gaussian(random) * 0.5)
  const bedrooms = squareMeters < 42 && random() < 0.55 ? 0 : Math.min(Math.max(usualBedrooms, 1), 7)
  const bathrooms = Math.min(Math.max(Math.round(squareMeters / 62 + gaussian(random) * 0.35), 1), 5)
  if (bedrooms === 0) return { subtype: 'studio', squareMeters, bedrooms, bathrooms: 1 }
  return { subtype: bedrooms > 2 && random() < 0.06 ? 'duplex' : 'flat', squareMeters, bedrooms, bathrooms }
}

function drawBuilding(random: Random, propertyType: PropertyType, year: number): Building {
  const age = Math.round(-38 * Math.log(1 - random() * 0.95))
  const yearBuilt = year - age
  const storeys = between(random, age > 80 ? 3 : 4, age > 80 ? 6 : 11)
  const lift = storeys > 3 && random() < (age < 45 ? 0.95 : 0.55)
  const stated = random()
  if (propertyType === 'garages') {
    return { yearBuilt: null, condition: null, floor: between(random, -1, 0), topFloor: false, lift }
  }
  const floor = propertyType === 'premises' ? 0 : between(random, random() < 0.02 ? -1 : 0, storeys)
  const toRenovate = random() < Math.min(0.05 + age * 0.003, 0.3)
  const condition = age < 2 ? 'new' : toRenovate ? 'to_renovate' : 'good'
  return {
    yearBuilt: stated < 0.3 ? null : yearBuilt,
    condition: stated > 0.96 ? null : condition,
    floor: stated > 0.3 && stated < 0.36 ? null : floor,
    topFloor: floor === storeys && propertyType === 'homes',
    lift,
  }
}

/** Features as bits. */
function drawFeatures(random: Random, propertyType: PropertyType, building: Building): number {
  const home = propertyType === 'homes'
  const brandNew = building.condition === 'new'
  let bits = building.lift && propertyType !== 'premises' ? FEATURE_BIT.lift : 0
  const perhaps = (feature: Feature, chance: number) => {
    if (random() < chance) bits |= FEATURE_BIT[feature]
  }
  if (home) {
    perhaps('terrace', building.topFloor ? 0.8 : 0.28)
    perhaps('balcony', 0.35)
    perhaps('parking', brandNew ? 0.7 : 0.18)
    perhaps('pool', brandNew ? 0.35 : 0.07)
    perhaps('garden', 0.06)
    perhaps('fitted_wardrobes', 0.45)
  }
  if (propertyType !== 'garages') {
    perhaps('air_conditioning', home ? 0.5 : 0.6)
    perhaps(random() < 0.86 ? 'exterior' : 'interior', 1)
  }
  perhaps('storage_room', 0.2)
  perhaps('concierge', propertyType === 'offices' ? 0.4 : 0.1)
  if (building.topFloor) bits |= FEATURE_BIT.top_floor
  return bits
}

/** EUR per square metre of an ordinary home at this place. */
function placeLevel(
  city: City,
  neighbourhood: Neighbourhood,
  operation: Operation,
  latitude: number,
  longitude: number,
): number {
  const level = operation === 'sale' ? city.saleLevel : city.rentLevel
  return level * neighbourhood.priceFactor * Math.exp(-0.03 * kilometresBetween(latitude, longitude, city))
}

/** What size, condition, floor and equipment do to the price per square metre. */
function qualityFactor(
  propertyType: PropertyType,
  squareMeters: number,
  building: Building,
  featureBits: number,
): number {
  if (propertyType === 'garages') return 0.42
  if (propertyType === 'premises') return 0.72 * (squareMeters / 100) ** -0.15
  if (propertyType === 'offices') return 0.84 * (squareMeters / 100) ** -0.1
  const floor = building.floor ?? 2
  let factor = (squareMeters / 80) ** -0.1
  if (building.condition === 'new') factor *= 1.16
  if (building.condition === 'to_renovate') factor *= 0.8
  if (floor <= 0) factor *= 0.9
  else factor *= building.lift ? 1.02 + Math.min(floor, 8) * 0.01 : 1 - Math.max(floor - 1, 0) * 0.035
  if (featureBits & FEATURE_BIT.terrace) factor *= 1.06
  if (featureBits & FEATURE_BIT.pool) factor *= 1.05
  if (featureBits & FEATURE_BIT.parking) factor *= 1.04
  if (featureBits & FEATURE_BIT.interior) factor *= 0.93
  return factor
}

/** The figure an advertiser would write: 299.000 rather than 298.417. */
function askingPrice(price: number, operation: Operation, random: Random): number {
  if (operation === 'rent') return Math.max(Math.round(price / 10) * 10, price < 150 ? 40 : 150)
  const step = price < 60_000 ? 500 : 1_000
  if (price > 90_000 && random() < 0.35) return Math.round(price / 10_000) * 10_000 - 1_000
  return Math.round(price / step) * step
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
