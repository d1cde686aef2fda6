/** Every calendar provider fulfils the contract; what breaks it is named. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCalDavTrial, createOAuthTrial } from '../../test/calendar-trial.ts'
import { startCalDav } from '../simulator/calendars/caldav.ts'
import { startGoogleCalendar } from '../simulator/calendars/google.ts'
import { startMicrosoftCalendar } from '../simulator/calendars/microsoft.ts'
import { caldav } from './calendar/caldav/index.ts'
import { google } from './calendar/google/index.ts'
import { microsoft } from './calendar/microsoft/index.ts'
import type { CalendarProvider } from './calendar.ts'
import { checkCalendar } from './check-calendar.ts'
import type { CalendarTrial } from './check-calendar-behaviour.ts'

const startTrial = {
  google: async () => openTrial(await startGoogleCalendar(), createOAuthTrial),
  microsoft: async () => openTrial(await startMicrosoftCalendar(), createOAuthTrial),
  caldav: async () => openTrial(await startCalDav(), createCalDavTrial),
  'caldav without sync tokens': async () => {
    const trial = openTrial(await startCalDav({ hasSync: false }), createCalDavTrial)
    return { ...trial, faults: null }
  },
}

function openTrial<Simulator extends { close(): Promise<void> }>(
  simulator: Simulator,
  create: (simulator: Simulator) => CalendarTrial & { close(): Promise<void> },
): CalendarTrial {
  onTestFinished(() => simulator.close())
  const trial = create(simulator)
  onTestFinished(() => trial.close())
  return trial
}

describe.each([
  ['google', google as CalendarProvider],
  ['microsoft', microsoft as CalendarProvider],
  ['caldav', caldav as CalendarProvider],
  ['caldav without sync tokens', caldav as CalendarProvider],
] as const)('%s', (name, provider) => {
  test('fulfils the contract', async () => {
    expect(await checkCalendar(provider, { trial: await startTrial[name]() })).toEqual([])
  })
})
