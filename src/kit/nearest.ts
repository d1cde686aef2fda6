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
  const near = known
    .filter(word => word.length <= lengthMax)
    .map(word => ({ word, edits: editsBetween(plain, plainOf(word)) }))
    .filter(({ edits }) => edits <= editsMax(plain))
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

/** A third of the word may be wrong, but not more than three letters. */
function editsMax(plain: string): number {
  return Math.min(3, Math.floor(plain.length / 3))
}

/** Letters inserted, left out or replaced, or two neighbours swapped, as one edit each (optimal string alignment). */
function editsBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const differs = one[row - 1] === other[column - 1] ? 0 : 1
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const swapped = row > 1 && column > 1 && isSwapped ? beforeLast[column - 2]! + 1 : Infinity
      current.push(
        Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + differs, swapped),
      )
    }
    beforeLast = last
    last = current
  }
  return last[other.length]!
}
