/** What can be done with an appointment, by its status and the time. */
import { describe, expect, it, test } from 'vitest'
import {
  type AppointmentStatus,
  appointmentActions,
  appointmentStatuses,
  isAllowed,
  listAllowedActions,
  toExpiry,
} from './appointment-status.ts'

const [startMs, endMs] = [1000, 2000]
const allowed = (status: AppointmentStatus, nowMs: number) =>
  listAllowedActions({ status, startMs, endMs }, nowMs).join(' ')

test.each([
  ['pending', 0, 'confirm reschedule assign cancel'],
  ['pending', startMs, 'reschedule assign cancel'],
  ['confirmed', 0, 'reschedule assign cancel'],
  ['confirmed', startMs, 'reschedule assign cancel no-show outcome'],
  ['confirmed', endMs, 'no-show outcome'],
  ['completed', endMs, 'no-show outcome'],
  ['no_show', endMs, 'outcome'],
  ['cancelled', 0, ''],
] as const)('%s at %i: %s', (status, nowMs, actions) => expect(allowed(status, nowMs)).toBe(actions))

it('completes what is confirmed when it ends, and expires only what is pending', () => {
  const statusesFor = (action: 'complete' | 'expire', nowMs: number) =>
    appointmentStatuses.filter(status => isAllowed(action, { status, startMs, endMs }, nowMs))
  expect(statusesFor('complete', endMs - 1)).toEqual([])
  expect(statusesFor('complete', endMs)).toEqual(['confirmed'])
  expect(statusesFor('expire', 0)).toEqual(['pending'])
})

it('is final when it is cancelled', () => {
  for (const action of appointmentActions)
    expect(isAllowed(action, { status: 'cancelled', startMs, endMs }, endMs)).toBe(false)
})

describe('an expiry', () => {
  it('is after the minutes, at the latest when the appointment begins', () => {
    expect(toExpiry(0, 600_000, 5)).toBe(300_000)
    expect(toExpiry(0, 600_000, 60)).toBe(600_000)
    expect(toExpiry(0, 600_000, null)).toBe(600_000)
  })
})
