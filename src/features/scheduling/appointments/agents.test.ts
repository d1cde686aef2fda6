/** Appointments of event types with several agents or several seats, and held slots. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  advanceTo,
  book,
  type MadeEventType,
  makeEventType,
  move,
  requestBooking,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
let agents: MadeEventType[]

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  agents = [await makeEventType(tenant), await makeEventType(tenant), await makeEventType(tenant)]
})

const makeTeam = (kind: 'round_robin' | 'collective', more: object = {}) =>
  makeEventType(tenant, {
    config: { assignment: { kind, members: agents.map(({ agendaId }) => ({ agendaId })) } },
    ...more,
  })
const statusOf = async (eventType: MadeEventType, start: string) =>
  (await requestBooking(tenant, eventType, start)).status

describe('round robin', () => {
  it('chooses the agent with the fewest appointments, and the next one if that one is taken', async () => {
    const team = await makeTeam('round_robin')
    const booked = []
    for (const day of [2, 3, 4]) booked.push(await book(tenant, team, toTime(day)))
    expect(new Set(booked.map(({ agendaId }) => agendaId)).size).toBe(3)
    const together = await Promise.all([1, 2, 3, 4].map(() => requestBooking(tenant, team, toTime(5))))
    expect(together.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409])
    const agendas = together.flatMap(({ status, body }) => (status === 201 ? body.agendaId : []))
    expect(new Set(agendas).size).toBe(3)
  })

  it('ignores cancelled appointments and those that nobody came to', async () => {
    const team = await makeTeam('round_robin', { durationMin: 60 })
    const [first, second] = [await book(tenant, team, toTime(2)), await book(tenant, team, toTime(3))]
    const third = await book(tenant, team, toTime(4))
    await move(tenant, second.id, 'cancel', {})
    await advanceTo(tenant, toTime(2, 10, 30))
    await move(tenant, first.id, 'no-show')
    const next = [await book(tenant, team, toTime(5)), await book(tenant, team, toTime(6))]
    expect(next.map(({ agendaId }) => agendaId)).not.toContain(third.agendaId)
  })

  it('keeps the agent in a reschedule if they are free, else another one receives the visitor', async () => {
    const team = await makeTeam('round_robin')
    const booked = await book(tenant, team, toTime(2))
    const { body } = await move(tenant, booked.id, 'reschedule', { start: toTime(3) })
    expect(body.agendaId).toBe(booked.agendaId)
    const own = agents.find(({ agendaId }) => agendaId === booked.agendaId)!
    await book(tenant, own, toTime(4))
    const moved = await move(tenant, booked.id, 'reschedule', { start: toTime(4) })
    expect(moved.status).toBe(200)
    expect(moved.body.agendaId).not.toBe(booked.agendaId)
  })
})

it('an assigned appointment stays with its agent when it moves, if they are free', async () => {
  const [own, other] = agents as [MadeEventType, MadeEventType]
  const { id } = await book(tenant, own, toTime(2))
  await move(tenant, id, 'assign', { agendaId: other.agendaId })
  expect((await move(tenant, id, 'reschedule', { start: toTime(3) })).body.agendaId).toBe(other.agendaId)
  await book(tenant, other, toTime(4))
  expect((await move(tenant, id, 'reschedule', { start: toTime(4) })).body.agendaId).toBe(own.agendaId)
})

it('an agent shows the properties of their areas only; the way to the next appointment is kept free', async () => {
  const [north, south] = agents.map(({ agendaId }) => agendaId)
  const team = await makeTeam('round_robin', {
    locationMode: 'onsite',
    config: {
      travel: { enabled: true, speedKmh: 30 },
      assignment: {
        kind: 'round_robin',
        members: [
          { agendaId: north, areas: ['080'] },
          { agendaId: south, areas: ['28'] },
        ],
      },
    },
  })
  const bookAt = async (start: string, property: object) => {
    const { body: lead } = await tenant.call<{ id: string }>('POST', '/leads', {
      body: { property, contact: { name: 'Jordi' } },
    })
    return requestBooking(tenant, team, start, { leadId: lead.id })
  }
  const madrid = { postcode: '28001', latitude: 40.42, longitude: -3.68 }
  const first = await bookAt(toTime(2), madrid)
  expect([first.status, first.body.agendaId]).toEqual([201, south])
  const elsewhere = await bookAt(toTime(3), { postcode: '46001' })
  expect([elsewhere.status, elsewhere.body.slotReason]).toEqual([422, 'NO_AGENDA'])
  // About 17 km away, which takes more than half an hour.
  const far = await bookAt(toTime(2, 10, 30), { ...madrid, latitude: 40.53 })
  expect([far.status, far.body.slotReason]).toEqual([422, 'TRAVEL'])
  expect((await bookAt(toTime(2, 10, 30), madrid)).status).toBe(201)
})

describe('a collective appointment', () => {
  it('occupies all agents, until it is cancelled', async () => {
    const team = await makeTeam('collective')
    const { id } = await book(tenant, team, toTime(2))
    for (const agent of agents) expect(await statusOf(agent, toTime(2))).toBe(409)
    await move(tenant, id, 'cancel', {})
    for (const agent of agents) expect(await statusOf(agent, toTime(2))).toBe(201)
    expect(await statusOf(team, toTime(2))).toBe(409)
  })

  it('can be assigned to another one of its agents', async () => {
    const team = await makeTeam('collective')
    const { id, agendaId } = await book(tenant, team, toTime(2))
    const other = agents.find(agent => agent.agendaId !== agendaId)!
    expect((await move(tenant, id, 'assign', { agendaId: other.agendaId })).body.agendaId).toBe(
      other.agendaId,
    )
    const stranger = await makeEventType(tenant)
    expect(await move(tenant, id, 'assign', { agendaId: stranger.agendaId })).toMatchObject({ status: 400 })
  })
})

describe('a group viewing', () => {
  it('has as many seats as it says, also if all come at once; a cancelled seat is free again', async () => {
    const group = await makeEventType(tenant, { config: { seats: 3 } })
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => requestBooking(tenant, group, toTime(2))),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409])
    const booked = replies.filter(({ status }) => status === 201).map(({ body }) => body)
    expect(new Set(booked.map(({ agendaId }) => agendaId)).size).toBe(1)
    await move(tenant, booked[0]!.id, 'cancel', {})
    expect(await statusOf(group, toTime(2))).toBe(201)
    expect(await statusOf(group, toTime(2))).toBe(409)
  })

  it('stays for the others when one visitor moves to another time', async () => {
    const group = await makeEventType(tenant, { config: { seats: 2 } })
    const [one, other] = [await book(tenant, group, toTime(2)), await book(tenant, group, toTime(2))]
    const { body } = await move(tenant, one.id, 'reschedule', { start: toTime(3) })
    expect(body.start).toBe(toTime(3))
    await move(tenant, other.id, 'reschedule', { start: toTime(3) })
    expect(await statusOf(group, toTime(3))).toBe(409)
    expect(await statusOf(group, toTime(2))).toBe(201)
  })

  it('keeps its end for those who join after the event type became longer', async () => {
    const group = await makeEventType(tenant, { config: { seats: 3 } })
    await book(tenant, group, toTime(2))
    const moved = await book(tenant, group, toTime(3))
    await tenant.call('PATCH', `/scheduling/event-types/${group.id}`, { body: { durationMin: 45 } })
    expect((await book(tenant, group, toTime(2))).end).toBe(toTime(2, 10, 30))
    const { body } = await move(tenant, moved.id, 'reschedule', { start: toTime(2) })
    expect([body.start, body.end]).toEqual([toTime(2), toTime(2, 10, 30)])
  })
})
