/** Notices by chat, and notices that an account holds back. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually, shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { readMessage } from '../../../../test/messaging.ts'
import { connectMailbox, listNotices, listReceived, settleNotices } from '../../../../test/notices.ts'
import { advanceTo, book, makeEventType, move, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant

beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
})

const visitor = { name: 'Marta Soler', phone: '+34612345678', language: 'es' }

async function post<T>(path: string, body: object): Promise<T> {
  const { status, text, body: reply } = await tenant.call<T>('POST', path, { body })
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`)
  return reply
}

/** Connects a WhatsApp account of the test environment. */
async function connectWhatsApp(): Promise<string> {
  const credentials = {
    phoneNumberId: '106540352242922',
    businessAccountId: '102290129340398',
    accessToken: 'EAAG-secret-token-of-a-system-user',
    appSecret: '0123456789abcdef0123456789abcdef',
  }
  const body = { provider: 'whatsapp_cloud', mode: 'chat', displayName: 'Office', credentials }
  return (await post<{ id: string }>('/accounts', body)).id
}

const write = (accountId: string) =>
  post('/sandbox/messages', { accountId, from: visitor.phone, text: 'Hola' })

/** Books a day ahead, with a reminder an hour before. */
async function bookWithReminder(templateId: string | null = null) {
  const config = {
    notices: { toAgent: false },
    reminders: [{ minutesBefore: 60, channel: 'chat', ...(templateId && { templateId }) }],
  }
  const eventType = await makeEventType(tenant, { name: 'Visita', config })
  return book(tenant, eventType, toTime(2), { visitor, timezone: 'Europe/Madrid' })
}

test('outside the reply window a text is not sent, and the notice says so', async () => {
  await connectWhatsApp()
  const booked = await bookWithReminder()
  await settleNotices(tenant, booked.id)
  await advanceTo(tenant, toTime(2))
  const notices = await listNotices(tenant, booked.id)
  expect(notices.map(({ kind, status, reason }) => [kind, status, reason?.code])).toEqual([
    ['booked', 'skipped', 'WINDOW_CLOSED'],
    ['reminder', 'skipped', 'WINDOW_CLOSED'],
  ])
})

test('inside the reply window the visitor with a phone alone is notified by chat', async () => {
  await write(await connectWhatsApp())
  const booked = await bookWithReminder()
  const [first] = await settleNotices(tenant, booked.id)
  expect(first).toMatchObject({ channel: 'chat', status: 'delivered' })
  const { text, content } = await readMessage(tenant, first!.messageId!)
  expect(text).toContain(booked.links!.page)
  expect(content).toMatchObject({ calendar: null })
})

test('an approved template has the variables of the appointment, in its language and the zone of the visitor', async () => {
  const accountId = await connectWhatsApp()
  const { id } = await post<{ id: string }>('/templates', {
    name: 'recordatorio',
    category: 'utility',
    language: 'es',
    body: 'Le esperamos el {{ appointment.date }} a las {{ appointment.time }} con {{ appointment.agent }}: {{ appointment.link }} y nada más.',
  })
  await post(`/templates/${id}/submit`, { accountId })
  const booked = await bookWithReminder(id)
  await settleNotices(tenant, booked.id)
  await advanceTo(tenant, toTime(2))
  const reminder = (await listNotices(tenant, booked.id)).at(-1)!
  expect(reminder).toMatchObject({ kind: 'reminder', status: 'delivered', templateId: id })
  const day = new Intl.DateTimeFormat('es', { dateStyle: 'full', timeZone: 'Europe/Madrid' })
  const hour = new Intl.DateTimeFormat('es', { timeStyle: 'short', timeZone: 'Europe/Madrid' })
  const { text } = await readMessage(tenant, reminder.messageId!)
  expect(text).toContain(
    `el ${day.format(new Date(booked.start))} a las ${hour.format(new Date(booked.start))}`,
  )
  expect(text).toContain(`: ${booked.links!.page} y nada más.`)
})

/** Connects a mailbox that sends nothing for an hour. */
async function connectPausedMailbox(): Promise<void> {
  const accountId = await connectMailbox(tenant)
  await tenant.inTenant(tx =>
    tx
      .updateTable('accounts')
      .set({ paused_until: new Date(Date.now() + 3_600_000) })
      .where('tenant_id', '=', tenant.tenantId)
      .where('id', '=', accountId)
      .execute(),
  )
}

/** Waits until as many notices are messages. */
const listQueued = (appointmentId: string, count: number) =>
  eventually(
    () => listNotices(tenant, appointmentId),
    all => all.filter(({ messageId }) => messageId !== null).length === count,
  )

test('a cancellation withdraws an invitation that was not sent yet, and then takes nothing back', async () => {
  await connectPausedMailbox()
  const eventType = await makeEventType(tenant, {
    locationMode: 'video',
    locationDetails: { url: 'https://meet.example/viewing' },
    config: { notices: { toAgent: false } },
  })
  const email = 'marta@example.com'
  const booked = await book(tenant, eventType, toTime(2), { visitor: { name: 'Marta', email } })
  await listQueued(booked.id, 1)
  await move(tenant, booked.id, 'cancel', {})
  const [first, second] = await listQueued(booked.id, 2)
  expect(first).toMatchObject({ kind: 'booked', status: 'skipped', reason: { code: 'CANCELLED' } })
  expect(await readMessage(tenant, second!.messageId!)).toMatchObject({
    status: 'queued',
    content: { calendar: null },
  })
  await advanceTo(tenant, toTime(1))
  const received = await listReceived(tenant, email)
  expect(received.map(({ id }) => id)).toEqual([second!.messageId])
})

test('a notice whose message a move makes pointless is skipped; one whose message was erased says so', async () => {
  await connectPausedMailbox()
  const eventType = await makeEventType(tenant, { config: { notices: { toAgent: false } } })
  const booked = await book(tenant, eventType, toTime(2), {
    visitor: { ...visitor, email: 'marta@example.com' },
  })
  await listQueued(booked.id, 1)
  await move(tenant, booked.id, 'reschedule', { start: toTime(3) })
  const moved = await listQueued(booked.id, 2)
  expect(moved.map(({ kind, status, reason }) => [kind, status, reason?.code])).toEqual([
    ['booked', 'skipped', 'SUPERSEDED'],
    ['rescheduled', 'queued', undefined],
  ])
  expect((await tenant.call('DELETE', `/leads/${booked.leadId}?erase=true`)).status).toBe(204)
  const erased = await listNotices(tenant, booked.id)
  expect(erased.map(({ status, reason }) => [status, reason?.code])).toEqual(
    Array(2).fill(['unknown', 'MESSAGE_DELETED']),
  )
})

test('a reminder whose template lacks a value of the visitor is sent with the text of the program', async () => {
  const accountId = await connectWhatsApp()
  await write(accountId)
  const { id } = await post<{ id: string }>('/templates', {
    name: 'precio',
    category: 'utility',
    language: 'es',
    body: 'Le esperamos: {{ property.price }}',
  })
  const booked = await bookWithReminder(id)
  await settleNotices(tenant, booked.id)
  await advanceTo(tenant, toTime(1, 20))
  await write(accountId)
  await advanceTo(tenant, toTime(2))
  const reminder = (await listNotices(tenant, booked.id)).at(-1)!
  expect(reminder).toMatchObject({ kind: 'reminder', status: 'delivered' })
  expect((await readMessage(tenant, reminder.messageId!)).text).toContain(booked.links!.page)
})

test('the place in a template is in the language of its text', async () => {
  const accountId = await connectWhatsApp()
  await write(accountId)
  const { id } = await post<{ id: string }>('/templates', {
    name: 'lugar',
    category: 'utility',
    language: 'es',
    body: 'Recuerde: {{ appointment.place }}, {{ appointment.timezone }}.',
  })
  const german = { ...visitor, language: 'de' }
  const eventType = await makeEventType(tenant, {
    config: {
      reminders: [{ minutesBefore: 60, channel: 'chat', templateId: id }],
      notices: { toAgent: false },
    },
  })
  const booked = await book(tenant, eventType, toTime(2), { visitor: german, timezone: 'Europe/London' })
  await advanceTo(tenant, toTime(1, 20))
  await write(accountId)
  await advanceTo(tenant, toTime(2))
  const reminder = (await listNotices(tenant, booked.id)).at(-1)!
  const { text } = await readMessage(tenant, reminder.messageId!)
  expect(text).toMatch(/^Recuerde: Le llamamos al \+34612345678, Londres \(UTC(\+1)?\)\.$/)
})
