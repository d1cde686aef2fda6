/** Finds places by the words of their names, in any order, ranked by how well they match. */
import { createWordIndex, noMatch, type WordMatch } from './word-index.ts'
import { foldName, isSmallWord, splitWords } from './words.ts'

export interface NamedPlaces {
  /** The names of each place. Places that match equally well keep this order. */
  names: readonly string[][]
  /** The position of each place's parent, `none` at the top. */
  parents: readonly number[]
}

export const none = -1

export interface NameIndex {
  /**
   * The positions of the accepted places that match the words, the best first. Typos are allowed only if no name
   * matches exactly and there are fewer than `limit` results.
   */
  find(words: readonly string[], limit: number, accepts: (place: number) => boolean): Uint32Array
}

// Ranks of matches, best first. The `…InArea` ranks are increased by the number of words that only match the area,
// `typo` by the edits.
const ranks = {
  exact: 0,
  exactWithoutArticles: 1,
  prefixes: 2,
  prefixesWithoutArticles: 3,
  words: 4,
  exactInArea: 5,
  wordsInArea: 100,
  typo: 200,
}
const noRank = Number.POSITIVE_INFINITY

/** True if the words are a whole name, so that typos need not be tried. */
function isWholeName(rank: number): boolean {
  return rank < ranks.prefixes || (rank > ranks.exactInArea && rank < ranks.wordsInArea)
}

interface Name {
  place: number
  folded: string
  /** Without articles and prepositions. */
  withoutArticles: string
  lengthWithoutArticles: number
}

interface Query {
  folded: string
  withoutArticles: string
  hasSmallWords: boolean
  /** The words that must match. */
  words: QueryWord[]
}

interface QueryWord extends WordMatch {
  /** The areas that match the word: in "sant cugat, barcelona" the second word is one. */
  areas: Set<number>
}

/** Creates an index over the names of places. */
export function createNameIndex({ names: namesByPlace, parents }: NamedPlaces): NameIndex {
  const names = namesByPlace.flatMap((forms, place) =>
    toSpellings(forms).map(folded => toName(place, folded)),
  )
  const index = createWordIndex(names.map(name => name.folded))
  const areas = new Set(parents)
  const placeFactor = 2 ** Math.ceil(Math.log2(namesByPlace.length + 1))

  function matchWord(word: string, allowTypos: boolean): QueryWord {
    const match = index.match(word, allowTypos)
    const places = match.found.map(position => names[position]!.place)
    return { ...match, areas: new Set(places.filter(place => areas.has(place))) }
  }

  function isIn(place: number, areaIds: Set<number>): boolean {
    if (areaIds.size === 0) return false
    for (let area = parents[place]!; area !== none; area = parents[area]!) if (areaIds.has(area)) return true
    return false
  }

  /** Encodes rank and importance in one number each: sorting numbers is ten times faster than comparing objects. */
  function computeSortedKeys(
    words: readonly string[],
    allowTypos: boolean,
    accepts: (place: number) => boolean,
  ) {
    const query = toQuery(words, word => matchWord(word, allowTypos))
    const best = new Map<number, number>()
    for (const position of selectCandidates(query.words)) {
      const name = names[position]!
      const { place } = name
      const rank = computeRank(name, position, query, areas => isIn(place, areas))
      if (rank < (best.get(place) ?? noRank)) best.set(place, rank)
    }
    const keys: number[] = []
    for (const [place, rank] of best) if (accepts(place)) keys.push(rank * placeFactor + place)
    return Float64Array.from(keys).sort()
  }

  return {
    find(words, limit, accepts) {
      if (words.length === 0) return new Uint32Array()
      let keys = computeSortedKeys(words, false, accepts)
      const isExact = keys.length > 0 && isWholeName(Math.floor(keys[0]! / placeFactor))
      if (!isExact && keys.length < limit) keys = computeSortedKeys(words, true, accepts)
      return Uint32Array.from(keys.subarray(0, limit), key => key % placeFactor)
    },
  }
}

function computeRank(
  name: Name,
  position: number,
  query: Query,
  isIn: (areas: Set<number>) => boolean,
): number {
  let edits = 0
  let wholeWords = 0
  let ownWords = 0
  for (const { scores, areas } of query.words) {
    const score = scores[position]!
    if (score === noMatch) {
      if (!isIn(areas)) return noRank
      continue
    }
    ownWords++
    edits += score >> 1
    if (score % 2 === 0) wholeWords++
  }
  const areaWords = query.words.length - ownWords
  const coversName = wholeWords === ownWords && ownWords === name.lengthWithoutArticles
  if (edits > 0) return ranks.typo + 2 * edits + (areaWords === 0 && coversName ? 0 : 1)
  if (areaWords === 0) return computeExactRank(name, query)
  return (coversName ? ranks.exactInArea : ranks.wordsInArea) + areaWords
}

/** Candidate names: those of the rarest word that matches no area, otherwise those of any word. */
function selectCandidates(words: readonly QueryWord[]): readonly number[] {
  const ownWords = words.filter(({ areas }) => areas.size === 0)
  if (ownWords.length === 0) return words.flatMap(({ found }) => found)
  return ownWords.reduce((a, b) => (b.found.length < a.found.length ? b : a)).found
}

/** The rank of a name that has all words of the query. */
function computeExactRank(name: Name, { folded, withoutArticles, hasSmallWords }: Query): number {
  if (name.folded === folded) return ranks.exact
  if (name.withoutArticles === withoutArticles)
    return hasSmallWords ? ranks.exactWithoutArticles : ranks.exact
  if (name.folded.startsWith(folded)) return ranks.prefixes
  if (name.withoutArticles.startsWith(withoutArticles))
    return hasSmallWords ? ranks.prefixesWithoutArticles : ranks.prefixes
  return ranks.words
}

/** Removes articles and prepositions, unless there are no other words. */
function dropSmallWords(words: readonly string[]): readonly string[] {
  if (!words.some(isSmallWord)) return words
  const large = words.filter(word => !isSmallWord(word))
  return large.length > 0 ? large : words
}

function toQuery(words: readonly string[], match: (word: string) => QueryWord): Query {
  const withoutArticles = dropSmallWords(words)
  // The label "Toledo, Toledo" repeats a word.
  const distinct = [...new Set(withoutArticles)]
  return {
    folded: words.join(' '),
    withoutArticles: distinct.join(' '),
    hasSmallWords: withoutArticles.length < words.length,
    words: distinct.map(match),
  }
}

/** Each form folded, and once more without apostrophes. */
function toSpellings(forms: readonly string[]): string[] {
  const joined = forms.filter(form => /['’]/.test(form)).map(form => form.replaceAll(/['’]/g, ''))
  const folded = [...forms, ...joined].map(foldName)
  return folded.length > 1 ? [...new Set(folded)] : folded
}

function toName(place: number, folded: string): Name {
  const words = splitWords(folded)
  const withoutArticles = dropSmallWords(words)
  return {
    place,
    folded,
    withoutArticles: withoutArticles === words ? folded : withoutArticles.join(' '),
    lengthWithoutArticles: withoutArticles.length,
  }
}
