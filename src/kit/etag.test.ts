/** If-Match: what clients send, and what is refused as malformed. */
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
  ])('understands %s', (header, tags) => expect(parseIfMatch(header)).toEqual(tags))

  test.each(['', ' ', '"7', '7"', "'7'", '"7" "8"', '"7",', 'W/7', '*, "7"', 'a b', '{7}'])(
    'refuses %j as malformed',
    header => expect(() => parseIfMatch(header)).toThrow('The header If-Match must hold the ETag'),
  )
})
