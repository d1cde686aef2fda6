/** Notices of appointments over HTTP, in the test environment. */
import ICAL from 'ical.js'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { readMessage } from '../../../../test/messaging.ts'
import { connectMailbox, listNotices, listReceived, settleNotices } from '../../../../test/notices.ts'
import { advanceTo, book, makeEventType, move, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import { sql } from '../../../kit/db/index.ts'
import { revokeUser } from '../../identity/service.ts'
import type { Appointment } from '../appointments/schemas.ts'
import type { Notice } from './schemas.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const visitor = { name: 'Marta Soler', email: 'marta@example.com', phone: '+34612345678', language: 'es' }
const summarize = (notices: Notice[]) =>
  notices.map(({ kind, recipient, channel, status, reason }) =>
    [kind, recipient, channel, reason?.code ?? status].join(' '),
  )
const toVisitor = (notices: Notice[]) => notices.filter(({ recipient }) => recipient === 'visitor')
const remindBefore = (...minutes: number[]) => ({
  reminders: minutes.map(minutesBefore => ({ minutesBefore, channel: 'email' })),
})

/** The invitation of a message, as ical.js reads it. */
async function readInvitation(id: string | null) {
  const { content } = await readMessage(tenant, id!)
  const calendar = (content as { calendar: { method: string; text: string } | null }).calendar
  if (!calendar) return null
  const component = new ICAL.Component(ICAL.parse(calendar.text))
  const event = component.getFirstSubcomponent('vevent')!
  const read = (name: string) => event.getFirstPropertyValue(name)
  return {
    methods: [calendar.method, component.getFirstPropertyValue('method')],
    uid: read('uid'),
    sequence: read('sequence'),
    organizer: read('organizer'),
    attendee: read('attendee'),
    alarms: event.getAllSubcomponents('valarm').map(alarm => String(alarm.getFirstPropertyValue('trigger'))),
  }
}

test('a corrected address gets the invitation and a new link; the former one gets nothing more', async () => {
  await connectMailbox(tenant)
  const eventType = await makeEventType(tenant, { name: 'Visita' })
  const wrong = { ...visitor, email: 'typo@example.com' }
  const booked = await book(tenant, eventType, toTime(3), { visitor: wrong })
  await settleNotices(tenant, booked.id)
  const path = `/scheduling/appointments/${booked.id}`
  const { body: corrected } = await tenant.call<Appointment>('PATCH', path, {
    body: { visitor: { email: visitor.email } },
  })
  await eventually(
    () => listReceived(tenant, visitor.email),
    ([received]) => received?.text.includes(corrected.links!.page) === true,
  )
  const last = toVisitor(await settleNotices(tenant, booked.id)).at(-1)!
  expect(await readInvitation(last.messageId)).toMatchObject({
    uid: booked.icalUid,
    attendee: 'mailto:marta@example.com',
  })
  const visitLink = async (links: Appointment['links']) =>
    (await fetch(new URL(new URL(links!.page).pathname, app.url))).status
  expect([await visitLink(booked.links), await visitLink(corrected.links)]).toEqual([404, 200])
  await tenant.call('PATCH', path, { body: { visitor: { language: 'en', phone: '+34699999999' } } })
  expect(await visitLink(corrected.links)).toBe(200)
  await move(tenant, booked.id, 'cancel', {})
  await settleNotices(tenant, booked.id)
  expect(await listReceived(tenant, visitor.email)).toHaveLength(2)
  expect(await listReceived(tenant, wrong.email)).toHaveLength(1)
})

describe('a booking', () => {
  it('is confirmed to the visitor by an e-mail with the invitation, and to the agent', async () => {
    await connectMailbox(tenant)
    const eventType = await makeEventType(tenant, { name: 'Visita', config: remindBefore(1440, 60) })
    const booked = await book(tenant, eventType, toTime(3), { visitor, timezone: 'Europe/Madrid' })
    const notices = await settleNotices(tenant, booked.id)
    expect(summarize(notices)).toEqual([
      'booked visitor email delivered',
      'booked agent email sent',
      'reminder visitor email waiting',
      'reminder visitor email waiting',
    ])
    const [first] = notices
    const [received] = await listReceived(tenant, visitor.email)
    expect(received!.id).toBe(first!.messageId)
    expect(received!.text).toContain('Hola, Marta Soler:\n\nSu cita está confirmada.')
    expect(received!.text).toContain('11:30 · Madrid (UTC+1)')
    expect(received!.text).toContain(booked.links!.page)
    const message = await readMessage(tenant, first!.messageId!)
    expect(message).toMatchObject({ nature: 'appointment', leadId: booked.leadId })
    expect(await readInvitation(first!.messageId)).toEqual({
      methods: ['REQUEST', 'REQUEST'],
      uid: booked.icalUid,
      sequence: 0,
      organizer: 'mailto:ana@agency.example',
      attendee: 'mailto:marta@example.com',
      alarms: ['-PT60M', '-PT1440M'],
    })
  })

  it('that waits for the agent is sent as a request; its confirmation has the invitation', async () => {
    await connectMailbox(tenant)
    const config = { confirmation: { required: true }, notices: { toAgent: false }, ...remindBefore(60) }
    const eventType = await makeEventType(tenant, { config })
    const booked = await book(tenant, eventType, toTime(3), { visitor })
    const [requested] = await settleNotices(tenant, booked.id)
    expect(requested).toMatchObject({ kind: 'requested', status: 'delivered' })
    expect(await readInvitation(requested!.messageId)).toBeNull()
    await move(tenant, booked.id, 'confirm')
    const notices = await settleNotices(tenant, booked.id)
    expect(summarize(notices)).toEqual([
      'requested visitor email delivered',
      'confirmed visitor email delivered',
      'reminder visitor email waiting',
    ])
    expect(await readInvitation(notices[1]!.messageId)).toMatchObject({ methods: ['REQUEST', 'REQUEST'] })
  })

  it('without an account, or without an address, says why nobody was notified', async () => {
    const eventType = await makeEventType(tenant)
    const booked = await book(tenant, eventType, toTime(3), { visitor })
    expect(summarize(await settleNotices(tenant, booked.id))).toEqual([
      'booked visitor email NO_EMAIL_ACCOUNT',
      'booked agent email NO_EMAIL_ACCOUNT',
    ])
    await connectMailbox(tenant)
    const video = await makeEventType(tenant, {
      locationMode: 'video',
      locationDetails: { url: 'https://meet.example/viewing' },
    })
    const noAddress = await book(tenant, video, toTime(4), { visitor: { name: 'Marta' } })
    const [notice] = await settleNotices(tenant, noAddress.id)
    expect(notice!.reason).toMatchObject({
      code: 'NO_ADDRESS',
      message: expect.stringMatching(/^[A-Z].*\.$/),
    })
    await connectMailbox(tenant, 'other@agency.example')
    const two = await book(tenant, eventType, toTime(5), { visitor })
    const [which] = await settleNotices(tenant, two.id)
    expect(which!.reason!.message).toContain('Several e-mail accounts')
  })
})

test('an agent without access gets no e-mails about visitors, and the notice says why', async () => {
  await connectMailbox(tenant)
  const { rows } = await sql<{ workspace: string; email: string }>`
    select w.slug as workspace, u.email from workspaces w join users u on u.workspace_id = w.id
    where w.id = (select workspace_id from tenants where id = ${tenant.tenantId})`.execute(app.database.owner)
  const config = { confirmation: { required: true, expiresAfterMin: 60 } }
  const booked = await book(tenant, await makeEventType(tenant, { config }), toTime(3), { visitor })
  await settleNotices(tenant, booked.id)
  await revokeUser(app.database.owner, rows[0]!)
  await advanceTo(tenant, toTime(2))
  const notice = (await settleNotices(tenant, booked.id)).find(
    ({ recipient, kind }) => recipient === 'agent' && kind === 'cancelled',
  )
  expect(notice).toMatchObject({ status: 'skipped', reason: { code: 'NO_ADDRESS' } })
  expect(notice!.reason!.message).toContain('no longer has access')
})

test('an e-mail to an agent that the mail server refuses says why', async () => {
  await connectMailbox(tenant)
  await sql`
    update users set email = 'unreachable@sandbox.test'
    where workspace_id = (select workspace_id from tenants where id = ${tenant.tenantId})`.execute(
    app.database.owner,
  )
  const booked = await book(tenant, await makeEventType(tenant), toTime(3), { visitor })
  const notice = (await settleNotices(tenant, booked.id)).find(({ recipient }) => recipient === 'agent')
  expect(notice).toMatchObject({ status: 'failed', reason: { code: 'RECIPIENT_UNREACHABLE' } })
})

describe('a change', () => {
  it('of the time keeps the UID of the invitation, its sequence grows, and reminders move', async () => {
    await connectMailbox(tenant)
    const eventType = await makeEventType(tenant, { config: remindBefore(60) })
    const booked = await book(tenant, eventType, toTime(3), { visitor })
    await settleNotices(tenant, booked.id)
    await move(tenant, booked.id, 'reschedule', { start: toTime(4) })
    const notices = toVisitor(await settleNotices(tenant, booked.id))
    expect(summarize(notices)).toEqual([
      'booked visitor email delivered',
      'reminder visitor email SUPERSEDED',
      'rescheduled visitor email delivered',
      'reminder visitor email waiting',
    ])
    expect(notices.at(-1)).toMatchObject({ sequence: 1, dueAt: toTime(4, 9) })
    expect(await readInvitation(notices[2]!.messageId)).toMatchObject({ uid: booked.icalUid, sequence: 1 })
  })

  it('to cancelled takes the invitation back, and nobody is reminded', async () => {
    await connectMailbox(tenant)
    const eventType = await makeEventType(tenant, { config: remindBefore(1440, 60) })
    const booked = await book(tenant, eventType, toTime(3), { visitor })
    await settleNotices(tenant, booked.id)
    const share = `/scheduling/event-types/${eventType.id}/share`
    const { body: page } = await tenant.call<{ url: string }>('POST', share, { body: {} })
    await move(tenant, booked.id, 'cancel', { reason: 'The owner is away.' })
    await advanceTo(tenant, toTime(4))
    const notices = toVisitor(await listNotices(tenant, booked.id))
    expect(summarize(notices)).toEqual([
      'booked visitor email delivered',
      'reminder visitor email CANCELLED',
      'reminder visitor email CANCELLED',
      'cancelled visitor email delivered',
    ])
    expect(await readInvitation(notices[3]!.messageId)).toMatchObject({
      methods: ['CANCEL', 'CANCEL'],
      uid: booked.icalUid,
      sequence: 1,
      alarms: [],
    })
    const received = await listReceived(tenant, visitor.email)
    expect(received).toHaveLength(2)
    expect(received[1]!.text).toContain('Motivo: The owner is away.')
    expect(received[1]!.text).toContain(page.url)
  })
})

test('a jump of a week sends each reminder once, in order, and none for what was cancelled', async () => {
  await connectMailbox(tenant)
  const config = { notices: { toAgent: false }, ...remindBefore(2880, 60) }
  const eventType = await makeEventType(tenant, { config })
  const [kept, other, cancelled] = [
    await book(tenant, eventType, toTime(4), { visitor }),
    await book(tenant, eventType, toTime(5), { visitor }),
    await book(tenant, eventType, toTime(6), { visitor }),
  ]
  for (const { id } of [kept!, other!, cancelled!]) await settleNotices(tenant, id)
  await move(tenant, cancelled!.id, 'cancel', {})
  await settleNotices(tenant, cancelled!.id)
  await advanceTo(tenant, toTime(9))
  const all = [...(await listNotices(tenant, kept!.id)), ...(await listNotices(tenant, other!.id))]
  const reminders = all.filter(({ kind }) => kind === 'reminder')
  expect(reminders.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
  const received = await listReceived(tenant, visitor.email)
  const ids = reminders.map(({ messageId }) => messageId!)
  // 48 hours and one hour before each: the second one of the first comes after the first one of the second.
  const expected = [ids[0], ids[2], ids[1], ids[3]]
  expect(received.map(({ id }) => id).filter(id => ids.includes(id))).toEqual(expected)
  expect(received.filter(({ text }) => text.includes('Le recordamos'))).toHaveLength(4)
})

test('several senders at once send each reminder once', async () => {
  await connectMailbox(tenant)
  const config = { notices: { toAgent: false }, ...remindBefore(60) }
  const eventType = await makeEventType(tenant, { config })
  const hours = [8, 9, 10, 11]
  const booked = await Promise.all(hours.map(hour => book(tenant, eventType, toTime(3, hour), { visitor })))
  for (const { id } of booked) await settleNotices(tenant, id)
  await Promise.all([1, 2, 3].map(() => advanceTo(tenant, toTime(3, 12))))
  for (const { id } of booked)
    expect(summarize(await listNotices(tenant, id))).toEqual([
      'booked visitor email delivered',
      'reminder visitor email delivered',
    ])
  expect(await listReceived(tenant, visitor.email)).toHaveLength(2 * hours.length)
})

test('a visitor who refused e-mails gets none, and the notice says why', async () => {
  await connectMailbox(tenant)
  const eventType = await makeEventType(tenant)
  const booked = await book(tenant, eventType, toTime(3), { visitor })
  await settleNotices(tenant, booked.id)
  const body = { kind: 'opt_out', identifiers: [{ kind: 'email', value: visitor.email }] }
  expect(await tenant.call('POST', '/suppressions', { body })).toMatchObject({ status: 201 })
  await move(tenant, booked.id, 'reschedule', { start: toTime(4) })
  const [, moved] = toVisitor(await settleNotices(tenant, booked.id))
  expect(moved).toMatchObject({ status: 'skipped', reason: { code: 'OPTED_OUT' } })
  expect(await listReceived(tenant, visitor.email)).toHaveLength(1)
})

test('an erasure removes what waits and what was written', async () => {
  await connectMailbox(tenant)
  const eventType = await makeEventType(tenant, { config: remindBefore(60) })
  const booked = await book(tenant, eventType, toTime(3), { visitor })
  const [first] = await settleNotices(tenant, booked.id)
  const erased = await tenant.call('DELETE', `/leads/${booked.leadId}?erase=true`)
  expect(erased.status, erased.text).toBeLessThan(300)
  await advanceTo(tenant, toTime(4))
  expect((await listNotices(tenant, booked.id)).filter(({ status }) => status === 'waiting')).toEqual([])
  const message = await tenant.call('GET', `/messages/${first!.messageId}`)
  expect(message.text).not.toContain('Marta')
  expect(message.text).not.toContain('VCALENDAR')
  await eventually(
    () => listReceived(tenant, visitor.email),
    all => all.length === 0,
  )
})
