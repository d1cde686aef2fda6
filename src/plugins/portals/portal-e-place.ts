// Whether an advert that names its town and province lies in a place of the gazetteer.

import { metersBetween } from '../../domain/geo.ts'
import type { Listing } from '../../domain/listing/listing.ts'
import type { Place } from '../../domain/location/place.ts'
import { foldName, wordsOf } from '../../domain/location/words.ts'
import { remembered } from '../../domain/remembered.ts'

// The largest municipalities reach 30 km from their middle; those of one name lie further apart.
const municipalityRadiusMeters = 40_000

/** By any of the place's names, in any spelling; coordinates tell a town from its namesakes. A place without its name is not guessed. */
export function isInPlace(
  listing: Pick<Listing, 'municipality' | 'province' | 'latitude' | 'longitude'>,
  place: Place,
): boolean {
  if (place.type === 'country') return true
  const name = place.type === 'municipality' ? listing.municipality : listing.province
  if (name === null || !isNameOf(name, place)) return false
  const { latitude, longitude } = listing
  if (place.type !== 'municipality' || latitude === null || longitude === null) return true
  return metersBetween({ latitude, longitude }, place) <= municipalityRadiusMeters
}

const namesOf = new WeakMap<Place, Set<string>>()

function isNameOf(text: string, place: Place): boolean {
  let names = namesOf.get(place)
  if (names === undefined) {
    names = new Set([place.name, ...place.names].flatMap(name => spellingsOf(name)))
    namesOf.set(place, names)
  }
  return spellingsOf(text).some(spelling => names.has(spelling))
}

/** `Alicante/Alacant` is two names; "Coruña, A" and "A Coruña" are one. */
const spellingsOf = remembered(text => text.split('/').map(name => wordsOf(foldName(name)).sort().join(' ')))
