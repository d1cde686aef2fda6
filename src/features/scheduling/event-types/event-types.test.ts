/** Event types over HTTP: every field, its limits and defaults, changes, copies and deletion. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { newId } from '../../../kit/id.ts'
import type { EventType } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
let agentId: string

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  const { rows } = await tenant.inTenant(tx => sql<{ id: string }>`select id from users limit 1`.execute(tx))
  agentId = rows[0]!.id
})

const path = '/scheduling/event-types'
type Body = EventType & { code: string; errors: { path: string; code: string; message: string }[] }

const create = (fields: object = {}) =>
  tenant.call<Body>('POST', path, {
    body: {
      ownerAgentUserId: agentId,
      name: ' Viewing ',
      slug: 'viewing',
      durationMin: 45,
      locationMode: 'onsite',
      ...fields,
    },
  })
const change = (id: string, fields: object) => tenant.call<Body>('PATCH', `${path}/${id}`, { body: fields })
const findErrors = ({ status, body }: Awaited<ReturnType<typeof create>>) => {
  expect(status).toBe(400)
  return body.errors.map(error => `${error.path} ${error.code}`).sort()
}

const tooManyIntervals = Array.from({ length: 42 }, (_, day) => ({
  date: new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10),
  intervals: Array.from({ length: 24 }, (_, hour) => {
    const text = String(hour).padStart(2, '0')
    return { from: `${text}:00`, to: `${text}:50` }
  }),
}))

describe('a new event type', () => {
  test('needs five fields; the reply has all others with their defaults, and its own agenda', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    const { id, agendaId, createdAt, updatedAt, ...rest } = body
    expect(rest).toEqual({
      ownerAgentUserId: agentId,
      name: 'Viewing',
      slug: 'viewing',
      durationMin: 45,
      locationMode: 'onsite',
      description: null,
      bufferBeforeMin: 0,
      bufferAfterMin: 0,
      color: null,
      visibility: 'agent_private',
      templateId: null,
      links: { page: null },
      locationDetails: {
        address: null,
        latitude: null,
        longitude: null,
        instructions: null,
        useLeadProperty: true,
      },
      config: {
        questions: [],
        reminders: [],
        confirmation: { required: false, expiresAfterMin: 1440 },
        notices: { emailAccountId: null, chatAccountId: null, toAgent: true },
        assignment: { kind: 'single', members: [] },
        seats: 1,
        travel: { enabled: false, speedKmh: 30 },
        holidays: null,
        bookingPage: {
          allowedOrigins: [],
          isPublished: true,
          language: null,
          requireCode: false,
          stopsSequence: true,
          cancelBeforeMin: 0,
          redirectUrl: null,
        },
      },
      availability: {
        timezone: 'Europe/Madrid',
        weekly: [1, 2, 3, 4, 5].map(day => ({ day, from: '09:00', to: '18:00' })),
        overrides: [],
        minimumNoticeMin: 60,
        horizonDays: 60,
        slotIntervalMin: 45,
        dailyLimit: null,
      },
    })
    expect((await tenant.call('GET', `${path}/${id}`)).body).toEqual(body)
    const agenda = await tenant.call('GET', `/scheduling/agendas/${agendaId}`)
    expect(agenda.body).toMatchObject({ agentUserId: agentId, timezone: 'Europe/Madrid' })
    expect((await create({ slug: 'other', agendaId })).body.agendaId).toBe(agendaId)
  })

  test.each([
    [{ durationMin: 4 }, '/durationMin TOO_SMALL'],
    [{ durationMin: 1441 }, '/durationMin TOO_LARGE'],
    [{ slug: 'Viewing' }, '/slug WRONG_FORMAT'],
    [{ slug: 'visita_1' }, '/slug WRONG_FORMAT'],
    [{ bufferBeforeMin: -1 }, '/bufferBeforeMin TOO_SMALL'],
    [{ bufferAfterMin: 1.5 }, '/bufferAfterMin WRONG_TYPE'],
    [{ locationMode: 'phone' }, '/locationMode NOT_ALLOWED'],
    [{ color: 'red' }, '/color WRONG_FORMAT'],
    [{ visibility: 'public' }, '/visibility NOT_ALLOWED'],
    [{ name: ' ' }, '/name WRONG_FORMAT'],
    [{ duration: 30 }, '/duration UNKNOWN_FIELD'],
    [{ config: { reminder: [] } }, '/config/reminder UNKNOWN_FIELD'],
    [{ ownerAgentUserId: newId() }, '/ownerAgentUserId UNKNOWN_USER'],
    [{ agendaId: newId() }, '/agendaId UNKNOWN_AGENDA'],
    [{ locationDetails: { url: 'https://a.test' } }, '/locationDetails/url UNKNOWN_FIELD'],
    [{ locationDetails: { latitude: 40 } }, '/locationDetails/latitude CONTRADICTION'],
    [{ locationMode: 'video', locationDetails: { url: 'ftp://a' } }, '/locationDetails/url WRONG_FORMAT'],
    [{ locationMode: 'call', locationDetails: { whoCalls: 'visitor' } }, '/locationDetails/phone REQUIRED'],
    [{ availability: { timezone: 'Mars/Base' } }, '/availability/timezone UNKNOWN_TIMEZONE'],
    [{ availability: { timezone: '+01:00' } }, '/availability/timezone UNKNOWN_TIMEZONE'],
    [
      { availability: { weekly: [{ day: 1, from: '10:00', to: '09:00' }] } },
      '/availability/weekly/0/to CONTRADICTION',
    ],
    [
      { availability: { weekly: [{ day: 1, from: '24:00', to: '24:00' }] } },
      '/availability/weekly/0/to CONTRADICTION',
    ],
    [
      { availability: { overrides: [{ date: '2027-02-29', intervals: [] }] } },
      '/availability/overrides/0/date WRONG_FORMAT',
    ],
    [{ config: { assignment: { kind: 'round_robin' } } }, '/config/assignment/members REQUIRED'],
    [
      { config: { questions: [{ id: 'a', label: 'A', type: 'select' }] } },
      '/config/questions/0/options REQUIRED',
    ],
    [
      {
        config: {
          questions: [1, 2, 3].map(id => ({
            id: `q${id}`,
            label: 'Which?',
            type: 'select',
            options: Array.from({ length: 40 }, (_, at) => `${at}`.padStart(200, 'x')),
          })),
        },
      },
      '/config/questions TOO_LONG',
    ],
    [{ availability: { overrides: tooManyIntervals } }, '/availability/overrides TOO_MANY'],
    [{ config: { holidays: { country: 'QQ' } } }, '/config/holidays/country UNKNOWN_COUNTRY'],
    [{ config: { holidays: { country: 'ES', region: 'XX' } } }, '/config/holidays/region UNKNOWN_REGION'],
  ])('is refused: %j', async (fields, error) => expect(findErrors(await create(fields))).toEqual([error]))

  test('is refused with all errors at once, also those of other objects', async () => {
    const reply = await create({
      durationMin: 0,
      agendaId: newId(),
      availability: {
        timezone: 'x',
        weekly: [
          { day: 2, from: '09:00', to: '12:00' },
          { day: 2, from: '11:00', to: '13:00' },
          { day: 8, from: '09:00', to: '12:00' },
        ],
      },
    })
    expect(findErrors(reply)).toEqual([
      '/agendaId UNKNOWN_AGENDA',
      '/availability/timezone UNKNOWN_TIMEZONE',
      '/availability/weekly/1 OVERLAP',
      '/availability/weekly/2/day TOO_LARGE',
      '/durationMin TOO_SMALL',
    ])
  })

  test('has a slug that no other one of the agent has, also when two are created at once', async () => {
    const statuses = (await Promise.all([create(), create()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
    const { status, body } = await create()
    expect([status, body.code]).toEqual([409, 'SLUG_TAKEN'])
  })
})

describe('a change', () => {
  test('keeps what is omitted, also inside of config and availability', async () => {
    const { body: created } = await create({
      config: { seats: 3, confirmation: { required: true } },
      availability: { dailyLimit: 4 },
    })
    const { body } = await change(created.id, {
      durationMin: 60,
      config: { confirmation: { expiresAfterMin: null } },
      availability: { minimumNoticeMin: 0 },
    })
    expect(body).toEqual({
      ...created,
      durationMin: 60,
      config: { ...created.config, confirmation: { required: true, expiresAfterMin: null } },
      availability: { ...created.availability, minimumNoticeMin: 0, slotIntervalMin: 60 },
      updatedAt: body.updatedAt,
    })
  })

  test('of the mode begins with the default details, and the details are checked with the stored mode', async () => {
    const { body: created } = await create({ locationDetails: { address: 'Calle Mayor 1' } })
    expect(
      findErrors(await change(created.id, { locationDetails: { phone: null }, durationMin: 1 })),
    ).toEqual(['/durationMin TOO_SMALL', '/locationDetails/phone UNKNOWN_FIELD'])
    const { body } = await change(created.id, { locationMode: 'video' })
    expect(body.locationDetails).toEqual({ url: null, instructions: null })
  })

  test('of members stores them with their weights and areas; the kind single removes them', async () => {
    const { body: created } = await create()
    const { body: other } = await create({ slug: 'other' })
    const members = [
      { agendaId: created.agendaId, weight: 3 },
      { agendaId: other.agendaId, areas: ['080'] },
    ]
    const assign = (assignment: object) => change(created.id, { config: { assignment } })
    expect((await assign({ kind: 'round_robin', members })).body.config.assignment).toEqual({
      kind: 'round_robin',
      members: [
        { agendaId: created.agendaId, weight: 3, areas: [] },
        { agendaId: other.agendaId, weight: 1, areas: ['080'] },
      ],
    })
    expect(findErrors(await assign({ kind: 'collective', members: [] }))).toEqual([
      '/config/assignment/members REQUIRED',
    ])
    expect((await assign({ kind: 'single' })).body.config.assignment).toEqual({ kind: 'single', members: [] })
  })
})

describe('a template of the workspace', () => {
  test('is found by its visibility and copied for an agent; the copy is on its own', async () => {
    const { body: template } = await create({ visibility: 'workspace_template', bufferAfterMin: 10 })
    const { body: own } = await create({ slug: 'private' })
    const list = await tenant.call<{ data: EventType[] }>('GET', `${path}?visibility=workspace_template`)
    expect(list.body.data).toEqual([template])
    const copy = (fields: object) =>
      tenant.call<Body>('POST', `${path}/${template.id}/copy`, {
        body: { ownerAgentUserId: agentId, ...fields },
      })
    expect((await copy({})).body.code).toBe('SLUG_TAKEN')
    const { status, body } = await copy({ slug: 'copy' })
    expect([status, body]).toMatchObject([
      201,
      { slug: 'copy', templateId: template.id, visibility: 'agent_private', bufferAfterMin: 10 },
    ])
    expect(body.agendaId).not.toBe(template.agendaId)
    const otherAgent = newId()
    await app.database.ownerPool.query(
      `insert into aldaba.users (id, workspace_id, email, name, role)
      select $1::uuid, workspace_id, $1 || '@example.com', 'Other', 'agent' from aldaba.tenants where id = $2`,
      [otherAgent, tenant.tenantId],
    )
    expect((await copy({ ownerAgentUserId: otherAgent })).status).toBe(201)
    const refused = await tenant.call<Body>('POST', `${path}/${own.id}/copy`, {
      body: { ownerAgentUserId: otherAgent },
    })
    expect([refused.status, refused.body.code]).toEqual([422, 'NOT_A_TEMPLATE'])
  })
})

test('a deleted event type is gone, and its slug and agenda can be used again', async () => {
  const { body } = await create()
  expect((await tenant.call('DELETE', `/scheduling/agendas/${body.agendaId}`)).status).toBe(409)
  expect((await tenant.call('DELETE', `${path}/${body.id}`)).status).toBe(204)
  for (const [method, sent] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
    expect((await tenant.call(method, `${path}/${body.id}`, sent ? { body: sent } : {})).status).toBe(404)
  expect((await create()).status).toBe(201)
  expect((await tenant.call('DELETE', `/scheduling/agendas/${body.agendaId}`)).status).toBe(204)
  expect(findErrors(await create({ slug: 'a', agendaId: body.agendaId }))).toEqual([
    '/agendaId UNKNOWN_AGENDA',
  ])
})
