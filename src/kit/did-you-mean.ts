/** "Did you mean": finds the known word that is nearest to a mistyped one. */

/** Longer input is not compared: the time of a comparison grows with the length, which the caller chooses. */
const lengthMax = 64

/**
 * Returns the word of `words` that `typed` probably misspells, or null if none is near. Ignores case and punctuation.
 * Pass only lists of our own as `words`, because they are cached.
 */
export function findNearest(typed: string, words: readonly string[]): string | null {
  if (typed.length > lengthMax) return null
  const normalized = normalize(typed)
  const max = editsMax(normalized)
  const near = words
    .map(word => ({ word, other: normalizeKnown(word) }))
    // One request can bring a thousand mistyped words; their length alone excludes most candidates.
    .filter(({ other }) => Math.abs(other.length - normalized.length) <= max)
    .map(({ word, other }) => ({ word, edits: editsBetween(normalized, other, max) }))
    .filter(({ edits }) => edits <= max)
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.word ?? null
}

/** Returns `; did you mean maxPrice?`, to append to an error message; empty if no known word is near. */
export function didYouMean(typed: unknown, words: readonly string[]): string {
  const word = typeof typed === 'string' ? findNearest(typed, words) : null
  return word === null ? '' : `; did you mean ${word}?`
}

function normalize(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

const normalizedWords = new Map<string, string>()

function normalizeKnown(word: string): string {
  const normalized = normalizedWords.get(word) ?? normalize(word)
  normalizedWords.set(word, normalized)
  return normalized
}

/** The number of edits allowed: a third of the length, at most three. */
function editsMax(normalized: string): number {
  return Math.min(3, Math.floor(normalized.length / 3))
}

/**
 * The edit distance of two words (optimal string alignment): inserting, deleting or replacing a letter and swapping
 * two neighbours count as one edit each. Only the band of the table within `max` edits is computed; a distance above
 * `max` may come out as any number above it.
 */
function editsBetween(one: string, other: string, max: number): number {
  const width = other.length + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: width }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = new Array<number>(width).fill(Infinity)
    if (row <= max) current[0] = row
    let rowMin = current[0]!
    for (let column = Math.max(1, row - max); column < Math.min(width, row + max + 1); column += 1) {
      const differs = one[row - 1] === other[column - 1] ? 0 : 1
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swapped = row > 1 && column > 1 && isSwapped ? beforeLast[column - 2]! + 1 : Infinity
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + differs,
        swapped,
      )
      rowMin = Math.min(rowMin, current[column]!)
    }
    // A swap starts two rows above, so the result may be within `max` even if this row exceeds it by one.
    if (rowMin > max + 1) return Infinity
    beforeLast = last
    last = current
  }
  return last[other.length]!
}
