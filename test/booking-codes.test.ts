/** The one-time code of a booking page by e-mail, over SMTP: the whole program in live, with a mail server. */
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Appointment } from '../src/features/scheduling/appointments/schemas.ts'
import { publishPage, sendForm } from './booking-page.ts'
import { connectAccount, type FlowApp, startFlowApp } from './chat-flow.ts'
import { eventually } from './harness.ts'
import { prepareMail } from './mail-account.ts'
import { toTime } from './scheduling.ts'
import { makeTenant } from './tenant.ts'

const server = prepareMail()
let app: FlowApp
beforeAll(async () => {
  app = await startFlowApp({})
})
afterAll(() => app.stop())

test('a code reaches the visitor by SMTP, and only the page knows it from the e-mail', async () => {
  const tenant = await makeTenant(app, 'live')
  await connectAccount(tenant, 'email', server.credentials)
  const page = await publishPage(app, tenant, { config: { bookingPage: { requireCode: true } } })
  const fields = { email: 'visitor@mail.example' }
  const requested = await sendForm(app, page, toTime(2), fields, '&lang=en')
  expect(requested.text).toContain('Confirm your e-mail address')
  const mail = await eventually(
    async () => server.mail.accepted.find(({ to }) => to.includes(fields.email)),
    found => found !== undefined,
  )
  const code = /\b\d{6}\b/.exec((await simpleParser(mail!.raw)).text!)![0]
  expect(requested.text).not.toContain(code)
  const listBooked = async () =>
    (await tenant.call<{ data: Appointment[] }>('GET', '/scheduling/appointments')).body.data
  expect(await listBooked()).toEqual([])
  const booked = await sendForm(app, page, toTime(2), { ...fields, code })
  expect(booked.status, booked.text).toBe(303)
  expect((await listBooked()).map(({ visitor }) => visitor.email)).toEqual([fields.email])
})
