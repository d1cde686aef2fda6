/** Feeds over HTTP: connected, read, unreadable, and what they do to the slots of an agenda. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { waitUntilIdle } from '../../../test/jobs.ts'
import { type MadeEventType, makeEventType, toTime } from '../../../test/scheduling.ts'
import { makeTenant, type TestTenant } from '../../../test/tenant.ts'
import { sql } from '../../kit/db/index.ts'
import type { Calendar } from './schemas.ts'

let app: TestApp
let tenant: TestTenant
let eventType: MadeEventType
let feedUrl: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
const requests: IncomingMessage[] = []

const server = createServer((request, response) => {
  requests.push(request)
  answer(request, response)
})

beforeAll(async () => {
  app = await startTestApp()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  feedUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/private/basic.ics`
})
afterAll(async () => {
  server.close()
  await app.stop()
})
beforeEach(async () => {
  requests.length = 0
  tenant = await makeTenant(app, 'live')
  eventType = await makeEventType(tenant)
})

/** A feed with an event at each of these times, an hour long. */
const toFeed = (...starts: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'X-WR-CALNAME:Ana',
    ...starts.flatMap((start, index) => [
      'BEGIN:VEVENT',
      `UID:event-${index}`,
      `DTSTART:${start.replace(/[-:]|\.000/g, '')}`,
      'DURATION:PT1H',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const serve = (text: string, headers: Record<string, string> = {}, status = 200) => {
  answer = (_request, response) => response.writeHead(status, headers).end(text)
}

const connect = (more: object = {}) =>
  tenant.call<Calendar & { code: string; message: string; errors: { path: string }[] }>(
    'POST',
    '/scheduling/calendars',
    {
      body: { agendaId: eventType.agendaId, provider: 'ical_feed', credentials: { url: feedUrl }, ...more },
    },
  )

const get = async (id: string) => (await tenant.call<Calendar>('GET', `/scheduling/calendars/${id}`)).body

const readNow = async (id: string) => {
  const { status, body } = await tenant.call<Calendar>('POST', `/scheduling/calendars/${id}/read`)
  expect(status).toBe(200)
  return body
}

async function listSlots(day: number) {
  const query = new URLSearchParams({ from: toTime(day, 0), to: toTime(day + 1, 0), timezone: 'UTC' })
  const { body } = await tenant.call<{
    data: Record<string, { start: string }[]>
    warnings: { code: string }[]
  }>('GET', `/scheduling/event-types/${eventType.id}/slots?${query}`)
  return {
    starts: Object.values(body.data).flatMap(slots => slots.map(({ start }) => start)),
    warnings: body.warnings,
  }
}

async function listStatuses() {
  const { rows } = await tenant.inTenant(tx =>
    sql<{ status: string }>`
      select data->>'status' as status from events
      where tenant_id = ${tenant.tenantId} and type = 'calendar.status_changed' order by position`.execute(
      tx,
    ),
  )
  return rows.map(({ status }) => status)
}

test('the busy times of a feed block slots as soon as it is connected', async () => {
  serve(toFeed(toTime(3, 10)))
  const { status, body } = await connect()
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Ana',
    status: 'CONNECTED',
    externalId: 'feed',
    blocks: true,
    fresh: false,
  })
  expect(JSON.stringify(body)).not.toContain('private/basic')
  await waitUntilIdle(app.database, tenant.tenantId)
  expect(await get(body.id)).toMatchObject({ fresh: true, eventCount: 1, failures: 0, warnings: [] })
  const { starts } = await listSlots(3)
  expect(starts).toContain(toTime(3, 9, 30))
  expect(starts).toContain(toTime(3, 11))
  expect(starts).not.toContain(toTime(3, 10))
  expect(starts).not.toContain(toTime(3, 10, 30))
  await tenant.call('PATCH', `/scheduling/calendars/${body.id}`, { body: { blocks: false } })
  expect((await listSlots(3)).starts).toContain(toTime(3, 10))
  expect((await tenant.call('DELETE', `/scheduling/calendars/${body.id}`)).status).toBe(204)
  expect((await tenant.call('GET', `/scheduling/calendars/${body.id}`)).status).toBe(404)
  expect(await listStatuses()).toEqual(['CONNECTED'])
})

test('an unchanged feed is not sent again, and a changed one replaces its busy times', async () => {
  answer = (request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"1"' }).end(toFeed(toTime(3, 10)))
  }
  const { body } = await connect()
  await waitUntilIdle(app.database, tenant.tenantId)
  expect((await readNow(body.id)).eventCount).toBe(1)
  expect(requests.at(-1)!.headers['if-none-match']).toBe('"1"')
  serve(toFeed(toTime(4, 10), toTime(5, 10)))
  expect((await readNow(body.id)).eventCount).toBe(2)
  expect((await listSlots(3)).starts).toContain(toTime(3, 10))
})

test('what is no calendar is refused with what to do', async () => {
  serve('<!doctype html><title>Sign in</title>')
  expect(await connect()).toMatchObject({ status: 422, body: { code: 'NOT_A_CALENDAR' } })
  serve('', {}, 404)
  const missing = await connect()
  expect(missing).toMatchObject({ status: 422, body: { code: 'CALENDAR_REFUSED' } })
  serve('', {}, 401)
  const closed = await connect()
  expect(closed).toMatchObject({ status: 422, body: { code: 'INVALID_CREDENTIALS' } })
  serve(toFeed().replace('END:VCALENDAR', ''))
  const cutOff = await connect()
  expect(cutOff).toMatchObject({ status: 422, body: { code: 'NOT_A_CALENDAR' } })
  // It was never connected.
  for (const { body } of [missing, closed, cutOff])
    expect(body.message).not.toMatch(/any more|no longer|connect it again|read again/i)
  expect(await connect({ credentials: { url: 'http://10.0.0.1/a.ics' } })).toMatchObject({
    status: 422,
    body: { code: 'FORBIDDEN_HOST' },
  })
  expect(await connect({ credentials: { url: 'ftp://a.example' } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/credentials/url' }] },
  })
  expect(await connect({ receives: true })).toMatchObject({
    status: 400,
    body: { errors: [{ path: '/receives' }] },
  })
  expect(await connect({ agendaId: eventType.id })).toMatchObject({ status: 404 })
})

test('redirects are followed, up to a limit', async () => {
  answer = (request, response) => {
    if (request.url === '/moved') response.writeHead(200).end(toFeed())
    else response.writeHead(302, { location: '/moved' }).end()
  }
  expect((await connect()).status).toBe(201)
  answer = (_request, response) => response.writeHead(302, { location: feedUrl }).end()
  expect(await connect()).toMatchObject({ status: 422, body: { code: 'CALENDAR_UNAVAILABLE' } })
})

test('the user and the password of an address are sent to its origin only', async () => {
  const headers: (string | undefined)[] = []
  const elsewhere = feedUrl.replace('127.0.0.1', 'localhost')
  answer = (request, response) => {
    headers.push(request.headers.authorization)
    if (request.headers.host!.startsWith('localhost') || request.url === '/there')
      response.writeHead(200).end(toFeed())
    else
      response.writeHead(302, { location: request.url === '/private/basic.ics' ? '/next' : elsewhere }).end()
  }
  const url = feedUrl.replace('://', '://ana:p%40ss@')
  expect(await connect({ credentials: { url } })).toMatchObject({ status: 201 })
  const basic = `Basic ${Buffer.from('ana:p@ss').toString('base64')}`
  expect(headers.slice(0, 3)).toEqual([basic, basic, undefined])
})

test('a webcal address is fetched by HTTPS', async () => {
  const packets: Buffer[] = []
  const keep = ({ rawPacket }: Error & { rawPacket?: Buffer }, socket: Duplex) => {
    if (rawPacket) packets.push(rawPacket)
    socket.destroy()
  }
  server.on('clientError', keep)
  const { status, body } = await connect({ credentials: { url: feedUrl.replace('http:', 'webcal:') } })
  server.off('clientError', keep)
  // The server here speaks plain HTTP: the first byte of a TLS handshake reaches it, and no answer is possible.
  const handshakeType = 0x16
  expect(packets.map(([type]) => type)).toEqual([handshakeType])
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'CALENDAR_UNAVAILABLE' })
})

test('who waits for a calendar that does not answer is not promised another attempt', async () => {
  serve('', {}, 503)
  expect((await connect()).body.message).toBe('The feed does not answer at the moment. Try again later.')
  serve(toFeed())
  const { body } = await connect()
  await waitUntilIdle(app.database, tenant.tenantId)
  serve('', {}, 503)
  const external = await tenant.call<{ message: string }>('GET', `/scheduling/calendars/${body.id}/external`)
  expect(external).toMatchObject({
    status: 422,
    body: { message: 'The feed does not answer at the moment. Try again later.' },
  })
  for (let failures = 0; failures < 3; failures++) await readNow(body.id)
  expect((await get(body.id)).statusReason).toContain('It is tried again later.')
})

test('a feed whose link was revoked expires loudly; new credentials connect it again', async () => {
  serve(toFeed(toTime(3, 10)))
  const { body } = await connect()
  await waitUntilIdle(app.database, tenant.tenantId)
  serve('', {}, 403)
  const expired = await readNow(body.id)
  expect(expired).toMatchObject({ status: 'EXPIRED', nextReadAt: null, failures: 1 })
  expect(expired.statusReason).toContain('Correct the credentials')
  // What was known still blocks.
  expect((await listSlots(3)).starts).not.toContain(toTime(3, 10))
  serve(toFeed(toTime(3, 12)))
  const { body: again } = await tenant.call<Calendar>('PATCH', `/scheduling/calendars/${body.id}`, {
    body: { credentials: { url: `${feedUrl}?2` } },
  })
  expect(again).toMatchObject({ status: 'CONNECTED', statusReason: null })
  await waitUntilIdle(app.database, tenant.tenantId)
  expect((await listSlots(3)).starts).toContain(toTime(3, 10))
  expect(await listStatuses()).toEqual(['CONNECTED', 'EXPIRED', 'CONNECTED'])
})

test('a server that fails once is no news; then the calendar fails with longer and longer waits', async () => {
  serve(toFeed())
  const { body } = await connect()
  await waitUntilIdle(app.database, tenant.tenantId)
  serve('', {}, 503)
  expect(await readNow(body.id)).toMatchObject({ status: 'CONNECTED', failures: 1 })
  await readNow(body.id)
  const failing = await readNow(body.id)
  expect(failing).toMatchObject({ status: 'FAILING', failures: 3 })
  expect(Date.parse(failing.nextReadAt!) - Date.now()).toBeGreaterThan(6 * 60_000)
  serve('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n')
  expect((await readNow(body.id)).statusReason).toContain('cut off')
  serve(toFeed())
  expect(await readNow(body.id)).toMatchObject({ status: 'CONNECTED', failures: 0 })
  expect(await listStatuses()).toEqual(['CONNECTED', 'FAILING', 'CONNECTED'])
})

test('an agenda that fails closed offers nothing while a calendar is not fresh', async () => {
  serve(toFeed())
  const { body } = await connect()
  await waitUntilIdle(app.database, tenant.tenantId)
  await tenant.call('PATCH', `/scheduling/agendas/${eventType.agendaId}`, { body: { failsClosed: true } })
  expect((await listSlots(3)).starts.length).toBeGreaterThan(0)
  await tenant.inTenant(tx =>
    sql`update calendars set read_at = now() - interval '7 hours' where tenant_id = ${tenant.tenantId} and id = ${body.id}`.execute(
      tx,
    ),
  )
  expect((await get(body.id)).fresh).toBe(false)
  const { starts, warnings } = await listSlots(3)
  expect(starts).toEqual([])
  expect(warnings).toMatchObject([{ code: 'CALENDAR_STALE' }])
})

test('an agenda that fails closed closes as soon as access has expired, and stays open while a server fails', async () => {
  serve(toFeed())
  const { body } = await connect()
  await waitUntilIdle(app.database, tenant.tenantId)
  await tenant.call('PATCH', `/scheduling/agendas/${eventType.agendaId}`, { body: { failsClosed: true } })
  serve('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n')
  expect(await readNow(body.id)).toMatchObject({ status: 'FAILING', fresh: true })
  expect((await listSlots(3)).starts.length).toBeGreaterThan(0)
  serve('', {}, 403)
  expect(await readNow(body.id)).toMatchObject({ status: 'EXPIRED', fresh: false })
  expect(await listSlots(3)).toMatchObject({ starts: [], warnings: [{ code: 'CALENDAR_STALE' }] })
})

test('the list has cursors and filters, and other workspaces see nothing', async () => {
  serve(toFeed())
  const { body } = await connect()
  await connect({ name: 'Other' })
  const list = (query: string, of = tenant) =>
    of.call<{ data: Calendar[]; nextCursor: string | null }>('GET', `/scheduling/calendars?${query}`)
  const first = (await list('limit=1')).body
  expect(first.data).toMatchObject([{ name: 'Other' }])
  expect((await list(`limit=1&cursor=${first.nextCursor}`)).body.data).toMatchObject([{ id: body.id }])
  expect((await list('status=FAILING')).body.data).toEqual([])
  const other = await makeTenant(app, 'live')
  expect((await list('', other)).body.data).toEqual([])
  expect((await other.call('GET', `/scheduling/calendars/${body.id}`)).status).toBe(404)
})

test('in the test environment nothing leaves the machine', async () => {
  tenant = await makeTenant(app, 'test')
  eventType = await makeEventType(tenant)
  const url = new URL('/sandbox.ics', feedUrl).href
  const { status, body } = await connect({ credentials: { url } })
  expect(status).toBe(201)
  expect(body).toMatchObject({ name: 'Sandbox', status: 'CONNECTED' })
  expect((await readNow(body.id)).fresh).toBe(true)
  const { status: moved } = await tenant.call('POST', '/sandbox/clock', { body: { now: toTime(90) } })
  expect(moved).toBe(200)
  expect((await get(body.id)).fresh).toBe(true)
  expect(requests.filter(({ url }) => url === '/sandbox.ics')).toEqual([])
})
