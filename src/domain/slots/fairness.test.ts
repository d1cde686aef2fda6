/** Bookings of a team are shared by weight. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseAgenda, orderByFairness } from './fairness.ts'

const agenda = (agendaId: string, weight = 1, recentBookings = 0, lastBookedAtMs: number | null = null) => ({
  agendaId,
  weight,
  recentBookings,
  lastBookedAtMs,
})

test('who has the fewest bookings for their weight is next', () => {
  expect(chooseAgenda([agenda('a', 1, 3), agenda('b', 1, 2)])?.agendaId).toBe('b')
  expect(chooseAgenda([agenda('a', 3, 3), agenda('b', 1, 2)])?.agendaId).toBe('a')
  expect(chooseAgenda([])).toBeUndefined()
})

test('on a tie: who was booked least recently, never before ever, then the lower id', () => {
  const order = orderByFairness([agenda('d', 1, 0, 9), agenda('c', 1, 0, 5), agenda('b'), agenda('a')])
  expect(order.map(({ agendaId }) => agendaId)).toEqual(['a', 'b', 'c', 'd'])
})

test('after any number of bookings everybody has their share, give or take one', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 2 })
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 300 }), ([one, other], count) => {
      const agendas = [agenda('a', one), agenda('b', other)]
      for (let index = 0; index < count; index += 1) {
        const chosen = chooseAgenda(agendas)!
        chosen.recentBookings += 1
        chosen.lastBookedAtMs = index
      }
      for (const { weight, recentBookings } of agendas)
        expect(Math.abs(recentBookings - (count * weight) / (one! + other!))).toBeLessThan(1)
    }),
    { seed: 1, numRuns: 50 },
  )
})

test('the order of the list does not decide', () => {
  const agendas = [agenda('a', 2, 3, 5), agenda('b', 5, 1, 4), agenda('c', 1, 0, 5), agenda('d', 1, 0, 5)]
  expect(orderByFairness(agendas.toReversed())).toEqual(orderByFairness(agendas))
})
