/** Calendars of Google, Microsoft and CalDAV over HTTP: connected, busy, written, and changed by the person. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calendar } from '../src/features/calendars/schemas.ts'
import { type CalDavSimulator, startCalDav } from '../src/simulator/calendars/caldav.ts'
import { type GoogleSimulator, startGoogleCalendar } from '../src/simulator/calendars/google.ts'
import { type MicrosoftSimulator, startMicrosoftCalendar } from '../src/simulator/calendars/microsoft.ts'
import { settleCalendars } from './calendar-writes.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { book, makeEventType, readAppointment, toTime } from './scheduling.ts'
import { makeTenant, type TestTenant } from './tenant.ts'

let app: TestApp
let simulators: { google: GoogleSimulator; microsoft: MicrosoftSimulator; caldav: CalDavSimulator }
beforeAll(async () => {
  simulators = {
    google: await startGoogleCalendar(),
    microsoft: await startMicrosoftCalendar(),
    caldav: await startCalDav(),
  }
  const { google, microsoft } = simulators
  const toClient = ({ id, secret }: { id: string; secret: string }) => `${id}:${secret}`
  app = await startTestApp({
    env: {
      CALENDAR_URLS: `google=${google.url},microsoft=${microsoft.url}`,
      CALENDAR_CLIENTS: `google=${toClient(google.oauth.client)},microsoft=${toClient(microsoft.oauth.client)}`,
    },
  })
})
afterAll(async () => {
  await app.stop()
  for (const simulator of Object.values(simulators)) await simulator.close()
})

/** Until everything is read and written. */
const settle = (tenant: TestTenant) => settleCalendars(app, tenant)

/** The agent clicks the button of the provider's page, which redirects to the program. Returns what the program shows. */
async function agree(authorizationUrl: string, choice: 'allow' | 'deny' = 'allow'): Promise<string> {
  const html = await (await fetch(authorizationUrl)).text()
  const fields = [...html.matchAll(/name="(redirect_uri|state)" value="([^"]*)"/g)]
  const body = new URLSearchParams(fields.map(([, name, value]) => [name!, value!.replaceAll('&#38;', '&')]))
  if (choice === 'deny') body.set('deny', '1')
  const reply = await fetch(authorizationUrl, { method: 'POST', body, redirect: 'manual' })
  const { pathname, search } = new URL(reply.headers.get('location')!)
  return (await fetch(`${app.url}${pathname}${search}`)).text()
}

type Provider = keyof typeof simulators

async function connect(tenant: TestTenant, provider: Provider, agendaId: string): Promise<Calendar> {
  const credentials = provider === 'caldav' ? { credentials: simulators.caldav.credentials } : {}
  const body = { agendaId, provider, receives: true, ...credentials }
  const { status, body: made, text } = await tenant.call<Calendar>('POST', '/scheduling/calendars', { body })
  expect(status, text).toBe(201)
  if (made.authorizationUrl) expect(await agree(made.authorizationUrl)).toContain('is connected')
  await choose(tenant, provider, made.id)
  await settle(tenant)
  return read(tenant, made.id)
}

/** Of several calendars, the agent chooses one. */
async function choose(tenant: TestTenant, provider: Provider, id: string): Promise<void> {
  const path = `/scheduling/calendars/${id}`
  const { body } = await tenant.call<{ data: { id: string; name: string }[] }>('GET', `${path}/external`)
  const own = body.data.find(({ name }) => name === 'Ana')!
  expect(body.data.map(({ name }) => name)).toEqual(['Ana', 'Festivos'])
  const changed = await tenant.call('PATCH', path, { body: { externalId: own.id } })
  expect(changed.status, `${provider}: ${changed.text}`).toBe(200)
}

async function read(tenant: TestTenant, id: string): Promise<Calendar> {
  const { status, body, text } = await tenant.call<Calendar>('POST', `/scheduling/calendars/${id}/read`)
  expect(status, text).toBe(200)
  await settle(tenant)
  return body
}

async function listStarts(tenant: TestTenant, id: string, day: number): Promise<string[]> {
  const query = new URLSearchParams({ from: toTime(day, 0), to: toTime(day + 1, 0), timezone: 'UTC' })
  const path = `/scheduling/event-types/${id}/slots?${query}`
  const { body } = await tenant.call<{ data: Record<string, { start: string }[]> }>('GET', path)
  return Object.values(body.data).flatMap(slots => slots.map(({ start }) => start))
}

const toMs = (time: string) => Date.parse(time)

describe.each(['google', 'microsoft', 'caldav'] as const)('%s', provider => {
  test('busy times block, appointments are written, and changes of the agent count', async () => {
    const { store, requests } = simulators[provider]
    const tenant = await makeTenant(app, 'live')
    const eventType = await makeEventType(tenant)
    store.create({ title: 'Dentista', start: toTime(3, 10), end: toTime(3, 11) })
    const calendar = await connect(tenant, provider, eventType.agendaId)
    expect(calendar).toMatchObject({ status: 'CONNECTED', statusReason: null, fresh: true, warnings: [] })
    const starts = await listStarts(tenant, eventType.id, 3)
    expect(starts).toContain(toTime(3, 11))
    expect(starts).not.toContain(toTime(3, 10, 30))

    const { id } = await book(tenant, eventType, toTime(4, 10))
    await settle(tenant)
    const written = [...store.events.values()].filter(event => toMs(event.start) === toMs(toTime(4, 10)))
    expect(written).toHaveLength(1)
    expect(toMs(written[0]!.end)).toBe(toMs(toTime(4, 10, 30)))
    await read(tenant, calendar.id)
    expect(await readAppointment(tenant, id)).toMatchObject({ start: toTime(4, 10), sequence: 0 })

    store.change(written[0]!.id, { start: toTime(4, 12), end: toTime(4, 12, 30) })
    await read(tenant, calendar.id)
    expect(await readAppointment(tenant, id)).toMatchObject({ start: toTime(4, 12), sequence: 1 })
    await read(tenant, calendar.id)
    const count = requests.length
    await read(tenant, calendar.id)
    expect(requests.length - count, 'a settled calendar costs few requests').toBeLessThanOrEqual(2)
    const all = [...store.events.values()].filter(
      event => event.title === written[0]!.title && !event.isDeleted,
    )
    expect(all).toHaveLength(1)

    store.change(written[0]!.id, { isDeleted: true })
    await read(tenant, calendar.id)
    expect(await readAppointment(tenant, id)).toMatchObject({ status: 'cancelled' })
    expect(await listStarts(tenant, eventType.id, 4)).toContain(toTime(4, 12))
  })

  test('what the program reschedules and cancels follows in the calendar', async () => {
    const { store } = simulators[provider]
    const tenant = await makeTenant(app, 'live')
    const eventType = await makeEventType(tenant)
    await connect(tenant, provider, eventType.agendaId)
    const { id } = await book(tenant, eventType, toTime(6, 10))
    await settle(tenant)
    const event = [...store.events.values()].find(one => toMs(one.start) === toMs(toTime(6, 10)))!
    const path = `/scheduling/appointments/${id}`
    await tenant.call('POST', `${path}/reschedule`, { body: { start: toTime(6, 15) } })
    await settle(tenant)
    expect(toMs(store.events.get(event.id)!.start)).toBe(toMs(toTime(6, 15)))
    await tenant.call('POST', `${path}/cancel`, { body: {} })
    await settle(tenant)
    expect(store.events.get(event.id)!.isDeleted).toBe(true)
  })
})

test('an agent who denies access, or takes it back, is told what to do', async () => {
  const tenant = await makeTenant(app, 'live')
  const { agendaId } = await makeEventType(tenant)
  const body = { agendaId, provider: 'google' }
  const { body: made } = await tenant.call<Calendar>('POST', '/scheduling/calendars', { body })
  expect(made).toMatchObject({ status: 'AUTHORIZING' })
  expect(await agree(made.authorizationUrl!, 'deny')).toContain('was not connected')
  const calendar = await connect(tenant, 'google', agendaId)
  simulators.google.oauth.revoke()
  expect(await read(tenant, calendar.id)).toMatchObject({
    status: 'EXPIRED',
    statusReason: expect.stringContaining('authorize it again'),
  })
})
