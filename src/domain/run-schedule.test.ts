/** The times of runs: intervals, cron lines, and both clock changes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCronError, findNextRun, type RunSchedule } from './run-schedule.ts'

const madrid: RunSchedule = {
  everyMinutes: null,
  cron: null,
  timezone: 'Europe/Madrid',
  startAt: null,
  endAt: null,
}
const anchor = new Date('2026-03-01T07:30:00Z')

/** The next `count` runs from a time on. */
function listRuns(change: Partial<RunSchedule>, from: string, count: number): string[] {
  const runs: string[] = []
  for (let at: Date | null = new Date(from); at !== null && runs.length < count; ) {
    at = findNextRun({ ...madrid, ...change }, at, anchor)
    if (at === null) return runs
    runs.push(at.toISOString().slice(0, 16))
    at = new Date(at.getTime() + 1)
  }
  return runs
}

describe('a cron line', () => {
  test('follows the wall clock over both clock changes', () => {
    const runs = (from: string) => listRuns({ cron: '0 7 * * *' }, from, 2)
    expect(runs('2026-03-28T00:00:00Z')).toEqual(['2026-03-28T06:00', '2026-03-29T05:00'])
    expect(runs('2026-10-24T00:00:00Z')).toEqual(['2026-10-24T05:00', '2026-10-25T06:00'])
  })

  test('runs after the gap if the clock skips its time, and once if the clock repeats it', () => {
    const runs = (from: string) => listRuns({ cron: '30 2 * * *' }, from, 3)
    expect(runs('2026-03-28T12:00:00Z')).toEqual(['2026-03-29T01:00', '2026-03-30T00:30', '2026-03-31T00:30'])
    expect(runs('2026-10-24T12:00:00Z')).toEqual(['2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30'])
  })

  test('of each hour runs in both of the repeated hours', () => {
    expect(listRuns({ cron: '0 * * * *' }, '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ])
  })

  test('is due at its very moment', () => {
    expect(listRuns({ cron: '0 7 * * *' }, '2026-05-04T05:00:00.000Z', 1)).toEqual(['2026-05-04T05:00'])
    expect(listRuns({ cron: '0 7 * * *' }, '2026-05-04T05:00:00.001Z', 1)).toEqual(['2026-05-05T05:00'])
  })

  test('is refused with its error', () => {
    expect(findCronError('0 7 * * MON-FRI')).toBeNull()
    expect(findCronError('61 * * * *')?.message).toContain('Invalid value for minute: 61')
    expect(findCronError('* * * * * *')?.message).toContain('five fields')
    expect(findCronError('0 7 31 2 *')?.message).toBe('is never due')
  })
})

describe('an interval', () => {
  test('counts from the start of the campaign, or from startAt', () => {
    expect(listRuns({ everyMinutes: 90 }, '2026-03-01T07:30:00Z', 3)).toEqual([
      '2026-03-01T07:30',
      '2026-03-01T09:00',
      '2026-03-01T10:30',
    ])
    expect(
      listRuns({ everyMinutes: 90, startAt: '2026-03-02T06:00:00Z' }, '2026-03-01T07:30:00Z', 2),
    ).toEqual(['2026-03-02T06:00', '2026-03-02T07:30'])
  })

  test('is elapsed time over a clock change', () => {
    expect(listRuns({ everyMinutes: 1440 }, '2026-03-28T08:00:00Z', 2)).toEqual([
      '2026-03-29T07:30',
      '2026-03-30T07:30',
    ])
  })
})

test('nothing runs from endAt on, nor before startAt', () => {
  const bounds = { startAt: '2026-03-10T00:00:00Z', endAt: '2026-03-12T06:00:00Z' }
  expect(listRuns({ cron: '0 7 * * *', ...bounds }, '2026-03-01T00:00:00Z', 9)).toEqual([
    '2026-03-10T06:00',
    '2026-03-11T06:00',
  ])
})

test('a run is never before `from`, and nothing is skipped', () => {
  const from = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
  const cron = fc.constantFrom('*/15 * * * *', '30 2 * * *', '0 0 * * 0', '0 7,19 1 * *', '59 23 28-31 * *')
  fc.assert(
    fc.property(from, cron, (from, cron) => {
      const schedule = { ...madrid, cron }
      const next = findNextRun(schedule, from, anchor)!
      expect(next >= from).toBe(true)
      expect(findNextRun(schedule, next, anchor)).toEqual(next)
      const between = new Date((from.getTime() + next.getTime()) / 2)
      expect(findNextRun(schedule, between, anchor)).toEqual(next)
    }),
  )
})

test('a cron line is refused if two of its runs are less than five minutes apart', () => {
  for (const cron of [
    '* * * * *',
    '*/4 * * * *',
    '0,3 7 * * *',
    '0 0 31 2 *',
    '58,0 23,0 1,2 * *',
    '0 7 * *',
  ])
    expect([cron, findCronError(cron)?.code]).toEqual([
      cron,
      ['0 0 31 2 *', '0 7 * *'].includes(cron) ? 'WRONG_FORMAT' : 'TOO_SMALL',
    ])
  for (const cron of ['*/5 * * * *', '58 22 * * *', '0 0 29 2 *', '3-58/5 * * * *', '58,0 1,5 * * *'])
    expect([cron, findCronError(cron)]).toEqual([cron, null])
})
