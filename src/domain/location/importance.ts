/** Orders places that match a query equally well by importance. */
import type { Place, PlaceType } from './place.ts'
import { foldName } from './words.ts'

const types: PlaceType[] = ['municipality', 'province', 'region', 'country']

/**
 * Sorts places by importance: by population, but an area follows the municipality inside it that has the same name. A
 * search for "Barcelona" means the city, then the province.
 */
export function sortByImportance(places: readonly Place[]): Place[] {
  const byId = new Map(places.map(place => [place.id, place]))
  const importance = new Map(places.map(place => [place, place.population ?? 0]))
  for (const [area, cap] of computeNamesakeCaps(places, byId))
    importance.set(area, Math.min(importance.get(area)!, cap))
  return places.toSorted(
    (a, b) =>
      importance.get(b)! - importance.get(a)! ||
      types.indexOf(a.type) - types.indexOf(b.type) ||
      (a.id < b.id ? -1 : 1),
  )
}

/** For each area with a municipality of the same name inside, the largest population of such a municipality. */
function computeNamesakeCaps(places: readonly Place[], byId: Map<string, Place>): Map<Place, number> {
  const areas = new Map(
    places
      .filter(({ type }) => type !== 'municipality')
      .map(area => [area, new Set(area.names.map(foldName))]),
  )
  const caps = new Map<Place, number>()
  for (const place of places) {
    if (place.type !== 'municipality') continue
    const names = place.names.map(foldName)
    for (let id = place.parentId; id; ) {
      const area = byId.get(id)!
      if (names.some(name => areas.get(area)!.has(name)))
        caps.set(area, Math.max(caps.get(area) ?? 0, place.population ?? 0))
      id = area.parentId
    }
  }
  return caps
}
