/** Reads the free slots of a month, as the visitor sees it. */
import { SlotBoundsError } from '../../../domain/slots/bounds.ts'
import { groupByDay, toDayRange } from '../../../domain/slots/group-by-day.ts'
import { listSlots } from '../../../domain/slots/list-slots.ts'
import type { Interval, Slot } from '../../../domain/slots/types.ts'
import { getInstant } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { EventTypeRow } from '../event-types/queries.ts'
import { findNearest } from '../slots/nearest-slots.ts'
import { getOwnPlace } from '../slots/place.ts'
import { readSlotRequest, type SlotQuery } from '../slots/read-request.ts'
import type { MonthView } from './calendar-html.ts'

interface MonthQuery extends Omit<SlotQuery, 'range'> {
  eventType: EventTypeRow
  /** The visitor's, by its IANA name. */
  timezone: string
  /** Its `month` or `day` is shown. Without them: the first month with free slots; this one if there is none. */
  query: URLSearchParams
}

/** Without a chosen month: how many are read before the next free slot is searched. */
const searchedMonths = 3

interface Months {
  /** The month of today. */
  first: Temporal.PlainYearMonth
  /** The month of the last slot. */
  last: Temporal.PlainYearMonth
  wantedDay: Temporal.PlainDate | null
  /** Null: none is chosen. */
  wanted: Temporal.PlainYearMonth | null
  /** The first one that is searched. */
  month: Temporal.PlainYearMonth
}

function toMonths(
  tx: Tx,
  { eventType, timezone, query }: Pick<MonthQuery, 'eventType' | 'timezone' | 'query'>,
): Months {
  const now = getInstant(tx)
  const today = now.toZonedDateTimeISO(timezone).toPlainDate()
  const first = today.toPlainYearMonth()
  const last = findLastDay(eventType, now, timezone).toPlainYearMonth()
  const wantedDay = parse(query.get('day'), Temporal.PlainDate.from)
  const wanted = wantedDay?.toPlainYearMonth() ?? parse(query.get('month'), Temporal.PlainYearMonth.from)
  return { first, last, wantedDay, wanted, month: clamp(wanted ?? first, first, last) }
}

/** The time of the months that may be shown, in the time zone of any visitor. */
export function toMonthsRange(tx: Tx, eventType: EventTypeRow, query: URLSearchParams): Interval {
  const { timezone } = eventType.availability
  const { month, wanted } = toMonths(tx, { eventType, timezone, query })
  const next = month.add({ months: wanted ? 1 : searchedMonths })
  const from = month.toPlainDate({ day: 1 }).subtract({ days: 1 })
  return toDayRange(from.toString(), next.toPlainDate({ day: 1 }).toString(), timezone)
}

export async function readMonth(
  tx: Tx,
  { eventType, timezone, query, ...slots }: MonthQuery,
): Promise<MonthView> {
  const { first, wantedDay, wanted, ...chosen } = toMonths(tx, { eventType, timezone, query })
  let { month, last } = chosen
  let days = await readDays(tx, month)
  for (let left = searchedMonths - 1; left > 0 && !wanted && isEmpty(days) && isBefore(month, last); left--) {
    month = month.add({ months: 1 })
    days = await readDays(tx, month)
  }
  if (!wanted && isEmpty(days)) {
    const found = await findMonthAfter(tx, month)
    // Nothing can be booked: no month is worth a visit.
    if (found === null) last = first
    month = found ?? first
    days = await readDays(tx, month)
  }
  return {
    month: month.toString(),
    days,
    day: chooseDay(days, month, wantedDay),
    part: Number(/^\d{1,2}$/.exec(query.get('part') ?? '')?.[0] ?? 0),
    previous: isBefore(first, month) ? month.subtract({ months: 1 }).toString() : null,
    next: isBefore(month, last) ? month.add({ months: 1 }).toString() : null,
    isGroup: eventType.config.seats > 1,
  }

  async function findMonthAfter(tx: Tx, month: Temporal.PlainYearMonth) {
    const next = month.add({ months: 1 }).toPlainDate({ day: 1 }).toZonedDateTime(timezone)
    const { place = getOwnPlace(eventType), excludedSlotId = null } = slots
    const search = { eventType, startMs: next.epochMilliseconds, place, excludedSlotId }
    const found = (await findNearest(tx, search)).map(({ startMs }) => startMs)
    if (found.length === 0) return null
    const start = Temporal.Instant.fromEpochMilliseconds(Math.min(...found))
    return start.toZonedDateTimeISO(timezone).toPlainDate().toPlainYearMonth()
  }

  async function readDays(tx: Tx, month: Temporal.PlainYearMonth): Promise<MonthView['days']> {
    const from = month.toPlainDate({ day: 1 }).toString()
    const to = month.toPlainDate({ day: month.daysInMonth }).toString()
    const range = toDayRange(from, to, timezone)
    return groupByDay(await listInParts(tx, eventType, { ...slots, range }), timezone)
  }
}

const shortestPartMs = 7 * 86_400_000

/** The slots of a range; of its halves, if all of it is more than the calculator takes. A week with too many busy times is full. */
async function listInParts(tx: Tx, eventType: EventTypeRow, query: SlotQuery): Promise<Slot[]> {
  try {
    return listSlots(await readSlotRequest(tx, eventType, query))
  } catch (error) {
    if (!(error instanceof SlotBoundsError)) throw error
  }
  const { startMs, endMs } = query.range
  const middleMs = Math.floor((startMs + endMs) / 2)
  if (middleMs - startMs < shortestPartMs) return []
  return [
    ...(await listInParts(tx, eventType, { ...query, range: { startMs, endMs: middleMs } })),
    ...(await listInParts(tx, eventType, { ...query, range: { startMs: middleMs, endMs } })),
  ]
}

/** On which the last slot may begin, by the visitor's calendar. */
function findLastDay(
  { availability }: EventTypeRow,
  now: Temporal.Instant,
  timezone: string,
): Temporal.PlainDate {
  const end = now
    .toZonedDateTimeISO(availability.timezone)
    .startOfDay()
    .add({ days: availability.horizonDays + 1 })
  return end.subtract({ minutes: 1 }).withTimeZone(timezone).toPlainDate()
}

/** The chosen day, also if it has no free slot any more; otherwise the first day that has one. */
function chooseDay(
  days: MonthView['days'],
  month: Temporal.PlainYearMonth,
  wanted: Temporal.PlainDate | null,
): string | null {
  if (wanted?.toPlainYearMonth().equals(month)) return wanted.toString()
  return Object.keys(days)[0] ?? null
}

function parse<T>(text: string | null, from: (text: string) => T): T | null {
  if (text === null || !/^\d{4}-\d{2}(-\d{2})?$/.test(text)) return null
  try {
    return from(text)
  } catch {
    return null
  }
}

const isEmpty = (days: object): boolean => Object.keys(days).length === 0
const isBefore = (a: Temporal.PlainYearMonth, b: Temporal.PlainYearMonth): boolean =>
  Temporal.PlainYearMonth.compare(a, b) < 0
const clamp = (
  month: Temporal.PlainYearMonth,
  first: Temporal.PlainYearMonth,
  last: Temporal.PlainYearMonth,
) => (isBefore(month, first) ? first : isBefore(last, month) ? last : month)

/** The start of a slot in a query or a form; null: it is none. */
export function parseStart(text: string | null): number | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/.test(text)) return null
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : ms
}

export const toSlot = ({ durationMin }: Pick<EventTypeRow, 'durationMin'>, startMs: number): Interval => ({
  startMs,
  endMs: startMs + durationMin * 60_000,
})
