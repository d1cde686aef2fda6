/** The words of portal_h, and the parser of the URLs of its alerts. */
import type { Operation, PropertyType } from '../listing.ts'
import { operations, propertyTypes } from '../listing.ts'
import { findCityByCode } from '../official-codes.ts'
import type { Search } from '../search.ts'

export const operationWords: Record<Operation, string> = { sale: 'venta', rent: 'alquiler' }
export const typeWords: Record<PropertyType, string> = {
  homes: 'vivienda',
  offices: 'oficina',
  premises: 'local',
  garages: 'garaje',
}

const boundParameters = {
  'precio-min': 'minPrice',
  'precio-max': 'maxPrice',
  'hab-min': 'minRooms',
  'm2-min': 'minSquareMeters',
} as const

/** A place without listings returns no results. An invalid value of a known parameter throws. */
export function parseQuery(query: URLSearchParams): { search: Search; page: number } {
  const zone = /^(?:mun|prov)-(\w{1,5})$/.exec(query.get('zona') ?? '')?.[1]
  if (zone === undefined) throw new Error(`zona: ${query.get('zona')}`)
  const search: Search = {
    operation: parseOneOf('op', operations, operationWords, query),
    propertyType: parseOneOf('tipo', propertyTypes, typeWords, query),
    city: findCityByCode(zone) ?? '',
  }
  for (const [name, bound] of Object.entries(boundParameters)) {
    const value = query.get(name)
    if (value !== null) search[bound] = parseWholeNumber(name, value)
  }
  const advertiser = query.get('anunciante')
  if (advertiser !== null && advertiser !== 'particular' && advertiser !== 'profesional')
    throw new Error(`anunciante: ${advertiser}`)
  if (advertiser !== null) search.advertiserType = advertiser === 'particular' ? 'private' : 'agency'
  return { search, page: parseWholeNumber('pag', query.get('pag') ?? '1') }
}

function parseOneOf<Key extends string>(
  name: string,
  keys: readonly Key[],
  words: Record<Key, string>,
  query: URLSearchParams,
): Key {
  const key = keys.find(candidate => words[candidate] === query.get(name))
  if (key === undefined) throw new Error(`${name}: ${query.get(name)}`)
  return key
}

function parseWholeNumber(name: string, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`${name}: ${value}`)
  return Number(value)
}
