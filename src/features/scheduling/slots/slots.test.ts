/** The slots of event types over HTTP: days, zones, calendars, areas; and the listing agrees with bookings. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  book,
  findUserId,
  type MadeEventType,
  makeEventType,
  requestBooking,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { SlotList } from './schemas.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

/** A Tuesday in some weeks, in whose night no clock changes. */
function toTuesday(): string {
  const day = new Date(Date.now() + 21 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((9 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
}
const tuesday = toTuesday()
const morning = { weekly: [{ day: 2, from: '09:00', to: '11:00' }] }

const list = async ({ id }: Pick<MadeEventType, 'id'>, query = `from=${tuesday}&to=${tuesday}`) => {
  const { status, body, text } = await tenant.call<SlotList>(
    'GET',
    `/scheduling/event-types/${id}/slots?${query}`,
  )
  if (status !== 200) throw new Error(`${status}: ${text}`)
  return body
}
const times = ({ data }: SlotList) =>
  Object.values(data).flatMap(slots => slots.map(({ start }) => start.slice(11, 16)))

const addCalendar = (agendaId: string, readAt: Date | null, busy: [string, string][] = []) =>
  tenant.inTenant(async tx => {
    const id = newId()
    const coveredTo = new Date(Date.now() + 90 * 86_400_000)
    await sql`
      insert into calendars (tenant_id, id, agenda_id, provider, name, blocks, receives, status, status_changed_at, covered_to, read_at, created_at, updated_at)
      values (${tenant.tenantId}, ${id}, ${agendaId}, 'caldav', 'n', true, false, 'CONNECTED', now(), ${coveredTo}, ${readAt}, now(), now())`.execute(
      tx,
    )
    for (const [from, to] of busy)
      await sql`
        insert into calendar_busy_times (tenant_id, calendar_id, event_id, starts_at, ends_at)
        values (${tenant.tenantId}, ${id}, ${from}, ${from}, ${to})`.execute(tx)
  })

describe('slots', () => {
  test('are listed by the day of the visitor', async () => {
    const eventType = await makeEventType(tenant, { availability: morning })
    const { data, timezone, warnings } = await list(eventType)
    expect([timezone, warnings]).toEqual(['UTC', []])
    expect(data).toEqual({
      [tuesday]: ['09:00', '09:30', '10:00', '10:30'].map(time => {
        const start = new Date(`${tuesday}T${time}:00Z`)
        const end = new Date(start.getTime() + 30 * 60_000)
        return { start: start.toISOString(), end: end.toISOString(), seatsLeft: 1 }
      }),
    })
    const farEast = await list(eventType, `from=${tuesday}&to=${tuesday}&timezone=pacific/kiritimati`)
    // It is 14 hours later there: the morning of the agent falls on two days.
    expect(farEast.timezone).toBe('Pacific/Kiritimati')
    expect(times(farEast)).toEqual(['09:00', '09:30'])
    const two = await list(eventType, `from=${tuesday}&timezone=Pacific/Kiritimati`)
    expect(Object.values(two.data).map(({ length }) => length)).toEqual([2, 2])
    expect(times(await list(eventType, `from=${tuesday}T09:10:00Z&to=${tuesday}T10:01:00Z`))).toEqual([
      '09:30',
      '10:00',
    ])
  })

  test('are those that can be booked, buffers on both sides included', async () => {
    const eventType = await makeEventType(tenant, {
      availability: { ...morning, slotIntervalMin: 15 },
      bufferBeforeMin: 5,
      bufferAfterMin: 10,
    })
    await book(tenant, eventType, `${tuesday}T09:45:00Z`)
    const free = times(await list(eventType))
    expect(free).toEqual(['09:00', '10:30'])
    for (const time of ['09:15', '10:15']) {
      const { status, body } = await requestBooking(tenant, eventType, `${tuesday}T${time}:00Z`)
      expect([status, body.code]).toEqual([409, 'SLOT_TAKEN'])
    }
    for (const time of free) await book(tenant, eventType, `${tuesday}T${time}:00Z`)
    expect(times(await list(eventType))).toEqual([])
  })

  test('are limited by the working hours of the agenda, in its own time zone', async () => {
    const agentUserId = await findUserId(tenant)
    const { body: agenda } = await tenant.call<{ id: string }>('POST', '/scheduling/agendas', {
      body: {
        agentUserId,
        timezone: 'Asia/Tokyo',
        workingHours: { weekly: [{ day: 2, from: '18:00', to: '19:00' }] },
      },
    })
    const eventType = await makeEventType(tenant, { availability: morning, agendaId: agenda.id })
    expect(times(await list(eventType))).toEqual(['09:00', '09:30'])
    const path = `/scheduling/agendas/${agenda.id}`
    const overrides = [{ date: tuesday, intervals: [{ from: '19:00', to: '24:00' }] }]
    const reply = await tenant.call('PATCH', path, { body: { workingHours: { weekly: [], overrides } } })
    expect(reply.status).toBe(200)
    expect(times(await list(eventType))).toEqual(['10:00', '10:30'])
  })

  test('keep the busy times of connected calendars free, whose appointments have no buffers', async () => {
    const eventType = await makeEventType(tenant, { availability: morning, bufferBeforeMin: 30 })
    await addCalendar(eventType.agendaId, new Date(), [[`${tuesday}T08:00:00Z`, `${tuesday}T09:15:00Z`]])
    expect(times(await list(eventType))).toEqual(['10:00', '10:30'])
  })

  test('are not offered while a calendar of an agenda that fails closed is out of date, and the reply says so', async () => {
    const eventType = await makeEventType(tenant, { availability: morning })
    const readAt = new Date(Date.now() - 7 * 3_600_000)
    await addCalendar(eventType.agendaId, readAt)
    expect(times(await list(eventType))).toHaveLength(4)
    await tenant.call('PATCH', `/scheduling/agendas/${eventType.agendaId}`, { body: { failsClosed: true } })
    const { data, warnings } = await list(eventType)
    expect([data, warnings]).toMatchObject([{}, [{ code: 'CALENDAR_STALE', agendaId: eventType.agendaId }]])
    const { status, body } = await requestBooking(tenant, eventType, `${tuesday}T09:00:00Z`)
    expect([status, body.code, body.slotReason]).toEqual([422, 'SLOT_UNAVAILABLE', 'CALENDAR_STALE'])
    const since = `was last read on ${readAt.toTemporalInstant().toString()}`
    expect(warnings[0]!.message).toContain(since)
    expect(body.message).toContain(since)
    expect(body.message).toContain('so no slot of the agenda is offered until it is read.')
    expect(body.nearestSlots).toEqual([])
  })

  test('of a lead whose property has no coordinates come with a warning if the way counts', async () => {
    const locationDetails = {
      address: 'Calle Mayor 1',
      latitude: 41.39,
      longitude: 2.16,
      useLeadProperty: true,
    }
    const eventType = await makeEventType(tenant, {
      locationMode: 'onsite',
      locationDetails,
      availability: morning,
      config: { travel: { enabled: true } },
    })
    const property = { address: 'Carrer Nou 5', municipality: 'Girona' }
    const listFor = async (property: object) => {
      const { body } = await tenant.call<{ id: string }>('POST', '/leads', { body: { property } })
      return list(eventType, `from=${tuesday}&to=${tuesday}&leadId=${body.id}`)
    }
    expect((await listFor(property)).warnings).toMatchObject([
      { code: 'PLACE_UNKNOWN', message: expect.stringContaining('coordinates') },
    ])
    expect((await listFor({ ...property, latitude: 41.98, longitude: 2.82 })).warnings).toEqual([])
  })

  test('of a lead are those of the agents who show properties there', async () => {
    const [north, south] = [await makeEventType(tenant), await makeEventType(tenant)]
    const eventType = await makeEventType(tenant, {
      locationMode: 'onsite',
      availability: morning,
      config: {
        assignment: {
          kind: 'round_robin',
          members: [
            { agendaId: north.agendaId, areas: ['080'] },
            { agendaId: south.agendaId, areas: ['28'] },
          ],
        },
      },
    })
    await book(tenant, north, `${tuesday}T09:00:00Z`)
    const makeLead = async (postcode: string) => {
      const body = { property: { postcode } }
      return (await tenant.call<{ id: string }>('POST', '/leads', { body })).body.id
    }
    const day = `from=${tuesday}&to=${tuesday}`
    const anywhere = await list(eventType, day)
    expect(times(anywhere)).toHaveLength(4)
    expect(anywhere.warnings).toMatchObject([
      { code: 'PLACE_UNKNOWN', message: expect.stringContaining('leadId') },
    ])
    const inTheNorth = await makeLead('08 012')
    const { data: ofLead, warnings } = await list(eventType, `${day}&leadId=${inTheNorth}`)
    expect([times({ data: ofLead } as SlotList).length, warnings]).toEqual([3, []])
    expect(times(await list(eventType, `${day}&leadId=${await makeLead('28013')}`))).toHaveLength(4)
    const nobody = await list(eventType, `${day}&leadId=${await makeLead('41001')}`)
    expect([nobody.data, nobody.warnings]).toMatchObject([{}, [{ code: 'NO_AGENT_FOR_AREA' }]])
    const { status, body } = await requestBooking(tenant, eventType, `${tuesday}T09:30:00Z`, {
      leadId: await makeLead('41001'),
    })
    expect([status, body.slotReason]).toEqual([422, 'NO_AGENDA'])
    expect(body.message).toContain(
      'The place is the property of the lead: request the slots with its leadId.',
    )
  })

  test('are not those of an agent whose access was revoked: of a round robin the others are left, of a collective none', async () => {
    const ownerAgentUserId = await findUserId(tenant)
    const gone = newId()
    const setRevoked = (revokedAt: Date | null) =>
      app.database.ownerPool.query('update users set revoked_at = $1 where id = $2', [revokedAt, gone])
    await app.database.ownerPool.query(
      `insert into users (id, workspace_id, email, name, role)
      select $1, workspace_id, 'gone@agency.example', 'Iris', 'agent' from tenants where id = $2`,
      [gone, tenant.tenantId],
    )
    const [of, ofOther] = [
      await makeEventType(tenant, { ownerAgentUserId: gone, availability: morning, config: { seats: 2 } }),
      await makeEventType(tenant, { ownerAgentUserId }),
    ]
    const members = [of, ofOther].map(({ agendaId }) => ({ agendaId }))
    const makeShared = (kind: string) =>
      makeEventType(tenant, {
        ownerAgentUserId,
        availability: morning,
        config: { assignment: { kind, members } },
      })
    const [shared, collective] = [await makeShared('round_robin'), await makeShared('collective')]
    const start = `${tuesday}T09:00:00Z`
    await book(tenant, of, start)
    expect((await list(of)).data[tuesday]).toMatchObject([
      { seatsLeft: 1 },
      ...Array(3).fill({ seatsLeft: 2 }),
    ])
    await setRevoked(new Date())
    const { data, warnings } = await list(of)
    expect(data).toEqual({})
    expect(warnings).toEqual([
      {
        code: 'AGENT_WITHOUT_ACCESS',
        message: expect.stringMatching(/^Iris, .* of the agenda/),
        agendaId: of.agendaId,
      },
    ])
    for (const at of [start, `${tuesday}T10:00:00Z`]) {
      const { status, body } = await requestBooking(tenant, of, at)
      expect([status, body.slotReason]).toEqual([422, 'NO_AGENDA'])
      expect(body.message).toContain('Iris')
    }
    const left = await list(shared)
    expect([times(left), left.warnings]).toMatchObject([
      ['09:00', '09:30', '10:00', '10:30'],
      [{ code: 'AGENT_WITHOUT_ACCESS' }],
    ])
    expect((await book(tenant, shared, start)).agendaId).toBe(ofOther.agendaId)
    const all = await list(collective)
    expect([all.data, all.warnings]).toMatchObject([
      {},
      [{ message: expect.stringContaining('of the event type') }],
    ])
    await setRevoked(null)
    expect(times(await list(collective))).toEqual(['09:30', '10:00', '10:30'])
  })

  test('are closed on public holidays, unless an override opens the day', async () => {
    const weekly = [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from: '09:00', to: '10:00' }))
    const availability = { weekly, horizonDays: 400 }
    const holidays = { country: 'ES', region: 'CT' }
    const eventType = await makeEventType(tenant, { availability, config: { holidays } })
    const year = new Date().getUTCFullYear() + 1
    const range = `from=${year}-01-05&to=${year}-01-07`
    expect(Object.keys((await list(eventType, range)).data)).toEqual([`${year}-01-05`, `${year}-01-07`])
    const overrides = [{ date: `${year}-01-06`, intervals: [{ from: '12:00', to: '13:00' }] }]
    await tenant.call('PATCH', `/scheduling/event-types/${eventType.id}`, {
      body: { availability: { overrides } },
    })
    expect(times(await list(eventType, range))).toEqual([
      '09:00',
      '09:30',
      '12:00',
      '12:30',
      '09:00',
      '09:30',
    ])
  })

  test('end with the daily limit of each agent', async () => {
    const eventType = await makeEventType(tenant, { availability: { ...morning, dailyLimit: 1 } })
    await book(tenant, eventType, `${tuesday}T09:00:00Z`)
    expect(times(await list(eventType))).toEqual([])
  })

  test.each([
    ['from=2026-02-30', '/from'],
    ['from=2027-01-01&to=2027-03-15', '/to'],
    ['from=2027-01-02&to=2027-01-01', '/to'],
    ['timezone=Mars/Base', '/timezone'],
    ['leadId=1', '/leadId'],
    ['day=1', '/day'],
  ])('are refused for %s', async (query, path) => {
    const eventType = await makeEventType(tenant)
    const { status, body } = await tenant.call<{ errors: { path: string }[] }>(
      'GET',
      `/scheduling/event-types/${eventType.id}/slots?${query}`,
    )
    expect([status, body.errors.map(error => error.path)]).toEqual([400, [path]])
  })

  test('of years long gone or far ahead are none', async () => {
    const eventType = await makeEventType(tenant)
    expect((await list(eventType, 'from=0001-01-01&to=0001-01-02')).data).toEqual({})
    expect((await list(eventType, 'from=9999-12-30&to=9999-12-31')).data).toEqual({})
  })
})
