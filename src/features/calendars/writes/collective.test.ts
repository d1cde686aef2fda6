/** Appointments that several agents attend are in the calendar of each. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { settleCalendars } from '../../../../test/calendar-writes.ts'
import { createFakeCalendar } from '../../../../test/fake-calendar.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  book,
  type MadeEventType,
  makeEventType,
  move,
  readAppointment,
  requestBooking,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Calendar } from '../schemas.ts'

/** A calendar for each agent. */
const fakes = ['fake-ana', 'fake-bea'].map(createFakeCalendar)
let app: TestApp
let tenant: TestTenant
let agents: MadeEventType[]
let team: MadeEventType
let paths: string[]

beforeAll(async () => {
  app = await startTestApp({ calendarProviders: fakes.map(({ provider }) => provider) })
})
afterAll(() => app.stop())
beforeEach(async () => {
  for (const fake of fakes) fake.clear()
  tenant = await makeTenant(app, 'live')
  agents = [await makeEventType(tenant), await makeEventType(tenant)]
  team = await makeTeam('collective')
  paths = []
})

const makeTeam = (kind: string) =>
  makeEventType(tenant, {
    config: { assignment: { kind, members: agents.map(({ agendaId }) => ({ agendaId })) } },
  })

async function connect(index: number): Promise<void> {
  const { agendaId } = agents[index]!
  const { status, body, text } = await tenant.call<Calendar>('POST', '/scheduling/calendars', {
    body: { agendaId, provider: fakes[index]!.provider.id, credentials: { secret: 's' }, receives: true },
  })
  expect(status, text).toBe(201)
  paths[index] = `/scheduling/calendars/${body.id}`
  await settle()
}

// Nothing of one test is written during the next one.
afterEach(() => settle())

/** Until everything is read and written. */
const settle = () => settleCalendars(app, tenant)

const listStarts = () => fakes.map(fake => fake.listEvents('main').map(({ start }) => start))
const toStart = (time: string) => Temporal.Instant.from(time).toString()

test('it is written to the calendar of every agent, moves there, and is deleted there', async () => {
  await connect(0)
  const { id } = await book(tenant, team, toTime(2))
  await settle()
  expect(listStarts()).toEqual([[toStart(toTime(2))], []])
  await connect(1)
  expect(listStarts()).toEqual([[toStart(toTime(2))], [toStart(toTime(2))]])
  await move(tenant, id, 'reschedule', { start: toTime(3) })
  await settle()
  expect(listStarts()).toEqual([[toStart(toTime(3))], [toStart(toTime(3))]])
  const other = agents.find(({ agendaId }) => agendaId !== team.agendaId)!
  expect((await move(tenant, id, 'assign', { agendaId: other.agendaId })).status).toBe(200)
  await settle()
  expect(listStarts()).toEqual([[toStart(toTime(3))], [toStart(toTime(3))]])
  await move(tenant, id, 'cancel', {})
  await settle()
  expect(listStarts()).toEqual([[], []])
})

test.each([0, 1])('what agent %i does in their calendar holds for all', async index => {
  for (const each of agents.keys()) await connect(each)
  const [moved, deleted] = [await book(tenant, team, toTime(2)), await book(tenant, team, toTime(3))]
  await settle()
  for (const path of paths) await tenant.call('POST', `${path}/read`)
  fakes[index]!.change(moved.icalUid, toTime(4, 12))
  fakes[index]!.change(deleted.icalUid, null)
  await tenant.call('POST', `${paths[index]}/read`)
  await settle()
  expect((await readAppointment(tenant, moved.id)).start).toBe(toTime(4, 12))
  expect(await readAppointment(tenant, deleted.id)).toMatchObject({
    status: 'cancelled',
    cancelledBy: 'calendar',
  })
  expect(listStarts()).toEqual([[toStart(toTime(4, 12))], [toStart(toTime(4, 12))]])
})

test('a move to a time at which another of the agents is taken is refused, and written back', async () => {
  for (const each of agents.keys()) await connect(each)
  const { id, icalUid } = await book(tenant, team, toTime(2))
  await settle()
  for (const path of paths) await tenant.call('POST', `${path}/read`)
  expect((await requestBooking(tenant, agents[0]!, toTime(4))).status).toBe(201)
  await settle()
  fakes[1]!.change(icalUid, toTime(4))
  await tenant.call('POST', `${paths[1]}/read`)
  await settle()
  expect((await readAppointment(tenant, id)).start).toBe(toTime(2))
  expect(listStarts()).toEqual([[toStart(toTime(2)), toStart(toTime(4))], [toStart(toTime(2))]])
  const { body } = await tenant.call<Calendar>('GET', paths[1]!)
  expect(body.warnings).toMatchObject([{ code: 'CHANGE_REFUSED', count: 1 }])
})

test('an appointment that another agent takes over leaves the calendar of the former one', async () => {
  for (const each of agents.keys()) await connect(each)
  const shared = await makeTeam('round_robin')
  const { id, agendaId } = await book(tenant, shared, toTime(2))
  await settle()
  const before = agents.findIndex(agent => agent.agendaId === agendaId)
  expect(fakes.map(fake => fake.listUids('main').length)).toEqual(before === 0 ? [1, 0] : [0, 1])
  await move(tenant, id, 'assign', { agendaId: agents[1 - before]!.agendaId })
  await settle()
  expect(fakes.map(fake => fake.listUids('main').length)).toEqual(before === 0 ? [0, 1] : [1, 0])
})

test('it is in the feed of every agent', async () => {
  const { icalUid } = await book(tenant, team, toTime(2))
  for (const { agendaId } of agents) {
    const { body } = await tenant.call<{ url: string }>('POST', `/scheduling/agendas/${agendaId}/feed`)
    const text = await (await fetch(new URL(new URL(body.url).pathname, app.url))).text()
    expect(text.replaceAll('\r\n ', '').match(/^UID:.*$/gm)).toEqual([`UID:${icalUid}`])
  }
})
