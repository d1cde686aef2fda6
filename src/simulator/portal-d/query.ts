/** Parses the URL of a search page of portal_d. */
import { operations, propertyTypes } from '../listing.ts'
import type { Search } from '../search.ts'
import { categoryWords, findCityByZone, operationWords } from './words.ts'

const boundParameters = {
  pmin: 'minPrice',
  pmax: 'maxPrice',
  tmin: 'minRooms',
  tmax: 'maxRooms',
  amin: 'minSquareMeters',
  amax: 'maxSquareMeters',
  dias: 'publishedWithinDays',
} as const

export interface PortalSearch {
  /** The zone may be unknown: then nothing is found. */
  search: Search
  zone: string
  page: number
}

/** Throws an error that names an invalid parameter, so that a faulty definition is noticed. */
export function parseQuery(query: URLSearchParams): PortalSearch {
  const zone = query.get('zona') ?? ''
  const search: Search = {
    operation: parseOneOf('op', operations, operationWords, query),
    propertyType: parseOneOf('cat', propertyTypes, categoryWords, query),
    city: findCityByZone(zone) ?? '-',
  }
  for (const [parameter, name] of Object.entries(boundParameters)) {
    const value = query.get(parameter)
    if (value) search[name] = parseWholeNumber(parameter, value)
  }
  const advertiser = query.get('quem')
  if (advertiser) {
    if (advertiser !== 'particular' && advertiser !== 'agencia') throw new Error(`quem: ${advertiser}`)
    search.advertiserType = advertiser === 'particular' ? 'private' : 'agency'
  }
  const page = parseWholeNumber('pag', query.get('pag') || '1')
  if (page < 1) throw new Error('pag: 0')
  return { search, zone, page }
}

function parseOneOf<T extends string>(
  parameter: string,
  known: readonly T[],
  words: Record<T, string>,
  query: URLSearchParams,
): T {
  const found = known.find(name => words[name] === query.get(parameter))
  if (found === undefined) throw new Error(`${parameter}: ${query.get(parameter)}`)
  return found
}

function parseWholeNumber(name: string, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`${name}: ${value}`)
  return Number(value)
}
