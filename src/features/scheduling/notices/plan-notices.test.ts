/** Which notices a change leads to. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { AppointmentRow } from '../appointments/row.ts'
import type { AppointmentChange } from '../hooks.ts'
import { findRefusal } from './find-refusal.ts'
import { type NoticeConfig, type PlannedNotice, planNotices } from './plan-notices.ts'

const now = new Date('2026-11-01T10:00:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
const appointment = (change: Partial<AppointmentRow> = {}): AppointmentRow =>
  ({
    id: 'a',
    agentUserId: 'ana',
    status: 'confirmed',
    start: minutes(3000),
    end: minutes(3030),
    visitor: { name: 'Marta', email: 'marta@example.com', phone: null, language: null },
    sequence: 0,
    cancelledBy: null,
    ...change,
  }) as AppointmentRow
const config = (change: Partial<NoticeConfig> = {}): NoticeConfig => ({
  reminders: [],
  notices: { emailAccountId: null, chatAccountId: null, toAgent: true },
  ...change,
})
const reminder = (minutesBefore: number, channel: 'email' | 'chat' = 'email') => ({
  minutesBefore,
  channel,
  templateId: null,
})
const summarize = (notices: PlannedNotice[]) =>
  notices.map(({ kind, recipient, agentUserId, channel }) =>
    [kind, agentUserId ?? recipient, channel].join(' '),
  )
const plan = (
  kind: AppointmentChange['kind'],
  after: AppointmentRow,
  { before = null, ...options }: Partial<NoticeConfig> & { before?: AppointmentRow | null } = {},
) => planNotices({ kind, before, after }, config(options), now)

describe('a booking', () => {
  it('is sent to both, and reminders follow, the earliest first, equal ones once', () => {
    const reminders = [reminder(60), reminder(1440), reminder(60), reminder(60, 'chat')]
    const { ends, notices } = plan('booked', appointment(), { reminders })!
    expect(ends).toBeNull()
    expect(summarize(notices)).toEqual([
      'booked visitor email',
      'booked ana email',
      'reminder visitor email',
      'reminder visitor email',
      'reminder visitor chat',
    ])
    expect(notices.map(({ dueAt }) => dueAt)).toEqual([now, now, minutes(1560), minutes(2940), minutes(2940)])
  })

  it.each([
    ['whose time has passed', 1441],
    ['that is due in the next minutes', 1436],
  ])('plans no reminder %s', (_what, minutesBefore) => {
    const soon = appointment({ start: minutes(1440), end: minutes(1470) })
    expect(summarize(plan('booked', soon, { reminders: [reminder(minutesBefore)] })!.notices)).toEqual([
      'booked visitor email',
      'booked ana email',
    ])
  })

  it('that waits for the agent is a request, without reminders until it is confirmed', () => {
    const reminders = [reminder(60)]
    const pending = appointment({ status: 'pending' })
    expect(summarize(plan('booked', pending, { reminders })!.notices)).toEqual([
      'requested visitor email',
      'requested ana email',
    ])
    const confirmed = plan('confirmed', appointment(), { reminders, before: pending })!
    expect(confirmed.ends).toBe('SUPERSEDED')
    expect(summarize(confirmed.notices)).toEqual(['confirmed visitor email', 'reminder visitor email'])
  })

  it('of a visitor with a phone alone is notified by chat; agents can be left out', () => {
    const visitor = { name: 'Marta', email: null, phone: '+34612345678', language: null }
    const notices = { emailAccountId: null, chatAccountId: null, toAgent: false }
    expect(summarize(plan('booked', appointment({ visitor }), { notices })!.notices)).toEqual([
      'booked visitor chat',
    ])
  })
})

describe('another agent', () => {
  const before = appointment()
  it('learns of the appointment, the former one that it is gone, and the visitor keeps what waits', () => {
    const moved = plan('assigned', appointment({ agentUserId: 'jordi', sequence: 1 }), { before })!
    expect(moved).toMatchObject({ ends: 'SUPERSEDED', keepsVisitor: true })
    expect(summarize(moved.notices)).toEqual(['cancelled ana email', 'booked jordi email'])
  })

  it('after a move to another time is notified, as is the visitor', () => {
    const moved = plan('rescheduled', appointment({ agentUserId: 'jordi', sequence: 1 }), { before })!
    expect(moved.keepsVisitor).toBe(false)
    expect(summarize(moved.notices)).toEqual([
      'rescheduled visitor email',
      'cancelled ana email',
      'booked jordi email',
    ])
  })
})

test.each([
  ['agent', ['cancelled visitor email']],
  ['calendar', ['cancelled visitor email']],
  ['visitor', ['cancelled visitor email', 'cancelled ana email']],
  ['expiry', ['cancelled visitor email', 'cancelled ana email']],
] as const)('a cancellation by %s', (cancelledBy, expected) => {
  const cancelled = plan('cancelled', appointment({ status: 'cancelled', cancelledBy }))!
  expect([cancelled.ends, summarize(cancelled.notices)]).toEqual(['CANCELLED', expected])
})

test.each(['updated', 'completed', 'no_show', 'outcome_recorded'] as const)(
  '%s: nobody is notified',
  kind => {
    expect(plan(kind, appointment())).toBeNull()
  },
)

const anyTime = fc.integer({ min: -100, max: 5000 })
test('a planned reminder is never in the past, nor sent for another time, a cancellation or a past start', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 5, max: 5000 }), { maxLength: 10 }),
      anyTime,
      anyTime,
      fc.constantFrom('pending', 'confirmed', 'cancelled', 'completed', 'no_show'),
      fc.nat(1),
      (before, startMin, sentMin, status, sequence) => {
        const row = appointment({ start: minutes(startMin), end: minutes(startMin + 30) })
        const { notices } = plan('booked', row, { reminders: before.map(each => reminder(each)) })!
        const reminders = notices.filter(({ kind }) => kind === 'reminder')
        const current = { ...row, status, sequence }
        for (const notice of reminders) {
          expect(notice.dueAt > now).toBe(true)
          const isSent = findRefusal(notice, current, minutes(sentMin)) === null
          expect(isSent).toBe(status === 'confirmed' && sequence === 0 && sentMin < startMin)
        }
      },
    ),
  )
})

test.each([
  ['booked', 'cancelled', 1, 'CANCELLED'],
  ['booked', 'confirmed', 1, 'SUPERSEDED'],
  ['requested', 'confirmed', 0, 'SUPERSEDED'],
  ['cancelled', 'cancelled', 0, null],
  ['booked', 'confirmed', 0, null],
] as const)('%s of an appointment that is %s with %i changes', (kind, status, sequence, code) => {
  const refusal = findRefusal({ kind, sequence: 0 }, { ...appointment(), status, sequence }, now)
  expect(refusal?.code ?? null).toBe(code)
})

test('what an outage held back until the appointment ended is too late', () => {
  expect(findRefusal({ kind: 'booked', sequence: 0 }, appointment(), minutes(3030))?.code).toBe('TOO_LATE')
})
