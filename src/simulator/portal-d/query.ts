// Reads the address of a search page of portal_d back into what is searched.
import { OPERATIONS, PROPERTY_TYPES } from '../advert.ts'
import type { Search } from '../search.ts'
import { CATEGORY_WORDS, cityOfZone, OPERATION_WORDS } from './words.ts'

const BOUNDS = {
  pmin: 'minPrice',
  pmax: 'maxPrice',
  tmin: 'minRooms',
  tmax: 'maxRooms',
  amin: 'minSquareMeters',
  amax: 'maxSquareMeters',
  dias: 'publishedWithinDays',
} as const

export interface PortalSearch {
  /** The zone may be unknown: nothing is there. */
  search: Search
  zone: string
  page: number
}

/** Throws with the parameter that means nothing, so that a wrong reader does not go unnoticed. */
export function readQuery(query: URLSearchParams): PortalSearch {
  const zone = query.get('zona') ?? ''
  const search: Search = {
    operation: oneOf('op', OPERATIONS, OPERATION_WORDS, query),
    propertyType: oneOf('cat', PROPERTY_TYPES, CATEGORY_WORDS, query),
    city: cityOfZone(zone) ?? '-',
  }
  for (const [parameter, name] of Object.entries(BOUNDS)) {
    const value = query.get(parameter)
    if (value) search[name] = wholeNumber(parameter, value)
  }
  const advertiser = query.get('quem')
  if (advertiser) {
    if (advertiser !== 'particular' && advertiser !== 'agencia') throw new Error(`quem: ${advertiser}`)
    search.advertiserType = advertiser === 'particular' ? 'private' : 'agency'
  }
  const page = wholeNumber('pag', query.get('pag') || '1')
  if (page < 1) throw new Error('pag: 0')
  return { search, zone, page }
}

function oneOf<T extends string>(
  parameter: string,
  known: readonly T[],
  words: Record<T, string>,
  query: URLSearchParams,
): T {
  const found = known.find(name => words[name] === query.get(parameter))
  if (found === undefined) throw new Error(`${parameter}: ${query.get(parameter)}`)
  return found
}

function wholeNumber(name: string, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`${name}: ${value}`)
  return Number(value)
}
