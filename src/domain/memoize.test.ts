/** A memoized function returns the same values as the function itself. */
import { expect, test, vi } from 'vitest'
import { memoize } from './memoize.ts'

test('a repeated text is computed once, also if the result is null', () => {
  const computeLength = vi.fn((text: string) => (text === '' ? null : text.length))
  const length = memoize(computeLength)
  expect([length('ab'), length('ab'), length(''), length('')]).toEqual([2, 2, null, null])
  expect(computeLength).toHaveBeenCalledTimes(2)
})

test('texts that differ only in a lone surrogate have separate entries', () => {
  const code = memoize(text => text.charCodeAt(0))
  expect([code('\uD800'), code('\uFFFD'), code('\uD801')]).toEqual([0xd800, 0xfffd, 0xd801])
})

test('long texts, and more texts than fit in the cache, still get the right result', () => {
  const shout = memoize(text => `${text}!`)
  const texts = Array.from({ length: 12_000 }, (_, index) =>
    index % 3 === 0 ? 'x'.repeat(200) + index : `line ${index}`,
  )
  for (const text of [...texts, ...texts]) expect(shout(text)).toBe(`${text}!`)
})
