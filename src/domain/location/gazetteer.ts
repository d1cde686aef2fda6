/** The places of Spain, Portugal and Italy: found by id, by place in the hierarchy, and by what people type. */
import { createNameIndex, none } from './name-index.ts'
import type { Place, PlaceCountry, PlaceType } from './place.ts'
import { foldName, splitWords } from './words.ts'

export interface LocationSearch {
  /** What was typed so far; past 100 characters it is not read. */
  q: string
  limit: number
  countries?: readonly PlaceCountry[] | undefined
  types?: readonly PlaceType[] | undefined
  /** A place that the results lie in, at any depth. */
  parentId?: string | undefined
}

export interface Gazetteer {
  /** Every place, the most important first. */
  all(): readonly Place[]
  find(id: string): Place | undefined
  /** From the parent up to the country. */
  ancestors(place: Place): Place[]
  /** What tells it from its namesakes: "Toledo, Toledo" is the city, "Toledo provincia" the province. */
  label(place: Place): string
  /** Whether a more important place of its type and country bears its name. */
  isNamesake(place: Place): boolean
  /**
   * The best first: exact before prefix before mistyped, then by importance. Without words it lists the first
   * places of the wanted types on the way down from the parent; without a parent, too, the largest municipalities.
   */
  search(search: LocationSearch): Place[]
}

const longestQuery = 100

/** A gazetteer over these places, the most important first; each parent must be among them. */
export function createGazetteer(places: readonly Place[]): Gazetteer {
  const positions = new Map(places.map(({ id }, position) => [id, position]))
  const parents = places.map(({ parentId }) => (parentId ? positions.get(parentId)! : none))

  const find = (id: string): Place | undefined => places[positions.get(id) ?? none]

  function ancestors(place: Place): Place[] {
    const found: Place[] = []
    for (let id = place.parentId; id; ) {
      const area = find(id)!
      found.push(area)
      id = area.parentId
    }
    return found
  }

  function label(place: Place): string {
    const [parent, grandparent] = ancestors(place)
    if (!parent) return place.name
    if (place.type === 'province') return provinceLabel(place, parent)
    // Ceuta and Melilla are in no province.
    if (place.type === 'municipality' && parent.type === 'region')
      return `${place.name}, ${grandparent!.name}`
    return `${place.name}, ${parent.name}`
  }

  // Made when somebody searches: it takes longer than all the rest, and ids are found without it.
  const index = memoizeOnce(() =>
    createNameIndex({
      names: places.map(place => (place.type === 'province' ? [...place.names, label(place)] : place.names)),
      parents,
    }),
  )

  const namesakes = memoizeOnce(() => findNamesakes(places))

  return {
    all: () => places,
    find,
    ancestors,
    label,
    isNamesake: place => namesakes().has(place),
    search(filters) {
      const text = filters.q.slice(0, longestQuery)
      if (text.trim() === '') return browse(places, filters, ancestors)
      const matchesFilters = (position: number) => isWithin(places[position]!, filters, ancestors)
      const found = index().find(splitWords(foldName(text)), filters.limit, matchesFilters)
      return Array.from(found, position => places[position]!)
    },
  }
}

type Ancestors = Gazetteer['ancestors']

function isWithin(place: Place, filters: LocationSearch, ancestors: Ancestors): boolean {
  const { countries, types, parentId } = filters
  return (
    (!types || types.includes(place.type)) &&
    (!countries || countries.includes(place.country)) &&
    (!parentId || ancestors(place).some(area => area.id === parentId))
  )
}

/** The answer to no words at all. */
function browse(places: readonly Place[], filters: LocationSearch, ancestors: Ancestors): Place[] {
  const { types, parentId, limit } = filters
  const isFirstNamesake = (place: Place) => {
    if (!parentId) return place.type === 'municipality' || types?.includes('municipality') === false
    const line = ancestors(place)
    const between = line.slice(
      0,
      line.findIndex(area => area.id === parentId),
    )
    return !between.some(({ type }) => !types || types.includes(type))
  }
  const found: Place[] = []
  for (const place of places) {
    if (found.length >= limit) break
    if (isWithin(place, filters, ancestors) && isFirstNamesake(place)) found.push(place)
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
  // Portugal's islands say what they are in their names.
  return parent.type === 'region' ? `${place.name}, ${parent.name}` : `${place.name} distrito`
}
