/** The rules of filters that no JSON Schema states: what contradicts itself, what the portal lacks, what is hardly meant. */
import { parseFeatureNames } from '../../domain/listing/features.ts'
import type { Gazetteer } from '../../domain/location/gazetteer.ts'
import type { Place } from '../../domain/location/place.ts'
import { foldName } from '../../domain/location/words.ts'
import { didYouMean } from '../../kit/did-you-mean.ts'
import type { InputError } from '../../kit/problem.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'
import { sharedFilters } from '../../plugins/portal-filters.ts'

type Filters = Record<string, unknown>

/** In the portal's currency. Hardly a home costs more a month, or less altogether. */
const rentMax = 50_000
const saleMin = 1000

/** Says of each unknown key what the portal honours instead; a key that other portals know is NOT_SUPPORTED. */
export function explainUnknownKeys(errors: InputError[], { id, filters }: PortalDefinition): InputError[] {
  const keys = Object.keys(filters.properties)
  const honoured = keys.join(', ')
  return errors.map(error => {
    const [, key = '', ...inner] = error.path.split('/')
    if (error.code !== 'UNKNOWN_FIELD' || inner.length > 0) return error
    const isShared = Object.hasOwn(sharedFilters, key)
    return isShared
      ? { ...error, code: 'NOT_SUPPORTED', message: `${id} cannot filter by ${key}; it honours ${honoured}` }
      : { ...error, message: `is not a filter of ${id}; it honours ${honoured}${didYouMean(key, keys)}` }
  })
}

/** Refuses each feature by its name: what is unknown with the nearest, what is known as one that the portal does not honour. */
export function explainFeatures(errors: InputError[], id: string, features: unknown): InputError[] {
  if (!Array.isArray(features)) return errors
  return errors.map(error => {
    const text = features[Number(/^\/features\/(\d+)$/.exec(error.path)?.[1])]
    if (error.code !== 'NOT_ALLOWED' || typeof text !== 'string') return error
    const nearest = parseFeatureNames([text]).unknown.at(0)?.nearest
    const name = JSON.stringify(text)
    if (nearest) return { ...error, message: `${name} is no known feature; the nearest is ${nearest}` }
    return { ...error, message: `${name} is no feature that ${id} can filter by: it ${error.message}` }
  })
}

/** Prices of the other operation. */
export function toPriceWarnings({ operation, minPrice, maxPrice }: Filters): InputError[] {
  if (operation === 'rent' && typeof minPrice === 'number' && minPrice > rentMax)
    return [
      {
        path: '/minPrice',
        code: 'IMPLAUSIBLE_PRICE',
        message: 'is much for a rent: per month? A price to buy at goes with the operation sale',
      },
    ]
  if (operation === 'sale' && typeof maxPrice === 'number' && maxPrice < saleMin)
    return [
      {
        path: '/maxPrice',
        code: 'IMPLAUSIBLE_PRICE',
        message: 'is little for a sale: in all? A price per month goes with the operation rent',
      },
    ]
  return []
}

/**
 * The place that a label names to the letter while it is no name of `place`; null if it names that one, nothing, or
 * something of its own: people may call a place as they like.
 */
export function findNamedPlace(label: string, place: Place, gazetteer: Gazetteer): Place | null {
  const folded = foldName(label)
  const isNameOf = (one: Place) =>
    [...one.names, gazetteer.label(one)].some(name => foldName(name) === folded)
  if (folded === '' || isNameOf(place)) return null
  const [best] = gazetteer.search({ q: label, limit: 1 })
  return best && isNameOf(best) ? best : null
}
