/** Many people book at the same moment: over HTTP, against the database. */
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { book, makeEventType, requestBooking, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

test('1,000 bookings of one slot at once: one gets it, the others the nearest free slots; another tenant books meanwhile', async () => {
  const eventType = await makeEventType(tenant)
  const other = await makeTenant(app)
  const elsewhere = await makeEventType(other)
  const start = toTime(2)
  const stampede = Promise.all(Array.from({ length: 1000 }, () => requestBooking(tenant, eventType, start)))
  for (const hour of [8, 9, 10, 11, 12]) await book(other, elsewhere, toTime(3, hour))
  const replies = await stampede
  const booked = replies.filter(({ status }) => status === 201)
  const taken = replies.filter(({ status, body }) => status === 409 && body.code === 'SLOT_TAKEN')
  expect(replies.filter(reply => ![201, 409].includes(reply.status)).map(({ text }) => text)).toEqual([])
  expect([booked.length, taken.length]).toEqual([1, 999])
  for (const { body } of taken) {
    expect(body.nearestSlots).toHaveLength(5)
    expect(body.nearestSlots.map(slot => slot.start)).not.toContain(start)
  }
})

const settings = fc.record({
  durationMin: fc.integer({ min: 3, max: 12 }).map(n => n * 5),
  bufferBeforeMin: fc.integer({ min: 0, max: 20 }),
  bufferAfterMin: fc.integer({ min: 0, max: 20 }),
  starts: fc.array(fc.integer({ min: 0, max: 19 }), { minLength: 40, maxLength: 40 }),
})

test('40 simultaneous bookings of 20 overlapping starts never overlap, buffers included, and leave no room', async () => {
  await fc.assert(
    fc.asyncProperty(settings, async ({ starts, ...fields }) => {
      const eventType = await makeEventType(tenant, { ...fields, availability: { slotIntervalMin: 5 } })
      const replies = await Promise.all(
        starts.map(index => requestBooking(tenant, eventType, toTime(2, 10, index * 5))),
      )
      const booked = replies.filter(({ status }) => status === 201)
      expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true)
      expect(booked.length).toBeGreaterThan(0)
      expect(await countOverlaps(tenant)).toBe(0)
      const { bufferBeforeMin, bufferAfterMin } = fields
      const times = booked.map(({ body }) => [Date.parse(body.start), Date.parse(body.end)] as const)
      for (const [index, [startMs, endMs]] of times.entries())
        for (const [otherStartMs, otherEndMs] of times.slice(index + 1)) {
          const gapMs = Math.max(startMs - otherEndMs, otherStartMs - endMs)
          expect(gapMs).toBeGreaterThanOrEqual((bufferBeforeMin + bufferAfterMin) * 60_000)
        }
      // A refused start is in the way of one that was booked, also when all is quiet.
      const refused = starts.filter((_, index) => replies[index]!.status === 409).slice(0, 3)
      for (const index of refused)
        expect(await requestBooking(tenant, eventType, toTime(2, 10, index * 5))).toMatchObject({
          status: 409,
        })
    }),
    { numRuns: 4, seed: 21 },
  )
})

/** The pairs of reservations of one agenda that overlap. */
async function countOverlaps({ inTenant, tenantId }: TestTenant): Promise<number> {
  const { rows } = await inTenant(tx =>
    sql<{ count: number }>`
      select count(*)::int as count from agenda_reservations a
      join agenda_reservations b on b.tenant_id = ${tenantId} and b.agenda_id = a.agenda_id
        and b.booked_slot_id <> a.booked_slot_id and b.occupied && a.occupied
      where a.tenant_id = ${tenantId}`.execute(tx),
  )
  return rows[0]!.count
}
