/** Booked slots in the database: seats, overlaps, moves and holds. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { findSlot } from '../../../domain/slots/list-slots.ts'
import type { BookableSlot } from '../../../domain/slots/types.ts'
import { sql, type Tx } from '../../../kit/db/index.ts'
import type { Problem } from '../../../kit/problem.ts'
import { lockAgendas } from '../agendas/queries.ts'
import { getEventType } from '../event-types/queries.ts'
import { releaseExpiredHolds, takeHold } from '../holds/queries.ts'
import { readVisitPlace } from './place.ts'
import { readSlotRequest } from './read-request.ts'
import { joinSlot, moveSeat, releaseSeat, reserveSlot, takeSeat } from './reserve.ts'

let app: TestApp
let tenant: TestTenant
let eventTypeId: string
let agendaId: string

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  await create({})
})

async function create(fields: object) {
  const { rows } = await tenant.inTenant(tx => sql<{ id: string }>`select id from users limit 1`.execute(tx))
  const { status, body } = await tenant.call<{ id: string; agendaId: string }>(
    'POST',
    '/scheduling/event-types',
    {
      body: {
        ownerAgentUserId: rows[0]!.id,
        name: 'Viewing',
        slug: `viewing-${Math.random().toString(36).slice(2)}`,
        durationMin: 30,
        locationMode: 'onsite',
        ...fields,
      },
    },
  )
  expect(status).toBe(201)
  eventTypeId = body.id
  agendaId = body.agendaId
}

const hourMs = 3_600_000
const startMs = Math.ceil(Date.now() / hourMs) * hourMs + 48 * hourMs
const slotAt = (offsetMin: number, bookedSlotId: string | null = null): BookableSlot => ({
  startMs: startMs + offsetMin * 60_000,
  endMs: startMs + (offsetMin + 30) * 60_000,
  agendaIds: [agendaId],
  bookedSlotId,
  seatsLeft: 1,
})
const range = { startMs, endMs: startMs + 24 * hourMs }

const withType = <T>(
  work: (tx: Tx, eventType: Awaited<ReturnType<typeof getEventType>>) => Promise<T>,
): Promise<T> => tenant.inTenant(async tx => work(tx, await getEventType(tx, eventTypeId)))

const reserve = (offsetMin: number) =>
  withType(async (tx, eventType) => {
    await lockAgendas(tx, [agendaId])
    return reserveSlot(tx, { eventType, slot: slotAt(offsetMin) })
  })
const readRequest = (excludedSlotId: string | null = null) =>
  withType((tx, eventType) => readSlotRequest(tx, eventType, { range, excludedSlotId }))

/** Statements that wait for the lock of another transaction. */
async function countWaiting(): Promise<number> {
  const { rows } = await app.database.ownerPool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.count
}

describe('a booked slot', () => {
  test('occupies its agenda with its buffers: no other one can overlap, one that touches can', async () => {
    await create({ bufferBeforeMin: 10, bufferAfterMin: 5 })
    const { bookedSlotId } = await reserve(0)
    await expect(reserve(44)).rejects.toMatchObject({
      code: 'SLOT_TAKEN',
      status: 409,
      details: { slotReason: 'BUSY', nearestSlots: Array.from({ length: 5 }, () => expect.anything()) },
    })
    await reserve(45)
    const { agendas } = await readRequest()
    expect(agendas[0]!.reservations).toMatchObject([
      { startMs, bufferBeforeMin: 10, bufferAfterMin: 5, place: null },
      { startMs: startMs + 45 * 60_000 },
    ])
    expect((await readRequest(bookedSlotId)).agendas[0]!.reservations).toHaveLength(1)
  })

  test('that two transactions take at once, without a lock, is that of the first; the other one gets the nearest slots', async () => {
    const take = (tx: Tx, eventType: Awaited<ReturnType<typeof getEventType>>) =>
      reserveSlot(tx, { eventType, slot: slotAt(0) })
    let second: Promise<unknown> | undefined
    await withType(async (tx, eventType) => {
      await take(tx, eventType)
      second = withType(take).catch((error: unknown) => error)
      await expect.poll(countWaiting).toBe(1)
    })
    const { code, details } = (await second) as Problem
    const starts = (details.nearestSlots as { start: string }[]).map(({ start }) => start)
    expect([code, starts.length]).toEqual(['SLOT_TAKEN', 5])
    expect(starts).not.toContain(new Date(startMs).toISOString())
    expect((await readRequest()).agendas[0]!.reservations).toHaveLength(1)
  })

  test('moves as a whole onto a time that overlaps with its own, and is deleted with its last seat', async () => {
    const { bookedSlotId } = await reserve(0)
    const moved = await withType((tx, eventType) =>
      moveSeat(tx, bookedSlotId, { eventType, slot: slotAt(15) }),
    )
    expect(moved).toMatchObject({ bookedSlotId, agendaId, agendaIds: [agendaId] })
    await tenant.inTenant(tx => releaseSeat(tx, bookedSlotId))
    expect((await readRequest()).agendas[0]!.reservations).toEqual([])
  })

  test('of a group stays if somebody joins it while the last visitor leaves', async () => {
    await create({ config: { seats: 2 } })
    const { bookedSlotId } = await reserve(0)
    let leaving: Promise<void> | undefined
    await withType(async (tx, eventType) => {
      await joinSlot(tx, { eventType, slot: slotAt(0, bookedSlotId) })
      leaving = withType(other => releaseSeat(other, bookedSlotId))
      await expect.poll(countWaiting).toBe(1)
    })
    await leaving
    expect((await readRequest()).groupSlots).toMatchObject([{ bookedSlotId, seatsLeft: 1 }])
  })

  test('of a group has seats, which others join until none is left', async () => {
    await create({ config: { seats: 2 } })
    const { bookedSlotId } = await reserve(0)
    expect((await readRequest()).groupSlots).toEqual([
      { bookedSlotId, startMs, endMs: startMs + 1_800_000, seatsLeft: 1, agendaIds: [agendaId] },
    ])
    const join = () => withType((tx, eventType) => takeSeat(tx, { eventType, slot: slotAt(0, bookedSlotId) }))
    expect(await join()).toMatchObject({ bookedSlotId })
    await expect(join()).rejects.toMatchObject({
      code: 'SLOT_TAKEN',
      details: { slotReason: 'NO_SEATS', nearestSlots: Array.from({ length: 5 }, () => expect.anything()) },
    })
    const moved = await withType((tx, eventType) =>
      moveSeat(tx, bookedSlotId, { eventType, slot: slotAt(60) }),
    )
    expect(moved.bookedSlotId).not.toBe(bookedSlotId)
    await tenant.inTenant(tx => releaseSeat(tx, bookedSlotId))
    await withType((tx, eventType) => joinSlot(tx, { eventType, slot: slotAt(0, bookedSlotId) }))
  })
})

test('beside a group slot that begins later the booking refuses what the listing leaves out', async () => {
  const weekly = [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from: '00:00', to: '24:00' }))
  await create({ config: { seats: 2 }, availability: { weekly, slotIntervalMin: 15 } })
  await reserve(0)
  const besideMs = startMs - 15 * 60_000
  const found = await withType(async (tx, eventType) => {
    const moment = { startMs: besideMs, endMs: besideMs + 1 }
    return findSlot(await readSlotRequest(tx, eventType, { range: moment }), besideMs)
  })
  expect(found).toEqual({ reason: 'JOIN_OPEN_SLOT' })
})

describe('a hold', () => {
  const hold = (bookedSlotId: string, seconds: number) =>
    tenant.inTenant(async tx => {
      await sql`
        insert into slot_holds (tenant_id, id, booked_slot_id, expires_at, created_at)
        values (${tenant.tenantId}, ${bookedSlotId}, ${bookedSlotId}, ${new Date(Date.now() + seconds * 1000)}, ${new Date()})`.execute(
        tx,
      )
    })

  test('keeps its seat for an appointment', async () => {
    const { bookedSlotId } = await reserve(0)
    await hold(bookedSlotId, 60)
    const taken = await tenant.inTenant(tx => takeHold(tx, bookedSlotId))
    expect(taken).toMatchObject({ bookedSlotId, eventTypeId, startMs, agendaIds: [agendaId] })
    expect((await readRequest()).agendas[0]!.reservations).toHaveLength(1)
  })

  test('that has expired is in nobody’s way, and the next booking releases it', async () => {
    const { bookedSlotId } = await reserve(0)
    await hold(bookedSlotId, -1)
    expect(await tenant.inTenant(tx => takeHold(tx, bookedSlotId))).toBeNull()
    expect((await readRequest()).agendas[0]!.reservations).toEqual([])
    await expect(reserve(0)).rejects.toMatchObject({ code: 'SLOT_TAKEN' })
    await tenant.inTenant(tx => releaseExpiredHolds(tx, [agendaId]))
    await reserve(0)
  })
})

test('the place is that of the property of the lead, if the event type takes place there', async () => {
  const { body: lead } = await tenant.call<{ id: string }>('POST', '/leads', {
    body: {
      contact: { phone: '+34600000001' },
      property: { address: 'Calle Mayor 1', postcode: '28013', latitude: 40.4, longitude: -3.7 },
    },
  })
  expect(await withType((tx, eventType) => readVisitPlace(tx, eventType, lead.id))).toEqual({
    place: { latitude: 40.4, longitude: -3.7 },
    postcode: '28013',
    address: 'Calle Mayor 1, 28013',
  })
})
