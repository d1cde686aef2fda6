/** Answers by e-mail from end to end: of visitors to invitations, of agents to notices. The whole program in live, with a mail server. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Appointment } from '../src/features/scheduling/appointments/schemas.ts'
import { sql } from '../src/kit/db/index.ts'
import { connectAccount, type FlowApp, startFlowApp } from './chat-flow.ts'
import { eventually } from './harness.ts'
import { ownAddress, personAddress, prepareMail } from './mail-account.ts'
import { settleNotices } from './notices.ts'
import { book, listEvents, makeEventType, move, readAppointment, toTime } from './scheduling.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

const server = prepareMail()
let app: FlowApp
let tenant: TestTenant
beforeAll(async () => {
  app = await startFlowApp({})
})
afterAll(() => app.stop())
beforeEach(async () => {
  tenant = await makeTenant(app, 'live')
  await connectAccount(tenant, 'email', server.credentials)
})

const visitor = { name: 'Marta Ruiz', email: personAddress, phone: '+34612345678', language: 'es' }
let mails = 0
const deliver = (from: string, headers: string, body: string) =>
  server.mailbox.deliver(
    `Message-ID: <answer-${++mails}@mail.example>
From: ${from}
To: <${ownAddress}>
Subject: Re: Visita
Date: Thu, 26 Nov 2026 06:00:00 +0100
${headers}
${body}
`.replaceAll('\n', '\r\n'),
  )

interface Answer {
  status: string
  sequence?: number
  from?: string
  comment?: string
  /** The header Authentication-Results. */
  results?: string
}

/** As Gmail writes it: a text, the answer, and the answer again as a file. */
const answer = (
  { icalUid }: Appointment,
  { status, sequence = 0, from = personAddress, comment = '', results = '' }: Answer,
) =>
  deliver(
    `Marta Ruiz <${from}>`,
    `${results}MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"
`,
    `--b
Content-Type: text/plain; charset="UTF-8"

Marta Ruiz has answered this invitation.
--b
Content-Type: text/calendar; charset="UTF-8"; method=REPLY

BEGIN:VCALENDAR
VERSION:2.0
METHOD:REPLY
BEGIN:VEVENT
DTSTAMP:20261126T101500Z
UID:${icalUid}
ATTENDEE;PARTSTAT=${status}:mailto:${from}
SEQUENCE:${sequence}
COMMENT:${comment}
END:VEVENT
END:VCALENDAR
--b--`,
  )

const waitForAnswer = ({ id }: Appointment, wanted: string) =>
  eventually(
    () => readAppointment(tenant, id),
    ({ visitorAnswer }) => visitorAnswer?.answer === wanted,
  )
const listConversations = async () =>
  (await tenant.call<{ data: unknown[] }>('GET', '/conversations?status=open')).body.data
const countInbound = async () => {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ count: number }>`
      select count(*)::int from messages where tenant_id = ${tenant.tenantId} and direction = 'in'`.execute(
      tx,
    ),
  )
  return rows[0]!.count
}

test('what the visitor answers is recorded; a refusal notifies the agent and cancels nothing', async () => {
  const eventType = await makeEventType(tenant, { name: 'Visita' })
  const booked = await book(tenant, eventType, toTime(3), { visitor })
  await settleNotices(tenant, booked.id)
  expect(booked.visitorAnswer).toBeNull()
  answer(booked, { status: 'ACCEPTED' })
  await waitForAnswer(booked, 'accepted')
  answer(booked, { status: 'DECLINED' })
  const declined = await waitForAnswer(booked, 'declined')
  expect(declined.status).toBe('confirmed')
  const answered = (await listEvents(tenant)).filter(({ type }) => type === 'appointment.answered')
  expect(answered.map(({ data }) => data.answer)).toEqual(['accepted', 'declined'])
  const notices = await settleNotices(tenant, booked.id)
  expect(notices.map(({ kind, recipient, status }) => `${kind} ${recipient} ${status}`)).toEqual([
    'booked visitor sent',
    'booked agent sent',
    'declined agent sent',
  ])
  // What was answered before the move is about another time.
  await move(tenant, booked.id, 'reschedule', { start: toTime(4) })
  expect((await readAppointment(tenant, booked.id)).visitorAnswer).toBeNull()
  await settleNotices(tenant, booked.id)
  answer(booked, { status: 'DECLINED', sequence: 0 })
  // Two within one second of the mailbox.
  answer(booked, { status: 'ACCEPTED', sequence: 1 })
  answer(booked, { status: 'TENTATIVE', sequence: 1 })
  await waitForAnswer(booked, 'tentative')
  expect(await countInbound()).toBe(0)
})

test('an answer of somebody else, or a forged one, is a message that people read', async () => {
  const eventType = await makeEventType(tenant, { name: 'Visita' })
  const booked = await book(tenant, eventType, toTime(3), { visitor })
  await settleNotices(tenant, booked.id)
  answer(booked, { status: 'DECLINED', from: 'jordi@mail.example' })
  const results = `Authentication-Results: ${server.credentials.imap.host}; spf=fail smtp.mailfrom=mail.example\n`
  answer(booked, { status: 'DECLINED', results })
  await eventually(countInbound, count => count === 2)
  expect((await readAppointment(tenant, booked.id)).visitorAnswer).toBeNull()
})

test('an answer with a comment is recorded, and is a message too; DMARC proves the sender of one that was forwarded', async () => {
  const eventType = await makeEventType(tenant, { name: 'Visita' })
  const booked = await book(tenant, eventType, toTime(3), { visitor })
  await settleNotices(tenant, booked.id)
  const results = `Authentication-Results: ${server.credentials.imap.host}; spf=fail; dmarc=pass header.from=mail.example\n`
  answer(booked, { status: 'ACCEPTED', results })
  await waitForAnswer(booked, 'accepted')
  expect(await countInbound()).toBe(0)
  answer(booked, { status: 'DECLINED', comment: 'Mejor a las 11' })
  await waitForAnswer(booked, 'declined')
  await eventually(countInbound, count => count === 1)
})

test('what an agent answers to a notice makes no person; what they write otherwise does', async () => {
  await sql`
    update users set email = 'agent@agency.example'
    where workspace_id = (select workspace_id from tenants where id = ${tenant.tenantId})`.execute(
    app.database.owner,
  )
  const eventType = await makeEventType(tenant, { name: 'Visita' })
  const booked = await book(tenant, eventType, toTime(3), { visitor })
  await settleNotices(tenant, booked.id)
  const before = (await listConversations()).length
  const notice = server.mail.accepted.findLast(({ to }) => to.includes('agent@agency.example'))!
  const id = /^Message-ID: (.*)$/im.exec(notice.raw.toString())![1]!.trim()
  deliver('Ana <agent@agency.example>', `In-Reply-To: ${id}\nContent-Type: text/plain\n`, 'De acuerdo')
  deliver(
    'Jordi <jordi@mail.example>',
    `In-Reply-To: ${id}\nContent-Type: text/plain\n`,
    'Me lo han reenviado',
  )
  await eventually(countInbound, count => count === 1)
  expect((await listConversations()).length).toBe(before + 1)
  deliver('Ana <agent@agency.example>', 'Content-Type: text/plain\n', 'Un cliente pregunta')
  await eventually(countInbound, count => count === 2)
})
