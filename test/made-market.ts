/** A town whose prices follow a law that is known, and properties drawn from it. */
import { between, type Random, randomOf } from '../src/domain/random.ts'
import { amenitySet, type Characteristics, type Comparable } from '../src/domain/valuation/property.ts'

export const madeAt = Temporal.Instant.from('2026-03-01T12:00:00Z')

export function madeProperty(changes: Partial<Characteristics> = {}): Characteristics {
  return {
    ...{ latitude: 41.39, longitude: 2.16, squareMeters: 80, plotSquareMeters: null },
    ...{ bedrooms: 3, bathrooms: 1, condition: 'good', floor: 2, yearBuilt: 1970, subtype: 'flat' },
    amenities: amenitySet(['lift', 'exterior']),
    ...changes,
  }
}

export function madeComparable(id: string, price: number, changes: Partial<Comparable> = {}): Comparable {
  return { ...madeProperty(changes), id, price, seenAt: changes.seenAt ?? madeAt }
}

/** 3,000 a square metre in the west, 5,000 in the east; a tenth more with a lift; and chance. */
export function lawfulPrice(property: Characteristics, noise = 0): number {
  const east = (property.longitude - 2.1) / 0.1
  const lift = (property.amenities ?? 0) & amenitySet(['lift']) ? 1.1 : 1
  return Math.round(property.squareMeters * (3000 + 2000 * east) * lift * Math.exp(noise))
}

/** Properties of the town, their prices up to about `noise` (as a logarithm) off the law. */
export function madeTown(count: number, { noise = 0.1, seed = 1 } = {}): Comparable[] {
  const random = randomOf(seed)
  return Array.from({ length: count }, (_, at) => {
    const property = drawnProperty(random)
    const chance = noise * (random() + random() + random() - 1.5)
    return {
      ...property,
      id: `${seed}-${at}`,
      price: lawfulPrice(property, chance),
      seenAt: madeAt.subtract({ hours: 24 * between(random, 0, 300) }),
    }
  })
}

function drawnProperty(random: Random): Characteristics {
  const bedrooms = between(random, 1, 4)
  return madeProperty({
    latitude: 41.36 + 0.06 * random(),
    longitude: 2.1 + 0.1 * random(),
    squareMeters: 30 + 25 * bedrooms + between(random, -10, 10),
    bedrooms,
    bathrooms: bedrooms > 2 ? 2 : 1,
    floor: between(random, 0, 6),
    yearBuilt: between(random, 1920, 2015),
    amenities: amenitySet(random() < 0.5 ? ['lift'] : ['terrace']),
  })
}
