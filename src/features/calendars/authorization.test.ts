/** A provider on whose page the agent agrees: the link, the way back, and links that are not valid. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeEventType } from '../../../test/scheduling.ts'
import { makeTenant } from '../../../test/tenant.ts'
import { strictObject, Type } from '../../kit/schema.ts'
import { CalendarError, type CalendarProvider } from '../../plugins/calendar.ts'
import type { Calendar } from './schemas.ts'

const fake: CalendarProvider = {
  id: 'fake',
  label: 'Fake',
  baseUrl: 'https://fake.example',
  credentials: strictObject({ secret: Type.String() }),
  readIntervalMin: 5,
  authorization: {
    createUrl: ({ redirectUrl, state, baseUrl }, client) =>
      `${baseUrl}/agree?${new URLSearchParams({ client_id: client.id, redirect_uri: redirectUrl, state })}`,
    async exchange({ code }) {
      if (code !== 'good')
        throw new CalendarError('INVALID_CREDENTIALS', 'The code is not valid. Connect it again.')
      return { secret: code }
    },
  },
  listCalendars: async () => [
    { id: 'a', name: 'Ana <work>', isPrimary: true, isWritable: true, timezone: null },
    { id: 'b', name: 'Home', isPrimary: false, isWritable: true, timezone: null },
  ],
  read: async () => ({ isComplete: true, events: [], removedIds: [], cursor: null, warnings: [] }),
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ calendarProviders: [fake], env: { CALENDAR_CLIENTS: 'fake=app:secret' } })
})
afterAll(() => app.stop())

async function connect() {
  const tenant = await makeTenant(app, 'live')
  const { agendaId } = await makeEventType(tenant)
  const { status, body } = await tenant.call<Calendar>('POST', '/scheduling/calendars', {
    body: { agendaId, provider: 'fake' },
  })
  expect(status).toBe(201)
  const get = async () => (await tenant.call<Calendar>('GET', `/scheduling/calendars/${body.id}`)).body
  return { tenant, calendar: body, get, url: new URL(body.authorizationUrl!) }
}

/** What the browser of the agent requests after the page of the provider. */
function returnFrom(url: URL, more: Record<string, string>) {
  const back = new URL(url.searchParams.get('redirect_uri')!)
  const state = url.searchParams.get('state')!
  return fetch(new URL(`${back.pathname}?${new URLSearchParams({ state, ...more })}`, app.url))
}

test('the agent agrees, and the main calendar is read', async () => {
  const { calendar, get, url, tenant } = await connect()
  expect(calendar).toMatchObject({ status: 'AUTHORIZING', externalId: null })
  expect(url.searchParams.get('client_id')).toBe('app')
  expect((await tenant.call('GET', `/scheduling/calendars/${calendar.id}/external`)).status).toBe(409)
  const reply = await returnFrom(url, { code: 'good' })
  expect(reply.status).toBe(200)
  expect(await reply.text()).toContain('Ana &lt;work&gt; is read from now on')
  expect(await get()).toMatchObject({ status: 'CONNECTED', externalId: 'a', name: 'Ana <work>' })
  const { body } = await tenant.call<{ data: { id: string }[] }>(
    'GET',
    `/scheduling/calendars/${calendar.id}/external`,
  )
  expect(body.data.map(({ id }) => id)).toEqual(['a', 'b'])
  const { body: other } = await tenant.call<Calendar>('PATCH', `/scheduling/calendars/${calendar.id}`, {
    body: { externalId: 'b' },
  })
  expect(other.externalId).toBe('b')
  const again = await tenant.call<Calendar>('POST', `/scheduling/calendars/${calendar.id}/authorize`)
  await returnFrom(new URL(again.body.authorizationUrl!), { code: 'good' })
  expect((await get()).externalId).toBe('b')
})

test('a refusal and a wrong code connect nothing, and say so', async () => {
  const { get, url } = await connect()
  expect(await (await returnFrom(url, { error: 'access_denied' })).text()).toContain('Access was refused')
  expect(await (await returnFrom(url, { code: 'bad' })).text()).toContain('The code is not valid')
  expect((await get()).status).toBe('AUTHORIZING')
})

test('an altered state, and one of another provider, are refused', async () => {
  const { get, url } = await connect()
  const state = url.searchParams.get('state')!
  const altered = `${state.slice(0, -4)}AAAA`
  expect((await returnFrom(url, { code: 'good', state: altered })).status).toBe(404)
  expect((await fetch(`${app.url}/calendar-authorization/fake?code=good`)).status).toBe(404)
  const other = await fetch(
    `${app.url}/calendar-authorization/google?${new URLSearchParams({ state, code: 'good' })}`,
  )
  expect(await other.text()).toContain('another provider')
  expect((await get()).status).toBe('AUTHORIZING')
})
