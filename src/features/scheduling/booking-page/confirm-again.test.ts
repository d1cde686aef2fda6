/** A visitor moves an appointment whose event type requires a confirmation: it waits for the agent again. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { publishPage, toQueryStart, visit } from '../../../../test/booking-page.ts'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { readMessage } from '../../../../test/messaging.ts'
import { connectMailbox, listReceived, settleNotices } from '../../../../test/notices.ts'
import {
  advanceTo,
  book,
  listEvents,
  type MadeEventType,
  move,
  readAppointment,
  toTime,
} from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'
import type { Appointment } from '../appointments/schemas.ts'

let app: TestApp
let tenant: TestTenant
let eventType: MadeEventType

beforeAll(async () => {
  app = await shareTestApp()
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  await connectMailbox(tenant)
  const config = {
    confirmation: { required: true, expiresAfterMin: 60 },
    reminders: [{ minutesBefore: 60, channel: 'email' }],
  }
  eventType = await publishPage(app, tenant, { config })
})

const visitor = { name: 'Marta Soler', email: 'marta@example.com', phone: '+34612345678', language: 'en' }
const toUrl = ({ links }: Appointment): string => `${app.url}/appointment/${links!.page.split('/').at(-1)}`

async function bookConfirmed(): Promise<Appointment> {
  const booked = await book(tenant, eventType, toTime(3), { visitor })
  await settleNotices(tenant, booked.id)
  await move(tenant, booked.id, 'confirm')
  await settleNotices(tenant, booked.id)
  return booked
}

async function moveByLink(booked: Appointment, start: string) {
  const url = toUrl(booked)
  const query = 'lang=en&tz=UTC'
  const form = await visit(`${url}/reschedule?start=${toQueryStart(start)}&${query}`)
  const moved = await visit(`${url}/reschedule?${query}`, {
    method: 'POST',
    body: new URLSearchParams({ start: toQueryStart(start) }),
  })
  return { form: form.text, page: (await visit(moved.location!)).text }
}

const summarize = async (id: string) =>
  (await settleNotices(tenant, id)).map(({ kind, recipient, status, reason }) =>
    [kind, recipient, reason?.code ?? status].join(' '),
  )

it('is pending at the new time, as a new booking, until the agent confirms it', async () => {
  const booked = await bookConfirmed()
  const { form, page } = await moveByLink(booked, toTime(4))
  expect(form).toContain('>Request appointment</button>')
  expect(page).toContain('Your appointment has been moved.')
  expect(page).toContain('We will confirm it as soon as possible.')
  const moved = await readAppointment(tenant, booked.id)
  expect(moved).toMatchObject({ status: 'pending', start: toTime(4), sequence: 1 })
  expect(Date.parse(moved.expiresAt!) - Date.now()).toBeLessThanOrEqual(3_600_000)
  const events = await listEvents(tenant)
  expect(events.at(-1)).toMatchObject({ type: 'appointment.rescheduled', data: { status: 'pending' } })
  expect(await summarize(booked.id)).toEqual([
    'requested visitor delivered',
    'requested agent sent',
    'confirmed visitor delivered',
    'reminder visitor SUPERSEDED',
    'rescheduled visitor delivered',
    'rescheduled agent sent',
  ])
  const mails = await listReceived(tenant, visitor.email)
  expect(mails.at(-1)!.text).toContain('This is the new time. It is reserved for you. We will confirm it')
  const { content } = await readMessage(tenant, mails.at(-1)!.id)
  expect((content as { calendar: { text: string } }).calendar.text).toContain('STATUS:TENTATIVE')
  await move(tenant, booked.id, 'confirm')
  expect((await summarize(booked.id)).slice(6)).toEqual([
    'confirmed visitor delivered',
    'reminder visitor waiting',
  ])
  expect(await readAppointment(tenant, booked.id)).toMatchObject({ status: 'confirmed', expiresAt: null })
})

it('ends if nobody confirms it again, and the invitation is taken back', async () => {
  const booked = await bookConfirmed()
  await moveByLink(booked, toTime(4))
  await settleNotices(tenant, booked.id)
  await advanceTo(tenant, toTime(2))
  expect(await readAppointment(tenant, booked.id)).toMatchObject({
    status: 'cancelled',
    cancelledBy: 'expiry',
  })
  await settleNotices(tenant, booked.id)
  const { id, text } = (await listReceived(tenant, visitor.email)).at(-1)!
  expect(text).toContain('We could not confirm this appointment in time')
  expect((await readMessage(tenant, id)).content).toMatchObject({ calendar: { method: 'CANCEL' } })
})

it('stays confirmed if the agent moves it', async () => {
  const booked = await bookConfirmed()
  const { body } = await move(tenant, booked.id, 'reschedule', { start: toTime(4) })
  expect(body).toMatchObject({ status: 'confirmed', expiresAt: null })
})
