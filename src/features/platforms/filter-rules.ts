/** Filter rules that JSON Schema cannot express, and error messages with suggestions. */
import { parseFeatureNames } from '../../domain/listing/features.ts'
import type { Gazetteer } from '../../domain/location/gazetteer.ts'
import type { Place } from '../../domain/location/place.ts'
import { foldName } from '../../domain/location/words.ts'
import { didYouMean } from '../../kit/did-you-mean.ts'
import type { InputError } from '../../kit/problem.ts'
import type { PortalDefinition } from '../../plugins/portal.ts'
import { sharedFilters } from '../../plugins/portal-filters.ts'

type Filters = Record<string, unknown>

/** Plausible limits in the portal's currency: hardly any rent is higher, hardly any sale price is lower. */
const rentMax = 50_000
const saleMin = 1000

/** Adds the supported filters to each error of an unknown key. A filter that other portals have is NOT_SUPPORTED. */
export function explainUnknownKeys(errors: InputError[], { id, filters }: PortalDefinition): InputError[] {
  const keys = Object.keys(filters.properties)
  const supported = keys.join(', ')
  return errors.map(error => {
    const [, key = '', ...inner] = error.path.split('/')
    if (error.code !== 'UNKNOWN_FIELD' || inner.length > 0) return error
    const isShared = Object.hasOwn(sharedFilters, key)
    return isShared
      ? {
          ...error,
          code: 'NOT_SUPPORTED',
          message: `${id} cannot filter by ${key}; it supports ${supported}`,
        }
      : { ...error, message: `is not a filter of ${id}; it supports ${supported}${didYouMean(key, keys)}` }
  })
}

/** Names the refused feature in its error: an unknown one with the nearest known name, a known one as unsupported. */
export function explainFeatures(errors: InputError[], id: string, features: unknown): InputError[] {
  if (!Array.isArray(features)) return errors
  return errors.map(error => {
    const text = features[Number(/^\/features\/(\d+)$/.exec(error.path)?.[1])]
    if (error.code !== 'NOT_ALLOWED' || typeof text !== 'string') return error
    const nearest = parseFeatureNames([text]).unknown.at(0)?.nearest
    const name = JSON.stringify(text)
    if (nearest) return { ...error, message: `${name} is not a known feature; the nearest is ${nearest}` }
    return { ...error, message: `${id} cannot filter by the feature ${name}: it ${error.message}` }
  })
}

/** Warns of a price that fits the other operation: a sale price for a rent, or a rent for a sale. */
export function toPriceWarnings({ operation, minPrice, maxPrice }: Filters): InputError[] {
  if (operation === 'rent' && typeof minPrice === 'number' && minPrice > rentMax)
    return [
      {
        path: '/minPrice',
        code: 'IMPLAUSIBLE_PRICE',
        message: 'is high for a monthly rent. For a purchase price, use the operation sale',
      },
    ]
  if (operation === 'sale' && typeof maxPrice === 'number' && maxPrice < saleMin)
    return [
      {
        path: '/maxPrice',
        code: 'IMPLAUSIBLE_PRICE',
        message: 'is low for a purchase price. For a monthly rent, use the operation rent',
      },
    ]
  return []
}

/**
 * Finds another place that has exactly this label as a name. Null: the label is empty, a name of `place`, or no name of any
 * place (people may choose their own label).
 */
export function findNamedPlace(label: string, place: Place, gazetteer: Gazetteer): Place | null {
  const folded = foldName(label)
  const isNameOf = (one: Place) =>
    [...one.names, gazetteer.formatLabel(one)].some(name => foldName(name) === folded)
  if (folded === '' || isNameOf(place)) return null
  const [best] = gazetteer.search({ q: label, limit: 1 })
  return best && isNameOf(best) ? best : null
}
