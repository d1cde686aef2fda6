/** Generates the attributes of a listing: plausible sizes, and prices that follow place, size, condition and floor. */

import type { Random } from '../domain/random.ts'
import { createRandom, mixBits, pickRandom, randomGaussian, randomInteger } from '../domain/random.ts'
import type { Condition, Feature, ListingAttributes, Operation, PropertyType, Subtype } from './listing.ts'
import { featureBitByName } from './listing.ts'
import type { City, Country, Neighbourhood } from './places.ts'
import { citiesByCountry, kilometersBetween } from './places.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
/** Cities, each repeated by its weight. */
const weightedCities: Record<Country, readonly City[]> = {
  ES: repeatByWeight(citiesByCountry.ES),
  PT: repeatByWeight(citiesByCountry.PT),
  IT: repeatByWeight(citiesByCountry.IT),
}
// Prime, so that multiples of another number reach every remainder once.
const idModulus = 99_999_989

interface Building {
  yearBuilt: number | null
  condition: Condition | null
  floor: number | null
  isTopFloor: boolean
  hasLift: boolean
}

interface Unit {
  subtype: Subtype
  squareMeters: number
  bedrooms: number | null
  bathrooms: number | null
}

/** Generates the attributes of a listing, deterministic for seed, number, country and `asOf` (milliseconds). */
export function generateAttributes(
  seed: number,
  asOf: number,
  number: number,
  country: Country = 'ES',
): ListingAttributes {
  const random = createRandom(seed, number, 1)
  const city = pickRandom(random, weightedCities[country])
  const neighbourhood = pickRandom(random, city.neighbourhoods)
  const operation: Operation = random() < 0.62 ? 'sale' : 'rent'
  const propertyType = drawPropertyType(random())
  const latitude = round(neighbourhood.latitude + randomGaussian(random) * 0.0024, 6)
  const longitude = round(neighbourhood.longitude + randomGaussian(random) * 0.0032, 6)
  const unit = drawUnit(random, propertyType)
  const building = drawBuilding(random, propertyType, new Date(asOf).getUTCFullYear())
  const featureBits = drawFeatures(random, propertyType, building)
  const level = computePlaceLevel(city, neighbourhood, operation, latitude, longitude)
  const quality = computeQualityFactor(propertyType, unit.squareMeters, building, featureBits)
  const price = level * quality * unit.squareMeters * Math.exp(randomGaussian(random) * 0.1)
  return {
    id: String(100_000_000 + toDistinctNumber(seed, number, idModulus)),
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
    price: computeAskingPrice(price, operation, random),
    ...generateAdvertising(seed, asOf, number),
  }
}

/** Advertiser and publication date, for generated and real listings. */
export function generateAdvertising(
  seed: number,
  asOf: number,
  number: number,
): Pick<ListingAttributes, 'isPrivateAdvertiser' | 'publishedAt' | 'updatedAt'> {
  const random = createRandom(seed, number, 2)
  const isPrivateAdvertiser = random() < 0.25
  // Most listings are weeks old, some are stale: exponential with a mean of 45 days, at most 500.
  const ageMs = Math.min(-45 * Math.log(1 - random()), 500) * dayMs
  const publishedAt = Math.floor((asOf - ageMs) / minuteMs) * minuteMs
  return { isPrivateAdvertiser, publishedAt, updatedAt: publishedAt }
}

/** Maps a number to a unique number below `limit`, which is a prime. */
export function toDistinctNumber(seed: number, number: number, limit: number): number {
  return (number * 48_271_931 + (mixBits(seed + 1) >>> 0)) % limit
}

function repeatByWeight(cities: readonly City[]): City[] {
  return cities.flatMap(city => Array.from({ length: city.weight }, () => city))
}

function drawPropertyType(draw: number): PropertyType {
  if (draw < 0.74) return 'homes'
  if (draw < 0.83) return 'premises'
  return draw < 0.92 ? 'offices' : 'garages'
}

function drawUnit(random: Random, propertyType: PropertyType): Unit {
  const spread = randomGaussian(random)
  if (propertyType === 'garages') {
    return { subtype: 'garage', squareMeters: randomInteger(random, 9, 22), bedrooms: null, bathrooms: null }
  }
  if (propertyType !== 'homes') {
    const squareMeters = Math.round(Math.min(Math.max(115 * Math.exp(spread * 0.65), 20), 900))
    const bathrooms = squareMeters > 250 ? randomInteger(random, 2, 4) : randomInteger(random, 1, 2)
    return {
      subtype: propertyType === 'offices' ? 'office' : 'shop',
      squareMeters,
      bedrooms: null,
      bathrooms,
    }
  }
  const squareMeters = Math.round(Math.min(Math.max(82 * Math.exp(spread * 0.38), 24), 320))
  const typicalBedrooms = Math.round((squareMeters - 18) / 24 + randomGaussian(random) * 0.5)
  const bedrooms = squareMeters < 42 && random() < 0.55 ? 0 : Math.min(Math.max(typicalBedrooms, 1), 7)
  const bathrooms = Math.min(Math.max(Math.round(squareMeters / 62 + randomGaussian(random) * 0.35), 1), 5)
  if (bedrooms === 0) return { subtype: 'studio', squareMeters, bedrooms, bathrooms: 1 }
  return { subtype: bedrooms > 2 && random() < 0.06 ? 'duplex' : 'flat', squareMeters, bedrooms, bathrooms }
}

function drawBuilding(random: Random, propertyType: PropertyType, year: number): Building {
  const age = Math.round(-38 * Math.log(1 - random() * 0.95))
  const yearBuilt = year - age
  const storeys = randomInteger(random, age > 80 ? 3 : 4, age > 80 ? 6 : 11)
  const hasLift = storeys > 3 && random() < (age < 45 ? 0.95 : 0.55)
  const statedDraw = random()
  if (propertyType === 'garages') {
    return {
      yearBuilt: null,
      condition: null,
      floor: randomInteger(random, -1, 0),
      isTopFloor: false,
      hasLift,
    }
  }
  const floor = propertyType === 'premises' ? 0 : randomInteger(random, random() < 0.02 ? -1 : 0, storeys)
  const toRenovate = random() < Math.min(0.05 + age * 0.003, 0.3)
  const condition = age < 2 ? 'new' : toRenovate ? 'to_renovate' : 'good'
  return {
    yearBuilt: statedDraw < 0.3 ? null : yearBuilt,
    condition: statedDraw > 0.96 ? null : condition,
    floor: statedDraw > 0.3 && statedDraw < 0.36 ? null : floor,
    isTopFloor: floor === storeys && propertyType === 'homes',
    hasLift,
  }
}

/** Features as bits. */
function drawFeatures(random: Random, propertyType: PropertyType, building: Building): number {
  const isHome = propertyType === 'homes'
  const isBrandNew = building.condition === 'new'
  let bits = building.hasLift && propertyType !== 'premises' ? featureBitByName.lift : 0
  const addByChance = (feature: Feature, chance: number) => {
    if (random() < chance) bits |= featureBitByName[feature]
  }
  if (isHome) {
    addByChance('terrace', building.isTopFloor ? 0.8 : 0.28)
    addByChance('balcony', 0.35)
    addByChance('parking', isBrandNew ? 0.7 : 0.18)
    addByChance('pool', isBrandNew ? 0.35 : 0.07)
    addByChance('garden', 0.06)
    addByChance('fitted_wardrobes', 0.45)
  }
  if (propertyType !== 'garages') {
    addByChance('air_conditioning', isHome ? 0.5 : 0.6)
    addByChance(random() < 0.86 ? 'exterior' : 'interior', 1)
  }
  addByChance('storage_room', 0.2)
  addByChance('concierge', propertyType === 'offices' ? 0.4 : 0.1)
  if (building.isTopFloor) bits |= featureBitByName.top_floor
  return bits
}

/** EUR per square metre of an ordinary home at this place. */
function computePlaceLevel(
  city: City,
  neighbourhood: Neighbourhood,
  operation: Operation,
  latitude: number,
  longitude: number,
): number {
  const level = operation === 'sale' ? city.saleLevel : city.rentLevel
  return level * neighbourhood.priceFactor * Math.exp(-0.03 * kilometersBetween(latitude, longitude, city))
}

/** The factor of size, condition, floor and features on the price per square metre. */
function computeQualityFactor(
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
  else factor *= building.hasLift ? 1.02 + Math.min(floor, 8) * 0.01 : 1 - Math.max(floor - 1, 0) * 0.035
  if (featureBits & featureBitByName.terrace) factor *= 1.06
  if (featureBits & featureBitByName.pool) factor *= 1.05
  if (featureBits & featureBitByName.parking) factor *= 1.04
  if (featureBits & featureBitByName.interior) factor *= 0.93
  return factor
}

/** Rounds a price as advertisers do: 299.000 rather than 298.417. */
function computeAskingPrice(price: number, operation: Operation, random: Random): number {
  if (operation === 'rent') return Math.max(Math.round(price / 10) * 10, price < 150 ? 40 : 150)
  const step = price < 60_000 ? 500 : 1_000
  if (price > 90_000 && random() < 0.35) return Math.round(price / 10_000) * 10_000 - 1_000
  return Math.round(price / step) * step
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}
