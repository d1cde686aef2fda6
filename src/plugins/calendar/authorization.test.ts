/** Access to calendars of Google and Microsoft by OAuth: the page, the code, the renewal, and what can go wrong. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOAuthTrial } from '../../../test/calendar-trial.ts'
import { startGoogleCalendar } from '../../simulator/calendars/google.ts'
import { startMicrosoftCalendar } from '../../simulator/calendars/microsoft.ts'
import type { CalendarContext, CalendarProvider } from '../calendar.ts'
import { openTrial } from '../check-calendar-behaviour.ts'
import { google } from './google/index.ts'
import { microsoft } from './microsoft/index.ts'

const redirectUrl = 'https://aldaba.example/calendar-authorization'

describe.each([
  ['google', google as CalendarProvider, startGoogleCalendar],
  ['microsoft', microsoft as CalendarProvider, startMicrosoftCalendar],
])('%s', (_name, provider, start) => {
  async function open() {
    const simulator = await start()
    onTestFinished(() => simulator.close())
    const trial = createOAuthTrial(simulator)
    onTestFinished(() => trial.close())
    const context: CalendarContext<object> = {
      ...trial.context,
      now: Temporal.Instant.from('2026-11-26T10:00:00Z'),
      saveCredentials: async () => {},
      signal: AbortSignal.timeout(20_000),
    }
    return { simulator, trial, context }
  }
  const exchange = (code: string, context: CalendarContext<object>, url = redirectUrl) =>
    provider.authorization!.exchange({ code, redirectUrl: url }, context)

  /** The person clicks the button of the page. */
  async function agree({ baseUrl, client }: CalendarContext<object>): Promise<URL> {
    const options = { redirectUrl, state: 'a state & more', baseUrl }
    const page = provider.authorization!.createUrl(options, client!)
    const html = await (await fetch(page)).text()
    const fields = [...html.matchAll(/name="([a-z_]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&#38;', '&'),
    ])
    const body = new URLSearchParams(fields.filter(([name]) => name !== 'deny'))
    const reply = await fetch(page, { method: 'POST', body, redirect: 'manual' })
    return new URL(reply.headers.get('location')!)
  }

  test('a person agrees on the page, and the code gives access once', async () => {
    const { trial, context } = await open()
    const back = await agree(context)
    expect(back.href.startsWith(redirectUrl)).toBe(true)
    expect(back.searchParams.get('state')).toBe('a state & more')
    const code = back.searchParams.get('code')!
    const credentials = await exchange(code, context)
    expect(credentials).toMatchObject({ expiresAt: Date.parse('2026-11-26T11:00:00Z') })
    const calendars = await openTrial(provider, { ...trial, credentials }).listCalendars()
    expect(calendars[0]).toMatchObject({ name: 'Ana', isPrimary: true })
    await expect(exchange(code, context)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    const other = (await agree(context)).searchParams.get('code')!
    const elsewhere = exchange(other, context, 'https://other.example/')
    await expect(elsewhere).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  })

  test('without a registration, or with a wrong one, the operator is named', async () => {
    const { context } = await open()
    const code = (await agree(context)).searchParams.get('code')!
    for (const client of [null, { id: context.client!.id, secret: 'wrong' }])
      await expect(exchange(code, { ...context, client })).rejects.toMatchObject({
        code: 'NOT_CONFIGURED',
        message: expect.stringContaining('CALENDAR_CLIENTS'),
      })
  })

  test('calls at the same time share one renewal', async () => {
    const { simulator, trial } = await open()
    for (let at = 0; at < 6; at += 1)
      simulator.store.create({ title: 'a', start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:00:00Z' })
    const opened = openTrial(provider, trial)
    await opened.read()
    simulator.oauth.expireAccess()
    await opened.read()
    const renewed = opened.credentials
    await opened.read()
    expect(opened.credentials).toBe(renewed)
    expect(opened.listBusy()).toHaveLength(6)
  })

  test('long calendars are read in pages, and one occurrence of many is enough to be busy', async () => {
    const { simulator, trial } = await open()
    const times = { start: '2026-12-01T09:00:00Z', end: '2026-12-01T09:15:00Z' }
    for (let at = 0; at < 150; at += 1) simulator.store.create({ title: 'a', ...times })
    simulator.store.create({ title: 'b', ...times, repeats: { days: 1, count: 200 } })
    const opened = openTrial(provider, trial)
    const { warnings } = await opened.read()
    expect(warnings).toEqual([])
    expect(opened.listBusy().length).toBeGreaterThan(150 + 60)
  })
})

test('the pages are those of Google and Microsoft', () => {
  const toUrl = ({ baseUrl, authorization }: CalendarProvider) =>
    new URL(
      authorization!.createUrl({ redirectUrl, state: 's', baseUrl: baseUrl! }, { id: 'c', secret: 'x' }),
    )
  const ofGoogle = toUrl(google as CalendarProvider)
  expect(ofGoogle.origin + ofGoogle.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth')
  expect(Object.fromEntries(ofGoogle.searchParams)).toMatchObject({
    client_id: 'c',
    redirect_uri: redirectUrl,
    response_type: 'code',
    access_type: 'offline',
    prompt: 'consent',
    state: 's',
  })
  const ofMicrosoft = toUrl(microsoft as CalendarProvider)
  expect(ofMicrosoft.origin + ofMicrosoft.pathname).toBe(
    'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  )
  expect(ofMicrosoft.searchParams.get('scope')).toContain('offline_access')
  for (const { searchParams } of [ofGoogle, ofMicrosoft])
    expect([...searchParams.values()]).not.toContain('x')
})
