/** The rules of an agenda. Each one returns the times at which no slot can begin; the listing and the booking read the same. */
import { type DayPlan, expandDays, expandHours, toDayPlan } from './hours.ts'
import { appendSpan, invertSpans, type Spans, toSpans, uniteSpans } from './spans.ts'
import type { AgendaState, Interval, Reservation, SlotRequest, Travel, UnavailableReason } from './types.ts'
import { dayMs, minuteMs, parseDay } from './wall-clock.ts'

type Rule = (agenda: AgendaState, request: SlotRequest) => Spans

/** In the order in which a reason is looked for. */
export const agendaRules: readonly (readonly [UnavailableReason, Rule])[] = [
  ['OUTSIDE_HOURS', listOutsideHours],
  ['DAILY_LIMIT', listFullDays],
  ['TRAVEL', listTooFar],
  ['BUSY', listBusy],
  ['CALENDAR_STALE', listUnknown],
]

/** All rules together. */
export function listBlockedStarts(agenda: AgendaState, request: SlotRequest): Spans {
  return agendaRules.reduce<Spans>((blocked, [, rule]) => uniteSpans(blocked, rule(agenda, request)), [])
}

function listOutsideHours({ workingHours }: AgendaState, request: SlotRequest): Spans {
  return workingHours === null ? [] : listStartsOutside(toDayPlan(workingHours), request)
}

/** The starts of the range whose slots are not wholly inside the hours. Buffers may be outside. */
export function listStartsOutside(plan: DayPlan, { range, durationMin }: SlotRequest): Spans {
  const durationMs = durationMin * minuteMs
  const hours = expandHours(plan, { startMs: range.startMs, endMs: range.endMs + durationMs })
  const starts: Spans = []
  for (let at = 0; at < hours.length; at += 2) appendSpan(starts, hours[at]!, hours[at + 1]! - durationMs + 1)
  return invertSpans(starts, range)
}

function listFullDays({ bookedPerDay }: AgendaState, { availability, range }: SlotRequest): Spans {
  const { dailyLimit, timezone } = availability
  if (dailyLimit === null) return []
  const full = Object.entries(bookedPerDay).filter(([, count]) => count >= dailyLimit)
  return expandDays(timezone, new Set(full.map(([day]) => parseDay(day))), range)
}

function listUnknown({ unknown }: AgendaState, request: SlotRequest): Spans {
  return unknown ? listBusy({ busy: [unknown], reservations: [] }, request) : []
}

function listBusy(
  { busy, reservations }: Pick<AgendaState, 'busy' | 'reservations'>,
  request: SlotRequest,
): Spans {
  const beforeMs = (request.durationMin + request.bufferAfterMin) * minuteMs
  const afterMs = request.bufferBeforeMin * minuteMs
  const blocked: number[] = []
  for (const { startMs, endMs } of busy)
    if (endMs > startMs) blockBetween(blocked, startMs - beforeMs, endMs + afterMs, request.range)
  const reserved: number[] = []
  for (const { startMs, endMs, bufferBeforeMin, bufferAfterMin } of reservations)
    blockBetween(
      reserved,
      startMs - bufferBeforeMin * minuteMs - beforeMs,
      endMs + bufferAfterMin * minuteMs + afterMs,
      request.range,
    )
  return uniteSpans(toSpans(blocked), toSpans(reserved))
}

/** No slot begins between the two times; at either of them it only touches its neighbour. */
function blockBetween(blocked: number[], afterMs: number, beforeMs: number, range: Interval): void {
  if (beforeMs > range.startMs && afterMs < range.endMs) blocked.push(Math.floor(afterMs) + 1, beforeMs)
}

/** Neighbours are the on-site reservations next to the slot: an earlier one counts until the next one ends. */
function listTooFar({ reservations }: AgendaState, request: SlotRequest): Spans {
  const { travel, durationMin, range } = request
  if (travel === null) return []
  const onSite = reservations
    .filter((reservation): reservation is OnSite => reservation.place !== null)
    .sort((one, other) => one.startMs - other.startMs)
  const blocked: number[] = []
  for (const [index, { startMs, endMs, place }] of onSite.entries()) {
    const { toMs, fromMs } = estimate(travel, place)
    const previousMs = onSite[index - 1]?.startMs ?? Number.NEGATIVE_INFINITY
    const nextMs = onSite[index + 1]?.endMs ?? Number.POSITIVE_INFINITY
    const durationMs = durationMin * minuteMs
    blockBetween(
      blocked,
      Math.max(startMs - toMs, Math.min(previousMs, startMs)) - durationMs,
      Math.min(endMs + fromMs, Math.max(nextMs, endMs)),
      range,
    )
  }
  return toSpans(blocked)
}

type OnSite = Reservation & { place: NonNullable<Reservation['place']> }

/** A longer way counts as a day, so that reservations of the days around a range are all that matters. */
const travelMaxMs = dayMs

function estimate(travel: Travel, other: OnSite['place']): { toMs: number; fromMs: number } {
  return {
    toMs: Math.min(travel.estimateMin(travel.place, other) * minuteMs, travelMaxMs),
    fromMs: Math.min(travel.estimateMin(other, travel.place) * minuteMs, travelMaxMs),
  }
}
