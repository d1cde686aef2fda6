// What is read once: the same answer again, and no more kept than was asked for.
import { expect, test, vi } from 'vitest'
import { remembered } from './remembered.ts'

test('a text is read once, even if nothing comes of it', () => {
  const read = vi.fn((text: string) => (text === 'a' ? undefined : text.length))
  const quick = remembered(10, read)
  expect([quick('a'), quick('bb'), quick('a'), quick('bb')]).toEqual([undefined, 2, undefined, 2])
  expect(read).toHaveBeenCalledTimes(2)
})

test('more texts than the limit are read afresh', () => {
  const read = vi.fn((text: string) => text)
  const quick = remembered(2, read)
  for (const text of ['a', 'b', 'c', 'a']) quick(text)
  expect(read).toHaveBeenCalledTimes(4)
})
