/** Notices of appointments from end to end: the whole program in live, against a mail server on loopback. */
import ICAL from 'ical.js'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectAccount, type FlowApp, startFlowApp } from './chat-flow.ts'
import { eventually } from './harness.ts'
import { ownAddress, personAddress, prepareMail } from './mail-account.ts'
import { settleNotices } from './notices.ts'
import { book, makeEventType, move, toTime } from './scheduling.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

const server = prepareMail()
let app: FlowApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startFlowApp({})
  tenant = await makeTenant(app, 'live')
  await connectAccount(tenant, 'email', server.credentials)
})
afterAll(() => app.stop())

const visitor = { name: 'Marta Ruiz', email: personAddress, phone: '+34612345678', language: 'es' }
const isToVisitor = ({ to }: { to: string[] }) => to.includes(personAddress)

/** What the visitor received, as mail programs read it. Waits for `count` e-mails. */
async function readMails(count: number) {
  const mails = await eventually(
    async () => server.mail.accepted.filter(isToVisitor),
    all => all.length >= count,
  )
  return Promise.all(mails.map(({ raw }) => readMail(raw)))
}

async function readMail(raw: Buffer) {
  const { from, subject, text, attachments, headers } = await simpleParser(raw)
  const method = /text\/calendar; charset=utf-8; method=(\w+)/i.exec(
    raw.toString('latin1').replaceAll(/\r\n[ \t]+/g, ' '),
  )?.[1]
  const file = attachments.find(({ filename }) => filename === 'invite.ics')
  const calendar = file && new ICAL.Component(ICAL.parse(file.content.toString()))
  const event = calendar?.getFirstSubcomponent('vevent')
  return {
    from: from!.value[0]!.address,
    subject,
    text,
    automatic: headers.get('auto-submitted'),
    methods: [method, calendar?.getFirstPropertyValue('method')],
    uid: event?.getFirstPropertyValue('uid'),
    sequence: event?.getFirstPropertyValue('sequence'),
    status: event?.getFirstPropertyValue('status'),
    organizer: event?.getFirstPropertyValue('organizer'),
    attendee: event?.getFirstPropertyValue('attendee'),
  }
}

test('the invitation arrives, is replaced after a move, and taken back; the agent is told', async () => {
  const eventType = await makeEventType(tenant, { name: 'Visita' })
  const booked = await book(tenant, eventType, toTime(3), { visitor, timezone: 'Europe/Madrid' })
  await readMails(1)
  await move(tenant, booked.id, 'reschedule', { start: toTime(4) })
  await readMails(2)
  await move(tenant, booked.id, 'cancel', {})
  const mails = await readMails(3)
  const common = {
    from: ownAddress,
    automatic: 'auto-generated',
    uid: booked.icalUid,
    organizer: `mailto:${ownAddress}`,
    attendee: `mailto:${personAddress}`,
  }
  expect(mails).toMatchObject([
    { ...common, methods: ['REQUEST', 'REQUEST'], sequence: 0, status: 'CONFIRMED' },
    { ...common, methods: ['REQUEST', 'REQUEST'], sequence: 1, status: 'CONFIRMED' },
    { ...common, methods: ['CANCEL', 'CANCEL'], sequence: 2, status: 'CANCELLED' },
  ])
  expect(mails[0]!.subject).toMatch(/^Cita confirmada: Visita, /)
  expect(mails[0]!.text).toContain(booked.links!.page)
  const notices = await settleNotices(tenant, booked.id)
  const told = notices.filter(({ recipient }) => recipient === 'agent')
  expect(told.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['booked sent', 'rescheduled sent'])
  const toAgent = server.mail.accepted.filter(mail => !isToVisitor(mail))
  expect(toAgent).toHaveLength(2)
  expect((await simpleParser(toAgent[0]!.raw)).text).toContain('Marta Ruiz')
})
