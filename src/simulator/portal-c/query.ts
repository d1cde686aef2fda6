/** Parses the parameters of portal_c into a search. */
import type { Condition, Feature } from '../listing.ts'
import { operations, propertyTypes } from '../listing.ts'
import { findCityByCode } from '../official-codes.ts'
import type { Search } from '../search.ts'
import type { World } from '../world.ts'

export const itemsMax = 50
const boundParameters = {
  minPrice: 'minPrice',
  maxPrice: 'maxPrice',
  minSize: 'minSquareMeters',
  maxSize: 'maxSquareMeters',
} as const
const sinceDays: Record<string, number> = { T: 1, Y: 2, W: 7, M: 30 }
const conditionsByPreservation: Record<string, Condition> = { good: 'good', renew: 'to_renovate' }
const featuresByParameter: Record<string, Feature> = {
  elevator: 'lift',
  terrace: 'terrace',
  garage: 'parking',
  swimmingPool: 'pool',
  airConditioning: 'air_conditioning',
  storeRoom: 'storage_room',
  builtinWardrobes: 'fitted_wardrobes',
  exterior: 'exterior',
}
/** The highest count of the list means "or more". */
const bedroomsMax = 4
const bathroomsMax = 3

export interface Query {
  search: Search
  /** Counts of bedrooms; empty: any, also unstated. */
  bedrooms: readonly number[]
  bathrooms: readonly number[]
  isOldestFirst: boolean
  page: number
  itemsPerPage: number
}

/** Ignores unknown parameters. Throws the name of a known one that is missing or invalid. */
export function parseQuery(query: URLSearchParams): Query {
  const search: Search = {
    operation: parseOneOf('operation', operations, query.get('operation')),
    propertyType: parseOneOf('propertyType', propertyTypes, query.get('propertyType')),
    city: toCitySlug(query.get('locationId')),
  }
  for (const [name, bound] of Object.entries(boundParameters)) {
    const value = query.get(name)
    if (value) search[bound] = parseWholeNumber(name, value)
  }
  const since = query.get('sinceDate')
  if (since) search.publishedWithinDays = sinceDays[parseOneOf('sinceDate', Object.keys(sinceDays), since)]!
  const preservation = query.get('preservation')
  if (preservation)
    search.condition =
      conditionsByPreservation[
        parseOneOf('preservation', Object.keys(conditionsByPreservation), preservation)
      ]!
  if (isOn(query, 'newDevelopment')) search.condition = 'new'
  const features = Object.keys(featuresByParameter).filter(name => isOn(query, name))
  if (features.length > 0) search.features = features.map(name => featuresByParameter[name]!)
  const page = parseWholeNumber('numPage', query.get('numPage') || '1')
  if (page < 1) throw new Error('numPage')
  return {
    search,
    bedrooms: parseCounts('bedrooms', query.get('bedrooms'), bedroomsMax),
    bathrooms: parseCounts('bathrooms', query.get('bathrooms'), bathroomsMax),
    isOldestFirst: parseOneOf('sort', ['asc', 'desc'], query.get('sort') || 'desc') === 'asc',
    page,
    itemsPerPage: Math.min(
      Math.max(parseWholeNumber('maxItems', query.get('maxItems') || '20'), 1),
      itemsMax,
    ),
  }
}

/** Positions of the matching listings, in the order of the search. */
export function selectIndexes(
  world: World,
  { search, bedrooms, bathrooms, isOldestFirst }: Query,
): readonly number[] {
  let found = world.select(search)
  if (bedrooms.length > 0)
    found = found.filter(index => isListed(world.attributes(index).bedrooms, bedrooms, bedroomsMax))
  if (bathrooms.length > 0)
    found = found.filter(index => isListed(world.attributes(index).bathrooms, bathrooms, bathroomsMax))
  return isOldestFirst ? found.toReversed() : found
}

function isListed(count: number | null, listed: readonly number[], last: number): boolean {
  return count !== null && listed.includes(Math.min(count, last))
}

/** `0-EU-ES-28-079` is a town, `0-EU-ES-M` a province. */
function toCitySlug(locationId: string | null): string {
  const code = /^0-EU-ES-([A-Z]{1,2}|\d{2}-\d{3})$/.exec(locationId ?? '')?.[1]
  if (code === undefined) throw new Error('locationId')
  return findCityByCode(code.replace('-', '')) ?? code
}

function parseCounts(name: string, value: string | null, last: number): number[] {
  if (!value) return []
  const listed = value.split(',').map(count => parseWholeNumber(name, count))
  if (listed.some(count => count > last)) throw new Error(name)
  return listed
}

function isOn(query: URLSearchParams, name: string): boolean {
  return parseOneOf(name, ['true', 'false'], query.get(name) || 'false') === 'true'
}

function parseWholeNumber(name: string, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error(name)
  return Number(value)
}

function parseOneOf<T extends string>(name: string, known: readonly T[], value: string | null): T {
  const found = known.find(word => word === value)
  if (found === undefined) throw new Error(name)
  return found
}
