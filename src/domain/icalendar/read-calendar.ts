/** Reads the busy times of an iCalendar text: recurrence, exceptions, time zones, and what does not block. */
import { type Budget, BudgetExceeded, expandRule } from './expand-rule.ts'
import type { Until } from './parse-rule.ts'
import {
  addLength,
  type EventFields,
  type Moment,
  readEvent,
  readFreeBusy,
  type WarningCode,
} from './read-event.ts'
import { type RawComponent, splitComponents, UnreadableCalendar } from './split-components.ts'
import { createIanaZone, createZones, utc } from './zones.ts'

export interface ReadOptions {
  /** Half open, in milliseconds since 1970. */
  fromMs: number
  toMs: number
  /** IANA: of floating times and days. */
  timezone: string
}

export interface BusyEvent {
  uid: string
  /** In their order; they do not overlap. */
  busy: { startMs: number; endMs: number }[]
}

export interface CalendarReading {
  name: string | null
  /** In a text of several events, those that do not block in the range are left out. */
  events: BusyEvent[]
  warnings: { code: WarningCode; message: string; count: number }[]
}

const stepsMax = 8_000_000
const occurrencesMax = 20_000
/** Before overlapping ones are joined. */
const spansMax = 100_000
const dayMs = 86_400_000

const messages: Record<WarningCode, string> = {
  INVALID_EVENT: 'Events with times that cannot be read do not block.',
  INVALID_RECURRENCE: 'Events with a recurrence rule that cannot be read block at their first time only.',
  UNKNOWN_TIME_ZONE: 'Times in a time zone that nobody knows count as times of the agenda.',
  TOO_MANY_OCCURRENCES: 'Events with too many occurrences do not block after the first thousands.',
}

/** Throws UnreadableCalendar. Its work is bounded, and may take seconds: call it on a thread. */
export function readCalendar(text: string, options: ReadOptions): CalendarReading {
  const { method, name, components } = splitComponents(text)
  const counts = new Map<WarningCode, number>()
  const warn = (code: WarningCode) => void counts.set(code, (counts.get(code) ?? 0) + 1)
  const context = { zones: createZones(components), floating: createIanaZone(options.timezone) ?? utc, warn }
  const budget: Budget = { steps: stepsMax, occurrences: spansMax }
  const isCancelled = method === 'CANCEL'
  const all: BusyEvent[] = []
  let occurrences = 0
  const add = (uid: string, spans: Span[]) => {
    const busy = merge(isCancelled ? [] : spans, options)
    occurrences += busy.length
    if (occurrences > occurrencesMax) throw tooComplex(`more than ${occurrencesMax} occurrences`)
    all.push({ uid, busy })
  }
  // Events are read one after the other, so that what is too large is refused before all of it is parsed.
  const events = components.filter(({ kind }) => kind === 'VEVENT')
  for (const [key, versions] of Map.groupBy(events, (event, index) => findUid(event) || `event-${index}`)) {
    const group = versions.flatMap(version => readEvent(version, context) ?? [])
    if (group.length > 0) add(group[0]!.uid || key, readGroup(group, options, budget, warn))
  }
  for (const [uid, { spans }] of readFreeBusyEvents(components, context)) add(uid, spans)
  return {
    name,
    events: all.length > 1 ? all.filter(({ busy }) => busy.length > 0) : all,
    warnings: [...counts].map(([code, count]) => ({ code, message: messages[code], count })),
  }
}

/** As it is written. */
const findUid = ({ lines }: RawComponent): string | undefined =>
  lines
    .find(line => /^UID[:;]/i.test(line))
    ?.replace(/^[^:]*:/, '')
    .trim()

const tooComplex = (what: string) =>
  new UnreadableCalendar(
    'TOO_LARGE',
    `The calendar has ${what} in the time that is read. Remove events that repeat too often, or choose another calendar.`,
  )

type Span = { startMs: number; endMs: number }

function readFreeBusyEvents(
  components: RawComponent[],
  context: Parameters<typeof readFreeBusy>[1],
): [string, { spans: Span[] }][] {
  return components
    .filter(({ kind }) => kind === 'VFREEBUSY')
    .map((component, index) => [
      `freebusy-${index}`,
      {
        spans: readFreeBusy(component, context).map(({ start, endMs }) => ({ startMs: start.ms, endMs })),
      },
    ])
}

/** The components of one UID: an event, and the occurrences of it that were changed. */
function readGroup(
  group: EventFields[],
  options: ReadOptions,
  budget: Budget,
  warn: (code: WarningCode) => void,
): Span[] {
  const masters = keepNewest(group.filter(({ replaces }) => !replaces))
  const changes = [
    ...Map.groupBy(
      group.filter(({ replaces }) => replaces),
      ({ replaces }) => toKey(replaces!.moment, masters[0]?.start),
    ),
  ].map(([key, same]) => [key, keepNewest(same).at(-1)!] as const)
  const changed = new Map(changes)
  const spans = masters.flatMap(master => {
    const following = [...changed.values()]
      .filter(({ replaces }) => replaces!.andFuture)
      .toSorted((a, b) => a.replaces!.moment.ms - b.replaces!.moment.ms)
    if (![master, ...following].some(({ blocks }) => blocks)) return []
    return expand(master, following, options, budget, warn).flatMap(({ start, length }) => {
      if (changed.has(toKey(start, master.start))) return []
      return toSpans(start, length ?? master.length, master, following)
    })
  })
  const ownSpans = [...changed.values()]
    .filter(({ blocks }) => blocks)
    .map(({ start, length }) => ({ startMs: start.ms, endMs: addLength(start, length) }))
  return [...spans, ...ownSpans]
}

/** Keeps the newest of several versions of the same component. Equal ones may be different events of a careless program. */
function keepNewest(versions: EventFields[]): EventFields[] {
  const newest = Math.max(...versions.map(({ sequence }) => sequence))
  return versions.filter(({ sequence }) => sequence === newest)
}

/** Identifies an occurrence: by its day if the event, or the exception, is of whole days. */
const toKey = (moment: Moment, master: Moment | undefined): string =>
  moment.isDate || master?.isDate ? toDay(moment, master) : String(moment.ms)

/** Exchange writes exceptions of all-day events as the time of their midnight. */
const toDay = ({ local, isDate, zone, ms }: Moment, master: Moment | undefined) =>
  (isDate || !master || zone !== utc ? local : master.zone.toLocal(ms)).toPlainDate().toString()

function toSpans(
  start: Moment,
  length: EventFields['length'],
  master: EventFields,
  following: EventFields[],
): Span[] {
  const change = following.findLast(({ replaces }) => replaces!.moment.ms <= start.ms)
  if (!change) return master.blocks ? [{ startMs: start.ms, endMs: addLength(start, length) }] : []
  if (!change.blocks) return []
  const local = start.local.add(change.replaces!.moment.local.until(change.start.local))
  const moved = { local, zone: change.start.zone, ms: change.start.zone.toMs(local) }
  return [{ startMs: moved.ms, endMs: addLength(moved, change.length) }]
}

interface Occurrence {
  start: Moment
  length: EventFields['length'] | null
}

function expand(
  master: EventFields,
  following: EventFields[],
  options: ReadOptions,
  budget: Budget,
  warn: (code: WarningCode) => void,
): Occurrence[] {
  const { start } = master
  const lengths = [master, ...following].map(({ start, length }) => addLength(start, length) - start.ms)
  const shifts = following.map(({ start, replaces }) => Math.abs(start.ms - replaces!.moment.ms))
  const marginMs = Math.max(...lengths, 0) + Math.max(...shifts, 0) + 2 * dayMs
  const window = {
    from: toLocalWithin(start, options.fromMs - marginMs),
    to: toLocalWithin(start, options.toMs + Math.max(...shifts, 0) + 2 * dayMs),
  }
  const found: Occurrence[] = [{ start, length: null }, ...master.dates]
  for (const rule of master.rules) {
    const expansion = expandRuleWithin(rule, start, window, budget)
    if (!expansion) warn('INVALID_RECURRENCE')
    if (expansion?.isCut) warn('TOO_MANY_OCCURRENCES')
    for (const local of expansion?.starts ?? []) {
      const moment = { local, isDate: start.isDate, zone: start.zone, ms: start.zone.toMs(local) }
      if (isWithin(moment, expansion!.until)) found.push({ start: moment, length: null })
    }
  }
  const excluded = new Set(master.excluded.map(moment => toKey(moment, start)))
  const days = new Set(
    master.excluded.filter(({ isDate }) => isDate).map(({ local }) => local.toPlainDate().toString()),
  )
  const byKey = new Map(found.map(occurrence => [toKey(occurrence.start, start), occurrence]))
  return [...byKey]
    .filter(
      ([key, { start }]) =>
        !excluded.has(key) && !(days.size && days.has(start.local.toPlainDate().toString())),
    )
    .map(([, occurrence]) => occurrence)
}

function expandRuleWithin(...[rule, start, window, budget]: Parameters<typeof expandRule>) {
  try {
    return expandRule(rule, start, window, budget)
  } catch (error) {
    if (error instanceof BudgetExceeded) throw tooComplex('too many recurring events')
    throw error
  }
}

/** Times that Temporal can't have are far outside of every range. */
function toLocalWithin({ zone }: Moment, ms: number): Temporal.PlainDateTime {
  return zone.toLocal(Math.min(Math.max(ms, -2e13), 2e13))
}

function isWithin({ local, ms }: Moment, until: Until): boolean {
  if (!until) return true
  if (until.isUtc) return ms <= utc.toMs(until.local)
  const end = until.isDate ? until.local.with({ hour: 23, minute: 59, second: 59 }) : until.local
  return Temporal.PlainDateTime.compare(local, end) <= 0
}

/** Cuts the times to the range, and joins those that overlap. */
function merge(spans: Span[], { fromMs, toMs }: ReadOptions): Span[] {
  const merged: Span[] = []
  const cut = spans
    .map(({ startMs, endMs }) => ({ startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, toMs) }))
    .filter(({ startMs, endMs }) => startMs < endMs)
    .toSorted((a, b) => a.startMs - b.startMs)
  for (const span of cut) {
    const last = merged.at(-1)
    if (last && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs)
    else merged.push(span)
  }
  return merged
}
