/** How far a mistyped word is from a real one. */

/** Edits that a query's word may contain: none up to 3 letters, 1 up to 7, then 2. */
export function getEditsMax(word: string): number {
  if (word.length < 4) return 0
  return word.length < 8 ? 1 : 2
}

export interface Distance {
  /** To the whole word. */
  whole: number
  /** To the beginning of it that fits best: the word may still be being typed. */
  prefix: number
}

// The rows of the last table; a word of a name is far shorter than that.
let beforeLast = new Uint8Array(256)
let last = new Uint8Array(256)
let current = new Uint8Array(256)

/**
 * Letters inserted, left out, replaced, or two neighbours swapped, as one edit each. Only distances up to `max`
 * are told apart, because only the table's diagonal is filled that they can lie on; anything more is `most + 1`.
 */
export function editDistance(typed: string, word: string, max: number): Distance {
  const tooFar = max + 1
  if (word.length < typed.length - max) return { whole: tooFar, prefix: tooFar }
  for (let column = 0; column <= Math.min(word.length, max); column++) last[column] = column
  let minBefore = 0
  for (let row = 1; row <= typed.length; row++) {
    const min = fillRow(typed, word, row, max)
    if (min > max && minBefore > max) return { whole: tooFar, prefix: tooFar }
    minBefore = min
    const freePrefix = beforeLast
    beforeLast = last
    last = current
    current = freePrefix
  }
  let prefix = tooFar
  const end = Math.min(word.length, typed.length + max)
  for (let column = Math.max(0, typed.length - max); column <= end; column++)
    prefix = Math.min(prefix, last[column]!)
  return { whole: word.length <= typed.length + max ? Math.min(tooFar, last[word.length]!) : tooFar, prefix }
}

/** Fills the part of the row that is near the diagonal; returns its least distance. */
function fillRow(typed: string, word: string, row: number, max: number): number {
  const tooFar = max + 1
  const start = Math.max(1, row - max)
  const end = Math.min(word.length, row + max)
  current[start - 1] = start === 1 ? Math.min(row, tooFar) : tooFar
  // The row above ends one column earlier.
  if (end === row + max) last[end] = tooFar
  let min = current[start - 1]!
  for (let column = start; column <= end; column++) {
    const differs = typed.charCodeAt(row - 1) === word.charCodeAt(column - 1) ? 0 : 1
    let edits = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + differs)
    if (
      differs === 1 &&
      row > 1 &&
      column > 1 &&
      typed.charCodeAt(row - 1) === word.charCodeAt(column - 2) &&
      typed.charCodeAt(row - 2) === word.charCodeAt(column - 1)
    )
      edits = Math.min(edits, beforeLast[column - 2]! + 1)
    current[column] = Math.min(edits, tooFar)
    if (edits < min) min = edits
  }
  return min
}

/** The word's letters as one bit each, so that most distant words are seen to be so without measuring them. */
export function letterBits(word: string): number {
  let bits = 0
  for (let index = 0; index < word.length; index++) bits |= 1 << (word.charCodeAt(index) & 31)
  return bits
}

/** Whether more different letters of the first are missing in the second than that many edits can bring. */
export function exceedsByLetters(typedBits: number, wordBits: number, max: number): boolean {
  let missing = typedBits & ~wordBits
  // Each round takes one letter away.
  for (let edit = 0; edit < max; edit++) missing &= missing - 1
  return missing !== 0
}
