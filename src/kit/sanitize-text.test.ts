/** Sanitized text and JSON. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitizeJson, sanitizeJsonEscapes, sanitizeText } from './sanitize-text.ts'

describe('JSON text', () => {
  it.each([
    ['{"a":"b"}', '{"a":"b"}'],
    ['{"a":"x\\u0000y"}', '{"a":"xy"}'],
    ['{"a\\u0000":1,"\\uD800":2}', '{"a":1,"\\ufffd":2}'],
    ['["\\ud83d\\udc00","\\uD83D\\uDC00"]', '["\\ud83d\\udc00","\\uD83D\\uDC00"]'],
    ['["\\udc00\\ud83d"]', '["\\ufffd\\ufffd"]'],
    ['["\\ud83d\\ud83d\\udc00"]', '["\\ufffd\\ud83d\\udc00"]'],
    ['["\\ud83d\\u0000\\udc00"]', '["\\ufffd\\ufffd"]'],
    // An escaped backslash, followed by letters.
    ['["\\\\u0000","\\\\ud800"]', '["\\\\u0000","\\\\ud800"]'],
    ['["\\\\\\u0000"]', '["\\\\"]'],
    // Invalid JSON stays invalid.
    ['"\\u00', '"\\u00'],
    ['\\u0000\\', '\\'],
  ])('%s becomes %s', (json, expected) => {
    expect(sanitizeJsonEscapes(json)).toBe(expected)
  })
})

const isSanitized = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(pair => pair.every(isSanitized))
}
const odd = fc.string({ unit: fc.constantFrom('a', '\\', '"', '\0', '\ud83d', '\udc00', '\n', 'u0000', 'é') })

describe('any value', () => {
  it('is sanitized completely, and unchanged if it was sanitized before', () => {
    const documents = fc.jsonValue({ stringUnit: 'binary', depthSize: 'small' })
    const any = fc.oneof(documents, fc.dictionary(odd, odd), fc.array(odd))
    fc.assert(
      fc.property(any, value => {
        const stored = JSON.parse(sanitizeJson(value))
        expect(isSanitized(stored)).toBe(true)
        expect(JSON.parse(sanitizeJson(stored))).toEqual(stored)
        if (isSanitized(value)) expect(sanitizeJson(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('gives the same result as text and as JSON, unless U+0000 separates the halves of a pair', () => {
    fc.assert(
      fc.property(odd, text => {
        fc.pre(!/\ud83d\0+\udc00/.test(text))
        expect(JSON.parse(sanitizeJson(text))).toBe(sanitizeText(text))
      }),
    )
  })
})
