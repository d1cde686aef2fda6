/** The limits of nesting and of fields. Brackets in strings do not count. */
import { expect, it } from 'vitest'
import { checkJsonBounds, isTooDeep, jsonDepthMax, jsonFieldsMax, parseJson } from './json-limits.ts'

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number) => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`

it.each([lists, objects])('accepts up to 64 levels', nested => {
  expect(isTooDeep(nested(jsonDepthMax))).toBe(false)
  expect(isTooDeep(nested(jsonDepthMax + 1))).toBe(true)
  expect(isTooDeep(nested(400_000))).toBe(true)
})

it('ignores brackets in strings, also after escapes', () => {
  expect(isTooDeep(JSON.stringify({ a: '['.repeat(100), b: '"['.repeat(100), c: '\\"{'.repeat(100) }))).toBe(
    false,
  )
})

it('counts nested levels, not all brackets', () => {
  expect(isTooDeep(`[${Array(100).fill('[[]]').join(',')}]`)).toBe(false)
})

it('accepts text that is not JSON', () => {
  expect(isTooDeep(']'.repeat(1000))).toBe(false)
  expect(isTooDeep(`"${'['.repeat(1000)}`)).toBe(false)
})

it('parses untrusted JSON, and throws if it is too deep or invalid', () => {
  expect(parseJson('{"a":["b\\u0000"]}')).toEqual({ a: ['b'] })
  expect(() => parseJson(lists(400_000))).toThrow(RangeError)
  expect(() => parseJson('{"a":')).toThrow(SyntaxError)
})

const wide = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f:${n}`, 'a:b'])))

it('accepts objects of up to 1,000 fields at any depth', () => {
  expect(checkJsonBounds(wide(jsonFieldsMax))).toBeNull()
  expect(checkJsonBounds(wide(jsonFieldsMax + 1))).toMatchObject({ code: 'TOO_MANY' })
  expect(checkJsonBounds(`{"a":[{"b":1},${wide(jsonFieldsMax + 1)}]}`)).toMatchObject({ code: 'TOO_MANY' })
  expect(checkJsonBounds(`[${Array(20).fill(wide(900)).join(',')}]`)).toBeNull()
  expect(checkJsonBounds(`{"a":${wide(900)},"b":${wide(900)}}`)).toBeNull()
  expect(checkJsonBounds(lists(jsonDepthMax + 1))).toMatchObject({ code: 'TOO_DEEP' })
})

it('parseJson does not limit fields, for lines of files', () => {
  expect(Object.keys(parseJson(wide(5000)) as object)).toHaveLength(5000)
})
