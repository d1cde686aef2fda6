/** CalDAV with Radicale of Debian, a server that other people wrote. */
import { expect, onTestFinished, test } from 'vitest'
import { createRadicaleTrial } from '../../../../test/calendar-trial.ts'
import { radicaleMissing, startRadicale } from '../../../../test/radicale.ts'
import type { CalendarProvider } from '../../calendar.ts'
import { checkCalendarBehaviour, openTrial } from '../../check-calendar-behaviour.ts'
import { caldav } from './index.ts'

test('Radicale is read and written, two ways', async context => {
  if (radicaleMissing) return context.skip(radicaleMissing)
  const radicale = await startRadicale()
  onTestFinished(() => radicale.close())
  const trial = createRadicaleTrial(radicale, await radicale.createCalendar('agenda'))
  onTestFinished(() => trial.close())
  const provider = caldav as CalendarProvider
  expect(await checkCalendarBehaviour(provider, trial)).toEqual([])
  const wrong = openTrial(provider, { ...trial, credentials: { ...trial.credentials, password: 'wrong' } })
  await expect(wrong.listCalendars()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
  await expect(wrong.read()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
})
