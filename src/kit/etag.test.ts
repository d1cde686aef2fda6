/** The header If-Match: accepted and malformed values. */
import { describe, expect, test } from 'vitest'
import { parseIfMatch } from './etag.ts'

describe('parseIfMatch', () => {
  test.each([
    ['*', '*'],
    [' * ', '*'],
    ['"7"', ['7']],
    ['7', ['7']],
    ['W/"7"', ['7']],
    ['w/"7"', ['7']],
    ['"7", "8"', ['7', '8']],
    ['7,8', ['7', '8']],
    ['""', ['']],
    ['01980a4e-8b5c', ['01980a4e-8b5c']],
  ])('accepts %s', (header, tags) => expect(parseIfMatch(header)).toEqual(tags))

  test.each(['', ' ', '"7', '7"', "'7'", '"7" "8"', '"7",', 'W/7', '*, "7"', 'a b', '{7}'])(
    'rejects %j as malformed',
    header => expect(() => parseIfMatch(header)).toThrow('The header If-Match must hold the ETag'),
  )
})
