/** Group viewings: joined while they have seats, before another one begins. */
import { expect, test } from 'vitest'
import { at, between, slotRequest } from '../../../test/slot-requests.ts'
import { findSlot, listSlots } from './list-slots.ts'
import type { GroupSlot } from './types.ts'

const viewing = (seatsLeft: number, bookedSlotId = 'viewing'): GroupSlot => ({
  ...between('2026-11-30T09:00Z', '2026-11-30T09:30Z'),
  bookedSlotId,
  agendaIds: ['agenda 1'],
  seatsLeft,
})

/** 10:00 to 11:30 in Madrid, two agents, the first of whom has the viewing. */
const request = (...groupSlots: GroupSlot[]) =>
  slotRequest({
    availability: { weekly: [{ day: 1, from: '10:00', to: '11:30' }], slotIntervalMin: 15 },
    agendas: [{ reservations: [{ ...viewing(0), bufferBeforeMin: 0, bufferAfterMin: 0, place: null }] }, {}],
    seats: 5,
    groupSlots,
  })

const minutes = (startMs: number) => (startMs - at('2026-11-30T09:00Z')) / 60_000

test('a viewing with seats left is joined, and none begins beside it', () => {
  const slots = listSlots(request(viewing(2)))
  expect(
    slots.map(({ startMs, bookedSlotId, seatsLeft }) => [minutes(startMs), bookedSlotId, seatsLeft]),
  ).toEqual([
    [0, 'viewing', 2],
    [30, null, 5],
    [45, null, 5],
    [60, null, 5],
  ])
  expect(findSlot(request(viewing(2)), at('2026-11-30T09:00Z'))).toMatchObject({ agendaIds: ['agenda 1'] })
  expect(findSlot(request(viewing(2)), at('2026-11-30T09:15Z'))).toEqual({ reason: 'JOIN_OPEN_SLOT' })
})

test('beside a full viewing another agenda begins one; if none is free, there are no seats', () => {
  expect(findSlot(request(viewing(0)), at('2026-11-30T09:00Z'))).toMatchObject({
    agendaIds: ['agenda 2'],
    bookedSlotId: null,
    seatsLeft: 5,
  })
  const [first] = request(viewing(0)).agendas
  const alone = { ...request(viewing(0)), agendas: [first!] }
  expect(findSlot(alone, at('2026-11-30T09:00Z'))).toEqual({ reason: 'NO_SEATS' })
  expect(findSlot(alone, at('2026-11-30T09:15Z'))).toEqual({ reason: 'BUSY' })
})

test('of two viewings at the same time the fuller one is joined', () => {
  const slots = listSlots(request(viewing(3, 'emptier'), viewing(1, 'fuller')))
  expect(slots[0]).toMatchObject({ bookedSlotId: 'fuller', seatsLeft: 1 })
})

test('the notice holds for joining too; a viewing that began too soon keeps no time from others', () => {
  const late = { ...request(viewing(2)), nowMs: at('2026-11-30T09:10Z') }
  expect(findSlot(late, at('2026-11-30T09:00Z'))).toEqual({ reason: 'NOTICE' })
  expect(minutes(listSlots(late)[0]!.startMs)).toBe(15)
})
