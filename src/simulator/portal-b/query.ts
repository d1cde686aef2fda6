/** Parses the URL of a search page of portal_b. */
import type { Operation, PropertyType } from '../listing.ts'
import { operations, propertyTypes } from '../listing.ts'
import { findCityByCode } from '../official-codes.ts'
import type { Search } from '../search.ts'
import { clientTypes, extraFeatureNames, operationWords, propertyWords } from './words.ts'

const boundParameters = [
  ['minPrice', 'minPrice'],
  ['maxPrice', 'maxPrice'],
  ['minRooms', 'minRooms'],
  ['maxRooms', 'maxRooms'],
  ['minBathrooms', 'minBathrooms'],
  ['minSurface', 'minSquareMeters'],
  ['maxSurface', 'maxSquareMeters'],
] as const
const conditions: Record<string, Search['condition']> = { '1,2,3,6': 'good', '4': 'to_renovate' }
const searchPathPattern = /^\/es\/([a-z]+)\/([a-z]+)\/([a-z-]+)\/([a-z-]+)\/l(?:\/(\d{1,6}))?$/
/** The place in the path of a search that has its place in `combinedLocationIds`. */
const anywhereSlug = 'espana/tu-zona-de-busqueda'
const combinedIdPattern = /^724_([A-Z]{1,2}|0)_(\d{5}|0)$/

export interface SearchQuery {
  search: Search
  /** From 1. */
  page: number
}

/** Operation, type, place and page of a search path; undefined for another path. */
export function parseSearchPath(
  path: string,
): { operation: Operation; propertyType: PropertyType; place: string; page: number } | undefined {
  const [, operationSlug, propertySlug, segment, zone, page = '1'] = searchPathPattern.exec(path) ?? []
  const operation = operations.find(name => operationWords[name].slug === operationSlug)
  const propertyType = propertyTypes.find(name => propertyWords[name].slug === propertySlug)
  if (!operation || !propertyType) return undefined
  return { operation, propertyType, place: `${segment}/${zone}`, page: Number(page) }
}

/**
 * Parses the search of a URL. Ignores unknown parameters, as portals do. Throws for an invalid value of a known
 * parameter, so that a faulty definition is noticed.
 */
export function parseQuery(
  path: NonNullable<ReturnType<typeof parseSearchPath>>,
  query: URLSearchParams,
): SearchQuery {
  const { operation, propertyType, place, page } = path
  const search: Search = {
    operation,
    propertyType,
    city: toCitySlug(place, query.get('combinedLocationIds')),
  }
  for (const [name, key] of boundParameters) {
    const value = query.get(name)
    if (value !== null) search[key] = parseWholeNumber(name, value)
  }
  const states = query.get('conservationStatusIds')
  if (states !== null) search.condition = requireKnown('conservationStatusIds', conditions[states], states)
  const purchase = query.get('purchaseType')
  if (purchase !== null)
    search.condition = requireKnown('purchaseType', purchase === '1' ? ('new' as const) : undefined, purchase)
  const client = query.get('clientTypeId')
  if (client !== null) search.advertiserType = requireKnown('clientTypeId', findClient(client), client)
  const days = query.get('publishedWithin')
  if (days !== null)
    search.publishedWithinDays = requireKnown(
      'publishedWithin',
      [1, 7, 30].find(number => String(number) === days),
      days,
    )
  const extras = query.get('extras')
  if (extras !== null)
    search.features = extras.split(',').map(text => {
      const extra = extraFeatureNames.find(([, , id]) => String(id) === text)
      return requireKnown('extras', extra?.[0], text)
    })
  if (page < 1) throw new Error('page: 0')
  return { search, page }
}

/** The world's slug of a place; for a place without listings, a slug that the world does not know. */
function toCitySlug(place: string, combinedId: string | null): string {
  if (combinedId === null) return place.endsWith('/todas-las-zonas') ? place.split('/')[0]! : place
  const [, province, municipality] = combinedIdPattern.exec(combinedId) ?? []
  if (place !== anywhereSlug || !province || !municipality)
    throw new Error(`combinedLocationIds: ${combinedId}`)
  return findCityByCode(municipality === '0' ? province : municipality) ?? combinedId
}

function findClient(id: string): 'private' | 'agency' | undefined {
  return (['private', 'agency'] as const).find(type => String(clientTypes[type].id) === id)
}

function parseWholeNumber(name: string, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`${name}: ${value}`)
  return Number(value)
}

function requireKnown<T>(name: string, value: T | undefined, text: string): T {
  if (value === undefined) throw new Error(`${name}: ${text}`)
  return value
}
