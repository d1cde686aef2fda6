/** What an attempt at a delivery comes to: delivered, tried again and when, or given up. */
import { describe, expect, test } from 'vitest'
import { HttpFailure, type HttpReply } from '../../kit/http/client.ts'
import { judge } from './judge.ts'

const reply = (status: number, headers: Record<string, string> = {}): HttpReply => ({
  status,
  headers,
  body: Buffer.alloc(0),
})

/** Seconds until the next attempt; null: there is none. */
function waitSeconds(answer: HttpReply | HttpFailure, attemptsBefore = 0): number | null {
  const now = Date.now()
  const { nextAttemptAt } = judge(answer, attemptsBefore)
  return nextAttemptAt && (nextAttemptAt.getTime() - now) / 1000
}

test.each([200, 201, 202, 204, 299])('%i is delivered', status => {
  expect(judge(reply(status), 3)).toEqual({
    delivered: true,
    responseStatus: status,
    error: null,
    nextAttemptAt: null,
  })
})

test.each([199, 300, 301, 302, 304, 307, 400, 401, 403, 404, 408, 409, 429, 500, 502, 503, 504])(
  '%i is not delivered and is tried again',
  status => {
    const result = judge(reply(status), 0)
    expect(result).toMatchObject({ delivered: false, responseStatus: status })
    expect(result.error).toContain(String(status))
    expect(result.nextAttemptAt).not.toBeNull()
  },
)

test.each(['timeout', 'unreachable', 'address-refused'] as const)('%s is tried again', kind => {
  const result = judge(new HttpFailure(kind, 'why'), 0)
  expect(result).toMatchObject({ delivered: false, responseStatus: null, error: 'why' })
  expect(result.nextAttemptAt).not.toBeNull()
})

test('410 is not tried again', () => {
  expect(judge(reply(410), 0)).toMatchObject({ delivered: false, nextAttemptAt: null })
})

describe('waits', () => {
  test.each([5, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds, at) => [at + 1, seconds]))(
    'after attempt %i about %i s, never the same for all',
    (attempt, seconds) => {
      const waits = Array.from({ length: 200 }, () => waitSeconds(reply(500), attempt - 1)!)
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds * 0.9)
      expect(Math.max(...waits)).toBeLessThanOrEqual(seconds * 1.1 + 0.1)
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(seconds * 0.05)
    },
  )

  test('after the eighth attempt there is none', () => {
    expect(waitSeconds(reply(500), 7)).toBeNull()
    expect(waitSeconds(reply(500), 700)).toBeNull()
  })
})

describe('Retry-After', () => {
  test('puts the next attempt off, in seconds or as a date', () => {
    expect(waitSeconds(reply(429, { 'retry-after': '120' }))).toBeGreaterThanOrEqual(120)
    expect(waitSeconds(reply(429, { 'retry-after': '120' }))).toBeLessThan(121)
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString()
    expect(waitSeconds(reply(503, { 'retry-after': inTwoMinutes }))).toBeGreaterThan(118)
    expect(waitSeconds(reply(503, { 'retry-after': inTwoMinutes }))).toBeLessThan(121)
  })

  test('never brings it nearer', () => {
    expect(waitSeconds(reply(503, { 'retry-after': '1' }), 1)).toBeGreaterThan(250)
    const past = new Date(Date.now() - 1e6).toUTCString()
    expect(waitSeconds(reply(503, { 'retry-after': past }), 1)).toBeGreaterThan(250)
  })

  test('is followed for a day at most', () => {
    const day = 86_400
    expect(waitSeconds(reply(429, { 'retry-after': '99999999999999' }))).toBeLessThan(day + 1)
    expect(waitSeconds(reply(429, { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }))).toBeLessThan(day + 1)
  })

  test.each(['', 'soon', '-5', 'NaN'])('is passed over when it says %j', text => {
    expect(waitSeconds(reply(429, { 'retry-after': text }))).toBeLessThan(6)
  })
})
