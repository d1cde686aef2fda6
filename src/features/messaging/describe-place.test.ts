/** Places as people read them. */
import { expect, test } from 'vitest'
import { describePlace } from './describe-place.ts'

const place = { latitude: 41.4, longitude: -2.15, name: null, address: null }

test.each([
  [{ name: 'Casa', address: 'Calle Mayor 1' }, 'Casa, Calle Mayor 1'],
  [{ address: 'Calle Mayor 1' }, 'Calle Mayor 1'],
  [{ name: 'Gràcia', address: ' Gràcia ' }, 'Gràcia'],
  [{ name: ' ' }, '41.4, -2.15'],
])('%j is %s', (change, text) => {
  expect(describePlace({ ...place, ...change })).toBe(text)
})
