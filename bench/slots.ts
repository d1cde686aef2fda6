/**
 * The slot calculator on a calendar of 60 days: one agent with 500 busy times, teams, and the largest requests that its bounds allow. The
 * limit is a bare sweep of the busy times over a grid, without time zones, buffers and rules.
 */
import { slotBounds } from '../src/domain/slots/bounds.ts'
import { findSlot, listSlots } from '../src/domain/slots/list-slots.ts'
import { estimateTravel } from '../src/domain/slots/travel.ts'
import type { AgendaState, Interval, SlotRequest } from '../src/domain/slots/types.ts'
import { at, slotRequest, weekHours } from '../test/slot-requests.ts'
import type { Ratios } from './guard.ts'
import { median, percentile } from './load.ts'

const minuteMs = 60_000
const dayMs = 1440 * minuteMs
const days = 60
const busyPerAgent = 500
/** The clock changes in the range. */
const range = { startMs: at('2026-10-01T00:00[Europe/Madrid]'), endMs: at('2026-11-30T00:00[Europe/Madrid]') }

export async function run(): Promise<void> {
  console.log(`Listings of ${days} days`)
  console.table({
    'one agent': time(() => listSlots(createCalendar(1))),
    'team of 20, round robin': time(() => listSlots(createTeam(20, 'round_robin'))),
    'team of 20, collective': time(() => listSlots(createTeam(20, 'collective'))),
    'bare sweep, one agent': time(() => sweep(createCalendar(1).agendas[0]!.busy)),
    'one booking, one agent': time(() => findSlot(createCalendar(1), at('2026-11-02T10:00[Europe/Madrid]'))),
  })
  console.log('The largest requests')
  console.table(
    Object.fromEntries(createLargest().map(([name, request]) => [name, time(() => listSlots(request), 20)])),
  )
}

/** Short form: listings of one agent, and of a team per agent, relative to the bare sweep: the best of each, measured in turn. */
export async function short(): Promise<Ratios> {
  const one = createCalendar(1)
  const team = createTeam(20, 'round_robin')
  const best = {
    sweep: Number.POSITIVE_INFINITY,
    one: Number.POSITIVE_INFINITY,
    team: Number.POSITIVE_INFINITY,
  }
  const runs = {
    sweep: () => sweep(one.agendas[0]!.busy),
    one: () => listSlots(one),
    team: () => listSlots(team),
  }
  for (let round = 0; round < 300; round += 1)
    for (const name of ['sweep', 'one', 'team'] as const)
      best[name] = Math.min(best[name], measure(runs[name]))
  return {
    'listings of one agent of a bare sweep': best.sweep / best.one,
    'listings of a team of a bare sweep': (best.sweep * team.agendas.length) / best.team,
  }
}

const calendars = new Map<number, SlotRequest>()

/** 30-minute slots from 09:00 to 18:00 on weekdays, with `busyPerAgent` busy times for each agent. The same on every machine. */
export function createCalendar(agents: number): SlotRequest {
  const known = calendars.get(agents)
  if (known) return known
  const calendar = slotRequest({
    nowMs: range.startMs - dayMs,
    range,
    bufferBeforeMin: 5,
    bufferAfterMin: 10,
    agendas: Array.from({ length: agents }, (_, index) => ({ busy: createBusyTimes(index, busyPerAgent) })),
  })
  calendars.set(agents, calendar)
  return calendar
}

const createTeam = (agents: number, assignment: SlotRequest['assignment']): SlotRequest => ({
  ...createCalendar(agents),
  assignment,
})

function createBusyTimes(seed: number, count: number): Interval[] {
  const stepMin = (days * 1440) / count
  return Array.from({ length: count }, (_, index) => {
    const offsetMin = (index * 7919 + seed * 104_729) % 60
    const startMs = range.startMs + Math.floor(index * stepMin + offsetMin) * minuteMs
    return { startMs, endMs: startMs + (15 + ((index * 31 + seed * 17) % 60)) * minuteMs }
  })
}

/** What the bounds allow: the finest grid over 62 days, and as many agendas, intervals and hours as fit. */
function createLargest(): [string, SlotRequest][] {
  const fullRange = { startMs: range.startMs, endMs: range.startMs + slotBounds.rangeDays * dayMs }
  const create = (agents: number, create: (index: number) => Partial<AgendaState>): SlotRequest =>
    slotRequest({
      nowMs: range.startMs - dayMs,
      range: fullRange,
      durationMin: 5,
      availability: {
        ...weekHours('00:00', '24:00'),
        slotIntervalMin: { 1: slotBounds.slotIntervalMin, [team]: 10, [slotBounds.agendas]: 40 }[agents]!,
      },
      agendas: Array.from({ length: agents }, (_, index) => create(index)),
    })
  const { agendas, busyTimes, totalIntervals } = slotBounds
  const team = 50
  const busy = (index: number, count: number) => createBusyTimes(index, count).map(shorten)
  const shuffled = busy(0, busyTimes).toSorted((one, other) => (one.startMs % 7919) - (other.startMs % 7919))
  const weekly = Array.from({ length: 75 }, (_, index) => ({
    day: 1 + (index % 7),
    from: `${String(Math.floor(index / 7) + 8).padStart(2, '0')}:00`,
    to: `${String(Math.floor(index / 7) + 8).padStart(2, '0')}:30`,
  }))
  const place = { latitude: 40.4, longitude: -3.7 }
  const reservations = busy(0, slotBounds.reservations).map((one, index) => ({
    ...one,
    bufferBeforeMin: 0,
    bufferAfterMin: 0,
    place: { latitude: 40 + (index % 100) / 100, longitude: -3.7 },
  }))
  return [
    ['one agenda, all intervals', create(1, () => ({ busy: busy(0, busyTimes) }))],
    ['one agenda, in no order', create(1, () => ({ busy: shuffled }))],
    ['one agenda, travel', { ...create(1, () => ({ reservations })), travel: estimateTravel(place, 30) }],
    ['50 agendas, round robin', create(team, index => ({ busy: busy(index, totalIntervals / team) }))],
    [
      '50 agendas, collective',
      { ...create(team, index => ({ busy: busy(index, totalIntervals / team) })), assignment: 'collective' },
    ],
    ['50 agendas, hours', create(team, () => ({ workingHours: { ...weekHours('00:00', '24:00'), weekly } }))],
    [
      '200 agendas, collective',
      {
        ...create(agendas, index => ({ busy: busy(index, totalIntervals / agendas) })),
        assignment: 'collective',
      },
    ],
  ]
}

const shorten = ({ startMs }: Interval) => ({ startMs, endMs: startMs + minuteMs })

/** The starts of a day's grid that no busy time touches. */
function sweep(busy: readonly Interval[]): number[] {
  const starts: number[] = []
  let at = 0
  let busyUntilMs = 0
  for (let dayStartMs = range.startMs; dayStartMs < range.endMs; dayStartMs += dayMs)
    for (let minute = 540; minute < 1080; minute += 30) {
      const startMs = dayStartMs + minute * minuteMs
      while (at < busy.length && busy[at]!.startMs < startMs + 30 * minuteMs) {
        busyUntilMs = Math.max(busyUntilMs, busy[at]!.endMs)
        at += 1
      }
      if (busyUntilMs <= startMs) starts.push(startMs)
    }
  return starts
}

function time(work: () => unknown, runs = 200) {
  repeat(20, work)
  const timesMs = Array.from({ length: runs }, () => measure(work))
  const result = work()
  return {
    'best ms': Number(Math.min(...timesMs).toFixed(3)),
    'median ms': Number(median(timesMs).toFixed(3)),
    'p99 ms': Number(percentile(timesMs, 0.99).toFixed(3)),
    slots: Array.isArray(result) ? result.length : 1,
  }
}

function measure(work: () => unknown): number {
  const startedMs = performance.now()
  work()
  return performance.now() - startedMs
}

function repeat(count: number, work: () => unknown): void {
  for (let index = 0; index < count; index += 1) work()
}
