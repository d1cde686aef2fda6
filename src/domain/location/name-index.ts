/** Finds places by the words of their names, in any order, and says which fit best. */
import { createWordIndex, noMatch, type WordMatch } from './word-index.ts'
import { foldName, isSmallWord, splitWords } from './words.ts'

export interface NamedPlaces {
  /** The names of each place; of two that fit equally well the first comes first. */
  names: readonly string[][]
  /** The position of the area that each place lies in, `none` at the top. */
  parents: readonly number[]
}

export const none = -1

export interface NameIndex {
  /**
   * The positions of the wanted places that fit the words, the best first. Mistyped words count only where the
   * words as they stand name nothing and leave room.
   */
  find(words: readonly string[], limit: number, isWanted: (place: number) => boolean): Uint32Array
}

// How a name fits, best first. To two of them the number of words is added that only the area has, to a mistyped
// one its edits.
const fitsByPlace = {
  exact: 0,
  exactWithoutArticles: 1,
  prefixes: 2,
  prefixesWithoutArticles: 3,
  words: 4,
  exactInArea: 5,
  wordsInArea: 100,
  typo: 200,
}
const noFit = Number.POSITIVE_INFINITY

/** Whether nothing of the name is missing: then nothing was mistyped. */
function isNamed(computeWordFit: number): boolean {
  return (
    computeWordFit < fitsByPlace.prefixes ||
    (computeWordFit > fitsByPlace.exactInArea && computeWordFit < fitsByPlace.wordsInArea)
  )
}

interface Name {
  place: number
  folded: string
  /** Without articles and the like. */
  withoutArticles: string
  lengthWithoutArticles: number
}

interface Query {
  folded: string
  withoutArticles: string
  hasSmallWords: boolean
  /** The words that must be found. */
  words: QueryWord[]
}

interface QueryWord extends WordMatch {
  /** The areas that match, too: in "sant cugat, barcelona" the second word is one. */
  areas: Set<number>
}

/** An index over the names of places. */
export function createNameIndex({ names: namesByPlace, parents }: NamedPlaces): NameIndex {
  const names = namesByPlace.flatMap((forms, place) =>
    toSpellings(forms).map(folded => toName(place, folded)),
  )
  const index = createWordIndex(names.map(name => name.folded))
  const areas = new Set(parents)
  const placeBits = 2 ** Math.ceil(Math.log2(namesByPlace.length + 1))

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

  /** Fit and importance in one number each, in order: sorting numbers is ten times faster than comparing. */
  function sortedKeys(words: readonly string[], allowTypos: boolean, isWanted: (place: number) => boolean) {
    const query = toQuery(words, word => matchWord(word, allowTypos))
    const best = new Map<number, number>()
    for (const position of candidates(query.words)) {
      const name = names[position]!
      const { place } = name
      const computeWordFit = computeFit(name, position, query, areas => isIn(place, areas))
      if (computeWordFit < (best.get(place) ?? noFit)) best.set(place, computeWordFit)
    }
    const keys: number[] = []
    for (const [place, computeWordFit] of best)
      if (isWanted(place)) keys.push(computeWordFit * placeBits + place)
    return Float64Array.from(keys).sort()
  }

  return {
    find(words, limit, isWanted) {
      if (words.length === 0) return new Uint32Array()
      let keys = sortedKeys(words, false, isWanted)
      const isExact = keys.length > 0 && isNamed(Math.floor(keys[0]! / placeBits))
      if (!isExact && keys.length < limit) keys = sortedKeys(words, true, isWanted)
      return Uint32Array.from(keys.subarray(0, limit), key => key % placeBits)
    },
  }
}

function computeFit(
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
      if (!isIn(areas)) return noFit
      continue
    }
    ownWords++
    edits += score >> 1
    if (score % 2 === 0) wholeWords++
  }
  const areaWords = query.words.length - ownWords
  const isWholeName = wholeWords === ownWords && ownWords === name.lengthWithoutArticles
  if (edits > 0) return fitsByPlace.typo + 2 * edits + (areaWords === 0 && isWholeName ? 0 : 1)
  if (areaWords === 0) return exactFit(name, query)
  return (isWholeName ? fitsByPlace.exactInArea : fitsByPlace.wordsInArea) + areaWords
}

/** The names that may have all words: those of the rarest word that no area has, or else of any word. */
function candidates(words: readonly QueryWord[]): readonly number[] {
  const ownWords = words.filter(({ areas }) => areas.size === 0)
  if (ownWords.length === 0) return words.flatMap(({ found }) => found)
  return ownWords.reduce((a, b) => (b.found.length < a.found.length ? b : a)).found
}

/** How a name fits a query all of whose words it has. */
function exactFit(name: Name, { folded, withoutArticles, hasSmallWords }: Query): number {
  if (name.folded === folded) return fitsByPlace.exact
  if (name.withoutArticles === withoutArticles)
    return hasSmallWords ? fitsByPlace.exactWithoutArticles : fitsByPlace.exact
  if (name.folded.startsWith(folded)) return fitsByPlace.prefixes
  if (name.withoutArticles.startsWith(withoutArticles))
    return hasSmallWords ? fitsByPlace.prefixesWithoutArticles : fitsByPlace.prefixes
  return fitsByPlace.words
}

/** Articles need not be found, unless nothing else was typed. */
function dropSmallWords(words: readonly string[]): readonly string[] {
  if (!words.some(isSmallWord)) return words
  const large = words.filter(word => !isSmallWord(word))
  return large.length > 0 ? large : words
}

function toQuery(words: readonly string[], match: (word: string) => QueryWord): Query {
  const needed = dropSmallWords(words)
  // "Toledo, Toledo" is the city's label.
  const different = [...new Set(needed)]
  return {
    folded: words.join(' '),
    withoutArticles: different.join(' '),
    hasSmallWords: needed.length < words.length,
    words: different.map(match),
  }
}

/** Each form folded, and once more as those write it who leave the apostrophe out. */
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
