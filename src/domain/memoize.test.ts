/** Remembered answers are those of the function itself, whatever is asked in whatever order. */
import { expect, test, vi } from 'vitest'
import { memoize } from './memoize.ts'

test('a text that comes again is read once, null answers too', () => {
  const read = vi.fn((text: string) => (text === '' ? null : text.length))
  const length = memoize(read)
  expect([length('ab'), length('ab'), length(''), length('')]).toEqual([2, 2, null, null])
  expect(read).toHaveBeenCalledTimes(2)
})

test('texts that differ in half a pair alone are told apart', () => {
  const code = memoize(text => text.charCodeAt(0))
  expect([code('\uD800'), code('\uFFFD'), code('\uD801')]).toEqual([0xd800, 0xfffd, 0xd801])
})

test('long texts and more texts than are kept are answered all the same', () => {
  const read = vi.fn((text: string) => `${text}!`)
  const shout = memoize(read)
  const texts = Array.from({ length: 12_000 }, (_, index) =>
    index % 3 === 0 ? 'x'.repeat(200) + index : `line ${index}`,
  )
  for (const text of [...texts, ...texts]) expect(shout(text)).toBe(`${text}!`)
})
