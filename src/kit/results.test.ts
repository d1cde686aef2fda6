/** Batches of requests of which each may be refused by itself. */
import { expect, test } from 'vitest'
import { Problem } from './problem.ts'
import { attempt, mapAccepted, selectAccepted } from './results.ts'

test('a refused request keeps its place and its problem; the others go on', async () => {
  const refused = new Problem('NOT_FOUND', 'There is none.')
  const first = [1, 2, 3].map(number =>
    attempt(() => {
      if (number === 2) throw refused
      return number
    }),
  )
  const second = await mapAccepted(first, numbers =>
    numbers.map(number => (number === 3 ? new Problem('NOT_FOUND', 'Three.') : `n${number}`)),
  )
  expect(second).toEqual(['n1', refused, expect.objectContaining({ message: 'Three.' })])
  expect(selectAccepted(second)).toEqual(['n1'])
  expect(() =>
    attempt(() => {
      throw new TypeError('broken')
    }),
  ).toThrow(TypeError)
})
