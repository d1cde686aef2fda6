/** Agendas over HTTP: fields, limits, lists, changes, deletion. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { book, findUserId, makeEventType, move, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'

let app: TestApp
let tenant: TestTenant
let agentUserId: string

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  agentUserId = await findUserId(tenant)
})

const path = '/scheduling/agendas'
interface Body {
  id: string
  code: string
  message: string
  errors: { path: string; code: string }[]
}
const create = (fields: object = {}) => tenant.call<Body>('POST', path, { body: { agentUserId, ...fields } })
const remove = (id: string) => tenant.call<Body>('DELETE', `${path}/${id}`)

test('an agenda has the name of the agent and the time zone of the workspace, unless others are sent', async () => {
  const { status, body } = await create()
  expect([status, body]).toMatchObject([
    201,
    { agentUserId, timezone: 'Europe/Madrid', workingHours: null, failsClosed: false },
  ])
  const weekly = [{ day: 7, from: '22:00', to: '24:00' }]
  const changed = await tenant.call('PATCH', `${path}/${body.id}`, {
    body: { name: 'Marta', timezone: 'atlantic/canary', workingHours: { weekly }, failsClosed: true },
  })
  expect(changed.body).toMatchObject({
    name: 'Marta',
    timezone: 'Atlantic/Canary',
    workingHours: { weekly, overrides: [] },
    failsClosed: true,
  })
  expect((await tenant.call('GET', `${path}/${body.id}`)).body).toEqual(changed.body)
  await create({ name: 'Second' })
  const list = await tenant.call<{ data: { name: string }[] }>('GET', `${path}?agentUserId=${agentUserId}`)
  expect(list.body.data.map(({ name }) => name)).toEqual(['Second', 'Marta'])
})

test('an agenda is refused with all errors at once', async () => {
  const { status, body } = await create({
    agentUserId: newId(),
    timezone: 'Mars/Base',
    name: '',
    workingHours: { weekly: [{ day: 1, from: '10:00', to: '09:00' }] },
    color: 'red',
  })
  expect(status).toBe(400)
  expect(body.errors.map(error => `${error.path} ${error.code}`).sort()).toEqual([
    '/agentUserId UNKNOWN_USER',
    '/color UNKNOWN_FIELD',
    '/name WRONG_FORMAT',
    '/timezone UNKNOWN_TIMEZONE',
    '/workingHours/weekly/0/to CONTRADICTION',
  ])
})

test('an agenda is deleted when nothing is booked ahead and no event type uses it; its calendars are gone', async () => {
  const eventType = await makeEventType(tenant)
  const { id } = await book(tenant, eventType, toTime(3))
  const refused = await remove(eventType.agendaId)
  expect([refused.status, refused.body.code]).toEqual([409, 'AGENDA_IN_USE'])
  expect(refused.body.message).toContain('appointments to come')
  expect((await move(tenant, id, 'cancel', {})).status).toBe(200)
  expect((await remove(eventType.agendaId)).body.message).toContain(
    'The event type "Viewing" uses the agenda',
  )
  await tenant.call('DELETE', `/scheduling/event-types/${eventType.id}`)
  const calendarId = newId()
  await tenant.inTenant(tx =>
    sql`
      insert into calendars (tenant_id, id, agenda_id, provider, name, blocks, receives, status, status_changed_at, created_at, updated_at)
      values (${tenant.tenantId}, ${calendarId}, ${eventType.agendaId}, 'caldav', 'n', true, false, 'CONNECTED', now(), now(), now())`.execute(
      tx,
    ),
  )
  expect((await remove(eventType.agendaId)).status).toBe(204)
  const { rows } = await tenant.inTenant(tx =>
    sql`select from calendars where tenant_id = ${tenant.tenantId}`.execute(tx),
  )
  expect(rows).toEqual([])
  expect((await tenant.call('GET', `${path}/${eventType.agendaId}`)).status).toBe(404)
  expect((await remove(eventType.agendaId)).status).toBe(404)
  const past = await tenant.call<{ agendaId: string }>('GET', `/scheduling/appointments/${id}`)
  expect(past.body.agendaId).toBe(eventType.agendaId)
})
