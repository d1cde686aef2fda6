/** Decides if a listing with town and province lies in a place of the gazetteer. */

import { metersBetween } from '../../domain/geo.ts'
import type { Listing } from '../../domain/listing/listing.ts'
import type { Place } from '../../domain/location/place.ts'
import { foldName, splitWords } from '../../domain/location/words.ts'
import { memoize } from '../../domain/memoize.ts'

// The largest municipalities reach 30 km from their centre; towns of the same name are further apart.
const municipalityRadiusMeters = 40_000

/**
 * Compares all names of the place in any spelling; coordinates separate towns of the same name. Without a matching
 * name it returns false.
 */
export function isInPlace(
  listing: Pick<Listing, 'municipality' | 'province' | 'latitude' | 'longitude'>,
  place: Place,
): boolean {
  if (place.type === 'country') return true
  const name = place.type === 'municipality' ? listing.municipality : listing.province
  if (name === null || !isPlaceName(name, place)) return false
  const { latitude, longitude } = listing
  if (place.type !== 'municipality' || latitude === null || longitude === null) return true
  return metersBetween({ latitude, longitude }, place) <= municipalityRadiusMeters
}

const placeNames = new WeakMap<Place, Set<string>>()

function isPlaceName(text: string, place: Place): boolean {
  let names = placeNames.get(place)
  if (names === undefined) {
    names = new Set([place.name, ...place.names].flatMap(name => toSpellings(name)))
    placeNames.set(place, names)
  }
  return toSpellings(text).some(spelling => names.has(spelling))
}

/** `Alicante/Alacant` is two names; "Coruña, A" and "A Coruña" are one. */
const toSpellings = memoize(text => text.split('/').map(name => splitWords(foldName(name)).sort().join(' ')))
