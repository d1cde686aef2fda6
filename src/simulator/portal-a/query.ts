// Reads the address of a search page of portal_a back into what is searched.
import type { Operation, PropertyType } from '../advert.ts'
import { CONDITIONS, FEATURES, OPERATIONS, PROPERTY_TYPES } from '../advert.ts'
import type { Search } from '../search.ts'
import { OPERATION_WORDS, PROPERTY_WORDS } from './words.ts'

const BOUNDS = [
  'minPrice',
  'maxPrice',
  'minRooms',
  'maxRooms',
  'minBathrooms',
  'minSquareMeters',
  'maxSquareMeters',
  'publishedWithinDays',
] as const

const PATH = /^\/([a-z]+)\/([a-z]+)\/([a-z-]+)\/$/

/** Operation, kind and city of a search path, or nothing if it is none. The city may be unknown. */
export function readSearchPath(path: string): Search | undefined {
  const [, operationSlug, propertySlug, city] = PATH.exec(path) ?? []
  const operation = OPERATIONS.find((name: Operation) => OPERATION_WORDS[name].slug === operationSlug)
  const propertyType = PROPERTY_TYPES.find((name: PropertyType) => PROPERTY_WORDS[name].slug === propertySlug)
  return operation && propertyType && city ? { operation, propertyType, city } : undefined
}

/**
 * The search with the filters and the page of a query. Unknown parameters are passed over, as portals do; a known
 * one with a value that means nothing throws, so that a wrong reader does not go unnoticed.
 */
export function readQuery(base: Search, query: URLSearchParams): { search: Search; page: number } {
  const search = { ...base }
  for (const name of BOUNDS) {
    const value = query.get(name)
    if (value) search[name] = wholeNumber(name, value)
  }
  const condition = query.get('condition')
  if (condition) search.condition = oneOf('condition', CONDITIONS, condition)
  const advertiser = query.get('advertiserType')
  if (advertiser && oneOf('advertiserType', ['private', 'agency', 'any'], advertiser) !== 'any') {
    search.advertiserType = advertiser as 'private' | 'agency'
  }
  const features = query.get('features')
  if (features) search.features = features.split(',').map(name => oneOf('features', FEATURES, name))
  const page = wholeNumber('page', query.get('page') || '1')
  if (page < 1) throw new Error('page: 0')
  return { search, page }
}

function wholeNumber(name: string, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`${name}: ${value}`)
  return Number(value)
}

function oneOf<T extends string>(name: string, known: readonly T[], value: string): T {
  const found = known.find(word => word === value)
  if (found === undefined) throw new Error(`${name}: ${value}`)
  return found
}
