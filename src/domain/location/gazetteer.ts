/** The places of Spain, Portugal and Italy: by id, by hierarchy, and by text search. */
import { createNameIndex, none } from './name-index.ts'
import type { Place, PlaceCountry, PlaceType } from './place.ts'
import { foldName, splitWords } from './words.ts'

export interface LocationSearch {
  /** The typed text; truncated to 100 characters. */
  q: string
  limit: number
  countries?: readonly PlaceCountry[] | undefined
  types?: readonly PlaceType[] | undefined
  /** Only places inside this one, at any level. */
  parentId?: string | undefined
}

export interface Gazetteer {
  /** All places, the most important first. */
  listPlaces(): readonly Place[]
  find(id: string): Place | undefined
  /** From the parent to the country. */
  listAncestors(place: Place): Place[]
  /** A distinct label: "Toledo, Toledo" is the city, "Toledo provincia" the province. */
  formatLabel(place: Place): string
  /** True if a more important place of the same type and country has the same name. */
  isNamesake(place: Place): boolean
  /**
   * The best matches first: exact before prefix before typo, then by importance. Without words it lists the topmost
   * places of the requested types inside the parent; without a parent, the largest municipalities.
   */
  search(search: LocationSearch): Place[]
}

const queryLengthMax = 100

/** Creates a gazetteer. `places` are sorted by importance and contain all parents. */
export function createGazetteer(places: readonly Place[]): Gazetteer {
  const positions = new Map(places.map(({ id }, position) => [id, position]))
  const parents = places.map(({ parentId }) => (parentId ? positions.get(parentId)! : none))

  const find = (id: string): Place | undefined => places[positions.get(id) ?? none]

  function listAncestors(place: Place): Place[] {
    const found: Place[] = []
    for (let id = place.parentId; id; ) {
      const area = find(id)!
      found.push(area)
      id = area.parentId
    }
    return found
  }

  function formatLabel(place: Place): string {
    const [parent, grandparent] = listAncestors(place)
    if (!parent) return place.name
    if (place.type === 'province') return provinceLabel(place, parent)
    // Ceuta and Melilla belong to no province.
    if (place.type === 'municipality' && parent.type === 'region')
      return `${place.name}, ${grandparent!.name}`
    return `${place.name}, ${parent.name}`
  }

  // Built at the first search: it takes longer than everything else, and lookups by id do not need it.
  const index = memoizeOnce(() =>
    createNameIndex({
      names: places.map(place =>
        place.type === 'province' ? [...place.names, formatLabel(place)] : place.names,
      ),
      parents,
    }),
  )

  const namesakes = memoizeOnce(() => findNamesakes(places))

  return {
    listPlaces: () => places,
    find,
    listAncestors,
    formatLabel,
    isNamesake: place => namesakes().has(place),
    search(filters) {
      const text = filters.q.slice(0, queryLengthMax)
      if (text.trim() === '') return browse(places, filters, listAncestors)
      const matchesFilters = (position: number) => isWithin(places[position]!, filters, listAncestors)
      const found = index().find(splitWords(foldName(text)), filters.limit, matchesFilters)
      return Array.from(found, position => places[position]!)
    },
  }
}

type ListAncestors = Gazetteer['listAncestors']

function isWithin(place: Place, filters: LocationSearch, listAncestors: ListAncestors): boolean {
  const { countries, types, parentId } = filters
  return (
    (!types || types.includes(place.type)) &&
    (!countries || countries.includes(place.country)) &&
    (!parentId || listAncestors(place).some(area => area.id === parentId))
  )
}

/** The results for an empty query. */
function browse(places: readonly Place[], filters: LocationSearch, listAncestors: ListAncestors): Place[] {
  const { types, parentId, limit } = filters
  const isTopmost = (place: Place) => {
    if (!parentId) return place.type === 'municipality' || types?.includes('municipality') === false
    const ancestors = listAncestors(place)
    const between = ancestors.slice(
      0,
      ancestors.findIndex(area => area.id === parentId),
    )
    return !between.some(({ type }) => !types || types.includes(type))
  }
  const found: Place[] = []
  for (const place of places) {
    if (found.length >= limit) break
    if (isWithin(place, filters, listAncestors) && isTopmost(place)) found.push(place)
  }
  return found
}

function findNamesakes(places: readonly Place[]): Set<Place> {
  const names = new Set<string>()
  return new Set(
    places.filter(({ country, type, name }) => {
      const key = `${country} ${type} ${foldName(name)}`
      const isTaken = names.has(key)
      names.add(key)
      return isTaken
    }),
  )
}

function memoizeOnce<Value>(make: () => Value): () => Value {
  let cached: { value: Value } | undefined
  return () => {
    cached ??= { value: make() }
    return cached.value
  }
}

function provinceLabel(place: Place, parent: Place): string {
  if (place.country !== 'PT') return `${place.name} provincia`
  // The islands of Portugal have "Ilha" in their names.
  return parent.type === 'region' ? `${place.name}, ${parent.name}` : `${place.name} distrito`
}
