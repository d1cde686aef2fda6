/** The reply window. */
import { expect, test } from 'vitest'
import { getWindowEnd, isRecentAnswer, isWindowOpen } from './reply-window.ts'

const at = (time: string) => new Date(`2026-11-02T${time}Z`)
const nextDay = (time: string) => new Date(`2026-11-03T${time}Z`)

test('the window begins with the last message of the person, and ends at the instant', () => {
  expect(getWindowEnd(at('10:00'), 24)).toEqual(nextDay('10:00'))
  expect(isWindowOpen(at('10:00'), 24, nextDay('09:59'))).toBe(true)
  expect(isWindowOpen(at('10:00'), 24, nextDay('10:00'))).toBe(false)
})

test('it is closed while the person has not written, and open where the provider has none', () => {
  expect([getWindowEnd(null, 24), isWindowOpen(null, 24, at('10:00'))]).toEqual([null, false])
  expect([getWindowEnd(null, null), isWindowOpen(null, null, at('10:00'))]).toEqual([null, true])
})

test('without a window, a message answers for 24 hours', () => {
  expect(isRecentAnswer(at('10:00'), null, nextDay('09:59'))).toBe(true)
  expect(isRecentAnswer(at('10:00'), null, nextDay('10:00'))).toBe(false)
  expect(isRecentAnswer(null, null, at('10:00'))).toBe(false)
  expect(isRecentAnswer(at('10:00'), 1, at('11:00'))).toBe(false)
})
