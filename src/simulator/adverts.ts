// Turns the figures of an advert into the whole advert: street, texts, advertiser and photos made up around them.

import type { Random } from '../domain/random.ts'
import { between, pick, randomOf } from '../domain/random.ts'
import type { Advert, Energy, Figures } from './advert.ts'
import { FEATURES, hasFeature } from './advert.ts'
import { agencyAdvertiser, privateAdvertiser } from './advertisers.ts'
import { distinctNumber } from './figures.ts'
import type { City, Neighbourhood } from './places.ts'
import { kilometresBetween } from './places.ts'
import { descriptionOf, titleOf } from './wording.ts'

const ENERGY_DRAW = 'A B C D D E E E E F G G in_progress in_progress exempt'.split(' ') as Energy[]

/** The advert around `figures`: the same for the same seed, number and figures. */
export function advertOf(seed: number, number: number, figures: Figures): Advert {
  const random = randomOf(seed, number, 4)
  const neighbourhood = nearestNeighbourhood(figures.city, figures.latitude, figures.longitude)
  const street = pick(random, neighbourhood.streets)
  const place = { street, neighbourhood: neighbourhood.name }
  const address = `${street}, ${between(random, 1, 180)}`
  const advertiser = figures.privateAdvertiser
    ? privateAdvertiser(random, figures.city, limit => distinctNumber(~seed, number, limit))
    : agencyAdvertiser(random, figures.city)
  const agenciesAbstain = figures.privateAdvertiser && random() < 0.35
  return {
    id: figures.id,
    operation: figures.operation,
    propertyType: figures.propertyType,
    subtype: figures.subtype,
    title: titleOf(figures, place),
    description: descriptionOf(figures, place, agenciesAbstain, random),
    price: figures.price,
    squareMeters: figures.squareMeters,
    bedrooms: figures.bedrooms,
    bathrooms: figures.bathrooms,
    condition: figures.condition,
    floor: figures.floor,
    yearBuilt: figures.yearBuilt,
    features: FEATURES.filter(feature => hasFeature(figures, feature)),
    energy: energyOf(figures, random),
    address,
    neighbourhood: neighbourhood.name,
    country: figures.city.country,
    city: figures.city.name,
    citySlug: figures.city.slug,
    province: figures.city.province,
    postcode: neighbourhood.postcode,
    latitude: figures.latitude,
    longitude: figures.longitude,
    advertiser,
    agenciesAbstain,
    photoCount: between(random, 3, 12),
    publishedAt: new Date(figures.publishedAt),
    updatedAt: new Date(figures.updatedAt),
  }
}

function energyOf(figures: Figures, random: Random): Energy | null {
  if (figures.propertyType === 'garages') return null
  if (figures.condition === 'new') return pick(random, ['A', 'B'])
  return random() < 0.12 ? null : pick(random, ENERGY_DRAW)
}

function nearestNeighbourhood(city: City, latitude: number, longitude: number): Neighbourhood {
  let nearest = city.neighbourhoods[0]!
  let nearestKm = Number.POSITIVE_INFINITY
  for (const neighbourhood of city.neighbourhoods) {
    const km = kilometresBetween(latitude, longitude, neighbourhood)
    if (km < nearestKm) {
      nearest = neighbourhood
      nearestKm = km
    }
  }
  return nearest
}
