/** The levels of the places in a breadcrumb, which go from the largest to the smallest. */
import { toIsoCountry } from '../countries.ts'
import { toPhrase } from '../words/words.ts'
import { isPlace, type PlaceParts } from './place-line.ts'
import { findRegionKind } from './regions.ts'

export interface TrailPlaces extends PlaceParts {
  /** The places below the municipality, in plain words. */
  below: string[]
}

/**
 * The levels that follow from the province in the trail; null if it has none. `isNamed`: true for a place that the
 * heading, the address or the URL names too, because areas may stand between a province and its towns.
 */
export function parseTrail(
  trail: readonly string[],
  country: string,
  isNamed: (place: string) => boolean,
): TrailPlaces | null {
  const places = trail.filter(
    (place, index) => toIsoCountry(place) !== country && toPhrase(place) !== toPhrase(trail[index - 1] ?? ''),
  )
  const kindOf = (place: string | undefined) => (place === undefined ? null : findRegionKind(place, country))
  let start = places.findIndex(place => kindOf(place) !== null)
  if (start === -1) return null
  while (kindOf(places[start]) === 'apart' && kindOf(places[start + 1]) === 'apart') start += 1
  const province = places[start]!
  const kind = kindOf(province)
  const rest = places.slice(start + 1).filter(isPlace)
  // `Madrid > Madrid > Goya`, `Madrid > Madrid Capital > Goya`
  const isTwice = trail.filter(place => toPhrase(place) === toPhrase(province)).length > 1
  const capital = new RegExp(`^${toPhrase(province)} (?:capital|city|ciudad|stadt|centro)$`)
  const capitalIndex = rest.findIndex(place => capital.test(toPhrase(place)))
  if (kind === 'city' || (kind === 'shared' && (isTwice || capitalIndex === 0)))
    return toLevels(province, province, rest.slice(capitalIndex + 1))
  const next = rest.findIndex(isNamed)
  // `Málaga > Marbella` and `Valencia > Ruzafa`: the last place is a town, or a district of the capital.
  const isOpen = kind === 'shared' && next === rest.length - 1
  if (next === -1 || isOpen) return { province, below: [] }
  return toLevels(province, rest[next]!, rest.slice(next + 1))
}

function toLevels(province: string, municipality: string, rest: readonly string[]): TrailPlaces {
  const [district] = rest
  return {
    province,
    municipality,
    ...(district !== undefined && { neighbourhood: district }),
    below: rest.map(toPhrase),
  }
}
