/** Records what a read has found, or why it failed. */
import { addDays, getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { sanitizeText } from '../../../kit/sanitize-text.ts'
import type {
  CalendarChanges,
  CalendarError,
  CalendarErrorCode,
  CalendarRange,
} from '../../../plugins/calendar.ts'
import { type CalendarRow, lockCalendar } from '../queries.ts'
import { changeCalendarStatus } from '../status.ts'
import { markOwnEvents } from '../writes/own-events.ts'
import { countBusyEvents, deletePastBusyTimes, replaceAllBusyTimes, replaceBusyTimes } from './queries.ts'

/** A read that failed is repeated after 2 min, 4 min, … 6 h. */
const firstRetryMin = 2
const retryMaxMin = 6 * 60
/** One failure of a server that does not answer is no news. */
const quietFailures = 2
const warningsMax = 20
const noBytes = Buffer.alloc(0)

export interface Read {
  range: CalendarRange
  changes: CalendarChanges
  readIntervalMin: number
}

/** Records nothing if the calendar has other credentials since. */
export async function recordRead(
  tx: Tx,
  opened: CalendarRow,
  { range, changes, readIntervalMin }: Read,
): Promise<void> {
  const calendar = await lockCalendar(tx, opened.id)
  if (!calendar || isOther(calendar, opened)) return
  const ownUids = await markOwnEvents(tx, calendar, changes, range)
  const events = changes.events.filter(({ uid }) => !ownUids.has(uid))
  if (changes.isComplete) await replaceAllBusyTimes(tx, calendar.id, events)
  else
    await replaceBusyTimes(tx, calendar.id, {
      events,
      removedIds: [...changes.removedIds, ...changes.events.map(({ id }) => id)],
    })
  const from = new Date(range.from.epochMilliseconds)
  await deletePastBusyTimes(tx, calendar.id, from)
  const now = getNow(tx)
  await changeCalendarStatus(tx, calendar, 'CONNECTED', null, {
    cursor: changes.cursor,
    covered_from: from,
    covered_to: new Date(range.to.epochMilliseconds),
    read_at: now,
    next_read_at: new Date(now.getTime() + withJitter(readIntervalMin * 60_000)),
    failures: 0,
    event_count: await countBusyEvents(tx, calendar.id),
    ...toWarnings(changes),
  })
}

/** A partial read says nothing about the warnings of what has not changed. */
function toWarnings({ isComplete, warnings }: CalendarChanges) {
  if (!isComplete && warnings.length === 0) return {}
  const kept = warnings
    .slice(0, warningsMax)
    .map(({ code, message, count }) => ({ code, message: sanitizeText(message), count }))
  return { warnings: JSON.stringify(kept) }
}

export async function recordFailedRead(tx: Tx, opened: CalendarRow, error: CalendarError): Promise<void> {
  const calendar = await lockCalendar(tx, opened.id)
  if (!calendar || isOther(calendar, opened)) return
  const now = getNow(tx)
  const failures = calendar.failures + 1
  // Refreshed or replaced credentials may be valid.
  const isSame = Buffer.compare(calendar.credentials ?? noBytes, opened.credentials ?? noBytes) === 0
  const hasExpired = error.code === 'INVALID_CREDENTIALS' && isSame
  const isQuiet = error.isRetryable && failures <= quietFailures && calendar.status === 'CONNECTED'
  const status = hasExpired ? 'EXPIRED' : isQuiet ? calendar.status : 'FAILING'
  const reason = isQuiet ? calendar.statusReason : sanitizeText(error.message)
  const waitMs = Math.max(toRetryMs(failures, error.code), error.retryAfterMs)
  await changeCalendarStatus(tx, calendar, status, reason, {
    failures,
    next_read_at: hasExpired ? null : new Date(now.getTime() + waitMs),
    ...(error.code === 'CURSOR_EXPIRED' ? { cursor: null } : {}),
  })
}

/** What is too large takes long to read, and rarely changes. */
function toRetryMs(failures: number, code: CalendarErrorCode): number {
  const minutes = code === 'TOO_LARGE' ? retryMaxMin : firstRetryMin * 2 ** Math.min(failures - 1, 10)
  return withJitter(Math.min(minutes, retryMaxMin) * 60_000)
}

const withJitter = (ms: number) => ms * (0.9 + Math.random() * 0.2)

/** Refreshed credentials are those of the same calendar. */
const isOther = (calendar: CalendarRow, opened: CalendarRow) =>
  calendar.status === 'AUTHORIZING' ||
  calendar.externalId !== opened.externalId ||
  calendar.agendaId !== opened.agendaId ||
  calendar.statusChangedAt.getTime() !== opened.statusChangedAt.getTime()

/** The longest horizon of an event type, and the last appointment with what is around it. */
const daysAhead = 735

/** From a day ago, because of time zones, to beyond the last time that can be booked. */
export function toReadRange(now: Date): CalendarRange {
  const toInstant = (time: Date) => time.toTemporalInstant()
  return { from: toInstant(addDays(now, -1)), to: toInstant(addDays(now, daysAhead)) }
}
