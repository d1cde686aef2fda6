/** Pages of slow readers are read on threads for a while. */
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

test('a reader that was slow twice counts as slow, and no other does', () => {
  const reader = {}
  for (let page = 0; page < 5; page++) readInline(reader, () => burn(1))
  expect(readInline(reader, () => 'read')).toBe('read')
  expect(isSlow(reader)).toBe(false)
  readInline(reader, () => burn(25))
  expect(isSlow(reader)).toBe(false)
  readInline(reader, () => burn(25))
  expect([isSlow(reader), isSlow({}), isSlow(null)]).toEqual([true, false, false])
})

test('a slow reader is tried on the main thread again later', ({ onTestFinished }) => {
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
