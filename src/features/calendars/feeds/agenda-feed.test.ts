/** Calendar files of the program: the feed of an agenda, and the file of an appointment. */
import ICAL from 'ical.js'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../../../test/harness.ts'
import { connectMailbox } from '../../../../test/notices.ts'
import { book, type MadeEventType, makeEventType, move, toTime } from '../../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../../test/tenant.ts'

let app: TestApp
let tenant: TestTenant
let eventType: MadeEventType

beforeAll(async () => {
  app = await shareTestApp('api')
  return () => app.stop()
})
beforeEach(async () => {
  tenant = await makeTenant(app)
  eventType = await makeEventType(tenant)
})

const share = async () =>
  tenant.call<{ url: string }>('POST', `/scheduling/agendas/${eventType.agendaId}/feed`)

/** Fetches a public link from the program of the test. */
const fetchLink = (url: string, headers: Record<string, string> = {}) =>
  fetch(new URL(new URL(url).pathname, app.url), { headers })

test('whoever has the link subscribes to the appointments, until it is revoked', async () => {
  const booked = await book(tenant, eventType, toTime(2), { notes: 'Bring keys, please' })
  const cancelled = await book(tenant, eventType, toTime(3))
  await move(tenant, cancelled.id, 'cancel', {})
  const { status, body } = await share()
  expect(status).toBe(201)
  expect((await share()).body).toEqual(body)
  const reply = await fetchLink(body.url)
  expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const calendar = new ICAL.Component(ICAL.parse(await reply.text()) as never[])
  const events = calendar.getAllSubcomponents('vevent').map(event => new ICAL.Event(event))
  expect(events.map(({ uid }) => uid)).toEqual([booked.icalUid])
  expect(events[0]!.startDate.toJSDate().toISOString()).toBe(booked.start)
  expect(events[0]!.description).toContain('Bring keys, please')
  const etag = reply.headers.get('etag')!
  expect((await fetchLink(body.url, { 'if-none-match': etag })).status).toBe(304)
  await move(tenant, booked.id, 'reschedule', { start: toTime(4) })
  expect((await fetchLink(body.url, { 'if-none-match': etag })).status).toBe(200)
  expect((await tenant.call('DELETE', `/scheduling/agendas/${eventType.agendaId}/feed`)).status).toBe(204)
  expect((await fetchLink(body.url)).status).toBe(404)
})

test('the feed of a deleted agenda ends, and gets no link', async () => {
  const { body } = await share()
  expect((await tenant.call('DELETE', `/scheduling/event-types/${eventType.id}`)).status).toBe(204)
  expect((await tenant.call('DELETE', `/scheduling/agendas/${eventType.agendaId}`)).status).toBe(204)
  expect((await fetchLink(body.url)).status).toBe(404)
  expect((await share()).status).toBe(404)
})

test('the file of an appointment shows the visitor its time, and takes a cancelled one back', async () => {
  const booked = await book(tenant, eventType, toTime(2), { notes: 'Internal' })
  const download = async () =>
    (await tenant.call('GET', `/scheduling/appointments/${booked.id}/invitation.ics`)).text
  expect(await download()).not.toContain('METHOD:')
  expect(await download()).toContain('BEGIN:VALARM')
  expect((await download()).replaceAll('\r\n ', '')).toContain(
    `DESCRIPTION:Ver\\, cambiar o cancelar la cita:\\n${booked.links!.page}\r\n`,
  )
  await connectMailbox(tenant)
  const text = await download()
  expect(text).toContain('METHOD:PUBLISH\r\n')
  expect(text).toContain('mailto:ana@agency.example')
  expect(text).toContain('SUMMARY:Viewing\r\n')
  expect(text).not.toContain('Internal')
  await move(tenant, booked.id, 'cancel', {})
  const file = (await download()).replaceAll('\r\n ', '')
  expect(file).toContain('METHOD:CANCEL\r\n')
  expect(file).toMatch(/\r\nORGANIZER;.*:mailto:ana@agency\.example\r\n/)
  expect(file).toContain(`:mailto:${booked.visitor.email}\r\n`)
  const page = await (await fetchLink(booked.links!.ics)).text()
  expect(page).not.toContain('VALARM')
  const withoutStamp = (ics: string) => ics.replaceAll('\r\n ', '').replace(/DTSTAMP:\w+/, '')
  expect(withoutStamp(page)).toBe(withoutStamp(file))
})
