/** Checks what a calendar provider reads and writes, on a server with a calendar that a person uses meanwhile. */
import type {
  CalendarConnection,
  CalendarContext,
  CalendarError,
  CalendarProvider,
  ExternalEvent,
  OutgoingEvent,
} from './calendar.ts'
import { exampleEvent, exampleRange, isCalendar, isChanges } from './check-calendar-calls.ts'

/** What a person enters. Dates if the event takes whole days. */
export interface PersonEvent {
  title: string
  start: string
  end: string
  isAllDay?: boolean
  isFree?: boolean
  repeats?: { days: number; count: number }
}

/** A calendar server, the hand of the person who owns the calendar, and what can go wrong on request. */
export interface CalendarTrial {
  credentials: Record<string, unknown>
  context: Omit<CalendarContext<Record<string, unknown>>, 'signal' | 'now' | 'saveCredentials'>
  calendarId: string
  readOnlyCalendarId: string | null
  /** Returns the id by which the provider knows the event. */
  create(event: PersonEvent): Promise<string>
  change(id: string, times: { start: string; end: string }): Promise<void>
  /** Deletes an event, or one occurrence of it. */
  remove(id: string, occurrence?: number): Promise<void>
  faults: CalendarFaults | null
}

export interface CalendarFaults {
  /** The next requests are refused. */
  refuse(reply: { status: number; retryAfterSeconds?: number; times?: number }): void
  expireCursors(): void
  /** Only OAuth. */
  expireAccess?(): void
  revoke(): void
}

/** A provider at work on a trial, with a copy of the calendar as the program keeps it. */
export function openTrial(provider: CalendarProvider, trial: CalendarTrial) {
  let credentials = trial.credentials
  let cursor: string | null = null
  let copy = new Map<string, ExternalEvent>()
  const connect = (calendarId = trial.calendarId): CalendarConnection<Record<string, unknown>> => ({
    calendarId: '019a0000-0000-7000-8000-000000000002',
    externalId: calendarId,
    credentials,
    timezone: 'Europe/Madrid',
  })
  const toContext = (): CalendarContext<Record<string, unknown>> => ({
    ...trial.context,
    now: Temporal.Instant.from('2026-11-26T10:00:00Z'),
    saveCredentials: async saved => {
      credentials = saved as Record<string, unknown>
    },
    signal: AbortSignal.timeout(30_000),
  })
  const listTimes = (events: Iterable<ExternalEvent>) =>
    [...events].flatMap(({ busy }) => busy.map(({ start, end }) => `${start}/${end}`)).toSorted()
  return {
    listCalendars: () => provider.listCalendars(credentials, toContext()),
    async read(isAnew = false) {
      const options = { cursor: isAnew ? null : cursor, range: exampleRange }
      const changes = await provider.read(connect(), options, toContext())
      if (changes.isComplete) copy = new Map()
      for (const id of changes.removedIds) copy.delete(id)
      for (const event of changes.events) copy.set(event.id, event)
      cursor = changes.cursor
      return changes
    },
    /** Of the copy. */
    listBusy: () => listTimes(copy.values()),
    listOwn: (uid: string) => [...copy.values()].filter(event => event.uid === uid),
    listOwnBusy: (uid: string) => listTimes([...copy.values()].filter(event => event.uid === uid)),
    put: (
      event: OutgoingEvent,
      written: { externalId: string; version: string | null } | null,
      calendarId?: string,
    ) => provider.writes!.put(connect(calendarId), event, written, toContext()),
    find: (externalId: string) =>
      provider.writes!.find(connect(), { uid: exampleEvent.uid, externalId }, exampleRange, toContext()),
    remove: (event: { uid: string; externalId: string }) =>
      provider.writes!.remove(connect(), event, toContext()),
    get credentials() {
      return credentials
    },
  }
}
export type Trial = ReturnType<typeof openTrial>

/** One sentence per problem. */
export async function checkCalendarBehaviour(
  provider: CalendarProvider,
  trial: CalendarTrial,
): Promise<string[]> {
  const problems: string[] = []
  const expect = (sentence: string, isTrue: boolean, found?: unknown) => {
    if (!isTrue) problems.push(`${sentence}${found === undefined ? '' : `: ${JSON.stringify(found)}`}`)
  }
  const opened = openTrial(provider, trial)
  try {
    await checkReading(opened, trial, expect)
    if (provider.writes) await checkWriting(opened, trial, expect)
  } catch (error) {
    problems.push(`no call may fail on a server without faults: ${(error as Error).stack}`)
  }
  return problems
}

type Expect = (sentence: string, isTrue: boolean, found?: unknown) => void

async function checkReading(opened: Trial, trial: CalendarTrial, expect: Expect): Promise<void> {
  const calendars = await opened.listCalendars()
  expect('`listCalendars` must return calendars', calendars.every(isCalendar), calendars)
  const own = calendars.find(({ id }) => id === trial.calendarId)
  expect('`listCalendars` must list the calendar as writable', own?.isWritable === true, calendars)
  const single = await trial.create(event('Dentista', '2026-12-02T09:00:00Z', '2026-12-02T10:00:00Z'))
  await trial.create({ ...event('Fiesta', '2026-12-08', '2026-12-09'), isAllDay: true })
  await trial.create({
    ...event('Recordatorio', '2026-12-03T09:00:00Z', '2026-12-03T10:00:00Z'),
    isFree: true,
  })
  await trial.create(event('Pasado', '2025-12-02T09:00:00Z', '2025-12-02T10:00:00Z'))
  const series = await trial.create({
    ...event('Clase', '2026-12-01T16:00:00Z', '2026-12-01T17:00:00Z'),
    repeats: { days: 7, count: 3 },
  })
  const lessons = [1, 8, 15].map(day => toTimes(`2026-12-${String(day).padStart(2, '0')}`, 16, 17))
  const allDay = '2026-12-07T23:00:00Z/2026-12-08T23:00:00Z'
  const compare = (what: string, times: string[]) =>
    expect(
      `\`read\` must know ${what}`,
      opened.listBusy().join() === times.toSorted().join(),
      opened.listBusy(),
    )

  const first = await opened.read(true)
  expect('the first `read` must be complete and valid', first.isComplete && isChanges(first), first)
  compare('single, all-day and recurring events', [toTimes('2026-12-02', 9, 10), allDay, ...lessons])
  const same = await opened.read()
  const isUnchanged = same.events.length + same.removedIds.length === 0 && !same.isComplete
  expect('`read` must return nothing if nothing has changed', isUnchanged, same)
  await trial.change(single, { start: '2026-12-04T11:00:00Z', end: '2026-12-04T12:00:00Z' })
  await opened.read()
  compare('an event that was moved', [toTimes('2026-12-04', 11, 12), allDay, ...lessons])
  await trial.remove(series, 1)
  await opened.read()
  compare('an occurrence that was deleted', [toTimes('2026-12-04', 11, 12), allDay, lessons[0]!, lessons[2]!])
  await trial.remove(series)
  await opened.read()
  compare('a series that was deleted', [toTimes('2026-12-04', 11, 12), allDay])
  await trial.remove(single)
  const last = await opened.read()
  expect('`read` must be valid', isChanges(last), last)
  compare('an event that was deleted', [allDay])
}

const event = (title: string, start: string, end: string): PersonEvent => ({ title, start, end })
const toTimes = (date: string, from: number, to: number) =>
  [from, to].map(hour => `${date}T${String(hour).padStart(2, '0')}:00:00Z`).join('/')

async function checkWriting(opened: Trial, trial: CalendarTrial, expect: Expect): Promise<void> {
  const { uid } = exampleEvent
  const atTwelve = move(exampleEvent, 3, 1)
  const first = await opened.put(exampleEvent, null)
  const read = async () => {
    await opened.read()
    return opened.listOwnBusy(uid).join()
  }
  expect('`read` must know the event that was written, by its UID', (await read()) === toText(exampleEvent))
  expect(
    '`read` must know the version that `put` has returned',
    opened.listOwn(uid)[0]?.version === first.version && opened.listOwn(uid)[0]?.id === first.externalId,
    { read: opened.listOwn(uid), first },
  )
  const found = await opened.find(first.externalId)
  const isSame = JSON.stringify(found) === JSON.stringify(opened.listOwn(uid)[0])
  expect('`find` must return the event as `read` does', isSame, found)
  const again = await opened.put(atTwelve, null)
  expect(
    '`put` of the same UID must replace the event',
    (await read()) === toText(atTwelve),
    opened.listOwn(uid),
  )
  expect('`put` of the same UID must keep the id', again.externalId === first.externalId, [first, again])
  const back = await opened.put(move(exampleEvent, 0, 2), again)
  expect('`put` with the version must replace the event', (await read()) === toText(exampleEvent))
  await expectConflict('`put` with an old version', opened.put(move(exampleEvent, 5, 3), again), expect)
  await trial.change(back.externalId, {
    start: atTwelve.start.toString(),
    end: atTwelve.end.toString(),
  })
  expect(
    '`read` must know that the person moved it',
    (await read()) === toText(atTwelve),
    opened.listOwn(uid),
  )
  await expectConflict('`put` of an event that was moved', opened.put(move(exampleEvent, 0, 4), back), expect)
  const forced = await opened.put(move(exampleEvent, 0, 5), { ...back, version: null })
  expect('`put` without a version must replace the event', (await read()) === toText(exampleEvent))
  await trial.remove(forced.externalId)
  expect('`read` must know that the person deleted it', (await read()) === '', opened.listOwn(uid))
  expect('`find` must return null if it was deleted', (await opened.find(forced.externalId)) === null)
  await expectConflict(
    '`put` of an event that was deleted',
    opened.put(move(exampleEvent, 3, 6), forced),
    expect,
  )
  await opened.remove({ uid, externalId: forced.externalId })
  const anew = await opened.put(move(exampleEvent, 0, 7), { ...forced, version: null })
  expect('`put` must create an event that was deleted', (await read()) === toText(exampleEvent))
  for (const _time of ['once', 'twice']) await opened.remove({ uid, externalId: anew.externalId })
  expect('`remove` must delete the event', (await read()) === '', opened.listOwn(uid))
  expect(
    '`put` must create an event that the program deleted',
    Boolean((await opened.put(move(exampleEvent, 0, 8), null)).externalId) &&
      (await read()) === toText(exampleEvent),
  )
}

const toText = ({ start, end }: OutgoingEvent) => `${start}/${end}`
const move = (event: OutgoingEvent, hours: number, sequence: number): OutgoingEvent => ({
  ...event,
  sequence,
  start: event.start.add({ hours }),
  end: event.end.add({ hours }),
  updatedAt: event.updatedAt.add({ minutes: sequence }),
})

async function expectConflict(what: string, call: Promise<unknown>, expect: Expect): Promise<void> {
  const found = await call.then(
    () => 'it succeeded',
    (error: CalendarError) => error.code ?? error.message,
  )
  expect(`${what} must fail with CONFLICT`, found === 'CONFLICT', found)
}
