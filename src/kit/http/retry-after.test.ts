/** Parsing of Retry-After. */
import { describe, expect, it } from 'vitest'
import { parseRetryAfterMs } from './client.ts'

describe('Retry-After', () => {
  const parse = (text?: string) =>
    parseRetryAfterMs({ headers: text === undefined ? {} : { 'retry-after': text } })

  it('is parsed in seconds and as a date', () => {
    expect(parse('120')).toBe(120_000)
    const inAMinuteMs = parse(new Date(Date.now() + 60_000).toUTCString())
    expect(inAMinuteMs).toBeGreaterThan(58_000)
    expect(inAMinuteMs).toBeLessThanOrEqual(60_000)
  })

  it.each(['86401', '1e300', 'Infinity', 'Fri, 31 Dec 9999 23:59:59 GMT'])('is a day at most: %j', text => {
    expect(parse(text)).toBe(86_400_000)
  })

  it.each([undefined, '', '0', '-5', 'soon', 'Sat, 01 Jan 2000 00:00:00 GMT'])('is 0 for %j', text => {
    expect(parse(text)).toBe(0)
  })
})
