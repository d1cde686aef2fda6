/** The calculator against an oracle that decides minute by minute, and what must hold after any bookings. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { smallRequest } from '../../../test/slot-arbitraries.ts'
import { listExpectedSlots } from '../../../test/slot-oracle.ts'
import { findNearestSlots, findSlot, listSlots } from './list-slots.ts'
import type { AgendaState, Slot, SlotRequest } from './types.ts'

const minuteMs = 60_000
const runs = { seed: 21, numRuns: 100 }

test('the listing has every slot that the oracle finds, and no other, in order', () => {
  let count = 0
  fc.assert(
    fc.property(smallRequest, request => {
      const expected = listExpectedSlots(request)
      count += expected.length
      expect(
        listSlots(request).map(({ startMs, endMs, bookedSlotId }) => ({ startMs, endMs, bookedSlotId })),
      ).toEqual(expected.map(({ startMs, endMs, bookedSlotId }) => ({ startMs, endMs, bookedSlotId })))
      for (const { startMs, agendaIds } of expected) {
        const found = findSlot(request, startMs)
        expect('reason' in found ? found.reason : found.agendaIds.toSorted()).toEqual(agendaIds)
      }
    }),
    runs,
  )
  expect(count).toBeGreaterThan(2000)
})

test('the booking takes a time if and only if the listing offers it', () => {
  fc.assert(
    fc.property(smallRequest, request => {
      const offered = new Map(listSlots(request).map(slot => [slot.startMs, slot]))
      for (let startMs = request.range.startMs; startMs < request.range.endMs; startMs += 5 * minuteMs) {
        const { agendaIds, ...slot } = { agendaIds: [], ...findSlot(request, startMs) }
        if ('reason' in slot) expect(offered.has(startMs), `${slot.reason} at ${startMs}`).toBe(false)
        else {
          expect(slot).toEqual(offered.get(startMs))
          expect(agendaIds.length).toBeGreaterThan(0)
        }
      }
    }),
    { ...runs, numRuns: 20 },
  )
})

test('the listing of a range is that of its parts, one after the other', () => {
  const cut = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(smallRequest, fc.array(cut, { maxLength: 4 }), (request, cuts) => {
      const { startMs, endMs } = request.range
      const times = [0, ...cuts.sort((one, other) => one - other), 1].map(share =>
        Math.round(startMs + share * (endMs - startMs)),
      )
      const parts = times
        .slice(1)
        .flatMap((end, index) => listSlots({ ...request, range: { startMs: times[index]!, endMs: end } }))
      expect(parts).toEqual(listSlots(request))
    }),
    runs,
  )
})

test('the nearest slots are those of the listing, by distance', () => {
  fc.assert(
    fc.property(smallRequest, fc.integer({ min: -100, max: 3000 }), (request, minute) => {
      const timeMs = request.range.startMs + minute * minuteMs
      const distance = ({ startMs }: Slot) => Math.abs(startMs - timeMs)
      const expected = listSlots(request).sort((one, other) => distance(one) - distance(other))
      expect(findNearestSlots(request, timeMs, 5)).toEqual(expected.slice(0, 5))
    }),
    runs,
  )
})

test('no two bookings of an agenda overlap, buffers included, after any bookings and cancellations', () => {
  const step = fc.record({
    pick: fc.nat(),
    cancels: fc.boolean(),
    durationMin: fc.constantFrom(15, 30, 60),
    bufferBeforeMin: fc.constantFrom(0, 10, 25),
    bufferAfterMin: fc.constantFrom(0, 5, 30),
  })
  let booked = 0
  fc.assert(
    fc.property(smallRequest, fc.array(step, { minLength: 10, maxLength: 25 }), (request, steps) => {
      let agendas = request.agendas.map(agenda => ({ ...agenda, reservations: [] }) as AgendaState)
      for (const { pick, cancels, ...type } of steps) {
        const current = { ...request, ...type, agendas, groupSlots: [] }
        agendas = cancels && pick % 3 === 0 ? cancel(agendas, pick) : book(current, pick)
        for (const agenda of agendas) expectNoOverlap(agenda)
      }
      booked += agendas.reduce((count, { reservations }) => count + reservations.length, 0)
    }),
    runs,
  )
  expect(booked).toBeGreaterThan(500)
})

function cancel(agendas: AgendaState[], pick: number): AgendaState[] {
  return agendas.map(agenda => ({
    ...agenda,
    reservations: agenda.reservations.filter((_, index) => index !== pick % 7),
  }))
}

function book(request: SlotRequest, pick: number): AgendaState[] {
  const slots = listSlots(request)
  if (slots.length === 0) return request.agendas
  const slot = findSlot(request, slots[pick % slots.length]!.startMs)
  if ('reason' in slot) throw new Error(`A slot of the listing is ${slot.reason}.`)
  const { startMs, endMs, agendaIds } = slot
  const { bufferBeforeMin, bufferAfterMin, travel } = request
  const reservation = { startMs, endMs, bufferBeforeMin, bufferAfterMin, place: travel?.place ?? null }
  const taken = request.assignment === 'collective' ? agendaIds : agendaIds.slice(0, 1)
  return request.agendas.map(agenda =>
    taken.includes(agenda.agendaId)
      ? {
          ...agenda,
          reservations: [...agenda.reservations, reservation].sort(
            (one, other) => one.startMs - other.startMs,
          ),
        }
      : agenda,
  )
}

function expectNoOverlap({ reservations, busy }: AgendaState): void {
  const occupied = reservations.map(({ startMs, endMs, bufferBeforeMin, bufferAfterMin }) => ({
    startMs: startMs - bufferBeforeMin * minuteMs,
    endMs: endMs + bufferAfterMin * minuteMs,
  }))
  for (const [index, one] of occupied.entries()) {
    const others = [...occupied.slice(index + 1), ...busy.filter(({ startMs, endMs }) => endMs > startMs)]
    for (const other of others)
      expect(one.startMs < other.endMs && other.startMs < one.endMs, 'overlap').toBe(false)
  }
}
