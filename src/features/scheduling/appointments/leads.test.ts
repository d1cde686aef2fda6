/** The leads of visitors: given, found or created; merged, deleted and erased. */
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  book,
  listEvents,
  type MadeEventType,
  makeEventType,
  makeVisitor,
  move,
  readAppointment,
  requestBooking,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Lead } from '../../leads/schemas.ts'
import { changeAppointment } from './change.ts'
import { lockAppointment } from './queries.ts'

let app: TestApp
let tenant: TestTenant
let eventType: MadeEventType

/** Statements that wait for the lock of another transaction. */
async function countWaiting({ database }: TestApp): Promise<number> {
  const { rows } = await database.ownerPool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.count
}

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  eventType = await makeEventType(tenant)
})

const readLead = async (id: string) => (await tenant.call<Lead>('GET', `/leads/${id}`)).body
const createLead = async (contact: object) =>
  (await tenant.call<Lead>('POST', '/leads', { body: { contact } })).body

describe('the lead of a visitor', () => {
  it('is created with the platform booking and the appointment as lawful basis', async () => {
    const visitor = makeVisitor()
    const { id, leadId } = await book(tenant, eventType, toTime(2), { visitor })
    const lead = await readLead(leadId!)
    expect(lead).toMatchObject({
      status: 'replied',
      contact: visitor,
      sources: [{ platform: 'booking' }],
    })
    expect((await tenant.call('GET', `/leads/${leadId}/lawful-basis`)).body).toMatchObject({
      kind: 'contract',
      channels: ['phone', 'chat', 'email'],
      proof: expect.stringContaining(id),
    })
    const { body } = await tenant.call<{ data: { type: string }[] }>('GET', `/leads/${leadId}/timeline`)
    expect(body.data.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['lead.created', 'appointment.booked']),
    )
  })

  it('is found by the phone, and gets an address that nobody has', async () => {
    const visitor = makeVisitor()
    const known = await createLead({ name: 'Marta', phone: visitor.phone })
    const { leadId } = await book(tenant, eventType, toTime(2), { visitor })
    expect(leadId).toBe(known.id)
    expect((await readLead(known.id)).contact).toMatchObject({ name: 'Marta', email: visitor.email })
    expect(await tenant.listAllLeads()).toHaveLength(1)
  })

  it('that is given stays, and takes nothing of another lead', async () => {
    const visitor = makeVisitor()
    const [given] = [await createLead({ name: 'Jordi' }), await createLead({ phone: visitor.phone })]
    const { leadId } = await book(tenant, eventType, toTime(2), { visitor, leadId: given.id })
    expect(leadId).toBe(given.id)
    expect((await readLead(given.id)).contact).toMatchObject({ email: visitor.email, phone: null })
  })

  it('is none for a visitor without phone and address, an erased one, or if the quota is used up', async () => {
    const video = await makeEventType(tenant, {
      locationMode: 'video',
      locationDetails: { url: 'https://meet.example/viewing' },
    })
    expect((await book(tenant, video, toTime(2), { visitor: { name: 'Marta' } })).leadId).toBeNull()
    const visitor = makeVisitor()
    const { leadId } = await book(tenant, eventType, toTime(3), { visitor })
    await tenant.call('DELETE', `/leads/${leadId}?erase=true`)
    const again = await book(tenant, eventType, toTime(4), { visitor })
    expect([again.leadId, again.visitor.name]).toEqual([null, visitor.name])
    await tenant.limitQuota('maxLeadsPerMonth', 0)
    expect((await book(tenant, eventType, toTime(5))).leadId).toBeNull()
  })

  it.each([
    [true, 'replied'],
    [false, 'new'],
  ])('has replied, if a booking stops the messages of campaigns: %s', async (stopsSequence, status) => {
    const type = await makeEventType(tenant, { config: { bookingPage: { stopsSequence } } })
    const visitor = makeVisitor()
    const known = await createLead({ name: 'Marta', phone: visitor.phone })
    await book(tenant, type, toTime(2), { visitor })
    expect((await readLead(known.id)).status).toBe(status)
  })

  it('is created once if one person books twice at once', async () => {
    const visitor = makeVisitor()
    const replies = await Promise.all(
      [2, 3, 4, 5].map(day => requestBooking(tenant, eventType, toTime(day), { visitor })),
    )
    expect(new Set(replies.map(({ body }) => body.leadId)).size).toBe(1)
  })
})

describe('a merge', () => {
  it('moves the appointments, and its undo moves them back', async () => {
    const booked = await book(tenant, eventType, toTime(2))
    const survivor = await createLead({ name: 'Jordi' })
    const { body } = await tenant.call<{ mergeId: string }>('POST', `/leads/${survivor.id}/merge`, {
      body: { leadId: booked.leadId },
    })
    expect((await readAppointment(tenant, booked.id)).leadId).toBe(survivor.id)
    const undone = await tenant.call('POST', `/leads/${survivor.id}/merges/${body.mergeId}/undo`)
    expect(undone.status).toBeLessThan(300)
    expect((await readAppointment(tenant, booked.id)).leadId).toBe(booked.leadId)
  })
})

it('a deleted lead leaves its appointment', async () => {
  const booked = await book(tenant, eventType, toTime(2))
  await tenant.call('DELETE', `/leads/${booked.leadId}`)
  expect(await readAppointment(tenant, booked.id)).toMatchObject({ leadId: null, visitor: booked.visitor })
})

describe('an erasure', () => {
  it('does not hold back the events of others while it waits for an appointment that mentions the person', async () => {
    const visitor = makeVisitor()
    const theirs = await book(tenant, eventType, toTime(2), { visitor })
    await move(tenant, theirs.id, 'cancel', {})
    const other = await book(tenant, eventType, toTime(4), { notes: `Comes with ${visitor.email}.` })
    let erasure: Promise<{ status: number }> | undefined
    await tenant.inTenant(async tx => {
      const before = await lockAppointment(tx, other.id)
      erasure = tenant.call('DELETE', `/leads/${theirs.leadId}?erase=true`)
      await expect.poll(() => countWaiting(app)).toBe(1)
      // Sooner than PostgreSQL looks for a deadlock, which the program would retry.
      await sql`set local lock_timeout = '500ms'`.execute(tx)
      await changeAppointment(tx, before, { kind: 'updated', update: { timezone: 'Europe/Lisbon' } })
    })
    expect((await erasure!).status).toBeLessThan(300)
    expect(await readAppointment(tenant, other.id)).toMatchObject({ notes: null, timezone: 'Europe/Lisbon' })
  })

  it('empties the appointments of the person, cancels those to come and ends their links', async () => {
    const visitor = makeVisitor()
    const [coming, cancelled] = [
      await book(tenant, eventType, toTime(2), { visitor, notes: 'Likes light.' }),
      await book(tenant, eventType, toTime(3), { visitor }),
    ]
    await move(tenant, cancelled.id, 'cancel', { reason: 'Ill.' })
    const other = await book(tenant, eventType, toTime(4), { notes: `Comes with ${visitor.email}.` })
    const { body: data } = await tenant.call<{ appointments: { id: string }[] }>(
      'GET',
      `/leads/${coming.leadId}/data`,
    )
    expect(data.appointments.map(({ id }) => id)).toEqual([coming.id, cancelled.id])
    const { status } = await tenant.call('DELETE', `/leads/${coming.leadId}?erase=true`)
    expect(status).toBeLessThan(300)
    const erased = {
      status: 'cancelled',
      visitor: { name: null, email: null, phone: null, language: null },
      answers: {},
      notes: null,
      cancelReason: null,
      leadId: null,
      links: null,
      location: { phone: null },
    }
    expect(await readAppointment(tenant, coming.id)).toMatchObject({ ...erased, sequence: 1 })
    expect(await readAppointment(tenant, cancelled.id)).toMatchObject({ ...erased, sequence: 1 })
    expect(await readAppointment(tenant, other.id)).toMatchObject({
      status: 'confirmed',
      visitor: other.visitor,
      notes: null,
      leadId: other.leadId,
    })
    expect((await requestBooking(tenant, eventType, toTime(2))).status).toBe(201)
    // The events of the lead are deleted; those of the erasure name nobody.
    expect((await listEvents(tenant)).filter(({ type }) => type === 'appointment.cancelled')).toMatchObject([
      { data: { appointmentId: coming.id, leadId: null, cancelledBy: 'agent' } },
    ])
  })

  it('leaves other people their name, who have the same one', async () => {
    const name = 'María García'
    const bookAs = (day: number) =>
      book(tenant, eventType, toTime(day), { visitor: { ...makeVisitor(), name } })
    const [erased, other] = [await bookAs(2), await bookAs(3)]
    await tenant.call('DELETE', `/leads/${erased.leadId}?erase=true`)
    expect(await readAppointment(tenant, other.id)).toMatchObject({ visitor: other.visitor })
    await tenant.call('DELETE', `/leads/${other.leadId}`)
    expect(await readAppointment(tenant, other.id)).toMatchObject({ leadId: null, visitor: other.visitor })
  })

  it('releases all seats before its first event, for which others wait who want one of the seats', async () => {
    const visitor = makeVisitor()
    const group = await makeEventType(tenant, { config: { seats: 2 } })
    for (const day of [2, 3]) {
      await book(tenant, group, toTime(day))
      await book(tenant, group, toTime(day), { visitor })
    }
    const { leadId } = await book(tenant, group, toTime(4), { visitor })
    await tenant.call('DELETE', `/leads/${leadId}?erase=true`)
    const { rows } = await tenant.inTenant(tx =>
      sql<{ lastSeat: number; firstEvent: number }>`
        select max(s.cmin::text::int) as "lastSeat", min(e.cmin::text::int) as "firstEvent"
        from booked_slots s join events e on e.tenant_id = s.tenant_id and e.xmin = s.xmin
        where s.tenant_id = ${tenant.tenantId} and e.type = 'appointment.cancelled'`.execute(tx),
    )
    expect(rows[0]!.lastSeat).toBeLessThan(rows[0]!.firstEvent)
  })
})
