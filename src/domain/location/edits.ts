/** How far a mistyped word is from a real one. */

/** Edits that a query's word may contain: none up to 3 letters, 1 up to 7, then 2. */
export function editsAllowed(word: string): number {
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
 * Letters inserted, left out, replaced, or two neighbours swapped, as one edit each. Only distances up to `most`
 * are told apart, because only the table's diagonal is filled that they can lie on; anything more is `most + 1`.
 */
export function editDistance(typed: string, word: string, most: number): Distance {
  const far = most + 1
  if (word.length < typed.length - most) return { whole: far, prefix: far }
  for (let column = 0; column <= Math.min(word.length, most); column++) last[column] = column
  let leastBefore = 0
  for (let row = 1; row <= typed.length; row++) {
    const least = fillRow(typed, word, row, most)
    if (least > most && leastBefore > most) return { whole: far, prefix: far }
    leastBefore = least
    const free = beforeLast
    beforeLast = last
    last = current
    current = free
  }
  let prefix = far
  const end = Math.min(word.length, typed.length + most)
  for (let column = Math.max(0, typed.length - most); column <= end; column++)
    prefix = Math.min(prefix, last[column]!)
  return { whole: word.length <= typed.length + most ? Math.min(far, last[word.length]!) : far, prefix }
}

/** Fills the part of the row that is near the diagonal; returns its least distance. */
function fillRow(typed: string, word: string, row: number, most: number): number {
  const far = most + 1
  const start = Math.max(1, row - most)
  const end = Math.min(word.length, row + most)
  current[start - 1] = start === 1 ? Math.min(row, far) : far
  // The row above ends one column earlier.
  if (end === row + most) last[end] = far
  let least = current[start - 1]!
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
    current[column] = Math.min(edits, far)
    if (edits < least) least = edits
  }
  return least
}

/** The word's letters as one bit each, so that most distant words are seen to be so without measuring them. */
export function letterBits(word: string): number {
  let bits = 0
  for (let index = 0; index < word.length; index++) bits |= 1 << (word.charCodeAt(index) & 31)
  return bits
}

/** Whether more different letters of the first are missing in the second than that many edits can bring. */
export function isFarByLetters(typedBits: number, wordBits: number, most: number): boolean {
  let missing = typedBits & ~wordBits
  // Each round takes one letter away.
  for (let edit = 0; edit < most; edit++) missing &= missing - 1
  return missing !== 0
}
