/** "Did you mean": the known word that a mistyped one is nearest to. */

/** Nobody mistypes a longer word; looking at one would take time that the caller chooses. */
const lengthMax = 64

/**
 * The word of `known` that `typed` is a misspelling of, capitals and signs between words apart; null if none is near.
 * `known` is a list of ours, never one that a caller sends.
 */
export function nearest(typed: string, known: readonly string[]): string | null {
  if (typed.length > lengthMax) return null
  const plain = plainOf(typed)
  const max = editsMax(plain)
  const near = known
    .map(word => ({ word, other: plainOfKnown(word) }))
    // A thousand mistyped words are looked at with one request: most are told apart by their length.
    .filter(({ other }) => Math.abs(other.length - plain.length) <= max)
    .map(({ word, other }) => ({ word, edits: editsBetween(plain, other, max) }))
    .filter(({ edits }) => edits <= max)
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.word ?? null
}

/** `; did you mean maxPrice?`, to be put after a refusal; empty if no known word is near. */
export function didYouMean(typed: unknown, known: readonly string[]): string {
  const word = typeof typed === 'string' ? nearest(typed, known) : null
  return word === null ? '' : `; did you mean ${word}?`
}

function plainOf(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

const plains = new Map<string, string>()

function plainOfKnown(word: string): string {
  const plain = plains.get(word) ?? plainOf(word)
  plains.set(word, plain)
  return plain
}

/** A third of the word may be wrong, but not more than three letters. */
function editsMax(plain: string): number {
  return Math.min(3, Math.floor(plain.length / 3))
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
    let least = current[0]!
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
      least = Math.min(least, current[column]!)
    }
    // A swap comes from two rows above, at the cost of one more.
    if (least > max + 1) return Infinity
    beforeLast = last
    last = current
  }
  return last[other.length]!
}
