/** API keys: their format, their checksum and their stored hash. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKeyValue, type Environment, hashKeyValue, parseKeyEnvironment } from './key.ts'

const environments: Environment[] = ['live', 'test']
const anyKey = fc.constantFrom(...environments).map(environment => createKeyValue(environment))

it('reads the environment of every new key', () => {
  fc.assert(
    fc.property(fc.constantFrom(...environments), environment => {
      expect(parseKeyEnvironment(createKeyValue(environment))).toBe(environment)
    }),
  )
})

it('creates keys of a prefix and 36 base62 characters', () => {
  for (const environment of environments) {
    expect(createKeyValue(environment)).toMatch(new RegExp(`^svc_${environment}_[0-9A-Za-z]{36}$`))
  }
})

it('rejects a key with any one character changed', () => {
  const printable = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i))
  fc.assert(
    fc.property(anyKey, fc.nat(), fc.constantFrom(...printable), (key, number, character) => {
      const index = number % key.length
      fc.pre(key[index] !== character)
      expect(parseKeyEnvironment(key.slice(0, index) + character + key.slice(index + 1))).toBeNull()
    }),
    { numRuns: 2000 },
  )
})

it('rejects a key that is truncated, extended, padded, or has two neighbours swapped', () => {
  fc.assert(
    fc.property(anyKey, fc.nat(), (key, number) => {
      expect(parseKeyEnvironment(key.slice(0, number % key.length))).toBeNull()
      expect(parseKeyEnvironment(`${key}0`)).toBeNull()
      expect(parseKeyEnvironment(` ${key}`)).toBeNull()
      expect(parseKeyEnvironment(`${key}\n`)).toBeNull()
      const index = number % (key.length - 1)
      fc.pre(key[index] !== key[index + 1])
      const swapped = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2)
      expect(parseKeyEnvironment(swapped)).toBeNull()
    }),
  )
})

it('rejects a test key whose prefix was changed to live', () => {
  expect(parseKeyEnvironment(createKeyValue('test').replace('_test_', '_live_'))).toBeNull()
})

it('uses every base62 character about equally often', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 2000; i++) {
    for (const character of createKeyValue('live').slice('svc_live_'.length, -6))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  // 60,000 characters: 968 of each, with a deviation of 31. With bytes from 248 on, the first eight would be 25 %
  // ahead.
  expect(counts.size).toBe(62)
  expect(Math.min(...counts.values())).toBeGreaterThan(968 - 6 * 31)
  expect(Math.max(...counts.values())).toBeLessThan(968 + 6 * 31)
})

it('hashes a key to 32 bytes that do not contain it', () => {
  const key = createKeyValue('live')
  expect(hashKeyValue(key)).toHaveLength(32)
  expect(hashKeyValue(key).equals(hashKeyValue(createKeyValue('live')))).toBe(false)
  expect(hashKeyValue(key).toString('latin1')).not.toContain(key.slice(0, 8))
})
