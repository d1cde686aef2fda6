/** Edit distance between a typed word and a real one. */

/** Allowed edits in a word of a query: none up to 3 letters, 1 up to 7, then 2. */
export function getEditsMax(word: string): number {
  if (word.length < 4) return 0
  return word.length < 8 ? 1 : 2
}

export interface Distance {
  /** Distance to the whole word. */
  whole: number
  /** Distance to the best-matching prefix of the word, which may still be incomplete. */
  prefix: number
}

// The last rows of the table; words of names are much shorter than 256 letters.
let beforeLast = new Uint8Array(256)
let last = new Uint8Array(256)
let current = new Uint8Array(256)

/**
 * Optimal string alignment distance: an inserted, missing or replaced letter, or a transposition, is one edit. Only the
 * diagonal band with distances up to `max` is computed; larger distances are returned as `max + 1`.
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

/** Fills the part of the row near the diagonal; returns its minimum. */
function fillRow(typed: string, word: string, row: number, max: number): number {
  const tooFar = max + 1
  const start = Math.max(1, row - max)
  const end = Math.min(word.length, row + max)
  current[start - 1] = start === 1 ? Math.min(row, tooFar) : tooFar
  // The row above ends one column earlier.
  if (end === row + max) last[end] = tooFar
  let min = current[start - 1]!
  for (let column = start; column <= end; column++) {
    const substitution = typed.charCodeAt(row - 1) === word.charCodeAt(column - 1) ? 0 : 1
    let edits = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + substitution)
    if (
      substitution === 1 &&
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

/** The set of letters of a word as bits, which excludes most distant words without computing a distance. */
export function letterBits(word: string): number {
  let bits = 0
  for (let index = 0; index < word.length; index++) bits |= 1 << (word.charCodeAt(index) & 31)
  return bits
}

/** True if more than `max` distinct letters of the typed word are missing in the other word. */
export function exceedsByLetters(typedBits: number, wordBits: number, max: number): boolean {
  let missing = typedBits & ~wordBits
  // Each step clears the lowest bit.
  for (let edit = 0; edit < max; edit++) missing &= missing - 1
  return missing !== 0
}
