/** Levels of health, which begin at a threshold and end well below it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideHealth, type HealthLevel, healthLevels } from './health.ts'

const thresholds = { maxFailureRate: 0.2, maxOptOutRate: 0.1, maxBlockRate: 0.02, minSends: 20 }
const none = { failed: 0, optedOut: 0, blocked: 0 }
const decide = (failed: number, previous: HealthLevel = 'good') =>
  decideHealth({ ...none, total: 100, failed }, thresholds, previous).level

describe('health', () => {
  test('is not decided from few results', () => {
    expect(decideHealth({ ...none, total: 19, failed: 19 }, thresholds, 'good').level).toBe('good')
    expect(decideHealth({ ...none, total: 20, failed: 19 }, thresholds, 'good').level).toBe('critical')
  })

  test('gets worse at a threshold and better well below it', () => {
    expect([9, 10, 19, 20].map(failed => decide(failed))).toEqual(['good', 'warning', 'warning', 'critical'])
    expect([20, 10, 9].map(failed => decide(failed, 'critical'))).toEqual(['critical', 'critical', 'warning'])
    expect([9, 5, 4].map(failed => decide(failed, 'warning'))).toEqual(['warning', 'warning', 'good'])
    expect(decide(4, 'critical')).toBe('good')
  })

  test('names the worst rate by its threshold', () => {
    expect(decideHealth({ total: 100, failed: 15, optedOut: 9, blocked: 3 }, thresholds, 'good')).toEqual({
      level: 'critical',
      code: 'HIGH_BLOCK_RATE',
      rate: 0.03,
      threshold: 0.02,
    })
  })

  test('allows nothing with a threshold of zero', () => {
    const strict = { ...thresholds, maxBlockRate: 0 }
    expect(decideHealth({ ...none, total: 100, blocked: 1 }, strict, 'good').code).toBe('HIGH_BLOCK_RATE')
    expect(decideHealth({ ...none, total: 100 }, strict, 'good').level).toBe('good')
  })
})

test('a better rate never makes the level worse', () => {
  const level = fc.constantFrom(...healthLevels)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 100 }),
      level,
      (one, other, previous) => {
        const [few, many] = one < other ? [one, other] : [other, one]
        expect(healthLevels.indexOf(decide(few, previous))).toBeLessThanOrEqual(
          healthLevels.indexOf(decide(many, previous)),
        )
      },
    ),
  )
})
