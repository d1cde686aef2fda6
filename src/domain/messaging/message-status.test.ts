/** Statuses move only forward. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canMove, type OutgoingStatus, outgoingStatuses, toNextStatus } from './message-status.ts'

const status = fc.constantFrom(...outgoingStatuses)
const reports = fc.array(status, { maxLength: 12 })
const applyAll = (start: OutgoingStatus, all: OutgoingStatus[]) => all.reduce(toNextStatus, start)

test('no sequence of reports returns to an earlier status', () => {
  fc.assert(
    fc.property(status, reports, (start, all) => {
      let current = start
      const seen = new Set([current])
      for (const report of all) {
        const next = toNextStatus(current, report)
        if (next !== current) expect(seen.has(next)).toBe(false)
        seen.add(next)
        current = next
      }
    }),
  )
})

test('a repeated report changes nothing', () => {
  fc.assert(
    fc.property(status, status, (start, report) => {
      const once = toNextStatus(start, report)
      expect(toNextStatus(once, report)).toBe(once)
    }),
  )
})

test('receipts in any order end with the furthest', () => {
  const receipts = fc.shuffledSubarray(['sent', 'delivered', 'read'] as const, { minLength: 1 })
  fc.assert(
    fc.property(receipts, all => {
      const furthest = (['read', 'delivered', 'sent'] as const).find(each => all.includes(each))
      expect(applyAll('queued', all)).toBe(furthest)
    }),
  )
})

test('what the person has can not fail, and what failed stays failed', () => {
  expect([canMove('delivered', 'failed'), canMove('read', 'failed')]).toEqual([false, false])
  expect(outgoingStatuses.filter(to => canMove('failed', to))).toEqual([])
})

test('a message whose result was lost is decided by any report', () => {
  expect(outgoingStatuses.filter(to => canMove('unknown', to))).toEqual([
    'sent',
    'delivered',
    'read',
    'failed',
  ])
})
