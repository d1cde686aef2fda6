/** Ranges of listings: days and moments, in the zone of the visitor. */
import { describe, expect, test } from 'vitest'
import { parseRange } from './parse-range.ts'

const nowMs = Date.parse('2026-03-25T10:00:00Z')
const parse = (range: { from?: string; to?: string }, timezone = 'Europe/Madrid') => {
  const parsed = parseRange(range, timezone, nowMs)
  if ('errors' in parsed) return parsed.errors.map(({ path, code }) => `${path} ${code}`)
  return [parsed.startMs, parsed.endMs].map(ms => new Date(ms).toISOString())
}

describe('a range', () => {
  test.each([
    ['nothing: seven days from now', {}, ['2026-03-25T10:00:00.000Z', '2026-04-01T10:00:00.000Z']],
    [
      'days: the last one is included, and clocks go forward',
      { from: '2026-03-29', to: '2026-03-29' },
      ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ],
    [
      'moments with offsets',
      { from: '2026-03-26T09:00:00+01:00', to: '2026-03-26T12:30:00Z' },
      ['2026-03-26T08:00:00.000Z', '2026-03-26T12:30:00.000Z'],
    ],
    [
      'a day to a moment',
      { from: '2026-03-26', to: '2026-03-26T12:00:00Z' },
      ['2026-03-25T23:00:00.000Z', '2026-03-26T12:00:00.000Z'],
    ],
  ])('%s', (_name, range, expected) => expect(parse(range)).toEqual(expected))

  test('of 62 days is allowed, also when clocks go back', () => {
    expect(parse({ from: '2026-10-01', to: '2026-12-01' })[1]).toBe('2026-12-01T23:00:00.000Z')
    expect(parse({ from: '2026-10-01', to: '2026-12-02' })).toEqual(['/to TOO_LARGE'])
    expect(parseRange({ from: '2027-04-08', to: '2027-06-09' }, 'Europe/Madrid', 0)).toMatchObject({
      errors: [{ message: 'must end a range of at most 62 days, this day included' }],
    })
    expect(parseRange({ from: '2027-04-08', to: '2027-06-09T00:00:01Z' }, 'Europe/Madrid', 0)).toMatchObject({
      errors: [{ message: 'must end a range of at most 62 days' }],
    })
  })

  test.each([
    [{ from: '2026-02-30' }, ['/from WRONG_FORMAT']],
    [{ from: 'tomorrow', to: '2026-13-01' }, ['/from WRONG_FORMAT', '/to WRONG_FORMAT']],
    [{ from: '2026-03-26T09:00:00' }, ['/from WRONG_FORMAT']],
    [{ from: '2026-03-27', to: '2026-03-26' }, ['/to CONTRADICTION']],
    [{ to: '2026-03-24' }, ['/to CONTRADICTION']],
  ])('%j is refused', (range, errors) => expect(parse(range)).toEqual(errors))
})
