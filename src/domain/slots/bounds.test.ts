/** Requests that are too large are refused with a sentence that says what to do. */
import { expect, test } from 'vitest'
import { at, between, slotRequest, weekHours } from '../../../test/slot-requests.ts'
import { SlotBoundsError, slotBounds } from './bounds.ts'
import { listSlots } from './list-slots.ts'

test('62 local days are allowed, 63 are not', () => {
  const twoMonths = between('2026-09-30T22:00Z', '2026-12-01T23:00Z')
  expect(() => listSlots(slotRequest({ range: twoMonths }))).not.toThrow()
  expect(() =>
    listSlots(slotRequest({ range: { ...twoMonths, endMs: twoMonths.endMs + 86_400_000 } })),
  ).toThrow(new SlotBoundsError('There are 63 days, and at most 62 are allowed. Request fewer days.'))
})

test('starts of the grid are bounded with the agendas', () => {
  const request = (agendas: number) =>
    slotRequest({
      nowMs: at('2026-09-01T00:00Z'),
      range: between('2026-09-30T22:00Z', '2026-12-01T23:00Z'),
      availability: { ...weekHours('00:00', '24:00'), slotIntervalMin: 5 },
      agendas: Array.from({ length: agendas }, () => ({})),
    })
  expect(listSlots(request(27))).toHaveLength(62 * 288 + 12)
  expect(() => listSlots(request(28))).toThrow(SlotBoundsError)
})

test('agendas, intervals and steps of the grid are bounded', () => {
  const busy = Array.from({ length: slotBounds.busyTimes + 1 }, () => ({ startMs: 0, endMs: 1 }))
  const { weekly } = slotRequest().availability
  for (const request of [
    slotRequest({ agendas: [{ busy }] }),
    slotRequest({ agendas: Array.from({ length: 201 }, () => ({})) }),
    slotRequest({ agendas: Array.from({ length: 7 }, () => ({ busy: busy.slice(1) })) }),
    slotRequest({ availability: { slotIntervalMin: 1 } }),
    slotRequest({ availability: { weekly: Array.from({ length: 101 }, () => weekly[0]!) } }),
  ])
    expect(() => listSlots(request)).toThrow(SlotBoundsError)
})
