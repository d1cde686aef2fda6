/** Readers that take long for short pages are left to threads, for a while. */
import { expect, test } from 'vitest'
import { isSlow, readInline } from './slow-readers.ts'

function burn(ms: number): void {
  const before = process.threadCpuUsage()
  const spent = () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  while (spent() < ms);
}

test('a reader that was slow twice is costly, and no other is', () => {
  const reader = {}
  for (let page = 0; page < 5; page++) readInline(reader, () => burn(1))
  expect(readInline(reader, () => 'read')).toBe('read')
  expect(isSlow(reader)).toBe(false)
  readInline(reader, () => burn(25))
  expect(isSlow(reader)).toBe(false)
  readInline(reader, () => burn(25))
  expect([isSlow(reader), isSlow({}), isSlow(null)]).toEqual([true, false, false])
})

test('it is tried again later', ({ onTestFinished }) => {
  const { now } = Date
  onTestFinished(() => {
    Date.now = now
  })
  const reader = {}
  for (let page = 0; page < 2; page++) readInline(reader, () => burn(25))
  Date.now = () => now() + 61_000
  expect(isSlow(reader)).toBe(false)
  readInline(reader, () => burn(25))
  expect(isSlow(reader)).toBe(false)
})
