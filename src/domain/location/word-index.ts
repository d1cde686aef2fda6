/** Finds the names that contain a word, also incomplete or with typos. */
import { editDistance, exceedsByLetters, getEditsMax, letterBits } from './edits.ts'
import { splitWords } from './words.ts'

export interface WordIndex {
  match(word: string, allowTypos: boolean): WordMatch
}

export interface WordMatch {
  /** The positions of the names that match. */
  found: number[]
  /**
   * The score of each name by position: twice the number of edits, plus 1 if only a prefix matches; `noMatch` if
   * nothing matches.
   */
  scores: Uint8Array
}

export const noMatch = 255

/** Creates an index over folded names. */
export function createWordIndex(names: readonly string[]): WordIndex {
  const namesByWord = new Map<string, number[]>()
  for (let position = 0; position < names.length; position++)
    for (const word of splitWords(names[position]!)) {
      const list = namesByWord.get(word)
      if (!list) namesByWord.set(word, [position])
      else if (list.at(-1) !== position) list.push(position)
    }
  const words = [...namesByWord.keys()].sort()
  const positions = words.map(word => namesByWord.get(word)!)
  const bits = Int32Array.from(words, letterBits)

  function matchPrefixes(word: string, match: WordMatch): void {
    for (let index = lowerBound(words, word); words[index]?.startsWith(word); index++)
      updateScores(match, positions[index]!, words[index] === word ? 0 : 1)
  }

  function matchTypos(word: string, match: WordMatch): void {
    const allowed = getEditsMax(word)
    if (allowed === 0) return
    const wordBits = letterBits(word)
    for (let index = 0; index < words.length; index++) {
      if (exceedsByLetters(wordBits, bits[index]!, allowed)) continue
      const { whole, prefix } = editDistance(word, words[index]!, allowed)
      if (whole <= allowed) updateScores(match, positions[index]!, 2 * whole)
      if (prefix <= allowed) updateScores(match, positions[index]!, 2 * prefix + 1)
    }
  }

  return {
    match(word, allowTypos) {
      const match = { found: [], scores: new Uint8Array(names.length).fill(noMatch) }
      matchPrefixes(word, match)
      if (allowTypos) matchTypos(word, match)
      return match
    },
  }
}

function updateScores({ found, scores }: WordMatch, positions: readonly number[], score: number): void {
  for (const position of positions) {
    if (score >= scores[position]!) continue
    if (scores[position] === noMatch) found.push(position)
    scores[position] = score
  }
}

function lowerBound(sorted: readonly string[], word: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < word) low = middle + 1
    else high = middle
  }
  return low
}
