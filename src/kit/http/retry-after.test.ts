/** How long a server asks to be left alone. */
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './client.ts'

describe('Retry-After', () => {
  const requested = (text?: string) =>
    retryAfterMs({ headers: text === undefined ? {} : { 'retry-after': text } })

  it('is understood in seconds and as a date', () => {
    expect(requested('120')).toBe(120_000)
    const inAMinuteMs = requested(new Date(Date.now() + 60_000).toUTCString())
    expect(inAMinuteMs).toBeGreaterThan(58_000)
    expect(inAMinuteMs).toBeLessThanOrEqual(60_000)
  })

  it.each(['86401', '1e300', 'Infinity', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'is a day at most, whatever it asks for: %j',
    text => {
      expect(requested(text)).toBe(86_400_000)
    },
  )

  it.each([undefined, '', '0', '-5', 'soon', 'Sat, 01 Jan 2000 00:00:00 GMT'])(
    'asks for nothing: %j',
    text => {
      expect(requested(text)).toBe(0)
    },
  )
})
