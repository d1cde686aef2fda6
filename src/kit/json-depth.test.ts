/** The bound of nesting: told by brackets alone, and those within texts do not count. */
import { expect, it } from 'vitest'
import { checkJsonBounds, isTooDeep, jsonDepthMax, jsonFieldsMax, parseJson } from './json-depth.ts'

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number) => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`

it.each([lists, objects])('takes 64 levels and no more', nested => {
  expect(isTooDeep(nested(jsonDepthMax))).toBe(false)
  expect(isTooDeep(nested(jsonDepthMax + 1))).toBe(true)
  expect(isTooDeep(nested(400_000))).toBe(true)
})

it('counts no brackets within texts, whatever is escaped there', () => {
  expect(isTooDeep(JSON.stringify({ a: '['.repeat(100), b: '"['.repeat(100), c: '\\"{'.repeat(100) }))).toBe(
    false,
  )
})

it('counts what is open at once, not what there is', () => {
  expect(isTooDeep(`[${Array(100).fill('[[]]').join(',')}]`)).toBe(false)
})

it('takes text that is no JSON as it is', () => {
  expect(isTooDeep(']'.repeat(1000))).toBe(false)
  expect(isTooDeep(`"${'['.repeat(1000)}`)).toBe(false)
})

it('reads JSON of strangers, but for what is too deep or no JSON', () => {
  expect(parseJson('{"a":["b\\u0000"]}')).toEqual({ a: ['b'] })
  expect(() => parseJson(lists(400_000))).toThrow(RangeError)
  expect(() => parseJson('{"a":')).toThrow(SyntaxError)
})

const wide = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f:${n}`, 'a:b'])))

it('takes objects of 1,000 fields and no more, wherever they are', () => {
  expect(checkJsonBounds(wide(jsonFieldsMax))).toBeNull()
  expect(checkJsonBounds(wide(jsonFieldsMax + 1))).toMatchObject({ code: 'TOO_MANY' })
  expect(checkJsonBounds(`{"a":[{"b":1},${wide(jsonFieldsMax + 1)}]}`)).toMatchObject({ code: 'TOO_MANY' })
  expect(checkJsonBounds(`[${Array(20).fill(wide(900)).join(',')}]`)).toBeNull()
  expect(checkJsonBounds(`{"a":${wide(900)},"b":${wide(900)}}`)).toBeNull()
  expect(checkJsonBounds(lists(jsonDepthMax + 1))).toMatchObject({ code: 'TOO_DEEP' })
})

it('takes JSON of strangers that has more fields, such as a line of a file', () => {
  expect(Object.keys(parseJson(wide(5000)) as object)).toHaveLength(5000)
})
