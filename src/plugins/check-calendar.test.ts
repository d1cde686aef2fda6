/** Every calendar provider fulfils the contract; what breaks it is named. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOAuthTrial } from '../../test/calendar-trial.ts'
import { startGoogleCalendar } from '../simulator/calendars/google.ts'
import { startMicrosoftCalendar } from '../simulator/calendars/microsoft.ts'
import { google } from './calendar/google/index.ts'
import { microsoft } from './calendar/microsoft/index.ts'
import type { CalendarProvider } from './calendar.ts'
import { checkCalendar } from './check-calendar.ts'

describe.each([
  ['google', google as CalendarProvider, startGoogleCalendar],
  ['microsoft', microsoft as CalendarProvider, startMicrosoftCalendar],
])('%s', (_name, provider, start) => {
  test('fulfils the contract', async () => {
    const simulator = await start()
    onTestFinished(() => simulator.close())
    const trial = createOAuthTrial(simulator)
    onTestFinished(() => trial.close())
    expect(await checkCalendar(provider, { trial })).toEqual([])
  })
})
