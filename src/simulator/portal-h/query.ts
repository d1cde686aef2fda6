// The words of portal_h, and its alerts' addresses read back into what is searched.
import type { Operation, PropertyType } from '../advert.ts'
import { OPERATIONS, PROPERTY_TYPES } from '../advert.ts'
import { cityOfCode } from '../official-codes.ts'
import type { Search } from '../search.ts'

export const OPERATION_WORDS: Record<Operation, string> = { sale: 'venta', rent: 'alquiler' }
export const TYPE_WORDS: Record<PropertyType, string> = {
  homes: 'vivienda',
  offices: 'oficina',
  premises: 'local',
  garages: 'garaje',
}

const BOUNDS = {
  'precio-min': 'minPrice',
  'precio-max': 'maxPrice',
  'hab-min': 'minRooms',
  'm2-min': 'minSquareMeters',
} as const

/** A place without adverts is searched in vain; a known parameter with a value that means nothing throws. */
export function readQuery(query: URLSearchParams): { search: Search; page: number } {
  const zone = /^(?:mun|prov)-(\w{1,5})$/.exec(query.get('zona') ?? '')?.[1]
  if (zone === undefined) throw new Error(`zona: ${query.get('zona')}`)
  const search: Search = {
    operation: keyOf('op', OPERATIONS, OPERATION_WORDS, query),
    propertyType: keyOf('tipo', PROPERTY_TYPES, TYPE_WORDS, query),
    city: cityOfCode(zone) ?? '',
  }
  for (const [name, bound] of Object.entries(BOUNDS)) {
    const value = query.get(name)
    if (value !== null) search[bound] = wholeNumber(name, value)
  }
  const advertiser = query.get('anunciante')
  if (advertiser !== null && advertiser !== 'particular' && advertiser !== 'profesional')
    throw new Error(`anunciante: ${advertiser}`)
  if (advertiser !== null) search.advertiserType = advertiser === 'particular' ? 'private' : 'agency'
  return { search, page: wholeNumber('pag', query.get('pag') ?? '1') }
}

function keyOf<Key extends string>(
  name: string,
  keys: readonly Key[],
  words: Record<Key, string>,
  query: URLSearchParams,
): Key {
  const key = keys.find(candidate => words[candidate] === query.get(name))
  if (key === undefined) throw new Error(`${name}: ${query.get(name)}`)
  return key
}

function wholeNumber(name: string, value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new Error(`${name}: ${value}`)
  return Number(value)
}
