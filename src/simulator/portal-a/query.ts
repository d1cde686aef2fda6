/** Parses the URL of a search page of portal_a. */
import type { Operation, PropertyType } from '../listing.ts'
import { allFeatures, conditions, operations, propertyTypes } from '../listing.ts'
import type { Search } from '../search.ts'
import { operationWords, propertyWords } from './words.ts'

const boundParameters = [
  'minPrice',
  'maxPrice',
  'minRooms',
  'maxRooms',
  'minBathrooms',
  'minSquareMeters',
  'maxSquareMeters',
  'publishedWithinDays',
] as const

const searchPathPattern = /^\/([a-z]+)\/([a-z]+)\/([a-z-]+)\/$/

/** Operation, type and city of a search path; undefined for another path. The city may be unknown. */
export function parseSearchPath(path: string): Search | undefined {
  const [, operationSlug, propertySlug, city] = searchPathPattern.exec(path) ?? []
  const operation = operations.find((name: Operation) => operationWords[name].slug === operationSlug)
  const propertyType = propertyTypes.find((name: PropertyType) => propertyWords[name].slug === propertySlug)
  return operation && propertyType && city ? { operation, propertyType, city } : undefined
}

/**
 * Parses the filters and the page of a query. Ignores unknown parameters, as portals do. Throws for
 * an invalid value of a known parameter, so that a faulty definition is noticed.
 */
export function parseQuery(base: Search, query: URLSearchParams): { search: Search; page: number } {
  const search = { ...base }
  for (const name of boundParameters) {
    const value = query.get(name)
    if (value) search[name] = parseWholeNumber(name, value)
  }
  const condition = query.get('condition')
  if (condition) search.condition = parseOneOf('condition', conditions, condition)
  const advertiser = query.get('advertiserType')
  if (advertiser && parseOneOf('advertiserType', ['private', 'agency', 'any'], advertiser) !== 'any') {
    search.advertiserType = advertiser as 'private' | 'agency'
  }
  const features = query.get('features')
  if (features) search.features = features.split(',').map(name => parseOneOf('features', allFeatures, name))
  const page = parseWholeNumber('page', query.get('page') || '1')
  if (page < 1) throw new Error('page: 0')
  return { search, page }
}

function parseWholeNumber(name: string, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`${name}: ${value}`)
  return Number(value)
}

function parseOneOf<T extends string>(name: string, known: readonly T[], value: string): T {
  const found = known.find(word => word === value)
  if (found === undefined) throw new Error(`${name}: ${value}`)
  return found
}
