/** The nearest known word, and how long it takes to find it in the worst case. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureShortestBlockMs } from '../../test/event-loop-block.ts'
import { didYouMean, findNearest } from './did-you-mean.ts'

test.each([
  ['maxPrize', 'maxPrice'],
  ['max_price', 'maxPrice'],
  ['MAXPRICE', 'maxPrice'],
  ['mxaPrice', 'maxPrice'],
  ['titel', 'title'],
  ['pric', 'price'],
  ['xx', null],
  ['somethingElse', null],
  ['p'.repeat(65), null],
])('%s: %s', (typed, word) => {
  expect(findNearest(typed, ['title', 'price', 'minPrice', 'maxPrice'])).toBe(word)
})

test('didYouMean returns a question, or nothing', () => {
  expect(didYouMean('titel', ['title'])).toBe('; did you mean title?')
  expect(didYouMean(7, ['title'])).toBe('')
})

/** The edit distance that `findNearest` uses, computed without any shortcut. */
function countEdits(one: string, other: string): number {
  const edits = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
    return Math.min(
      edits(i - 1, j) + 1,
      edits(i, j - 1) + 1,
      edits(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
      isSwapped ? edits(i - 2, j - 2) + 1 : Infinity,
    )
  }
  return edits(one.length, other.length)
}

test('findNearest agrees with the plain edit distance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 7 })
  fc.assert(
    fc.property(word, word, (typed, known) => {
      expect(findNearest(typed, [known]) !== null).toBe(
        countEdits(typed, known) <= Math.min(3, Math.floor(typed.length / 3)),
      )
    }),
    { numRuns: 300 },
  )
})

test.each([60, 12])('a thousand words of %i letters are compared within 150 ms', async length => {
  const known = Array.from({ length: 40 }, (_, index) => `someFieldName${index}`)
  const find = async () => {
    for (let index = 0; index < 1000; index++) findNearest('x'.repeat(length) + index, known)
  }
  await find()
  expect(await measureShortestBlockMs(find, 150)).toBeLessThan(150)
})
