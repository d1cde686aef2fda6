/** Retention ends a number of calendar months after the last interaction of any kind. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeRetentionEnd, type LeadActivity } from './retention.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const created: LeadActivity = {
  createdAt: instant('2026-01-31T10:15:00Z'),
  lastContactedAt: null,
  lastReplyAt: null,
}

const rows: [what: string, LeadActivity, months: number, ends: string][] = [
  ['a lead without interactions', created, 12, '2027-01-31T10:15:00Z'],
  ['a month without that day', created, 1, '2026-02-28T10:15:00Z'],
  ['a leap year', created, 25, '2028-02-29T10:15:00Z'],
  [
    'a lead written to',
    { ...created, lastContactedAt: instant('2026-03-02T00:00:00Z') },
    6,
    '2026-09-02T00:00:00Z',
  ],
  [
    'an answer after that',
    {
      ...created,
      lastContactedAt: instant('2026-03-02T00:00:00Z'),
      lastReplyAt: instant('2026-03-05T23:59:59Z'),
    },
    6,
    '2026-09-05T23:59:59Z',
  ],
  [
    'a message after the answer',
    {
      ...created,
      lastContactedAt: instant('2026-04-02T00:00:00Z'),
      lastReplyAt: instant('2026-03-05T23:59:59Z'),
    },
    6,
    '2026-10-02T00:00:00Z',
  ],
  [
    'a listing that is still online',
    { ...created, lastSeenAt: instant('2026-11-01T00:00:00Z') },
    3,
    '2027-02-01T00:00:00Z',
  ],
  [
    'a lead with notes of calls',
    { ...created, lastNoteAt: instant('2026-05-04T12:00:00Z'), lastSeenAt: instant('2026-02-01T00:00:00Z') },
    2,
    '2026-07-04T12:00:00Z',
  ],
  [
    'a lead whose status changed after its last note',
    {
      ...created,
      lastNoteAt: instant('2026-05-04T12:00:00Z'),
      statusChangedAt: instant('2026-05-05T08:00:00Z'),
    },
    2,
    '2026-07-05T08:00:00Z',
  ],
  ['a listing never seen', { ...created, lastSeenAt: null }, 3, '2026-04-30T10:15:00Z'],
  [
    'interactions before the creation of the lead, as in imports',
    { ...created, lastReplyAt: instant('2020-01-01T00:00:00Z') },
    1,
    '2026-02-28T10:15:00Z',
  ],
]
test.each(rows)('%s', (_what, activity, months, ends) => {
  expect(computeRetentionEnd(activity, { months })?.toString()).toBe(ends)
})

test('without a rule there is no end', () => {
  expect(computeRetentionEnd(created, null)).toBeNull()
})

test.each([0, -1, 1.5, Number.NaN, 1e9])('%s months are invalid', months => {
  expect(() => computeRetentionEnd(created, { months })).toThrow(RangeError)
})

test('a later interaction never brings the end forward, and the end is after every interaction', () => {
  const instant = fc
    .integer({ min: Date.parse('2000-01-01'), max: Date.parse('2100-01-01') })
    .map(ms => Temporal.Instant.fromEpochMilliseconds(ms))
  fc.assert(
    fc.property(
      instant,
      fc.option(instant),
      fc.option(instant),
      instant,
      fc.integer({ min: 1, max: 600 }),
      (createdAt, lastContactedAt, lastReplyAt, seenAt, months) => {
        const activity = { createdAt, lastContactedAt, lastReplyAt }
        const neverSeen = computeRetentionEnd(activity, { months })!
        const seen = computeRetentionEnd({ ...activity, lastSeenAt: seenAt }, { months })!
        expect(Temporal.Instant.compare(seen, neverSeen)).toBeGreaterThanOrEqual(0)
        for (const interaction of [createdAt, lastContactedAt, lastReplyAt, seenAt])
          if (interaction) expect(Temporal.Instant.compare(seen, interaction)).toBe(1)
      },
    ),
  )
})
