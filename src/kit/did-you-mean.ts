/** "Did you mean": the known word that a mistyped one is nearest to. */

/** Nobody mistypes a longer word; looking at one would take time that the caller chooses. */
const lengthMax = 64

/**
 * The word of `words` that `typed` is a misspelling of, capitals and signs between words apart; null if none is near.
 * `words` is a list of ours, never one that a caller sends.
 */
export function findNearest(typed: string, words: readonly string[]): string | null {
  if (typed.length > lengthMax) return null
  const normalized = normalize(typed)
  const max = editsMax(normalized)
  const near = words
    .map(word => ({ word, other: normalizeKnown(word) }))
    // A thousand mistyped words are looked at with one request: most are told apart by their length.
    .filter(({ other }) => Math.abs(other.length - normalized.length) <= max)
    .map(({ word, other }) => ({ word, edits: editsBetween(normalized, other, max) }))
    .filter(({ edits }) => edits <= max)
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.word ?? null
}

/** `; did you mean maxPrice?`, to be put after a refusal; empty if no known word is near. */
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

/** A third of the word may be wrong, but not more than three letters. */
function editsMax(normalized: string): number {
  return Math.min(3, Math.floor(normalized.length / 3))
}

/**
 * Letters inserted, left out or replaced, or two neighbours swapped, as one edit each (optimal string alignment). More than
 * `max` is any number above it: only places of the table that fewer edits lead to are filled.
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
    // A swap comes from two rows above, at the cost of one more.
    if (rowMin > max + 1) return Infinity
    beforeLast = last
    last = current
  }
  return last[other.length]!
}
