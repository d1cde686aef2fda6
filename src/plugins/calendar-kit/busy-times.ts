/** Busy times of events that a provider has expanded already. */
import type { CalendarChanges, CalendarRange, ExternalEvent } from '../calendar.ts'
import { fail } from './failures.ts'

/** Occurrences of one read. */
const eventsMax = 50_000
const dayMax = 400

export type Busy = ExternalEvent['busy'][number]

/** The days of an all-day event, by the clock of the time zone; the last day is not among them. */
export function toBusyDays(startDate: string, endDate: string, timezone: string): Busy {
  const toInstant = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(timezone).toInstant()
  return { start: toInstant(startDate), end: toInstant(endDate) }
}

/** Nothing, if it has no length or lies outside of the range. One that is longer than a year is cut to the range. */
export function clipBusy({ start, end }: Busy, range: CalendarRange): Busy[] {
  const isInside =
    Temporal.Instant.compare(start, range.to) < 0 && Temporal.Instant.compare(end, range.from) > 0
  if (!isInside || Temporal.Instant.compare(start, end) >= 0) return []
  if (end.since(start).total('hours') <= dayMax * 24) return [{ start, end }]
  const isEarlier = Temporal.Instant.compare(start, range.from) < 0
  const isLater = Temporal.Instant.compare(end, range.to) > 0
  return [{ start: isEarlier ? range.from : start, end: isLater ? range.to : end }]
}

/** Collects the events of all pages, and counts what can't be read. Throws TOO_LARGE beyond its limit. */
export function createCollector(label: string) {
  const events = new Map<string, ExternalEvent>()
  const removed = new Set<string>()
  const warnings = new Map<string, CalendarChanges['warnings'][number]>()
  const warn = (warning: CalendarChanges['warnings'][number]) => {
    const count = (warnings.get(warning.code)?.count ?? 0) + warning.count
    warnings.set(warning.code, { ...warning, count })
  }
  const check = () => {
    if (events.size + removed.size > eventsMax) throw fail('TOO_LARGE', label)
  }
  return {
    add(event: ExternalEvent) {
      removed.delete(event.id)
      events.set(event.id, event)
      check()
    },
    remove(id: string) {
      events.delete(id)
      removed.add(id)
      check()
    },
    /** An event that can't be read. */
    skip() {
      warn({
        code: 'UNREADABLE_EVENT',
        message: `Some events have no times that can be read, and do not block slots. Check them at ${label}.`,
        count: 1,
      })
    },
    warn,
    get hasRemoved() {
      return removed.size > 0
    },
    finish(isComplete: boolean, cursor: string | null): CalendarChanges {
      return {
        isComplete,
        events: [...events.values()],
        removedIds: isComplete ? [] : [...removed],
        cursor,
        warnings: [...warnings.values()],
      }
    },
  }
}
export type Collector = ReturnType<typeof createCollector>
