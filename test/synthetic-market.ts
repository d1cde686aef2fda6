/** Generates properties of a town whose prices follow a known formula. */
import { createRandom, type Random, randomInteger } from '../src/domain/random.ts'
import { type Characteristics, type Comparable, toAmenitySet } from '../src/domain/valuation/property.ts'

export const sampleDate = Temporal.Instant.from('2026-03-01T12:00:00Z')

export function makeProperty(changes: Partial<Characteristics> = {}): Characteristics {
  return {
    latitude: 41.39,
    longitude: 2.16,
    squareMeters: 80,
    plotSquareMeters: null,
    bedrooms: 3,
    bathrooms: 1,
    condition: 'good',
    floor: 2,
    yearBuilt: 1970,
    subtype: 'flat',
    amenities: toAmenitySet(['lift', 'exterior']),
    ...changes,
  }
}

export function makeComparable(id: string, price: number, changes: Partial<Comparable> = {}): Comparable {
  return { ...makeProperty(changes), id, price, seenAt: changes.seenAt ?? sampleDate }
}

/** 3,000 per square metre in the west, 5,000 in the east; 10 % more with a lift; random noise. */
export function toModelPrice(property: Characteristics, noise = 0): number {
  const east = (property.longitude - 2.1) / 0.1
  const lift = (property.amenities ?? 0) & toAmenitySet(['lift']) ? 1.1 : 1
  return Math.round(property.squareMeters * (3000 + 2000 * east) * lift * Math.exp(noise))
}

/** Generates properties whose log prices differ from the formula by about `noise`. */
export function makeTown(count: number, { noise = 0.1, seed = 1 } = {}): Comparable[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const property = drawProperty(random)
    const chance = noise * (random() + random() + random() - 1.5)
    return {
      ...property,
      id: `${seed}-${index}`,
      price: toModelPrice(property, chance),
      seenAt: sampleDate.subtract({ hours: 24 * randomInteger(random, 0, 300) }),
    }
  })
}

function drawProperty(random: Random): Characteristics {
  const bedrooms = randomInteger(random, 1, 4)
  return makeProperty({
    latitude: 41.36 + 0.06 * random(),
    longitude: 2.1 + 0.1 * random(),
    squareMeters: 30 + 25 * bedrooms + randomInteger(random, -10, 10),
    bedrooms,
    bathrooms: bedrooms > 2 ? 2 : 1,
    floor: randomInteger(random, 0, 6),
    yearBuilt: randomInteger(random, 1920, 2015),
    amenities: toAmenitySet(random() < 0.5 ? ['lift'] : ['terrace']),
  })
}
