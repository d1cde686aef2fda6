/** Compares the banded table and the letter filter with the full table. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance, exceedsByLetters, letterBits } from './edits.ts'

/** Optimal string alignment by the textbook. */
function computeFullDistances(typed: string, word: string): { whole: number; prefix: number } {
  const table = Array.from({ length: typed.length + 1 }, (_, row) =>
    Array.from({ length: word.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  )
  for (let row = 1; row <= typed.length; row++)
    for (let column = 1; column <= word.length; column++) {
      const differs = typed[row - 1] === word[column - 1] ? 0 : 1
      const choices = [
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
        table[row - 1]![column - 1]! + differs,
      ]
      if (row > 1 && column > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1])
        choices.push(table[row - 2]![column - 2]! + 1)
      table[row]![column] = Math.min(...choices)
    }
  const lastRow = table[typed.length]!
  return { whole: lastRow[word.length]!, prefix: Math.min(...lastRow) }
}

// Few letters, so that most pairs are near each other.
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 12 })
const max = fc.constantFrom(1, 2)

test('distances up to the limit equal those of the full table; larger ones are limit + 1', () => {
  fc.assert(
    fc.property(word, word, max, (typed, real, limit) => {
      const full = computeFullDistances(typed, real)
      expect(editDistance(typed, real, limit)).toEqual({
        whole: Math.min(full.whole, limit + 1),
        prefix: Math.min(full.prefix, limit + 1),
      })
    }),
    { numRuns: 5000 },
  )
})

test('the letter filter excludes only words with too many edits', () => {
  fc.assert(
    fc.property(word, word, max, (typed, real, limit) => {
      if (exceedsByLetters(letterBits(typed), letterBits(real), limit))
        expect(computeFullDistances(typed, real).prefix).toBeGreaterThan(limit)
    }),
    { numRuns: 5000 },
  )
  expect(exceedsByLetters(letterBits('madrid'), letterBits('toledo'), 2)).toBe(true)
})

test('a transposition, an inserted, a missing and a wrong letter are one edit each', () => {
  for (const typed of ['madird', 'maddrid', 'mdrid', 'madrit'])
    expect(editDistance(typed, 'madrid', 2)).toMatchObject({ whole: 1 })
})
