/** The bounds of the cache in memory. */
import { expect, test } from 'vitest'
import { createByteCache } from './byte-cache.ts'

const create = (ttlMs: number) =>
  createByteCache<string>({ maxBytes: 10, ttlMs, sizeOf: text => text.length })

test('the values that were stored first are evicted above the limit', () => {
  const cache = create(60_000)
  for (const key of ['one', 'two', 'three']) cache.store(key, key.padEnd(4, '.'))
  expect(['one', 'two', 'three'].map(key => cache.find(key))).toEqual([undefined, 'two.', 'three'])
  cache.store('two', 'x')
  cache.store('four', 'four')
  expect(['three', 'two', 'four'].map(key => cache.find(key))).toEqual(['three', 'x', 'four'])
})

test('a value larger than the cache is not kept', () => {
  const cache = create(60_000)
  cache.store('one', 'x'.repeat(11))
  expect(cache.find('one')).toBeUndefined()
  cache.store('two', 'x'.repeat(10))
  expect(cache.find('two')).toHaveLength(10)
})

test('a value is not found after its time', () => {
  const cache = create(-1)
  cache.store('one', 'x')
  expect(cache.find('one')).toBeUndefined()
})
