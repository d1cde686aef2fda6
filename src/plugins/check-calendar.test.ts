/** Every calendar provider fulfils the contract; what breaks it is named. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCalDavTrial, createOAuthTrial } from '../../test/calendar-trial.ts'
import { strictObject, Type } from '../kit/schema.ts'
import { startCalDav } from '../simulator/calendars/caldav.ts'
import { startGoogleCalendar } from '../simulator/calendars/google.ts'
import { startMicrosoftCalendar } from '../simulator/calendars/microsoft.ts'
import { caldav } from './calendar/caldav/index.ts'
import { google } from './calendar/google/index.ts'
import { icalFeed } from './calendar/ical-feed/index.ts'
import { calendarProviders } from './calendar/index.ts'
import { microsoft } from './calendar/microsoft/index.ts'
import { CalendarError, type CalendarProvider } from './calendar.ts'
import { checkCalendar } from './check-calendar.ts'
import { type CalendarTrial, checkCalendarBehaviour } from './check-calendar-behaviour.ts'

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

test('a CalDAV server without sync tokens is read and written as well', async () => {
  const trial = await startTrial['caldav without sync tokens']()
  expect(await checkCalendarBehaviour(caldav as CalendarProvider, trial)).toEqual([])
})

describe.each([
  ['google', google as CalendarProvider],
  ['microsoft', microsoft as CalendarProvider],
  ['caldav', caldav as CalendarProvider],
] as const)('%s', (name, provider) => {
  test('fulfils the contract', async () => {
    expect(await checkCalendar(provider, { trial: await startTrial[name]() })).toEqual([])
  })
})

const failing = async (): Promise<never> => {
  throw new CalendarError('UNAVAILABLE', 'It does not answer. It is tried again later.')
}
/** The smallest provider that fulfils the contract. */
const small: CalendarProvider = {
  id: 'small',
  label: 'Small',
  baseUrl: 'https://small.example',
  credentials: strictObject({ token: Type.String({ title: 'Token', examples: ['a'] }) }),
  readIntervalMin: 5,
  listCalendars: failing,
  read: failing,
  writes: { put: failing, find: failing, remove: failing },
}

test('the smallest provider has no problems', async () => {
  expect(await checkCalendar(small)).toEqual([])
  expect(await checkCalendar(null as never)).toEqual(['the provider must be an object'])
})

test.each<[name: string, change: object]>([
  ['id', { id: 'My-Calendar' }],
  ['label', { label: '' }],
  ['baseUrl', { baseUrl: 'https://small.example/' }],
  ['readIntervalMin', { readIntervalMin: 0 }],
  ['listCalendars', { listCalendars: undefined }],
  ['writes', { writes: { put: failing, remove: failing } }],
  ['authorization', { authorization: { createUrl: () => '' } }],
  ['credentials', { credentials: Type.Object({}) }],
])('`%s` is refused, with its name', async (name, change) => {
  const problems = await checkCalendar({ ...small, ...change })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(`\`${name}\``)
})

const empty = { isComplete: true, events: [], removedIds: [], cursor: null, warnings: [] }
test.each<[what: string, change: object, problem: RegExp]>([
  [
    'take every reply for an empty calendar',
    { read: async () => empty },
    /^`read` with no JSON must fail, and not/,
  ],
  [
    'throw other errors',
    { listCalendars: () => Promise.reject(new Error('no luck')) },
    /must throw a CalendarError/,
  ],
  [
    'have no sentence',
    { read: () => Promise.reject(new CalendarError('UNAVAILABLE', 'ETIMEDOUT')) },
    /must fail with a code, a sentence/,
  ],
  [
    'wait for years',
    { read: () => Promise.reject(new CalendarError('RATE_LIMITED', 'Wait.', { retryAfterMs: 1e12 })) },
    /a wait of at most a day/,
  ],
  [
    'report every event as written',
    { writes: { ...small.writes, put: async () => ({}) } },
    /^`writes.put` with cut must fail/,
  ],
  [
    'call private addresses that people enter',
    { baseUrl: null, listCalendars: async () => [] },
    /of a private address must fail with FORBIDDEN_HOST/,
  ],
])('calls that %s are refused', async (_what, change, problem) => {
  const problems = await checkCalendar({ ...small, ...change } as CalendarProvider)
  expect(
    problems.some(one => problem.test(one)),
    problems.join('\n'),
  ).toBe(true)
})

test('a provider that forgets what it has read is refused on a trial', async () => {
  const trial = await startTrial.google()
  const broken = {
    ...(google as CalendarProvider),
    read: async (...[connection, options, context]: Parameters<CalendarProvider['read']>) => ({
      ...(await google.read(connection as never, options, context as never)),
      removedIds: [],
    }),
  }
  const problems = await checkCalendar(broken, { trial })
  expect(problems).toContainEqual(expect.stringMatching(/^`read` must know an event that was deleted/))
  expect(problems).toContainEqual(expect.stringMatching(/^`read` must know that the person deleted it/))
})

test('a feed fulfils the contract, and every provider has an id of its own', async () => {
  expect(await checkCalendar(icalFeed as CalendarProvider)).toEqual([])
  const ids = calendarProviders.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(['caldav', 'google', 'ical_feed', 'microsoft'])
})
