/** Completes the attributes of a listing with street, texts, advertiser and photos. */

import type { Random } from '../domain/random.ts'
import { createRandom, pickRandom, randomInteger } from '../domain/random.ts'
import { createPrivateAdvertiser, pickAgency } from './advertisers.ts'
import { toDistinctNumber } from './attributes.ts'
import { formatDescription, formatTitle } from './descriptions.ts'
import type { Energy, ListingAttributes, SimulatedListing } from './listing.ts'
import { allFeatures, hasFeature } from './listing.ts'
import type { City, Neighbourhood } from './places.ts'
import { kilometersBetween } from './places.ts'

/** Energy classes, each repeated in proportion to its frequency. */
const energyDistribution = 'A B C D D E E E E F G G in_progress in_progress exempt'.split(' ') as Energy[]

/** Builds the listing of `attributes`, deterministic for seed, number and attributes. */
export function toListing(seed: number, number: number, attributes: ListingAttributes): SimulatedListing {
  const random = createRandom(seed, number, 4)
  const neighbourhood = findNearestNeighbourhood(attributes.city, attributes.latitude, attributes.longitude)
  const street = pickRandom(random, neighbourhood.streets)
  const place = { street, neighbourhood: neighbourhood.name }
  const address = `${street}, ${randomInteger(random, 1, 180)}`
  const advertiser = attributes.isPrivateAdvertiser
    ? createPrivateAdvertiser(random, attributes.city, limit => toDistinctNumber(~seed, number, limit))
    : pickAgency(random, attributes.city)
  const statesNoAgencies = attributes.isPrivateAdvertiser && random() < 0.35
  return {
    id: attributes.id,
    operation: attributes.operation,
    propertyType: attributes.propertyType,
    subtype: attributes.subtype,
    title: formatTitle(attributes, place),
    description: formatDescription(attributes, place, statesNoAgencies, random),
    price: attributes.price,
    squareMeters: attributes.squareMeters,
    bedrooms: attributes.bedrooms,
    bathrooms: attributes.bathrooms,
    condition: attributes.condition,
    floor: attributes.floor,
    yearBuilt: attributes.yearBuilt,
    features: allFeatures.filter(feature => hasFeature(attributes, feature)),
    energy: pickEnergy(attributes, random),
    address,
    neighbourhood: neighbourhood.name,
    country: attributes.city.country,
    city: attributes.city.name,
    citySlug: attributes.city.slug,
    province: attributes.city.province,
    postcode: neighbourhood.postcode,
    latitude: attributes.latitude,
    longitude: attributes.longitude,
    advertiser,
    statesNoAgencies,
    photoCount: randomInteger(random, 3, 12),
    publishedAt: new Date(attributes.publishedAt),
    updatedAt: new Date(attributes.updatedAt),
  }
}

function pickEnergy(attributes: ListingAttributes, random: Random): Energy | null {
  if (attributes.propertyType === 'garages') return null
  if (attributes.condition === 'new') return pickRandom(random, ['A', 'B'])
  return random() < 0.12 ? null : pickRandom(random, energyDistribution)
}

function findNearestNeighbourhood(city: City, latitude: number, longitude: number): Neighbourhood {
  let nearest = city.neighbourhoods[0]!
  let nearestKm = Number.POSITIVE_INFINITY
  for (const neighbourhood of city.neighbourhoods) {
    const km = kilometersBetween(latitude, longitude, neighbourhood)
    if (km < nearestKm) {
      nearest = neighbourhood
      nearestKm = km
    }
  }
  return nearest
}
