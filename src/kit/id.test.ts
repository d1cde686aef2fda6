/** Ids: their format, their order and their timestamp. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getIdTime, maxIdAt, newId } from './id.ts'

it('creates UUIDs of version 7 in lower case', () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

it('contains the millisecond of its creation', () => {
  const beforeMs = Date.now()
  const madeMs = getIdTime(newId()).getTime()
  expect(madeMs).toBeGreaterThanOrEqual(beforeMs)
  expect(madeMs).toBeLessThanOrEqual(Date.now())
})

it('reads the time of the example in RFC 9562', () => {
  expect(getIdTime('017f22e2-79b0-7cc3-98c4-dc0c0c07398f').toISOString()).toBe('2022-02-22T19:22:22.000Z')
})

it('reads any millisecond that 48 bits can hold', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), ms => {
      const hex = ms.toString(16).padStart(12, '0')
      expect(getIdTime(`${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`).getTime()).toBe(ms)
    }),
  )
})

it('orders ids of different milliseconds by creation', () => {
  const ids = Array.from({ length: 5000 }, () => newId())
  const milliseconds = ids.map(id => getIdTime(id).getTime())
  expect(milliseconds).toEqual([...milliseconds].sort((a, b) => a - b))
  expect(new Set(ids).size).toBe(ids.length)
  const sortedMilliseconds = [...ids].sort().map(id => getIdTime(id).getTime())
  expect(sortedMilliseconds).toEqual(milliseconds)
})

it('maxIdAt sorts after the ids of its millisecond and before those of the next', () => {
  const ids = Array.from({ length: 1000 }, () => newId())
  const last = maxIdAt(new Date())
  for (const id of ids) expect(id < last).toBe(true)
  expect(maxIdAt(new Date(1_800_000_000_000)) < maxIdAt(new Date(1_800_000_000_001))).toBe(true)
  expect(last).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(maxIdAt(new Date('1900-01-01'))).toBe(maxIdAt(new Date(0)))
})
